/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first issue order of a blocking call: input copies of all streams, then all kernels, then all result copies.
 * The library issues depth first, stream by stream. */
#ifndef LDPC_CUDA_BREADTH_FIRST_H
#define LDPC_CUDA_BREADTH_FIRST_H

#include "ldpc/decoder.h"

/* Decodes a batch like ldpc_backend.decode; `state` is the state of a CUDA decoder. */
ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err);

#endif
