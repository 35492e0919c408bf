// SPDX-License-Identifier: BSD-3-Clause
// Device code shared by CUDA and OpenCL is C with CUDA's names. Pointers to global or shared memory are
// qualified (IN_GLOBAL, IN_SHARED), because OpenCL 1.2 has no generic pointers. These macros and functions are
// defined for each language:
//
//   LDPC_KERNEL LDPC_BOUNDS(threads, blocks) ldpc_decode(LDPC_PARAMETERS)
//                                  the head of a kernel: its maximum number of threads, and the number of thread
//                                  blocks for which a multiprocessor's registers must suffice. The first
//                                  statement is LDPC_BEGIN, which defines `a`, the launch; LDPC_SHARED_MEMORY
//                                  defines sm[], the shared memory of the launch
//   LDPC_CONSTANT                  qualifier of a table in constant memory
//   ldpc_warp_any(mine, word)      whether a thread of the warp passes true. Only if the result is the same for
//                                  all warps of the block
//   ldpc_warp_ballot(mine)         a bit for each thread of the warp, set if it passes true. Not on OpenCL devices
//                                  without warps
//   ldpc_warp_same(value)          `value`, which must be equal in all threads of the warp; CUDA's compiler can
//                                  use this
//   ldpc_block_or(mine, word)      whether any thread's `mine` is not 0; includes a barrier of the block
//   ldpc_warp_xor(value, lanes, words)   `value` of the thread whose lane differs in the bit `lanes`
//
// `word` and `words` (one for each thread of the block) are in shared memory, for devices without such
// operations of a warp. There a thread block of kernels that need __syncwarp() is one warp of 32 threads.
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
#define LDPC_BEGIN         // the name of the parameter is `a`
#define LDPC_SHARED_MEMORY extern __shared__ u32 sm[];
#ifdef __CUDA_ARCH__
#define LDPC_PTX (__CUDA_ARCH__ / 10) // inline PTX is available for this architecture
#endif

#define ldpc_warp_any(mine, word)          __any_sync(0xffffffffu, mine)
#define ldpc_block_or(mine, word)          __syncthreads_or(mine)
#define ldpc_warp_ballot(mine)             __ballot_sync(0xffffffffu, mine)
#define ldpc_warp_same(value)              __shfl_sync(0xffffffffu, value, 0)
#define ldpc_warp_xor(value, lanes, words) __shfl_xor_sync(0xffffffffu, value, lanes)

#endif
