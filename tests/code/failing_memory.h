/* SPDX-License-Identifier: BSD-3-Clause */
/* Only the next `left` allocations succeed. Replaces lib/base/memory.c in a test program. */
#ifndef LDPC_TEST_FAILING_MEMORY_H
#define LDPC_TEST_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

static size_t left; /* allocations that may still succeed */

static bool allowed(void)
{
    if (left == 0)
        return false;
    left--;
    return true;
}

void *ldpc_allocate(size_t count, size_t size)
{
    return allowed() ? calloc(count ? count : 1, size ? size : 1) : NULL;
}

void *ldpc_reallocate(void *old, size_t count, size_t size)
{
    return allowed() ? realloc(old, count && size ? count * size : 1) : NULL;
}

#endif
