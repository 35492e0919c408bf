/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU features, and the choice among kernels. */
#ifndef LDPC_CPU_FEATURES_H
#define LDPC_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

/* Flags of instruction sets. After them, flags of other properties of the CPU. */
enum {
    LDPC_CPU_SSE41 = 1 << 0,
    LDPC_CPU_AVX2 = 1 << 1,
    LDPC_CPU_AVX512BW = 1 << 2, /* includes F, DQ, VL and AVX2 */
    LDPC_CPU_AVX512VBMI = 1 << 3,
    LDPC_CPU_NEON = 1 << 4,
    LDPC_CPU_BLEND = 1 << 5,
    LDPC_CPU_WIDE = 1 << 6,
};

/* Returns the features that CPU and operating system support. */
unsigned ldpc_cpu_features(void);

bool ldpc_cpu_runs(unsigned features);

typedef struct ldpc_cpu_row {
    const char *name;
    unsigned features; /* required features */
} ldpc_cpu_row;

/* Returns the last row with this name (NULL: any) that needs only `features`, or NULL. Rows are sorted from
 * slow to fast. */
const ldpc_cpu_row *ldpc_cpu_best_row(const ldpc_cpu_row *const *rows, size_t count, unsigned features,
                                      const char *name);

#endif
