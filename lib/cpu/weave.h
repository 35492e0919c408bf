/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to lanes and back by byte shuffles: what interleave.h does, for up to eight words that fill their
 * lanes, in the instruction sets that have such a shuffle (isa_weave.c). */
#ifndef LDPC_WEAVE_H
#define LDPC_WEAVE_H

#include <stddef.h>
#include <stdint.h>

#define LDPC_WEAVE_WORDS 8
#define LDPC_WEAVE_ROWS  16 /* moved together; segments shorter than this are interleave.h's */

/* Where the bytes of n words come from. Output register i takes from input register j the bytes
 * [i * n + j], 0x80 where the byte is another register's. */
typedef struct ldpc_weave_index {
    uint32_t n_words;
    uint8_t in[LDPC_WEAVE_WORDS * LDPC_WEAVE_WORDS][16];  /* words to lanes */
    uint8_t out[LDPC_WEAVE_WORDS * LDPC_WEAVE_WORDS][16]; /* lanes to words */
} ldpc_weave_index;

typedef struct ldpc_weaver {
    /* lanes[i * n_words + w] = words[w][i], -128 read as -127, for LDPC_WEAVE_ROWS <= count; words[w] may
     * be NULL: zeros. */
    void (*weave)(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes);
    /* words[w][i] = lanes[i * n_words + w]; words[w] may be NULL: left out. */
    void (*unweave)(const ldpc_weave_index *index, const int8_t *lanes, size_t count, int8_t *const *words);
} ldpc_weaver;

/* n_words <= LDPC_WEAVE_WORDS */
void ldpc_weave_index_fill(uint32_t n_words, ldpc_weave_index *index);

#endif
