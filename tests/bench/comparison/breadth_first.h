/* SPDX-License-Identifier: BSD-3-Clause */
/* The other order of issue of a blocking call: the input copies of all streams, then all kernels, then all
 * copies of results. The library issues stream after stream (depth first). */
#ifndef LDPC_CUDA_BREADTH_FIRST_H
#define LDPC_CUDA_BREADTH_FIRST_H

#include "ldpc/decoder.h"

/* As ldpc_backend.decode, for the state of a decoder of the CUDA backend. */
ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err);

#endif
