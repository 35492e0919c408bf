/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers between guard bytes. The guard bytes must not change. */
#ifndef LDPC_TEST_GUARDED_H
#define LDPC_TEST_GUARDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 };

typedef struct guarded {
    uint8_t *memory; /* guard bytes, buffer, guard bytes */
    size_t bytes;
} guarded;

static inline void *guarded_make(guarded *g, size_t bytes)
{
    *g = (guarded){malloc(bytes + 2 * GUARD), bytes};
    if (!g->memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    memset(g->memory, 0xa5, bytes + 2 * GUARD);
    return g->memory + GUARD;
}

static inline bool guarded_intact(const guarded *g)
{
    for (size_t i = 0; i < GUARD; i++)
        if (g->memory[i] != 0xa5 || g->memory[GUARD + g->bytes + i] != 0xa5)
            return false;
    return true;
}

static inline size_t row_bytes(size_t bits, bool packed)
{
    return packed ? (bits + 7) / 8 : bits;
}

#endif
