/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel of a simulation point. */
#ifndef LDPC_CHANNEL_PARAMS_H
#define LDPC_CHANNEL_PARAMS_H

#include "ldpc/sim.h"
#include "sim/channel.h"

/* Converts the caller's struct of any version. */
ldpc_status ldpc_sim_params_read(ldpc_sim_params *own, const ldpc_sim_params *given, ldpc_error *err);

/* Returns LDPC_OK or LDPC_ERR_PARAM. Returns LDPC_ERR_UNSUPPORTED if k = 0, or if only the all-zero codeword
 * can be sent and the channel does not allow that. */
ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err);

/* The parameters must have passed ldpc_channel_check(). */
ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

#endif
