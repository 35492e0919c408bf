/* SPDX-License-Identifier: BSD-3-Clause */
/* Argument of ldpc_backend.simulate: the frames to generate, decode and count. */
#ifndef LDPC_SIM_FRAMES_H
#define LDPC_SIM_FRAMES_H

#include "ldpc/sim.h"
#include "sim/channel.h"

typedef struct ldpc_frames {
    const ldpc_channel *channel;
    bool zero_codeword;
    uint64_t first, count;  /* frames first .. first + count - 1 */
    ldpc_sim_block *blocks; /* output: one record per LDPC_SIM_BLOCK frames */
} ldpc_frames;

#endif
