/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the CPU backend and its kernels: one row per kernel in kernels.c. */
#ifndef LDPC_CPU_KERNEL_H
#define LDPC_CPU_KERNEL_H

#include "cpu/cpu_features.h"
#include "plan/plan.h"

/* What a kernel derives from a plan, shared by all threads and read-only but for the rule, which may change
 * between batches. A kernel's own struct starts with it. */
typedef struct ldpc_cpu_tables {
    const ldpc_plan *plan;
    ldpc_rule rule;        /* of binary codes */
    size_t codewords;      /* this many fill the kernel's lanes */
    size_t most_codewords; /* decode() takes 1 .. this many at once */
    size_t scratch_bytes;  /* of one scratch area; each thread has one of its own */
} ldpc_cpu_tables;

typedef struct ldpc_cpu_kernel {
    const char *name;
    unsigned features; /* LDPC_CPU_...: all of them must be there */
    bool nonbinary;    /* for codes over GF(q), q > 2, and no others */
    /* Can it decode under this plan? */
    bool (*supports)(const ldpc_plan *plan);
    /* LDPC_OK or LDPC_ERR_MEMORY. Everything that decoding needs is allocated and decided here. */
    ldpc_status (*create)(const ldpc_plan *plan, ldpc_cpu_tables **tables);
    void (*destroy)(ldpc_cpu_tables *tables);
    /* Decodes batch->n_codewords codewords, 1 .. tables->most_codewords. The scratch area is aligned to
     * LDPC_CPU_ALIGN bytes and holds what the last call left there, zeros before the first. max_iterations
     * and early_stop are read from the plan at each call. */
    void (*decode)(const ldpc_cpu_tables *tables, void *scratch, const ldpc_batch *batch);
} ldpc_cpu_kernel;

#define LDPC_CPU_ALIGN 64

/* i-th kernel of this build, slowest first; NULL past the end. */
const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i);

/* The rows: each is defined in its kernel's file and listed in kernels.c. */
extern const ldpc_cpu_kernel ldpc_cpu_ref;
/* All rules, arithmetics and schedules in SIMD, a single codeword or several side by side (simd_kernels.c). */
extern const ldpc_cpu_kernel ldpc_cpu_scalar, ldpc_cpu_sse41, ldpc_cpu_avx2_mask, ldpc_cpu_avx2,
    ldpc_cpu_avx512_256, ldpc_cpu_avx512, ldpc_cpu_neon;

/* Over GF(q): the references in floats and in 8 bits. The SIMD kernels are declared in kernels.c. */
extern const ldpc_cpu_kernel ldpc_nb_float, ldpc_nb_ref;

#endif
