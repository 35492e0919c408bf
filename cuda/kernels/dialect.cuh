// SPDX-License-Identifier: BSD-3-Clause
/* Device code is C with CUDA's names, for CUDA and OpenCL. Pointers have the qualifiers IN_GLOBAL or
 * IN_SHARED, because OpenCL 1.2 has no generic pointers. Both languages define:
 *
 *   LDPC_KERNEL LDPC_BOUNDS(threads, blocks) ldpc_decode(LDPC_PARAMETERS)
 *                                  head of a kernel; `threads` per thread block, `blocks` per multiprocessor
 *   LDPC_BEGIN                     first statement; defines `a`, the launch
 *   LDPC_SHARED_MEMORY             defines sm[], the shared memory
 *   LDPC_CONSTANT                  qualifier of a table in constant memory
 *   ldpc_warp_any(mine, word)      1 if `mine` is true in a thread; equal for all warps of the block
 *   ldpc_warp_ballot(mine)         mask of the threads with `mine` true; not for OpenCL devices without warps
 *   ldpc_warp_same(value)          `value`, which must be equal in the warp: a hint for the compiler
 *   ldpc_block_or(mine, word)      1 if `mine` is nonzero in a thread of the block; includes a barrier
 *   ldpc_warp_xor(value, lanes, words)   `value` of the thread with number t ^ lanes
 *
 * Devices without warp operations use `word` (one word of shared memory) and `words` (one word per thread).
 * There, kernels that need __syncwarp() have thread blocks of 32 threads. */
#ifdef __OPENCL_VERSION__
#include "dialect_opencl.cuh"
#else

#define IN_GLOBAL
#define IN_SHARED
#define LDPC_CONSTANT      __constant__
#define DEVICE             static __device__
#define DEVICE_INLINE      static __device__ __forceinline__
#define LDPC_KERNEL        extern "C" __global__ void
#define LDPC_BOUNDS        __launch_bounds__
#define LDPC_PARAMETERS    const __grid_constant__ ldpc_cuda_args a
#define LDPC_BEGIN         // the parameter is named `a`
#define LDPC_SHARED_MEMORY extern __shared__ u32 sm[];
#ifdef __CUDA_ARCH__
#define LDPC_PTX (__CUDA_ARCH__ / 10) // inline PTX is available
#endif

#define ldpc_warp_any(mine, word)          __any_sync(0xffffffffu, mine)
#define ldpc_block_or(mine, word)          __syncthreads_or(mine)
#define ldpc_warp_ballot(mine)             __ballot_sync(0xffffffffu, mine)
#define ldpc_warp_same(value)              __shfl_sync(0xffffffffu, value, 0)
#define ldpc_warp_xor(value, lanes, words) __shfl_xor_sync(0xffffffffu, value, lanes)

#endif
