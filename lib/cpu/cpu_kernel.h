/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the CPU backend and its kernels. Each kernel is a row of the table in kernels.c. */
#ifndef LDPC_CPU_KERNEL_H
#define LDPC_CPU_KERNEL_H

#include "cpu/cpu_features.h"
#include "plan/plan.h"

/* Values that a kernel computes from a plan. All threads share them. They are constant, except that the rule
 * may change between batches. This is the first member of the struct of each kernel. */
typedef struct ldpc_cpu_tables {
    const ldpc_plan *plan;
    ldpc_rule rule;        /* binary codes only */
    size_t codewords;      /* number of codewords that fills the lanes of the kernel */
    size_t most_codewords; /* maximum number of codewords per call of decode() */
    size_t scratch_bytes;  /* size in bytes of the scratch area of a thread */
} ldpc_cpu_tables;

typedef struct ldpc_cpu_kernel {
    const char *name;
    unsigned features; /* CPU features that the kernel needs, LDPC_CPU_... */
    bool nonbinary;    /* true: the kernel supports only codes over GF(q), q > 2; false: only binary codes */
    /* Returns whether the kernel supports the plan. */
    bool (*supports)(const ldpc_plan *plan);
    /* Makes all decisions and allocates all memory that decoding needs. Returns LDPC_OK or
     * LDPC_ERR_MEMORY. */
    ldpc_status (*create)(const ldpc_plan *plan, ldpc_cpu_tables **tables);
    void (*destroy)(ldpc_cpu_tables *tables);
    /* Decodes a batch. batch->n_codewords must be 1 .. tables->most_codewords. The scratch area is aligned to
     * LDPC_CPU_ALIGN bytes and zeroed before the first call; the caller does not change it between calls.
     * Each call reads max_iterations and early_stop from the plan. */
    void (*decode)(const ldpc_cpu_tables *tables, void *scratch, const ldpc_batch *batch);
} ldpc_cpu_kernel;

#define LDPC_CPU_ALIGN 64

/* Returns kernel number i of this build, or NULL after the last kernel. The kernels are sorted from the
 * slowest to the fastest. */
const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i);

/* The rows of the kernel table. Each row is defined in the file of its kernel and listed in kernels.c. */
extern const ldpc_cpu_kernel ldpc_cpu_ref;
/* The SIMD kernels support all rules, arithmetics and schedules. They decode a single codeword, or several
 * codewords side by side (simd_kernels.c). */
extern const ldpc_cpu_kernel ldpc_cpu_scalar, ldpc_cpu_sse41, ldpc_cpu_avx2_mask, ldpc_cpu_avx2,
    ldpc_cpu_avx512_256, ldpc_cpu_avx512, ldpc_cpu_neon;

/* The reference kernels for codes over GF(q), with floats and with 8-bit integers. The SIMD kernels for these
 * codes are declared in kernels.c. */
extern const ldpc_cpu_kernel ldpc_nb_float, ldpc_nb_ref;

#endif
