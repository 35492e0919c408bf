/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte matrices turned around, eight by eight in 64-bit words. */
#include "cpu/interleave.h"

#include <string.h>

/* Rows of an 8 x 8 byte matrix to its columns: swap the off-diagonal 4 x 4, 2 x 2 and 1 x 1 blocks. Which end
 * of a word is the first byte does not matter as long as memory and word agree: seen from the other end, the
 * matrix is turned about its other diagonal, and so are the loads and the stores. */
static void transpose_eight(uint64_t x[8])
{
    static const uint64_t low[3] = {0x00000000ffffffffu, 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu};
    for (int level = 0, half = 4; level < 3; level++, half /= 2) {
        unsigned shift = 8u * (unsigned)half;
        for (int i = 0; i < 8; i++) {
            if (i & half)
                continue;
            uint64_t swap = ((x[i] >> shift) ^ x[i + half]) & low[level];
            x[i] ^= swap << shift;
            x[i + half] ^= swap;
        }
    }
}

void ldpc_interleave(const int8_t *const *words, uint32_t n_words, size_t count, int8_t *lanes, size_t stride)
{
    if (n_words == 1 && stride == 1) {
        if (words[0])
            memcpy(lanes, words[0], count);
        else
            memset(lanes, 0, count);
        return;
    }
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t x[8] = {0};
        for (uint32_t w = 0; w < n_words; w++)
            if (words[w])
                memcpy(&x[w], words[w] + i, 8);
        transpose_eight(x);
        for (size_t lane = 0; lane < 8; lane++)
            memcpy(lanes + (i + lane) * stride, &x[lane], 8);
    }
    for (; i < count; i++)
        for (uint32_t w = 0; w < n_words; w++)
            lanes[i * stride + w] = words[w] ? words[w][i] : 0;
}

void ldpc_deinterleave(const int8_t *lanes, size_t stride, size_t count, int8_t *const *words,
                       uint32_t n_words)
{
    if (n_words == 1 && stride == 1) {
        memcpy(words[0], lanes, count);
        return;
    }
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t x[8];
        for (size_t lane = 0; lane < 8; lane++)
            memcpy(&x[lane], lanes + (i + lane) * stride, 8);
        transpose_eight(x);
        for (uint32_t w = 0; w < n_words; w++)
            if (words[w])
                memcpy(words[w] + i, &x[w], 8);
    }
    for (; i < count; i++)
        for (uint32_t w = 0; w < n_words; w++)
            if (words[w])
                words[w][i] = lanes[i * stride + w];
}

void ldpc_transpose(const int8_t *in, size_t in_stride, size_t rows, size_t columns, int8_t *out,
                    size_t out_stride)
{
    size_t whole_rows = rows & ~(size_t)7, whole_columns = columns & ~(size_t)7;
    for (size_t r = 0; r < whole_rows; r += 8) {
        for (size_t c = 0; c < whole_columns; c += 8) {
            uint64_t x[8];
            for (size_t i = 0; i < 8; i++)
                memcpy(&x[i], in + (r + i) * in_stride + c, 8);
            transpose_eight(x);
            for (size_t i = 0; i < 8; i++)
                memcpy(out + (c + i) * out_stride + r, &x[i], 8);
        }
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = r < whole_rows ? whole_columns : 0; c < columns; c++)
            out[c * out_stride + r] = in[r * in_stride + c];
}
