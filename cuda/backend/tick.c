/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "cuda/backend/tick.h"

#include <errno.h>
#include <time.h>

static struct timespec after(uint64_t us)
{
    const uint64_t second = 1000000;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const uint64_t sum = (uint64_t)t.tv_nsec / 1000 + us % second;
    t.tv_sec += (time_t)(us / second + sum / second);
    t.tv_nsec = (long)(sum % second * 1000);
    return t;
}

void ldpc_cuda_await_tick(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us)
{
    const struct timespec until = after(us);
    while (!*closing && pthread_cond_timedwait(wake, mutex, &until) != ETIMEDOUT)
        continue;
}
