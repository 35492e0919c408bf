/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel of a point from its parameters. */
#ifndef LDPC_CHANNEL_PARAMS_H
#define LDPC_CHANNEL_PARAMS_H

#include "ldpc/sim.h"
#include "sim/channel.h"

/* Converts the caller's struct, of any version, to the struct of this library. */
ldpc_status ldpc_sim_params_read(ldpc_sim_params *own, const ldpc_sim_params *given, ldpc_error *err);

/* Checks the parameters. LDPC_ERR_PARAM: a parameter is out of range. LDPC_ERR_UNSUPPORTED: the code has no
 * information bits, or it has no encoder and the all-zero codeword is not representative for the
 * modulation. */
ldpc_status ldpc_channel_check(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err);

/* Computes the channel of a point. The parameters have passed ldpc_channel_check(). */
ldpc_channel ldpc_channel_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale);

#endif
