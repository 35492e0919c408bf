/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that exist to be compared with: programs that link them (tests, bench_gpu) decode with them when
 * they name them, the library does not have them. */
#ifndef LDPC_CUDA_COMPARISON_H
#define LDPC_CUDA_COMPARISON_H

#include "cuda/kernels/kernel.h"

extern const ldpc_cuda_kernel ldpc_cuda_wang2013, ldpc_cuda_straight48, ldpc_cuda_straight64,
    ldpc_cuda_straight99;

extern const char ldpc_cuda_text_wang2013[]; /* made by embed.cmake */

#endif
