// SPDX-License-Identifier: BSD-3-Clause
// Device code shared by CUDA and OpenCL is C with CUDA's names. Pointers to global or shared memory are
// qualified (IN_GLOBAL, IN_SHARED), because OpenCL 1.2 has no generic pointers. These macros and functions are
// defined for each language:
//
//   LDPC_KERNEL LDPC_BOUNDS(threads, blocks) ldpc_decode(LDPC_PARAMETERS)
//                                  the head of a kernel: its most threads, and the thread blocks of a
//                                  multiprocessor that registers must suffice for. Its first line is LDPC_BEGIN,
//                                  which makes `a`, the launch; LDPC_SHARED_MEMORY makes sm[], the shared memory
//                                  of the launch
//   LDPC_CONSTANT                  of a table of the program in constant memory
//   ldpc_warp_any(mine, word)      does a thread of the warp pass true? Only where all warps of the block
//                                  have the same answer
//   ldpc_warp_ballot(mine)         a bit for each thread of the warp, set if it passes true. Not on OpenCL devices
//                                  without warps
//   ldpc_warp_same(value)          `value`, the same in all threads of the warp, which CUDA's compiler can use
//   ldpc_block_or(mine, word)      is any thread's `mine` not 0? A barrier of the block
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
