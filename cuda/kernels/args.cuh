// SPDX-License-Identifier: BSD-3-Clause
// What every kernel receives (ldpc_cuda_args of kernel.h). Text: put in front of each kernel's source.
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned int u32;
struct ldpc_args {
    const s8 *llr;
    const float *floats;
    const u8 *costs;
    u8 *message, *codeword;
    short *posterior;
    u8 *symbols;
    u32 *info;
    const u32 *table;
    u32 *scratch, *counter;
    const int *source;
    const u32 *codeword_at, *message_at;
    u32 words, n, k, positions;
    u32 max_iterations, early_stop, flooding;
    int lowest, highest, no_other;
    int algorithm, max_msg, max_msg_others, offset, step, threshold, others_threshold[3], min_threshold[3],
        factor;
};

// For blocks that go on until all work is done: the number of the next piece, `pieces` or more when there is
// none. The last to find none leaves the counter as the next launch expects it. *ticket is shared; threads
// must have met since the last call.
static __device__ u32 ldpc_next(const ldpc_args &a, u32 pieces, u32 *ticket)
{
    if (threadIdx.x == 0) {
        *ticket = atomicAdd(a.counter, 1u);
        if (*ticket == pieces + gridDim.x - 1)
            *a.counter = 0;
    }
    __syncthreads();
    return *ticket;
}

// ldpc_codeword_info of one word: iterations, unsatisfied, converged and decoded.
__device__ __forceinline__ void ldpc_store_info(const ldpc_args &a, u32 word, u32 iterations, u32 unsatisfied)
{
    u32 *info = a.info + 3 * (size_t)word;
    info[0] = iterations;
    info[1] = unsatisfied;
    info[2] = (unsatisfied == 0 ? 1u : 0u) | 1u << 8;
}
