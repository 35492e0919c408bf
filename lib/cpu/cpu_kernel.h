/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of the CPU backend, listed in kernels.c. */
#ifndef LDPC_CPU_KERNEL_H
#define LDPC_CPU_KERNEL_H

#include "cpu/cpu_features.h"
#include "plan/plan.h"

/* Values that a kernel computes from a plan, shared by all threads. Only the rule may change between
 * batches. */
typedef struct ldpc_cpu_tables {
    const ldpc_plan *plan;
    ldpc_rule rule; /* binary codes only */
    size_t codewords;
    size_t most_codewords;
    size_t scratch_bytes; /* per thread */
} ldpc_cpu_tables;

typedef struct ldpc_cpu_kernel {
    const char *name;
    unsigned features; /* required CPU features, LDPC_CPU_... */
    bool nonbinary;    /* true: only codes over GF(q), q > 2; false: only binary codes */
    bool (*supports)(const ldpc_plan *plan);
    /* Allocates all memory that decoding needs. Returns LDPC_OK or LDPC_ERR_MEMORY. */
    ldpc_status (*create)(const ldpc_plan *plan, ldpc_cpu_tables **tables);
    void (*destroy)(ldpc_cpu_tables *tables);
    /* Decodes 1 .. tables->most_codewords codewords. `scratch` is aligned to LDPC_CPU_ALIGN bytes, zeroed
     * once, and kept between calls. */
    void (*decode)(const ldpc_cpu_tables *tables, void *scratch, const ldpc_batch *batch);
} ldpc_cpu_kernel;

#define LDPC_CPU_ALIGN 64

/* kernels from slow to fast; NULL after the last kernel */
const ldpc_cpu_kernel *ldpc_cpu_kernel_at(size_t i);

/* Rows of the kernel table. */
extern const ldpc_cpu_kernel ldpc_cpu_ref;
/* The SIMD kernels support all rules, arithmetics and schedules (simd_kernels.c). */
extern const ldpc_cpu_kernel ldpc_cpu_scalar, ldpc_cpu_sse41, ldpc_cpu_avx2_mask, ldpc_cpu_avx2,
    ldpc_cpu_avx512_256, ldpc_cpu_avx512, ldpc_cpu_neon;

/* The reference kernels for codes over GF(q), in floats and 8-bit integers. */
extern const ldpc_cpu_kernel ldpc_nb_float, ldpc_nb_ref;

#endif
