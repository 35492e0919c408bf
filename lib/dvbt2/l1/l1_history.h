/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft bits of L1-post of the last frames, added up.
 *
 * From frame to frame of a signal whose L1 does not change, only FRAME_IDX counts on, and the CRC with it.
 * Both codes and the CRC are linear: the codewords of two frames differ by a known codeword, once FRAME_IDX
 * of one is assumed. The LLRs of the older frame, with the signs of that difference, then add to those of the
 * newer one. Each assumption that gives other signs is tried.
 */
#ifndef DVBT2_L1_HISTORY_H
#define DVBT2_L1_HISTORY_H

#include "dvbt2/l1/l1_coding.h"
#include "ldpc/code.h"
#include "ldpc/dvb_fec.h"

#define DVBT2_FRAME_IDX_UNKNOWN (-1)

typedef struct dvbt2_l1_history dvbt2_l1_history;

/* LDPC_ERR_MEMORY. */
ldpc_status dvbt2_l1_history_create(dvbt2_l1_history **history, ldpc_error *err);
void dvbt2_l1_history_destroy(dvbt2_l1_history *history); /* NULL is allowed */
void dvbt2_l1_history_clear(dvbt2_l1_history *history);

/* Room for the LLRs of the next frame: blocks * n_post of them. */
float *dvbt2_l1_history_push(dvbt2_l1_history *history);

/* The LLRs of the frame pushed last. */
const float *dvbt2_l1_history_newest(const dvbt2_l1_history *history);

/* What the LLRs are of. */
typedef struct dvbt2_l1_history_context {
    const dvbt2_l1_pre *pre;
    const dvbt2_l1_post_coding *coding;
    const dvbt2_l1_positions *positions;
    const ldpc_code *code;
    const ldpc_bch *bch;
} dvbt2_l1_history_context;

/* Sum over all frames. FRAME_IDX of the newest one is frame_idx; DVBT2_FRAME_IDX_UNKNOWN: the one with which
 * the frames agree best. NULL when there is nothing to add. */
const float *dvbt2_l1_history_sum(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                                  int32_t frame_idx);

/* Do the LLRs of the frame pushed last fit signalling bits that came out of the sum, blocks * k_sig of them as they are encoded?
 * Else earlier frames alone have told them: the frame was spoilt, or has another L1-post. */
bool dvbt2_l1_history_agrees(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                             const uint8_t *sig);

#endif
