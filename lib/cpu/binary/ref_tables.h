/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_REF_TABLES_H
#define LDPC_REF_TABLES_H

#include "cpu/binary/llr_conversion.h"
#include "cpu/cpu_kernel.h"

typedef struct ref_tables {
    ldpc_cpu_tables base;
    uint32_t max_degree;     /* blocks of the largest layer */
    int32_t lowest, highest; /* range of integer posteriors and Q */
} ref_tables;

/* Returns LDPC_NO_COLUMN if the edge is missing. */
static inline uint32_t column_of(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    if (lane == block->missing_lane)
        return LDPC_NO_COLUMN;
    return code->column_at[(size_t)block->group * code->z + (lane + block->shift) % code->z];
}

static inline int32_t int_saturate(const ref_tables *tables, int32_t x)
{
    return x < tables->lowest ? tables->lowest : x > tables->highest ? tables->highest : x;
}

static inline float float_saturate(const ref_tables *tables, float x)
{
    (void)tables;
    return x;
}

static inline int32_t int_no_edge(const ref_tables *tables)
{
    return tables->highest == LDPC_I8_MAX ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT;
}

static inline float float_no_edge(const ref_tables *tables)
{
    (void)tables;
    return FLOAT_LIMIT;
}

#endif
