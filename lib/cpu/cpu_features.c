/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler's builtins also test whether the operating system saves the registers. */
#include "cpu/cpu_features.h"

#include <string.h>

unsigned ldpc_cpu_features(void)
{
    unsigned features = 0;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.1"))
        features |= LDPC_CPU_SSE41;
    if (__builtin_cpu_supports("avx2"))
        features |= LDPC_CPU_AVX2;
    if ((features & LDPC_CPU_AVX2) && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        features |= LDPC_CPU_AVX512BW;
    if ((features & LDPC_CPU_AVX512BW) && __builtin_cpu_supports("avx512vbmi"))
        features |= LDPC_CPU_AVX512VBMI;
    if (__builtin_cpu_is("amd")) {
        features |= LDPC_CPU_BLEND;
        if (__builtin_cpu_supports("avx512vp2intersect")) /* Zen 5; Zen 4 executes 512 bits as two halves */
            features |= LDPC_CPU_WIDE;
    }
#elif defined(__aarch64__)
    features |= LDPC_CPU_NEON;
#endif
    return features;
}

bool ldpc_cpu_runs(unsigned features)
{
    return (features & ~ldpc_cpu_features()) == 0;
}

const ldpc_cpu_row *ldpc_cpu_best_row(const ldpc_cpu_row *const *rows, size_t count, unsigned features,
                                      const char *name)
{
    while (count-- > 0)
        if ((rows[count]->features & ~features) == 0 && (!name || strcmp(rows[count]->name, name) == 0))
            return rows[count];
    return NULL;
}
