/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the soft bits of L1-post over several frames.
 *
 * Frames differ only in FRAME_IDX and the CRC. All codes are linear, so two codewords differ by a codeword:
 *
 *     codeword(frame 5)  xor  codeword(frame 6)  =  encode(5 xor 6 in the bits of FRAME_IDX, with its CRC)
 *
 * Older LLRs are negated where this difference is 1, then added to the new LLRs. Every FRAME_IDX is tried. */
#ifndef DVBT2_L1_HISTORY_H
#define DVBT2_L1_HISTORY_H

#include "dvbt2/l1/l1_coding.h"
#include "ldpc/code.h"
#include "ldpc/dvb_fec.h"

#define DVBT2_FRAME_IDX_UNKNOWN (-1)

typedef struct dvbt2_l1_history dvbt2_l1_history;

/* Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_l1_history_create(dvbt2_l1_history **history, ldpc_error *err);
void dvbt2_l1_history_destroy(dvbt2_l1_history *history); /* NULL is allowed */
void dvbt2_l1_history_clear(dvbt2_l1_history *history);

/* Returns space for the LLRs of the next frame, blocks * n_post values. */
float *dvbt2_l1_history_push(dvbt2_l1_history *history);

const float *dvbt2_l1_history_newest(const dvbt2_l1_history *history);

/* Format of the LLRs. */
typedef struct dvbt2_l1_history_context {
    const dvbt2_l1_pre *pre;
    const dvbt2_l1_post_coding *coding;
    const dvbt2_l1_positions *positions;
    const ldpc_code *code;
    const ldpc_bch *bch;
} dvbt2_l1_history_context;

/* Returns the sum of the LLRs of all frames, or NULL if there are no frames to combine. frame_idx: FRAME_IDX of the
 * newest frame. If it is DVBT2_FRAME_IDX_UNKNOWN, uses the FRAME_IDX with the best agreement. */
const float *dvbt2_l1_history_sum(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                                  int32_t frame_idx);

/* Returns true if the LLRs of the last frame agree with the decoded signalling bits. */
bool dvbt2_l1_history_agrees(dvbt2_l1_history *history, const dvbt2_l1_history_context *context,
                             const uint8_t *sig);

#endif
