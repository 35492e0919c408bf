/* SPDX-License-Identifier: BSD-3-Clause */
/* All allocations of the library. Tests replace memory.c by allocators that fail. */
#ifndef LDPC_MEMORY_H
#define LDPC_MEMORY_H

#include <stddef.h>

/* Allocates count * size zeroed bytes. Returns NULL if out of memory or on overflow. Release with free(). */
void *ldpc_allocate(size_t count, size_t size);

/* Like realloc(), but returns NULL on overflow of count * size. New bytes are not zeroed. */
void *ldpc_reallocate(void *old, size_t count, size_t size);

#endif
