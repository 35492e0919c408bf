/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines the features of this CPU, and selects a row of a kernel table that this CPU can run. */
#ifndef LDPC_CPU_FEATURES_H
#define LDPC_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Features of a CPU, as bits. The first five are instruction sets. The others describe how fast some
 * instructions are and are used to choose among kernels. */
enum {
    LDPC_CPU_SSE41 = 1 << 0,
    LDPC_CPU_AVX2 = 1 << 1,
    LDPC_CPU_AVX512BW = 1 << 2, /* includes F, DQ, VL and AVX2 */
    LDPC_CPU_AVX512VBMI = 1 << 3,
    LDPC_CPU_NEON = 1 << 4,
    LDPC_CPU_BLEND = 1 << 5, /* a byte blend is one micro-operation (AMD; three on Intel) */
    LDPC_CPU_WIDE = 1 << 6,  /* 512-bit instructions can use as many ports as 256-bit instructions (Zen 5) */
};

/* Returns the features of this CPU that the operating system supports. */
unsigned ldpc_cpu_features(void);

/* Returns whether this CPU has all of these features. */
bool ldpc_cpu_runs(unsigned features);

/* The first member of each row of a kernel table. */
typedef struct ldpc_cpu_row {
    const char *name;
    unsigned features; /* required features */
} ldpc_cpu_row;

/* Returns the fastest row of rows[0 .. count) that has the given name and needs only `features`. If `name` is
 * NULL, the row may have any name. The rows are sorted from the slowest to the fastest. Returns NULL if there
 * is no such row. */
const ldpc_cpu_row *ldpc_cpu_best_row(const ldpc_cpu_row *const *rows, size_t count, unsigned features,
                                      const char *name);

#endif
