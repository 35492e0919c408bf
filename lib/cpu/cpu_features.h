/* SPDX-License-Identifier: BSD-3-Clause */
/* Features of this CPU, and selection of a row of a kernel table. */
#ifndef LDPC_CPU_FEATURES_H
#define LDPC_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Features of a CPU, as bits. The first five are instruction sets, the others select among kernels. */
enum {
    LDPC_CPU_SSE41 = 1 << 0,
    LDPC_CPU_AVX2 = 1 << 1,
    LDPC_CPU_AVX512BW = 1 << 2, /* includes F, DQ, VL and AVX2 */
    LDPC_CPU_AVX512VBMI = 1 << 3,
    LDPC_CPU_NEON = 1 << 4,
    LDPC_CPU_BLEND = 1 << 5, /* a byte blend takes one micro-operation (true on AMD; Intel needs three) */
    LDPC_CPU_WIDE = 1 << 6,  /* 512-bit instructions can use as many ports as 256-bit instructions (Zen 5) */
};

/* Returns the features of this CPU that the operating system supports. */
unsigned ldpc_cpu_features(void);

/* Returns whether this CPU has all of these features. */
bool ldpc_cpu_runs(unsigned features);

/* The first member of a row of a table of kernels. */
typedef struct ldpc_cpu_row {
    const char *name;
    unsigned features; /* required features */
} ldpc_cpu_row;

/* Returns the fastest of rows[0 .. count), which are sorted slowest first, that requires only `features` and
 * has this name (NULL: any name). Returns NULL if none fits. */
const ldpc_cpu_row *ldpc_cpu_best_row(const ldpc_cpu_row *const *rows, size_t count, unsigned features,
                                      const char *name);

#endif
