/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

void *ldpc_allocate(size_t count, size_t size)
{
    return count && size ? calloc(count, size) : calloc(1, 1);
}

void *ldpc_reallocate(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return realloc(old, count && size ? count * size : 1);
}
