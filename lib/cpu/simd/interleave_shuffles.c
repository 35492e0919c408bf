/* SPDX-License-Identifier: BSD-3-Clause */
#include "cpu/simd/interleave_ops.h"

#include <string.h>

void ldpc_interleave_shuffles_fill(uint32_t n_codewords, ldpc_interleave_shuffles *shuffles)
{
    const uint32_t n = n_codewords;
    shuffles->n_codewords = n;
    if (n > LDPC_SHUFFLED_CODEWORDS)
        return;
    memset(shuffles->in, 0x80, sizeof shuffles->in);
    memset(shuffles->out, 0x80, sizeof shuffles->out);
    for (uint32_t p = 0; p < 16 * n; p++) {
        uint32_t k = p / 16, b = p % 16, w = p % n, entry = p / n;
        shuffles->in[k * n + w][b] = (uint8_t)entry;
        shuffles->out[w * n + k][entry] = (uint8_t)b;
    }
}
