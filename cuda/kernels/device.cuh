// SPDX-License-Identifier: BSD-3-Clause
// Functions shared by all kernels: distribution of the codewords of a launch over thread blocks, sums over
// the threads of a block, and the results of a codeword.
#ifndef LDPC_DEVICE_CUH
#define LDPC_DEVICE_CUH
#include "dialect.cuh"
#include "launch_args.h"

// Work queue for persistent thread blocks: returns the number of the next work item, or at least `items` if
// none is left. The last thread block that finds no work resets the counter for the next launch. *ticket is
// in shared memory; a barrier is required between two calls.
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

// Returns the sum of `mine` over all threads of the block that pass the same *sum, a word of shared memory.
// *sum must be 0, and a barrier must separate clearing it from this call.
DEVICE_INLINE u32 ldpc_sum(u32 mine, IN_SHARED u32 *sum)
{
    if (mine)
        atomicAdd(sum, mine);
    __syncthreads();
    mine = *sum;
    __syncthreads();
    return mine;
}

// Stores ldpc_codeword_info of one codeword.
DEVICE_INLINE void ldpc_store_info(const ldpc_cuda_args *a, u32 codeword, u32 iterations, u32 unsatisfied)
{
    IN_GLOBAL u32 *info = a->info + LDPC_CUDA_INFO_WORDS * (size_t)codeword;
    info[0] = iterations;
    info[1] = unsatisfied;
    info[2] = (unsatisfied == 0 ? LDPC_CUDA_INFO_CONVERGED : 0) | LDPC_CUDA_INFO_DECODED;
}

#endif
