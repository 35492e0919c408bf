// SPDX-License-Identifier: BSD-3-Clause
// Functions that all kernels use: distribution of the codewords of a launch to thread blocks, sums over the
// threads of a block, and the results of a codeword.
#ifndef LDPC_DEVICE_CUH
#define LDPC_DEVICE_CUH
#include "dialect.cuh"
#include "launch_args.h"

// Work queue for persistent thread blocks. Returns the number of the next work item, or a number of at least
// `items` if there is none. The last thread block that gets no work item resets the counter for the next
// launch. *ticket is in shared memory. There must be a barrier between two calls.
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

// Returns the sum of `mine` over all threads of the block that pass the same *sum. *sum is a word of shared
// memory that must be 0. Between clearing *sum and this call, there must be a barrier.
DEVICE_INLINE u32 ldpc_sum(u32 mine, IN_SHARED u32 *sum)
{
    if (mine)
        atomicAdd(sum, mine);
    __syncthreads();
    mine = *sum;
    __syncthreads();
    return mine;
}

// Stores the ldpc_codeword_info of one codeword.
DEVICE_INLINE void ldpc_store_info(const ldpc_cuda_args *a, u32 codeword, u32 iterations, u32 unsatisfied)
{
    IN_GLOBAL u32 *info = a->info + LDPC_CUDA_INFO_WORDS * (size_t)codeword;
    info[0] = iterations;
    info[1] = unsatisfied;
    info[2] = (unsatisfied == 0 ? LDPC_CUDA_INFO_CONVERGED : 0) | LDPC_CUDA_INFO_DECODED;
}

#endif
