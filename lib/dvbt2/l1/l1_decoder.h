/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the L1 signalling from soft bits (EN 302 755, clause 7.3).
 *
 * The soft bits of several frames are combined if necessary. The effect of FRAME_IDX on the L1-post codeword
 * is removed. Four frames lower the required C/N by 6 dB.
 *
 * `iq` is interleaved I and Q; the mean power of data cells is 1. `noise` is the mean error power (I and Q)
 * of each cell. If `noise` is not a positive number, the cell is an erasure. */
#ifndef DVBT2_L1_DECODER_H
#define DVBT2_L1_DECODER_H

#include "dvbt2/standard/frame_map.h"

typedef struct dvbt2_l1_decoder dvbt2_l1_decoder; /* not thread-safe */

/* Allocates all memory of the decoder. Returns LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY ... */
ldpc_status dvbt2_l1_decoder_create(dvbt2_l1_decoder **decoder, ldpc_error *err);
void dvbt2_l1_decoder_destroy(dvbt2_l1_decoder *decoder); /* NULL is allowed */

/* Clears the soft bits of earlier frames. Call this after a lost frame or a change of frequency or signal. */
void dvbt2_l1_decoder_reset(dvbt2_l1_decoder *decoder);

/* Decodes L1-pre from 1840 cells. If the CRC is wrong, returns false and leaves *pre unchanged. */
bool dvbt2_l1_pre_decode(dvbt2_l1_decoder *decoder, const float *iq, const float *noise, dvbt2_l1_pre *pre);

bool dvbt2_l1_post_from_sum(const dvbt2_l1_decoder *decoder);

/* Decodes L1-post from pre->l1_post_size cells. n_p2: number of P2 symbols of the mode.
 *
 *     LDPC_OK          success; only then is *post set
 *     LDPC_AGAIN       the CRC is wrong; the next frame may help
 *     LDPC_ERR_PARAM   L1-pre is inconsistent
 *     LDPC_ERR_FORMAT  the CRC is correct, but the fields are inconsistent */
ldpc_status dvbt2_l1_post_decode(dvbt2_l1_decoder *decoder, const dvbt2_l1_pre *pre, uint32_t n_p2,
                                 const float *iq, const float *noise, dvbt2_l1_post *post, ldpc_error *err);

#endif
