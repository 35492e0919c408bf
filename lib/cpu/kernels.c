/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the CPU backend, from slow to fast. A decoder uses the last kernel that supports its plan. */
#include "cpu/cpu_kernel.h"
#include "cpu/isa_list.h"

#define DECLARE_ACROSS(isa) extern const ldpc_cpu_kernel ldpc_nb_across_##isa;
#define DECLARE_WITHIN(isa) extern const ldpc_cpu_kernel ldpc_nb_within_##isa;
LDPC_EACH_ISA(DECLARE_ACROSS)
LDPC_EACH_NB_ISA(DECLARE_WITHIN)

#define BINARY(isa, kernel, needs) &ldpc_cpu_##isa,
#define ACROSS(isa)                &ldpc_nb_across_##isa,
#define WITHIN(isa)                &ldpc_nb_within_##isa,

static const ldpc_cpu_kernel *const kernels[] = {&ldpc_cpu_ref, &ldpc_nb_float, &ldpc_nb_ref,
                                                 LDPC_EACH_SIMD(BINARY) LDPC_EACH_NB_ISA(WITHIN)
                                                     LDPC_EACH_ISA(ACROSS)};

const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i)
{
    return i < sizeof kernels / sizeof *kernels ? kernels[i] : NULL;
}
