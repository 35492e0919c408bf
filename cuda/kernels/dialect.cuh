// SPDX-License-Identifier: BSD-3-Clause
// Device code is written in C with CUDA's names, for CUDA and OpenCL. OpenCL 1.2 has no generic pointers: pointers to
// global or shared memory have the qualifiers IN_GLOBAL or IN_SHARED. Both languages define:
//
//   LDPC_KERNEL LDPC_BOUNDS(threads, blocks) ldpc_decode(LDPC_PARAMETERS)
//                                  Head of a kernel: maximum number of threads, and of thread blocks for which
//                                  registers must suffice. The first statement must be LDPC_BEGIN, which defines `a`,
//                                  the launch. LDPC_SHARED_MEMORY defines sm[], the shared memory of the launch.
//   LDPC_CONSTANT                  qualifier of a table in constant memory
//   ldpc_warp_any(mine, word)      whether a thread of the warp passes true; the result must be equal for all warps of
//                                  the block
//   ldpc_warp_ballot(mine)         a bit for each thread of the warp that passes true; not for OpenCL devices without
//                                  warps
//   ldpc_warp_same(value)          `value`, which must be equal in all threads of the warp; a hint for CUDA's compiler
//   ldpc_block_or(mine, word)      whether `mine` is not 0 in any thread of the block; includes a barrier
//   ldpc_warp_xor(value, lanes, words)   `value` of the thread whose lane number differs in the bit `lanes`
//
// `word` and `words` are in shared memory. `words` has a word for each thread of the block. They are only used on
// devices without warp operations. There, kernels that need __syncwarp() have thread blocks of 32 threads.
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
