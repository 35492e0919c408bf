/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the register width and the number of codewords that are decoded side by side. The constants were
 * measured with the codes of docs/measurements/cpu.md. */
#include "cpu/binary/simd_kernels.h"

#define WIDEST        64 /* widest register, bytes */
/* Size of the L1 cache in bytes. If the state of a decoder is larger, decoding is slightly slower. */
#define FIRST_CACHE   (48 * 1024)
/* A stage of this number of checks takes as long as a row. */
#define STAGED_CHECKS 4

const ldpc_simd_variant *ldpc_simd_variant_of(const ldpc_plan *plan, const ldpc_simd_variants *variants)
{
    return plan->arithmetic == LDPC_ARITHMETIC_I8    ? variants->i8
           : plan->arithmetic == LDPC_ARITHMETIC_I16 ? variants->i16
                                                     : variants->f32;
}

static const ldpc_simd_variants *slower(const ldpc_simd_variants *variants)
{
    const unsigned here = ldpc_cpu_features();
    do
        variants--;
    while (variants->features & ~here);
    return variants;
}

/* ---- batches */

static uint32_t registers_of(const ldpc_code *code, const ldpc_simd_variant *variant, uint32_t n_codewords)
{
    uint32_t row = n_codewords * code->z * variant->lane_bytes;
    return (row + variant->register_bytes - 1) / variant->register_bytes;
}

static size_t state_bytes(const ldpc_plan *plan, const ldpc_simd_variant *variant, uint32_t n_codewords)
{
    const ldpc_code *code = plan->code;
    const size_t per_group = plan->schedule == LDPC_SCHEDULE_FLOODING ? 2 : 1;
    size_t rows = per_group * code->groups + code->layer_start[code->layers];
    return rows * n_codewords * code->z * variant->lane_bytes;
}

static size_t most_state(const ldpc_simd_variant *variant)
{
    return variant->register_bytes == WIDEST ? 192 * 1024 : 576 * 1024;
}

static double row_cost(uint32_t registers)
{
    return registers + 1.5;
}

static bool wants_more(const ldpc_plan *plan, const ldpc_simd_variant *variant)
{
    return variant->register_bytes < WIDEST && !plan->early_stop;
}

static uint32_t most_registers(const ldpc_plan *plan, const ldpc_simd_variant *variant, uint32_t n_codewords)
{
    if (variant->register_bytes == WIDEST)
        return 16;
    return n_codewords <= 4 ? 48 : wants_more(plan, variant) ? 24 : 16;
}

static double cost_of(const ldpc_plan *plan, const ldpc_simd_variant *variant, uint32_t n_codewords)
{
    double factor = wants_more(plan, variant) ? 1.02 : 1.08;
    factor = state_bytes(plan, variant, n_codewords) > FIRST_CACHE ? factor : 1.0;
    factor *= n_codewords & (n_codewords - 1) ? 1.1 : 1.0;
    return row_cost(registers_of(plan->code, variant, n_codewords)) / n_codewords * factor;
}

uint32_t ldpc_simd_codewords(const ldpc_plan *plan, const ldpc_simd_variant *variant)
{
    const ldpc_code *code = plan->code;
    uint32_t lanes = variant->register_bytes / variant->lane_bytes, best = 1;
    if (code->z == 1)
        return lanes;
    for (uint32_t n = 2; n <= lanes; n = n < 8 ? n + 1 : 2 * n)
        if (state_bytes(plan, variant, n) <= most_state(variant) &&
            registers_of(code, variant, n) <= most_registers(plan, variant, n) &&
            cost_of(plan, variant, n) < 0.97 * cost_of(plan, variant, best))
            best = n;
    return best;
}

/* ---- a single codeword */

const ldpc_code *ldpc_simd_single_code(const ldpc_code *code, const ldpc_simd_variant *variant)
{
    bool can =
        code->dyadic && ldpc_simd_map_fits(code->dyadic, 1, variant->lane_bytes, variant->register_bytes);
    return can ? code->dyadic : code;
}

const ldpc_simd_variant *ldpc_simd_single_variant(const ldpc_plan *plan, const ldpc_simd_variants *variants)
{
    const ldpc_simd_variant *wide = ldpc_simd_variant_of(plan, variants), *narrow = wide;
    const ldpc_code *code = plan->code;
    if (wide->register_bytes < WIDEST || code->z == 1)
        return wide;
    const ldpc_simd_variants *half = slower(variants);
    const uint32_t registers = registers_of(code, wide, 1);
    if (registers == 1)
        narrow = ldpc_simd_variant_of(plan, slower(half));
    else if (registers == 2 && !(ldpc_cpu_features() & LDPC_CPU_WIDE))
        narrow = ldpc_simd_variant_of(plan, half);
    bool less = registers_of(code, narrow, 1) < 2 * registers;
    return less && ldpc_simd_map_fits(code, 1, narrow->lane_bytes, narrow->register_bytes) ? narrow : wide;
}

/* ---- few codewords */

static double iteration_cost(const ldpc_lane_layout *layout, const ldpc_simd_variant *of_batch)
{
    const ldpc_simd_map *map = layout->map;
    if (map->column_memory)
        return map->code->layers * row_cost(1) / STAGED_CHECKS;
    const uint32_t registers = registers_of(map->code, of_batch, map->n_codewords);
    double row = map->code->is_dyadic ? 1.5 * registers * row_cost(1) : row_cost(registers);
    return row * map->n_layers;
}

bool ldpc_simd_side_by_side(const ldpc_plan *plan, const ldpc_lane_layout *single,
                            const ldpc_lane_layout *batch, size_t n_codewords)
{
    const double wait = plan->early_stop ? 1.2 : 1.0;
    const double one_by_one = n_codewords * iteration_cost(single, batch->variant);
    return one_by_one >= wait * iteration_cost(batch, batch->variant);
}
