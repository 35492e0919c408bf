/* SPDX-License-Identifier: BSD-3-Clause */
/* Philox 4x32-10, the counter-based random numbers of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011): any block of any frame on its own, on any number of threads, on a
 * GPU alike. */
#ifndef LDPC_PHILOX_H
#define LDPC_PHILOX_H

#include <stdint.h>

typedef struct philox_block {
    uint32_t word[4];
} philox_block;

/* Key = seed; counter = (block, stream, frame). */
static inline philox_block philox(uint64_t seed, uint64_t frame, uint32_t stream, uint32_t block)
{
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    uint32_t c0 = block, c1 = stream, c2 = (uint32_t)frame, c3 = (uint32_t)(frame >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53 * c0, product1 = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(product1 >> 32) ^ c1 ^ key0;
        c1 = (uint32_t)product1;
        c2 = (uint32_t)(product0 >> 32) ^ c3 ^ key1;
        c3 = (uint32_t)product0;
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return (philox_block){
        {c0, c1, c2, c3}
    };
}

#endif
