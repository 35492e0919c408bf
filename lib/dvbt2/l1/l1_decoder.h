/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 signalling from equalised cells: soft bits, LDPC, BCH, CRC (EN 302 755, clause 7.3).
 *
 * A decoder keeps soft bits of earlier frames and adds them where one frame does not suffice: L1-pre is the
 * same in every frame; L1-post differs in FRAME_IDX, whose effect on the codeword is taken out. Four frames
 * lower the C/N that L1-post needs by 6 dB.
 *
 * Cells are I and Q alternating, in units where the mean power of data cells is 1; noise is the mean power of
 * a cell's error, I and Q together. A noise that is not above 0, or not a number, marks the cell as an erasure.
 */
#ifndef DVBT2_L1_DECODER_H
#define DVBT2_L1_DECODER_H

#include "dvbt2/standard/frame_map.h"

typedef struct dvbt2_l1_decoder dvbt2_l1_decoder; /* one thread at a time */

/* All allocations are made here. LDPC_ERR_NULL, LDPC_ERR_MEMORY ... */
ldpc_status dvbt2_l1_decoder_create(dvbt2_l1_decoder **decoder, ldpc_error *err);
void dvbt2_l1_decoder_destroy(dvbt2_l1_decoder *decoder); /* NULL is allowed */

/* Forget the soft bits of earlier frames: after a retune, when a frame was lost, or when the signal has
 * changed. */
void dvbt2_l1_decoder_reset(dvbt2_l1_decoder *decoder);

/* L1-pre from its 1840 cells and their noise. False: CRC wrong, so far; *pre is untouched then. */
bool dvbt2_l1_pre_decode(dvbt2_l1_decoder *decoder, const float *iq, const float *noise, dvbt2_l1_pre *pre);

/* Did the last L1-post come from the sum over several frames? Then those frames have the same L1-post, but for
 * FRAME_IDX. */
bool dvbt2_l1_post_from_sum(const dvbt2_l1_decoder *decoder);

/* L1-post from its pre->l1_post_size cells and their noise. `n_p2` is the mode's number of P2 symbols.
 * LDPC_OK; LDPC_AGAIN: the CRC is wrong, the next frame may help; LDPC_ERR_PARAM: L1-pre makes no sense;
 * LDPC_ERR_FORMAT: the CRC is right, but the contents are absurd. *post is untouched unless LDPC_OK. */
ldpc_status dvbt2_l1_post_decode(dvbt2_l1_decoder *decoder, const dvbt2_l1_pre *pre, uint32_t n_p2,
                                 const float *iq, const float *noise, dvbt2_l1_post *post, ldpc_error *err);

#endif
