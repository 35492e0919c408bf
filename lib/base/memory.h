/* SPDX-License-Identifier: BSD-3-Clause */
/* All allocations of the library. memory.c contains only these two functions. Tests can therefore replace
 * this file by allocators that fail on demand. */
#ifndef LDPC_MEMORY_H
#define LDPC_MEMORY_H

#include <stddef.h>

/* Allocates count * size zeroed bytes; a size of zero is valid. Returns NULL if memory is exhausted or the
 * product overflows. The caller frees the memory with free(). */
void *ldpc_allocate(size_t count, size_t size);

/* Does the same as realloc(), with the overflow test of ldpc_allocate(). New bytes are not zeroed. */
void *ldpc_reallocate(void *old, size_t count, size_t size);

#endif
