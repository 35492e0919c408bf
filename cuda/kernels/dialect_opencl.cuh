// SPDX-License-Identifier: BSD-3-Clause
/* CUDA's names in OpenCL C 1.2. The host defines LDPC_THREADS, the number of work-items in a work-group.
 * For NVIDIA's compiler, it also defines LDPC_PTX, ten times the compute capability. */
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#define IN_GLOBAL                    global
#define IN_SHARED                    local
#define LDPC_CONSTANT                constant
#define __shared__                   local
#define DEVICE                       static
#define DEVICE_INLINE                static inline __attribute__((always_inline))
#define LDPC_BOUNDS(threads, blocks) // compiler options limit registers
// NVIDIA's compiler ignores the register limit if the work-group size is fixed.
#ifdef LDPC_PTX
#define LDPC_KERNEL kernel void
#else
#define LDPC_KERNEL kernel __attribute__((reqd_work_group_size(LDPC_THREADS, 1, 1))) void
#endif

// OpenCL kernels take no structs with pointers. Therefore the pointers of ldpc_cuda_args are parameters.
#define LDPC_POINTER_PARAMETER(type, name) IN_GLOBAL type *name,
#define LDPC_POINTER_VALUE(type, name)     a.name = name;
#define LDPC_NUMBER_VALUE(type, name)      a.name = numbers.name;
#define LDPC_PARAMETERS                                                                                      \
    LDPC_ARGS_POINTERS(LDPC_POINTER_PARAMETER) const ldpc_cuda_numbers numbers, local uint4 *shared_memory
#define LDPC_BEGIN                                                                                           \
    ldpc_cuda_args a;                                                                                        \
    LDPC_ARGS_POINTERS(LDPC_POINTER_VALUE)                                                                   \
    LDPC_ARGS_NUMBERS(LDPC_NUMBER_VALUE)
#define LDPC_SHARED_MEMORY local u32 *const sm = (local u32 *)shared_memory; // aligned to 16 bytes

#define threadIdx ((uint3)((uint)get_local_id(0), 0, 0))
#define blockIdx  ((uint3)((uint)get_group_id(0), 0, 0))
#define blockDim  ((uint3)(LDPC_THREADS, 1, 1))
#define gridDim   ((uint3)((uint)get_num_groups(0), 1, 1))

#define __syncthreads()    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define atomicAdd(p, v)    atomic_add(p, v)
#define atomicOr(p, v)     atomic_or(p, v)
#define ldpc_warp_same(v)  (v)
#define __clz(x)           clz(x)
#define __ldg(p)           (*(p))
#define __float_as_uint(x) as_uint(x)
#define __uint_as_float(x) as_float(x)
#define fminf(x, y)        fmin(x, y)
#define fmaxf(x, y)        fmax(x, y)
#define fabsf(x)           fabs(x)
#define fmaf(x, y, z)      fma(x, y, z)
#define rintf(x)           rint(x)
#define exp2f(x)           exp2(x)
#undef hadd // built-in function of OpenCL
#define hadd     ldpc_hadd
#define log2f(x) log2(x)

#ifdef LDPC_PTX

DEVICE_INLINE uint ldpc_block_or(uint mine, local uint *word)
{
    uint any;
    asm volatile("{.reg .pred p,q; setp.ne.u32 p,%1,0; barrier.red.or.pred q,0,p; selp.u32 %0,1,0,q;}"
                 : "=r"(any)
                 : "r"(mine)
                 : "memory");
    return any;
}
DEVICE_INLINE uint ldpc_warp_any(uint mine, local uint *word)
{
    uint any;
    asm volatile("{.reg .pred p,q; setp.ne.u32 p,%1,0; vote.sync.any.pred q,p,0xffffffff; selp.u32 %0,1,0,q;}"
                 : "=r"(any)
                 : "r"(mine));
    return any;
}
DEVICE_INLINE uint ldpc_warp_ballot(uint mine)
{
    uint all;
    asm volatile("{.reg .pred p; setp.ne.u32 p,%1,0; vote.sync.ballot.b32 %0,p,0xffffffff;}"
                 : "=r"(all)
                 : "r"(mine));
    return all;
}
DEVICE_INLINE uint ldpc_warp_xor(uint value, uint lanes, local uint *words)
{
    uint other;
    asm volatile("shfl.sync.bfly.b32 %0,%1,%2,0x1f,0xffffffff;" : "=r"(other) : "r"(value), "r"(lanes));
    return other;
}
#define __syncwarp() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")

#else

DEVICE_INLINE uint ldpc_block_or(uint mine, local uint *word)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *word = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(word, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = *word;
    barrier(CLK_LOCAL_MEM_FENCE);
    return mine;
}
#define ldpc_warp_any(mine, word) ldpc_block_or(mine, word)
DEVICE_INLINE uint ldpc_warp_xor(uint value, uint lanes, local uint *words)
{
    const uint me = (uint)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    words[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return words[me ^ lanes];
}
#define __syncwarp()              barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

#endif
