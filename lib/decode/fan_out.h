/* SPDX-License-Identifier: BSD-3-Clause */
/* What lib/sim uses of a decoder: its plan, its threads, which make and decode codewords, and its GPUs,
 * which simulate whole frames. */
#ifndef LDPC_FAN_OUT_H
#define LDPC_FAN_OUT_H

#include "backend/backend.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec);

/* Threads that the decoder lends, and how many codewords each of them takes at once; 0 when it has none to
 * lend. */
size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *most);

/* Call work(context, worker, item) for items 0 .. items - 1 in any order on these threads, and return when
 * all are done. LDPC_ERR_PARAM while batches are in flight. */
ldpc_status ldpc_decoder_fan_out(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context);

/* Make, decode and count frames where the decoder is. LDPC_ERR_UNSUPPORTED: the caller makes them on the host
 * and calls ldpc_decode(). */
ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const struct ldpc_frames *frames);

#endif
