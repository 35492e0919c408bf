/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves and packs bytes. These functions are compiled once per instruction set (isa_interleave.c).
 * Entry i of codeword w and lane i * n_codewords + w contain the same symbol. */
#ifndef LDPC_INTERLEAVE_OPS_H
#define LDPC_INTERLEAVE_OPS_H

#include <stddef.h>
#include <stdint.h>

#define LDPC_SHUFFLED_CODEWORDS 8  /* maximum number of codewords for which interleaving uses byte shuffles */
#define LDPC_INTERLEAVE_ROWS    16 /* number of entries that are moved together */

/* Byte shuffles for n_codewords codewords, n_codewords <= LDPC_SHUFFLED_CODEWORDS. Element [i * n_codewords +
 * j] selects the bytes that output register i receives from input register j; 0x80 marks bytes that it
 * receives from other input registers. */
typedef struct ldpc_interleave_shuffles {
    uint32_t n_codewords;
    uint8_t in[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16];  /* codewords to lanes */
    uint8_t out[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16]; /* lanes to codewords */
} ldpc_interleave_shuffles;

typedef struct ldpc_interleave_ops {
    /* Sets lanes[i * n_codewords + w] = codewords[w][i], limited to +-limit, for i < count. If codewords[w]
     * is NULL, its lanes become 0. There is one exception: if n_codewords is a multiple of 16 and all of
     * codewords 16 b .. 16 b + 15 are NULL, their lanes are not changed. */
    void (*interleave)(const ldpc_interleave_shuffles *shuffles, int8_t limit, const int8_t *const *codewords,
                       size_t count, int8_t *lanes);
    /* Sets codewords[w][i] = (lanes[i * n_codewords + w] < 0) for i < count. Codewords that are NULL are
     * skipped. */
    void (*deinterleave)(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords);
    /* Sets out[c * out_stride + r] = in[r * in_stride + c] for r < rows and c < columns. */
    void (*transpose)(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride);
    /* Packs `count` bytes of value 0 or 1 into bits in the same way as ldpc_pack(). */
    void (*pack)(const uint8_t *bits, size_t count, uint8_t *packed);
} ldpc_interleave_ops;

/* Fills in the shuffles for n_codewords codewords. n_codewords may be any number, but there are no shuffles
 * above LDPC_SHUFFLED_CODEWORDS. */
void ldpc_interleave_shuffles_fill(uint32_t n_codewords, ldpc_interleave_shuffles *shuffles);

#endif
