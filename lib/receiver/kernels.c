/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the kernels for an instruction set. */
#include "receiver/kernels.h"

#include <stdbool.h>

extern const rx_kernels rx_kernels_baseline;
#ifdef RX_HAVE_X86
extern const rx_kernels rx_kernels_avx2, rx_kernels_avx512;
#endif

static bool always(void)
{
    return true;
}

#ifdef RX_HAVE_X86
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#endif

/* Sets of kernels, slowest first. */
static const struct {
    const rx_kernels *kernels;
    bool (*usable)(void);
} table[] = {
    {&rx_kernels_baseline, always    },
#ifdef RX_HAVE_X86
    {&rx_kernels_avx2,     has_avx2  },
    {&rx_kernels_avx512,   has_avx512},
#endif
};

const rx_kernels *rx_kernels_list(size_t i)
{
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (table[row].usable() && i-- == 0)
            return table[row].kernels;
    return NULL;
}

const rx_kernels *rx_kernels_best(void)
{
    const rx_kernels *best = rx_kernels_list(0);
    for (size_t i = 1; rx_kernels_list(i); i++)
        best = rx_kernels_list(i);
    return best;
}
