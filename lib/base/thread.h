/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the threads of the library. thread.c contains only this function, so that a test can replace it by
 * one that fails. */
#ifndef LDPC_THREAD_H
#define LDPC_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread with all signals blocked, because signals are the application's. Returns false if the
 * system cannot start it. */
bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
