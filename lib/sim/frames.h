/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames that a backend makes, decodes and counts by itself: what ldpc_backend.simulate receives. */
#ifndef LDPC_SIM_FRAMES_H
#define LDPC_SIM_FRAMES_H

#include "ldpc/sim.h"
#include "sim/channel.h"

typedef struct ldpc_frames {
    const ldpc_channel *channel;
    bool zero_codeword;
    uint64_t first, count;  /* frames first .. first + count - 1 */
    ldpc_sim_block *blocks; /* receives their counts, a record for each LDPC_SIM_BLOCK frames */
} ldpc_frames;

#endif
