// SPDX-License-Identifier: BSD-3-Clause
// What all kernels share: how functions are declared, how thread blocks share the codewords of a launch, sums
// over the threads of a block, results of a codeword. Plain C, but for what CUDA adds to it.
#include "launch_args.h"

#define DEVICE        static __device__
#define DEVICE_INLINE static __device__ __forceinline__

// For thread blocks that go on until all work is done: the number of the next piece, `pieces` or more when
// there is none. The last thread block to find none leaves the counter as the next launch expects it. *ticket
// is shared; between two calls there must be a barrier.
DEVICE u32 ldpc_next(const ldpc_cuda_args *a, u32 pieces, u32 *ticket)
{
    if (threadIdx.x == 0) {
        *ticket = atomicAdd(a->counter, 1u);
        if (*ticket == pieces + gridDim.x - 1)
            *a->counter = 0;
    }
    __syncthreads();
    return *ticket;
}

// The sum of what threads of the block bring, for all that name the same shared *sum, which is 0 before; a
// barrier must lie between that and the call.
DEVICE_INLINE u32 ldpc_sum(u32 mine, u32 *sum)
{
    if (mine)
        atomicAdd(sum, mine);
    __syncthreads();
    mine = *sum;
    __syncthreads();
    return mine;
}

// ldpc_codeword_info of one codeword.
DEVICE_INLINE void ldpc_store_info(const ldpc_cuda_args *a, u32 codeword, u32 iterations, u32 unsatisfied)
{
    u32 *info = a->info + LDPC_CUDA_INFO_WORDS * (size_t)codeword;
    info[0] = iterations;
    info[1] = unsatisfied;
    info[2] = (unsatisfied == 0 ? LDPC_CUDA_INFO_CONVERGED : 0) | LDPC_CUDA_INFO_DECODED;
}
