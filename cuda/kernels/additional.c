/* SPDX-License-Identifier: BSD-3-Clause */
/* The library has no additional kernels. The function has a file of its own so that a benchmark or a test
 * can link its own, with kernels to compare with (tests/bench/comparison), in its place. */
#include "cuda/kernels/kernel.h"

const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i)
{
    (void)i;
    return NULL;
}
