/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of several words, word after word, to bytes lane by lane and back; and the transposition under it. */
#ifndef LDPC_INTERLEAVE_H
#define LDPC_INTERLEAVE_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes behind the end of `lanes` may be read or overwritten. */
#define LDPC_INTERLEAVE_SLACK 8

/* lanes[i * stride + w] = words[w][i], i < count, w < n_words <= 8. With a stride below 8 the bytes behind
 * the last lane are overwritten (LDPC_INTERLEAVE_SLACK). words[w] may be NULL: zeros. */
void ldpc_interleave(const int8_t *const *words, uint32_t n_words, size_t count, int8_t *lanes,
                     size_t stride);

/* words[w][i] = lanes[i * stride + w]; words[w] may be NULL: left out. */
void ldpc_deinterleave(const int8_t *lanes, size_t stride, size_t count, int8_t *const *words,
                       uint32_t n_words);

/* out[c * out_stride + r] = in[r * in_stride + c] for rows r and columns c. */
void ldpc_transpose(const int8_t *in, size_t in_stride, size_t rows, size_t columns, int8_t *out,
                    size_t out_stride);

#endif
