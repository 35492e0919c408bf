/* SPDX-License-Identifier: BSD-3-Clause */
/* From the parameters of a point to the channel of its frames. */
#ifndef LDPC_MODULATION_H
#define LDPC_MODULATION_H

#include "ldpc/sim.h"
#include "sim/channel.h"

/* Say what is wrong with the parameters of a point, or that the code carries nothing. */
ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err);

/* Of parameters that have been checked. */
ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

#endif
