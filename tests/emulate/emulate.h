/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs device code on the CPU as C++. Replaces half.cuh. Each thread runs to its next barrier before the next
 * thread continues. Arithmetic and barriers are tested. Races are not found. */
#include <setjmp.h>
#include <ucontext.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define LDPC_EMULATED_DEVICE
#define __device__
#define __global__
#define __constant__
#define __shared__      static
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define INLINE static inline

struct uint2 {
    unsigned x, y;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct three {
    unsigned x, y, z;
};
static three threadIdx, blockIdx, blockDim, gridDim;
static unsigned sm[65536]; /* dynamic shared memory */

/* ---- threads as coroutines */

/* Coroutines are made with longjmp, because swapcontext makes two system calls. */
enum { MAX_THREADS = 1024, STACK = 1 << 19 };
static ucontext_t emu_contexts[MAX_THREADS];
static jmp_buf emu_scheduler, emu_threads[MAX_THREADS];
static char *emu_stacks;
static bool emu_begun[MAX_THREADS], emu_finished[MAX_THREADS], emu_in_warp; /* true: barrier of a warp */
static unsigned emu_gathered, emu_result;

static void emu_resume(unsigned thread)
{
    if (_setjmp(emu_scheduler))
        return;
    if (emu_begun[thread])
        _longjmp(emu_threads[thread], 1);
    emu_begun[thread] = true;
    setcontext(&emu_contexts[thread]);
}

static void emu_wait()
{
    if (!_setjmp(emu_threads[threadIdx.x]))
        _longjmp(emu_scheduler, 1);
}

static unsigned emu_barrier(unsigned value)
{
    emu_gathered |= value;
    emu_wait();
    return emu_result;
}

static void __syncthreads()
{
    emu_barrier(0);
}

static unsigned __syncthreads_or(unsigned value)
{
    return emu_barrier(value != 0);
}

static unsigned __any_sync(unsigned, unsigned value) /* all warps of a block get one result */
{
    return emu_barrier(value != 0);
}

static void __syncwarp()
{
    emu_in_warp = true;
    emu_wait();
}

static unsigned __shfl_xor_sync(unsigned, unsigned value, int lanes)
{
    static unsigned given[MAX_THREADS];
    unsigned me = threadIdx.x;
    given[me] = value;
    __syncwarp();
    unsigned taken = given[me ^ (unsigned)lanes];
    __syncwarp();
    return taken;
}

static unsigned __shfl_sync(unsigned, unsigned value, int)
{
    return value;
}

static unsigned __ballot_sync(unsigned, unsigned value)
{
    static bool given[MAX_THREADS];
    unsigned me = threadIdx.x, all = 0;
    given[me] = value != 0;
    __syncwarp();
    for (unsigned i = 0; i < 32; i++)
        all |= (unsigned)given[(me & ~31u) + i] << i;
    __syncwarp();
    return all;
}

/* ---- built-in variables and functions of CUDA */

static inline int min(int a, int b)
{
    return a < b ? a : b;
}
static inline int max(int a, int b)
{
    return a > b ? a : b;
}
static inline unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
static inline unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
static inline float min(float a, float b)
{
    return a < b ? a : b;
}
static inline float max(float a, float b)
{
    return a > b ? a : b;
}
#define __expf  std::exp /* the C library reserves these names */
#define __log2f std::log2
static inline unsigned __float_as_uint(float a)
{
    unsigned bits;
    std::memcpy(&bits, &a, sizeof bits);
    return bits;
}
static inline float __uint_as_float(unsigned bits)
{
    float a;
    std::memcpy(&a, &bits, sizeof a);
    return a;
}
template <typename T> static T __ldcg(const T *p)
{
    return *p;
}
template <typename T> static void __stcg(T *p, T v)
{
    *p = v;
}
static inline unsigned atomicAdd(unsigned *p, unsigned v)
{
    unsigned old = *p;
    *p += v;
    return old;
}
static inline unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    unsigned long long old = *p;
    *p += v;
    return old;
}
static inline unsigned atomicOr(unsigned *p, unsigned v)
{
    unsigned old = *p;
    *p |= v;
    return old;
}

static inline unsigned __popc(unsigned a)
{
    return (unsigned)__builtin_popcount(a);
}
static inline unsigned __clz(unsigned a)
{
    return a ? (unsigned)__builtin_clz(a) : 32;
}
static inline unsigned __brev(unsigned a)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (a >> i & 1) << (31 - i);
    return reversed;
}

template <typename T> static T __ldg(const T *p)
{
    return *p;
}

/* ---- half.cuh */

INLINE void ldpc_prefetch(const void *) {}
INLINE void ldpc_load_later(unsigned *to, const unsigned *p)
{
    *to = *p;
}
INLINE void ldpc_load_pair_later(unsigned *first, unsigned *second, const uint2 *p)
{
    *first = p->x;
    *second = p->y;
}
INLINE unsigned ldpc_load_half(const unsigned short *p)
{
    return *p;
}
INLINE unsigned ldpc_copy(unsigned v, unsigned zero)
{
    return v ^ zero;
}
template <typename T> static void ldpc_keep(T *&) {}
INLINE unsigned ldpc_dot_halves(unsigned x, unsigned factors)
{
    return (x & 0xffffu) * (factors & 255) + (x >> 16) * (factors >> 8 & 255);
}

/* <immintrin.h> would double the compile time. */
typedef short emu_halves __attribute__((vector_size(16)));
typedef float emu_floats __attribute__((vector_size(16)));
static inline double emu_half(unsigned bits)
{
    return __builtin_ia32_vcvtph2ps(emu_halves{(short)bits})[0];
}
static inline unsigned emu_bits(double value)
{
    return (unsigned short)__builtin_ia32_vcvtps2ph(emu_floats{(float)value}, 0)[0];
}
template <typename Op> static inline unsigned emu_each(Op op, unsigned a, unsigned b = 0, unsigned c = 0)
{
    return emu_bits(op(emu_half(a), emu_half(b), emu_half(c))) |
           emu_bits(op(emu_half(a >> 16), emu_half(b >> 16), emu_half(c >> 16))) << 16;
}
#define EACH(name, parameters, call, expression)                                                             \
    INLINE unsigned name parameters                                                                          \
    {                                                                                                        \
        return emu_each(                                                                                     \
            [](double a, double b, double c) {                                                               \
                (void)b, (void)c;                                                                            \
                return expression;                                                                           \
            },                                                                                               \
            call);                                                                                           \
    }
#define COMMA ,
EACH(hadd, (unsigned a, unsigned b), a COMMA b, a + b)
EACH(hsub, (unsigned a, unsigned b), a COMMA b, a - b)
EACH(hsubsat, (unsigned a, unsigned b), a COMMA b, a - b < 0 ? 0 : a - b > 1 ? 1 : a - b)
EACH(hle, (unsigned a, unsigned b), a COMMA b, a <= b)
EACH(hmulsat, (unsigned a, unsigned b), a COMMA b, a *b<0 ? 0 : a * b> 1 ? 1 : a *b)
EACH(hfma, (unsigned a, unsigned b, unsigned c), a COMMA b COMMA c, a *b + c)
EACH(hrelu, (unsigned a, unsigned b, unsigned c), a COMMA b COMMA c, a *b + c > 0 ? a * b + c : 0)
EACH(hmin, (unsigned a, unsigned b), a COMMA b, a < b ? a : b)
EACH(hmax, (unsigned a, unsigned b), a COMMA b, a > b ? a : b)
EACH(hmaxa, (unsigned a, unsigned b), a COMMA b, std::fmax(std::fabs(a), std::fabs(b)))
EACH(hmin3, (unsigned a, unsigned b, unsigned c), a COMMA b COMMA c, std::fmin(std::fmin(a, b), c))
EACH(hmin_sum, (unsigned a, unsigned b, unsigned c), a COMMA b COMMA c, std::fmin(a + b, c))
EACH(hminx, (unsigned a, unsigned b), a COMMA b,
     std::copysign(std::fmin(std::fabs(a), std::fabs(b)), std::signbit(a) != std::signbit(b) ? -1.0 : 1.0))
INLINE unsigned habs(unsigned a)
{
    return a & 0x7fff7fffu;
}
INLINE unsigned habsf(unsigned a)
{
    return a & 0x7fff7fffu;
}
INLINE unsigned h2(int a, int b)
{
    return emu_bits(a) | emu_bits(b) << 16;
}
INLINE int hlow(unsigned a)
{
    return (int)std::nearbyint(emu_half(a));
}
INLINE int hhigh(unsigned a)
{
    return hlow(a >> 16);
}
/* A selector of 8 or more replicates the sign. */
static inline unsigned emu_byte(uint64_t both, unsigned selector)
{
    unsigned byte = (unsigned)(both >> 8 * (selector & 7) & 255);
    return selector < 8 ? byte : byte & 128 ? 255 : 0;
}
INLINE unsigned prmt(unsigned a, unsigned b, unsigned selector)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= emu_byte(both, selector >> 4 * i & 15) << 8 * i;
    return r;
}

/* ---- launching */

static void emu_thread(); /* defined in emulate_end.h */

/* Runs each thread of a warp to its next block barrier. Returns false if all threads have returned. */
static bool emu_warp(unsigned first)
{
    bool any = false;
    do {
        emu_in_warp = false;
        for (unsigned t = first; t < first + 32 && t < blockDim.x; t++)
            if (!emu_finished[t]) {
                threadIdx.x = t;
                emu_resume(t);
                any = true;
            }
    } while (emu_in_warp);
    return any;
}

static void emu_block()
{
    for (unsigned t = 0; t < blockDim.x; t++) {
        emu_begun[t] = emu_finished[t] = false;
        getcontext(&emu_contexts[t]);
        emu_contexts[t].uc_stack.ss_sp = emu_stacks + (size_t)t * STACK;
        emu_contexts[t].uc_stack.ss_size = STACK;
        makecontext(&emu_contexts[t], emu_thread, 0);
    }
    for (bool any = true; any;) {
        any = false;
        emu_gathered = 0;
        for (unsigned first = 0; first < blockDim.x; first += 32)
            any |= emu_warp(first);
        emu_result = emu_gathered;
    }
}
