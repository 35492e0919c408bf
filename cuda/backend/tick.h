/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of time limits. It stands alone in tick.c, so that a test can link one in its place that it moves itself. */
#ifndef LDPC_CUDA_TICK_H
#define LDPC_CUDA_TICK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* With the mutex held: return after so many microseconds, or when `wake`, on the monotonic clock, tells that *closing is true. */
void ldpc_cuda_await_tick(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us);

#endif
