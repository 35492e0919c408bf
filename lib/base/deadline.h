/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_DEADLINE_H
#define LDPC_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Returns the time of the monotonic clock `timeout_us` microseconds from now. */
struct timespec ldpc_deadline(int64_t timeout_us);

bool ldpc_is_before(const struct timespec *a, const struct timespec *b);

/* Initialises a condition variable for the monotonic clock. Returns false on failure. */
bool ldpc_condition_init(pthread_cond_t *condition);

#endif
