// SPDX-License-Identifier: BSD-3-Clause
// Functions of all kernels.
#ifndef LDPC_DEVICE_CUH
#define LDPC_DEVICE_CUH
#include "dialect.cuh"
#include "launch_args.h"

/* Returns the next work item of a persistent thread block, or a number >= `items`. The last thread block
 * resets the counter. Calls must be separated by a barrier. */
DEVICE u32 ldpc_next(const ldpc_cuda_args *a, u32 items, IN_SHARED u32 *ticket)
{
    if (threadIdx.x == 0) {
        *ticket = atomicAdd(a->counter, 1u);
        if (*ticket == items + gridDim.x - 1)
            *a->counter = 0;
    }
    __syncthreads();
    return *ticket;
}

DEVICE_INLINE u32 ldpc_sum(u32 mine, IN_SHARED u32 *sum)
{
    if (mine)
        atomicAdd(sum, mine);
    __syncthreads();
    mine = *sum;
    __syncthreads();
    return mine;
}

DEVICE_INLINE void ldpc_store_info(const ldpc_cuda_args *a, u32 codeword, u32 iterations, u32 unsatisfied)
{
    IN_GLOBAL u32 *info = a->info + LDPC_CUDA_INFO_WORDS * (size_t)codeword;
    info[0] = iterations;
    info[1] = unsatisfied;
    info[2] = (unsatisfied == 0 ? LDPC_CUDA_INFO_CONVERGED : 0) | LDPC_CUDA_INFO_DECODED;
}

#endif
