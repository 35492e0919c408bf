/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/channel.h"

#include "cpu/isa_list.h"

#define DECLARE(isa) extern const ldpc_channel_row ldpc_channel_##isa;
#define ROW(isa)     &ldpc_channel_##isa.row,

LDPC_EACH_ISA(DECLARE)

static const ldpc_cpu_row *const rows[] = {LDPC_EACH_ISA(ROW)};

enum { ROWS = sizeof rows / sizeof *rows };

const ldpc_channel_row *ldpc_channel_row_at(size_t i)
{
    return i < ROWS ? (const ldpc_channel_row *)rows[i] : NULL;
}

const ldpc_channel_row *ldpc_channel_best(void)
{
    return (const ldpc_channel_row *)ldpc_cpu_best_row(rows, ROWS, ldpc_cpu_features(), NULL);
}
