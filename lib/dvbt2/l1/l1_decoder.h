/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of the L1 signalling: soft bits, LDPC, BCH, CRC (EN 302 755, clause 7.3).
 *
 * If one frame does not suffice, the soft bits of several frames are combined. L1-pre is the same in every
 * frame. L1-post differs in FRAME_IDX, whose effect on the codeword is removed. Combining four frames lowers
 * the required C/N of L1-post by 6 dB.
 *
 * Cells are interleaved I and Q, scaled to a mean power of 1 for data cells. `noise` is the mean error power
 * of a cell, I and Q together; a value that is not a positive number marks an erasure. */
#ifndef DVBT2_L1_DECODER_H
#define DVBT2_L1_DECODER_H

#include "dvbt2/standard/frame_map.h"

typedef struct dvbt2_l1_decoder dvbt2_l1_decoder; /* not thread-safe */

/* Allocates all memory. Returns LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY ... */
ldpc_status dvbt2_l1_decoder_create(dvbt2_l1_decoder **decoder, ldpc_error *err);
void dvbt2_l1_decoder_destroy(dvbt2_l1_decoder *decoder); /* NULL is allowed */

/* Clear the soft bits of earlier frames, after a retune, a lost frame or a change of the signal. */
void dvbt2_l1_decoder_reset(dvbt2_l1_decoder *decoder);

/* Decode L1-pre from its 1840 cells and their noise. Returns false, with *pre unchanged, while the CRC is
 * wrong. */
bool dvbt2_l1_pre_decode(dvbt2_l1_decoder *decoder, const float *iq, const float *noise, dvbt2_l1_pre *pre);

/* Was the last L1-post decoded from the sum over several frames? Then these frames have the same L1-post
 * except for FRAME_IDX. */
bool dvbt2_l1_post_from_sum(const dvbt2_l1_decoder *decoder);

/* Decode L1-post from its pre->l1_post_size cells and their noise. n_p2: number of P2 symbols of the mode.
 *
 * Returns LDPC_OK; LDPC_AGAIN: wrong CRC, the next frame may help; LDPC_ERR_PARAM: inconsistent L1-pre;
 * LDPC_ERR_FORMAT: correct CRC, but inconsistent contents. *post is set only with LDPC_OK. */
ldpc_status dvbt2_l1_post_decode(dvbt2_l1_decoder *decoder, const dvbt2_l1_pre *pre, uint32_t n_p2,
                                 const float *iq, const float *noise, dvbt2_l1_post *post, ldpc_error *err);

#endif
