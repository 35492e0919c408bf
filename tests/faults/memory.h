/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls for memory or threads, and makes one call fail. Replaces memory.c and thread.c. Include this
 * header once per program. */
#ifndef LDPC_TEST_FAULTY_MEMORY_H
#define LDPC_TEST_FAULTY_MEMORY_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"

static atomic_size_t fault_calls, fault_at; /* fault_at 0: no call fails */

static bool fault(void)
{
    bool fails = atomic_fetch_add(&fault_calls, 1) + 1 == atomic_load(&fault_at);
    if (fails)
        errno = EIO;
    return fails;
}

/* Restarts the count of calls. Call number `at` will fail. */
static void fault_begin(size_t at)
{
    fault_calls = 0;
    fault_at = at;
}

/* Returns true if a call has failed. */
static bool fault_end(void)
{
    bool made = fault_at && fault_calls >= fault_at;
    fault_at = 0;
    return made;
}

void *ldpc_allocate(size_t count, size_t size)
{
    return fault() ? NULL : calloc(count ? count : 1, size ? size : 1);
}

void *ldpc_reallocate(void *old, size_t count, size_t size)
{
    return fault() ? NULL : realloc(old, count && size ? count * size : 1);
}

bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument)
{
    return !fault() && pthread_create(thread, NULL, body, argument) == 0;
}

#endif
