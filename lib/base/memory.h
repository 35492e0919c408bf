/* SPDX-License-Identifier: BSD-3-Clause */
/* All allocations of the library. The two functions stand alone in memory.c, so that a test can link its own,
 * which fail on demand, in their place. */
#ifndef LDPC_MEMORY_H
#define LDPC_MEMORY_H

#include <stddef.h>

/* count * size zeroed bytes, never NULL for a zero size; NULL when memory is short or the product overflows.
 * The caller frees them with free(). */
void *ldpc_allocate(size_t count, size_t size);

/* realloc with the same promises, except that new bytes are not zeroed. */
void *ldpc_reallocate(void *old, size_t count, size_t size);

#endif
