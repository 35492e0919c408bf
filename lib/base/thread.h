/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the threads of the library. thread.c contains only this function. A test can therefore replace this
 * file by a function that fails. */
#ifndef LDPC_THREAD_H
#define LDPC_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread. All signals are blocked in the thread, because signals belong to the application. Returns
 * false if the system cannot start the thread. */
bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
