/* SPDX-License-Identifier: BSD-3-Clause */
/* All threads of the library start here. Tests replace thread.c by a function that fails. */
#ifndef LDPC_THREAD_H
#define LDPC_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread with all signals blocked. Returns false on failure. */
bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument);

#endif
