/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes in breadth-first order: copies all inputs, launches all kernels, copies all results. The library
 * itself finishes one stream before the next. */
#ifndef LDPC_CUDA_BREADTH_FIRST_H
#define LDPC_CUDA_BREADTH_FIRST_H

#include "ldpc/decoder.h"

/* `state`: a CUDA decoder. */
ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err);

#endif
