/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the byte shuffles. Byte b of lane register k belongs to row p / n of word p % n with p = 16 k
 * + b. */
#include "cpu/binary/weave.h"

#include <string.h>

void ldpc_weave_index_fill(uint32_t n, ldpc_weave_index *index)
{
    index->n_codewords = n;
    if (n > LDPC_WEAVE_WORDS)
        return;
    memset(index->in, 0x80, sizeof index->in);
    memset(index->out, 0x80, sizeof index->out);
    for (uint32_t p = 0; p < 16 * n; p++) {
        uint32_t k = p / 16, b = p % 16, word = p % n, row = p / n;
        index->in[k * n + word][b] = (uint8_t)row;
        index->out[word * n + k][row] = (uint8_t)b;
    }
}
