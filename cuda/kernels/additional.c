/* SPDX-License-Identifier: BSD-3-Clause */
/* Benchmarks and tests link another version of this file (tests/bench/comparison). */
#include "cuda/kernels/kernel.h"

const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i)
{
    (void)i;
    return NULL;
}
