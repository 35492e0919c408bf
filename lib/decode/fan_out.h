/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives lib/sim access to the threads and GPUs of a decoder. */
#ifndef LDPC_FAN_OUT_H
#define LDPC_FAN_OUT_H

#include "backend/backend.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec);

/* Returns the number of threads, or 0 if the plan is not supported. *most: maximum codewords per call. */
size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *most);

/* Calls work(context, worker, item) for each item below `items`, in any order. Returns LDPC_ERR_PARAM if
 * batches are in flight. */
ldpc_status ldpc_decoder_fan_out(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context);

/* After LDPC_ERR_UNSUPPORTED, use ldpc_decode() with frames made on the host. */
ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const struct ldpc_frames *frames);

#endif
