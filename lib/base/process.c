/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "base/process.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint number;
static bool watching;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void count_fork(void)
{
    atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
}

static void watch(void)
{
    watching = !pthread_atfork(NULL, NULL, count_fork);
}

bool ldpc_process_watch(void)
{
    pthread_once(&once, watch);
    return watching;
}

unsigned ldpc_process_number(void)
{
    return atomic_load_explicit(&number, memory_order_relaxed);
}
