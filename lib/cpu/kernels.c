/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the CPU backend. Slowest first; the last row whose features the CPU has and that supports
 * the plan is used. The tests and ldpc-bench walk all rows, so a new kernel is proved and timed by being
 * listed here. */
#include "cpu/cpu_kernel.h"
#include "nb/nb_kernel.h"

static const ldpc_cpu_kernel *const cpu_kernels[] = {
    &ldpc_cpu_ref,
#if defined(LDPC_HAVE_SCALAR)
    &ldpc_sweep_scalar,
#endif
#if defined(LDPC_HAVE_SSE41)
    &ldpc_sweep_sse41,
#endif
#if defined(LDPC_HAVE_AVX2)
    &ldpc_sweep_avx2,
#endif
#if defined(LDPC_HAVE_AVX512)
    &ldpc_sweep_avx512,
#endif
#if defined(LDPC_HAVE_NEON)
    &ldpc_sweep_neon,
#endif
#if defined(LDPC_HAVE_SCALAR)
    &ldpc_cpu_scalar,
#endif
#if defined(LDPC_HAVE_SSE41)
    &ldpc_cpu_sse41,
#endif
#if defined(LDPC_HAVE_AVX2)
    &ldpc_cpu_avx2,
#endif
#if defined(LDPC_HAVE_AVX512)
    &ldpc_cpu_avx512,
#endif
#if defined(LDPC_HAVE_NEON)
    &ldpc_cpu_neon,
#endif
};

const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i)
{
    const size_t count = sizeof cpu_kernels / sizeof cpu_kernels[0];
    return i < count ? cpu_kernels[i] : ldpc_nb_kernel_at(i - count);
}
