/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the CPU backend. Slowest first; the last row whose features the CPU has and that supports
 * the plan is used. The tests and ldpc-bench walk all rows, so a kernel is tested and timed once it is
 * listed here. */
#include "cpu/cpu_kernel.h"
#include "cpu/isa_list.h"
#include "cpu/nonbinary/nb_kernel.h"

#define SIMD(isa, kernel, needs) &ldpc_cpu_##isa,

static const ldpc_cpu_kernel *const cpu_kernels[] = {&ldpc_cpu_ref, LDPC_EACH_LAYERED(SIMD)};

const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i)
{
    const size_t count = sizeof cpu_kernels / sizeof cpu_kernels[0];
    return i < count ? cpu_kernels[i] : ldpc_nb_kernel_at(i - count);
}
