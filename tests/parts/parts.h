/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers and a clock. */
#ifndef LDPC_TEST_PARTS_H
#define LDPC_TEST_PARTS_H

#include <stdint.h>
#include <time.h>

/* 0 .. limit - 1, reproducible: xorshift. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 32) * limit >> 32);
}

static inline double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
