/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between a decoder and lib/sim: the plan of the decoder; its threads, which generate and decode
 * codewords; its GPUs, which simulate complete frames. */
#ifndef LDPC_FAN_OUT_H
#define LDPC_FAN_OUT_H

#include "backend/backend.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec);

/* Returns the number of threads of ldpc_decoder_fan_out(), or 0 if the decoder does not support it. Sets
 * *most to the maximum number of codewords that a thread decodes at once. */
size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *most);

/* Calls work(context, worker, item) for the items 0 .. items - 1 on the threads of the decoder, in any order.
 * Returns when all calls have returned. Returns LDPC_ERR_PARAM if batches are in flight. */
ldpc_status ldpc_decoder_fan_out(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context);

/* Generates, decodes and counts frames on the device of the decoder. Returns LDPC_ERR_UNSUPPORTED if the
 * caller must generate the frames on the host and call ldpc_decode(). */
ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const struct ldpc_frames *frames);

#endif
