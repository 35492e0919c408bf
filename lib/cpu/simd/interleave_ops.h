/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaving and packing of bytes, once per instruction set (isa_interleave.c): entry i of codeword w and
 * lane i * n_codewords + w hold the same symbol. */
#ifndef LDPC_INTERLEAVE_OPS_H
#define LDPC_INTERLEAVE_OPS_H

#include <stddef.h>
#include <stdint.h>

#define LDPC_SHUFFLED_CODEWORDS 8  /* maximum number of codewords that are interleaved by byte shuffles */
#define LDPC_INTERLEAVE_ROWS    16 /* number of entries that are moved together */

/* Byte shuffles for n_codewords <= LDPC_SHUFFLED_CODEWORDS codewords. Entry [i * n_codewords + j] selects the
 * bytes of input register j that output register i receives; 0x80 marks bytes that come from another input
 * register. */
typedef struct ldpc_interleave_shuffles {
    uint32_t n_codewords;
    uint8_t in[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16];  /* codewords to lanes */
    uint8_t out[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16]; /* lanes to codewords */
} ldpc_interleave_shuffles;

typedef struct ldpc_interleave_ops {
    /* lanes[i * n_codewords + w] = codewords[w][i], limited to +-limit, for i < count. The lanes of NULL
     * codewords become 0; but if n_codewords is a multiple of 16 and codewords 16 b .. 16 b + 15 are all
     * NULL, their lanes are not changed. */
    void (*interleave)(const ldpc_interleave_shuffles *shuffles, int8_t limit, const int8_t *const *codewords,
                       size_t count, int8_t *lanes);
    /* codewords[w][i] = lanes[i * n_codewords + w] < 0 for i < count. Codewords that are NULL are skipped. */
    void (*deinterleave)(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords);
    /* out[c * out_stride + r] = in[r * in_stride + c] for r < rows, c < columns. */
    void (*transpose)(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride);
    /* Packs `count` bytes of value 0 or 1 into bits, as ldpc_pack() does. */
    void (*pack)(const uint8_t *bits, size_t count, uint8_t *packed);
} ldpc_interleave_ops;

/* Prepares any number of codewords; there are no shuffles for more than LDPC_SHUFFLED_CODEWORDS. */
void ldpc_interleave_shuffles_fill(uint32_t n_codewords, ldpc_interleave_shuffles *shuffles);

#endif
