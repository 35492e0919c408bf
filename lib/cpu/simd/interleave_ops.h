/* SPDX-License-Identifier: BSD-3-Clause */
/* Lane i * n_codewords + w has entry i of codeword w. */
#ifndef LDPC_INTERLEAVE_OPS_H
#define LDPC_INTERLEAVE_OPS_H

#include <stddef.h>
#include <stdint.h>

#define LDPC_SHUFFLED_CODEWORDS 8
#define LDPC_INTERLEAVE_ROWS    16 /* entries moved together */

typedef struct ldpc_interleave_shuffles {
    uint32_t n_codewords;
    uint8_t in[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16];  /* codewords to lanes */
    uint8_t out[LDPC_SHUFFLED_CODEWORDS * LDPC_SHUFFLED_CODEWORDS][16]; /* lanes to codewords */
} ldpc_interleave_shuffles;

typedef struct ldpc_interleave_ops {
    /* lanes[i * n_codewords + w] = codewords[w][i], limited to +-limit, for i < count. A NULL codeword gives
     * zeros; if n_codewords is a multiple of 16, blocks of 16 NULL codewords stay unchanged. */
    void (*interleave)(const ldpc_interleave_shuffles *shuffles, int8_t limit, const int8_t *const *codewords,
                       size_t count, int8_t *lanes);
    /* codewords[w][i] = (lanes[i * n_codewords + w] < 0) for i < count. Codewords may be NULL. */
    void (*deinterleave)(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords);
    /* Sets out[c * out_stride + r] = in[r * in_stride + c] for r < rows, c < columns. */
    void (*transpose)(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride);
    void (*pack)(const uint8_t *bits, size_t count, uint8_t *packed);
} ldpc_interleave_ops;

void ldpc_interleave_shuffles_fill(uint32_t n_codewords, ldpc_interleave_shuffles *shuffles);

#endif
