/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the channel of a point from its parameters. */
#ifndef LDPC_CHANNEL_PARAMS_H
#define LDPC_CHANNEL_PARAMS_H

#include "ldpc/sim.h"
#include "sim/channel.h"

/* Converts the caller's struct, which may have any version, to the struct of this library. */
ldpc_status ldpc_sim_params_read(ldpc_sim_params *own, const ldpc_sim_params *given, ldpc_error *err);

/* Checks the parameters. Returns LDPC_ERR_PARAM if a parameter is out of range. Returns LDPC_ERR_UNSUPPORTED
 * if the code has no information bits, or if it has no encoder and the all-zero codeword is not
 * representative for the modulation. */
ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err);

/* Computes the channel of a point. The parameters must have passed ldpc_channel_check(). */
ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

#endif
