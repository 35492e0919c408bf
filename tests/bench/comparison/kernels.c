/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the kernels for comparisons. Replaces cuda/kernels/additional.c. */
#include "bench/comparison/comparison.h"

static const ldpc_cuda_kernel *const additional_kernels[] = {
    &ldpc_cuda_wang2013,   &ldpc_cuda_straight48, &ldpc_cuda_straight64,
    &ldpc_cuda_straight99, &ldpc_cuda_straightcl,
};

const ldpc_cuda_kernel *ldpc_cuda_additional_kernel_at(size_t i)
{
    return i < sizeof additional_kernels / sizeof additional_kernels[0] ? additional_kernels[i] : NULL;
}
