/* SPDX-License-Identifier: BSD-3-Clause */
/* What this CPU can do, and the best row of a table of kernels on it. */
#ifndef LDPC_CPU_FEATURES_H
#define LDPC_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Features of a CPU, as bits. The first five are instruction sets, the others preferences among kernels. */
enum {
    LDPC_CPU_SSE41 = 1 << 0,
    LDPC_CPU_AVX2 = 1 << 1,
    LDPC_CPU_AVX512BW = 1 << 2, /* with F, DQ, VL and AVX2 */
    LDPC_CPU_AVX512VBMI = 1 << 3,
    LDPC_CPU_NEON = 1 << 4,
    LDPC_CPU_BLEND = 1 << 5, /* a byte blend is a single micro-operation (AMD); Intel needs three */
    LDPC_CPU_WIDE = 1 << 6,  /* 512-bit instructions have as many ports as those of 256 bits: Zen 5 */
};

/* Features of this CPU that the operating system supports too. */
unsigned ldpc_cpu_features(void);

/* Does this CPU have all of these features? */
bool ldpc_cpu_runs(unsigned features);

/* The first member of a row of a table of kernels. */
typedef struct ldpc_cpu_row {
    const char *name;
    unsigned features; /* all of them are needed */
} ldpc_cpu_row;

/* The best of rows[0 .. count), slowest first: the last one that needs no more than `features` and has this
 * name (NULL: any). NULL if there is none. */
const ldpc_cpu_row *ldpc_cpu_best_row(const ldpc_cpu_row *const *rows, size_t count, unsigned features,
                                      const char *name);

#endif
