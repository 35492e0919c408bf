/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the CPU backend and its kernels: one row per kernel in kernels.c. */
#ifndef LDPC_CPU_KERNEL_H
#define LDPC_CPU_KERNEL_H

#include "cpu/cpu_features.h"
#include "plan/plan.h"

/* Values that a kernel derives from a plan. Shared by all threads, and constant except for the rule, which
 * may change between batches. The first member of the kernel's own struct. */
typedef struct ldpc_cpu_tables {
    const ldpc_plan *plan;
    ldpc_rule rule;        /* binary codes only */
    size_t codewords;      /* number of codewords that fills the lanes of the kernel */
    size_t most_codewords; /* maximum number of codewords per call of decode() */
    size_t scratch_bytes;  /* size of a thread's scratch area */
} ldpc_cpu_tables;

typedef struct ldpc_cpu_kernel {
    const char *name;
    unsigned features; /* required CPU features, LDPC_CPU_... */
    bool nonbinary;    /* supports codes over GF(q), q > 2, only; false: binary codes only */
    /* Returns whether the kernel supports the plan. */
    bool (*supports)(const ldpc_plan *plan);
    /* Makes all decisions and allocations for decoding. Returns LDPC_OK or LDPC_ERR_MEMORY. */
    ldpc_status (*create)(const ldpc_plan *plan, ldpc_cpu_tables **tables);
    void (*destroy)(ldpc_cpu_tables *tables);
    /* Decodes batch->n_codewords codewords, 1 .. tables->most_codewords. The scratch area is aligned to
     * LDPC_CPU_ALIGN bytes, zeroed before the first call, and not changed between calls. Reads max_iterations
     * and early_stop from the plan at each call. */
    void (*decode)(const ldpc_cpu_tables *tables, void *scratch, const ldpc_batch *batch);
} ldpc_cpu_kernel;

#define LDPC_CPU_ALIGN 64

/* Returns the i-th kernel of this build, slowest first; NULL after the last one. */
const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i);

/* The rows of the kernel table: each is defined in its kernel's file and listed in kernels.c. */
extern const ldpc_cpu_kernel ldpc_cpu_ref;
/* The SIMD kernels support all rules, arithmetics and schedules, for a single codeword or several side by
 * side (simd_kernels.c). */
extern const ldpc_cpu_kernel ldpc_cpu_scalar, ldpc_cpu_sse41, ldpc_cpu_avx2_mask, ldpc_cpu_avx2,
    ldpc_cpu_avx512_256, ldpc_cpu_avx512, ldpc_cpu_neon;

/* The reference kernels over GF(q), for floats and for 8 bits. The SIMD kernels are declared in kernels.c. */
extern const ldpc_cpu_kernel ldpc_nb_float, ldpc_nb_ref;

#endif
