/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlines of functions that wait. */
#ifndef LDPC_DEADLINE_H
#define LDPC_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Returns the time `timeout_us` microseconds from now on the monotonic clock. The timeout is limited to some
 * centuries, so that the sum cannot overflow. */
struct timespec ldpc_deadline(int64_t timeout_us);

bool ldpc_is_before(const struct timespec *a, const struct timespec *b);

/* Initialises a condition variable whose timed waits use the monotonic clock. Returns false if the system
 * cannot create it. */
bool ldpc_condition_init(pthread_cond_t *condition);

#endif
