/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of a simulation: messages, codewords and channel LLRs. */
#ifndef LDPC_FRAME_MAKER_H
#define LDPC_FRAME_MAKER_H

#include "ldpc/sim.h"
#include "sim/channel.h"

typedef struct ldpc_frame_maker {
    const ldpc_code *code;
    const ldpc_channel_row *row;
    ldpc_channel channel;
    /* true: send the all-zero codeword, because the caller requests it or the code has no encoder */
    bool zero_codeword;
    /* number of LLRs per frame; information bits per frame; bits per code symbol */
    size_t n, k, symbol_bits;
} ldpc_frame_maker;

ldpc_frame_maker ldpc_frame_maker_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

/* Allocates the scratch memory of ldpc_make_codewords. */
uint64_t *ldpc_make_lanes(const ldpc_frame_maker *m);

/* Generates messages and codewords of at most LDPC_SIM_BLOCK frames, one bit per byte. */
ldpc_status ldpc_make_codewords(const ldpc_frame_maker *m, uint64_t first, size_t count, uint64_t *lanes,
                                uint8_t *message, uint8_t *codeword);

#endif
