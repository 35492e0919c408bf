/* SPDX-License-Identifier: BSD-3-Clause */
/* How the library starts threads. It stands alone in thread.c, so that a test can link one that fails in its
 * place. */
#ifndef LDPC_THREAD_H
#define LDPC_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that takes no signals: those are the application's. False when the system refuses. */
bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
