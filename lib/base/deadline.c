/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "base/deadline.h"

struct timespec ldpc_deadline(int64_t timeout_us)
{
    const int64_t second = 1000000;
    int64_t most = (int64_t)1 << 33;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t seconds = timeout_us / second;
    int64_t ns = t.tv_nsec + timeout_us % second * 1000;
    t.tv_sec += (time_t)((seconds < most ? seconds : most) + ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

bool ldpc_is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

bool ldpc_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes))
        return false;
    bool ok = !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) &&
              !pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return ok;
}
