/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of channel.h. */
#include "sim/channel.h"

#include "cpu/cpu_kernel.h"

static const ldpc_channel_row *const rows[] = {
    &ldpc_channel_scalar,
#if defined(LDPC_HAVE_SSE41)
    &ldpc_channel_sse41,
#endif
#if defined(LDPC_HAVE_AVX2)
    &ldpc_channel_avx2,
#endif
#if defined(LDPC_HAVE_AVX512)
    &ldpc_channel_avx512,
#endif
#if defined(LDPC_HAVE_NEON)
    &ldpc_channel_neon,
#endif
};

const ldpc_channel_row *ldpc_channel_row_at(size_t i)
{
    return i < sizeof rows / sizeof rows[0] ? rows[i] : NULL;
}

const ldpc_channel_row *ldpc_channel_best(void)
{
    const ldpc_channel_row *best = rows[0], *row;
    unsigned features = ldpc_cpu_features();
    for (size_t i = 1; (row = ldpc_channel_row_at(i)); i++)
        if ((row->features & ~features) == 0)
            best = row;
    return best;
}
