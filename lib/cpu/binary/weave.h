/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to lanes and lanes to bits, once per instruction set (isa_weave.c): lane i * n_codewords + w is entry
 * i of word w. */
#ifndef LDPC_WEAVE_H
#define LDPC_WEAVE_H

#include <stddef.h>
#include <stdint.h>

#define LDPC_WEAVE_WORDS 8  /* up to so many are mixed by byte shuffles */
#define LDPC_WEAVE_ROWS  16 /* entries that are moved together */

/* Where the bytes of n_codewords <= LDPC_WEAVE_WORDS words come from. Output register i takes from input
 * register j the bytes [i * n_codewords + j], 0x80 where the byte is another register's. */
typedef struct ldpc_weave_index {
    uint32_t n_codewords;
    uint8_t in[LDPC_WEAVE_WORDS * LDPC_WEAVE_WORDS][16];  /* words to lanes */
    uint8_t out[LDPC_WEAVE_WORDS * LDPC_WEAVE_WORDS][16]; /* lanes to words */
} ldpc_weave_index;

typedef struct ldpc_weaver {
    /* lanes[i * n_codewords + w] = words[w][i], -128 read as -127; words[w] may be NULL: zeros. */
    void (*weave)(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes);
    /* words[w][i] = lanes[i * n_codewords + w] < 0; words[w] may be NULL: left out. */
    void (*unweave)(const ldpc_weave_index *index, const int8_t *lanes, size_t count, uint8_t *const *words);
    /* out[c * out_stride + r] = in[r * in_stride + c] for rows r and columns c. */
    void (*turn)(const void *in, size_t in_stride, size_t rows, size_t columns, void *out, size_t out_stride);
} ldpc_weaver;

/* Any number of words. */
void ldpc_weave_index_fill(uint32_t n_codewords, ldpc_weave_index *index);

#endif
