/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel of a point from its parameters. */
#ifndef LDPC_CHANNEL_PARAMS_H
#define LDPC_CHANNEL_PARAMS_H

#include "ldpc/sim.h"
#include "sim/channel.h"

/* The caller's parameters as this library's struct. */
ldpc_status ldpc_sim_params_read(ldpc_sim_params *own, const ldpc_sim_params *given, ldpc_error *err);

/* LDPC_ERR_PARAM for parameters out of range; LDPC_ERR_UNSUPPORTED for a code without information bits, or
 * without an encoder where the all-zero codeword is not representative. */
ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err);

/* The channel of parameters that have been checked. */
ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

#endif
