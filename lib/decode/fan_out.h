/* SPDX-License-Identifier: BSD-3-Clause */
/* Access of lib/sim to a decoder: its plan, threads and GPUs. */
#ifndef LDPC_FAN_OUT_H
#define LDPC_FAN_OUT_H

#include "backend/backend.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec);

/* Returns the number of threads, or 0 if not supported. *most: number of codewords that a thread decodes at
 * once. */
size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *most);

/* Calls work(context, worker, item) for items 0 .. items - 1, in any order. Returns LDPC_ERR_PARAM if batches
 * are in flight. */
ldpc_status ldpc_decoder_fan_out(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context);

/* If it returns LDPC_ERR_UNSUPPORTED, make the frames on the host for ldpc_decode(). */
ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const struct ldpc_frames *frames);

#endif
