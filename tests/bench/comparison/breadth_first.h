/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocking call in breadth-first order: input copies of all streams, all kernels, all result copies. The
 * library issues stream after stream. */
#ifndef LDPC_CUDA_BREADTH_FIRST_H
#define LDPC_CUDA_BREADTH_FIRST_H

#include "ldpc/decoder.h"

/* Like ldpc_backend.decode. state: of a CUDA decoder. */
ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err);

#endif
