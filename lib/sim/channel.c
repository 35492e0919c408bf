/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of channel.h. */
#include "sim/channel.h"

#include "cpu/binary/isa_list.h"

#define ROW(isa, needs) &ldpc_channel_##isa,

static const ldpc_channel_row *const rows[] = {LDPC_EACH_ISA(ROW)};

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
