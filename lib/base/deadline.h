/* SPDX-License-Identifier: BSD-3-Clause */
/* When a wait with a time limit ends. */
#ifndef LDPC_DEADLINE_H
#define LDPC_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Monotonic time `timeout_us` from now, limited to some centuries so that it cannot overflow. */
struct timespec ldpc_deadline(int64_t timeout_us);

bool ldpc_is_before(const struct timespec *a, const struct timespec *b);

/* A condition whose waits with a time limit take such a time; false when the system refuses. */
bool ldpc_condition_init(pthread_cond_t *condition);

#endif
