/* SPDX-License-Identifier: BSD-3-Clause */
/* The library itself has no additional kernels. The function below has its own file, so that a benchmark or a
 * test can link another version of it, which adds kernels for comparison (tests/bench/comparison). */
#include "cuda/kernels/kernel.h"

const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i)
{
    (void)i;
    return NULL;
}
