/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the L1 signalling from soft bits, with LDPC, BCH and CRC (EN 302 755, clause 7.3).
 *
 * If one frame does not suffice, the soft bits of several frames are combined. L1-pre is the same in every
 * frame. L1-post differs in FRAME_IDX, whose effect on the codeword is removed. Combining four frames lowers
 * the required C/N of L1-post by 6 dB.
 *
 * Cells are interleaved I and Q, scaled to a mean power of 1 for data cells. `noise` is the mean error power
 * of a cell, the sum of I and Q. If it is not a positive number, the cell is an erasure. */
#ifndef DVBT2_L1_DECODER_H
#define DVBT2_L1_DECODER_H

#include "dvbt2/standard/frame_map.h"

typedef struct dvbt2_l1_decoder dvbt2_l1_decoder; /* not thread-safe */

/* Creates a decoder and allocates all its memory. Returns LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY ... */
ldpc_status dvbt2_l1_decoder_create(dvbt2_l1_decoder **decoder, ldpc_error *err);
void dvbt2_l1_decoder_destroy(dvbt2_l1_decoder *decoder); /* NULL is allowed */

/* Clears the soft bits of earlier frames. Call this function after a lost frame, after a change of the
 * channel frequency and after a change of the signal. */
void dvbt2_l1_decoder_reset(dvbt2_l1_decoder *decoder);

/* Decodes L1-pre from the 1840 cells and the noise of each cell. If the CRC is wrong, returns false and
 * leaves *pre unchanged. */
bool dvbt2_l1_pre_decode(dvbt2_l1_decoder *decoder, const float *iq, const float *noise, dvbt2_l1_pre *pre);

/* Returns true if the last L1-post was decoded from the sum over several frames. L1-post of these frames then
 * differs only in FRAME_IDX. */
bool dvbt2_l1_post_from_sum(const dvbt2_l1_decoder *decoder);

/* Decodes L1-post from its pre->l1_post_size cells and their noise. n_p2: number of P2 symbols of the mode.
 *
 * Returns LDPC_OK; LDPC_AGAIN if the CRC is wrong, then the next frame may help; LDPC_ERR_PARAM if L1-pre is
 * inconsistent; LDPC_ERR_FORMAT if the CRC is correct but the contents are inconsistent. *post is set only if
 * the result is LDPC_OK. */
ldpc_status dvbt2_l1_post_decode(dvbt2_l1_decoder *decoder, const dvbt2_l1_pre *pre, uint32_t n_p2,
                                 const float *iq, const float *noise, dvbt2_l1_post *post, ldpc_error *err);

#endif
