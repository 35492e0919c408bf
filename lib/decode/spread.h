/* SPDX-License-Identifier: BSD-3-Clause */
/* What the simulation asks of a decoder: its plan, and its threads for words that are made where they are
 * decoded. */
#ifndef LDPC_SPREAD_H
#define LDPC_SPREAD_H

#include "backend/backend.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec);

/* Threads that the decoder lends and words that each decodes at once; 0 when it has none. */
size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *lanes);

/* work(context, worker, item) for items 0 .. items - 1 in any order; LDPC_ERR_PARAM while batches are in
 * flight. */
ldpc_status ldpc_decoder_spread(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context);

/* Make, decode and count frames where the decoder is; LDPC_ERR_UNSUPPORTED: make them and call ldpc_decode.
 */
ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const ldpc_frames *frames);

#endif
