/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the threads of the library. thread.c contains only this function, so that a test can replace it by
 * one that fails. */
#ifndef LDPC_THREAD_H
#define LDPC_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread with all signals blocked, because signals belong to the application. Returns false if the
 * system refuses. */
bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
