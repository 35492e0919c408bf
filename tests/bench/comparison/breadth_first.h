/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocking call in breadth-first order: it issues the input copies of all streams, then all kernels, then
 * all result copies. The library works depth first: it issues all operations of one stream before those of
 * the next stream. */
#ifndef LDPC_CUDA_BREADTH_FIRST_H
#define LDPC_CUDA_BREADTH_FIRST_H

#include "ldpc/decoder.h"

/* Decodes a batch as ldpc_backend.decode does; `state` is the state of a CUDA decoder. */
ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err);

#endif
