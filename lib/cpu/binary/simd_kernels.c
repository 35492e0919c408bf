/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the kernel table for the SIMD kernels. */
#include "cpu/binary/simd_kernels.h"

#include <stdlib.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "cpu/isa_list.h"
#include "plan/batch.h"

/* Maximum number of codewords per lane and call. Lanes become empty at the end of a call. */
#define MOST_REFILLS 32

typedef struct simd_tables {
    ldpc_cpu_tables base;
    ldpc_lane_layout single, batch;
} simd_tables;

static bool sums_fit(const ldpc_code *code)
{
    return ldpc_code_posterior_bound(code, LDPC_KNOWN_LLR, LDPC_MESSAGE_LIMIT) <= INT16_MAX;
}

static bool is_flooding(const ldpc_plan *plan)
{
    return plan->schedule == LDPC_SCHEDULE_FLOODING;
}

static bool simd_supports(const ldpc_plan *plan, const ldpc_simd_variants *variants)
{
    const ldpc_simd_variant *variant = ldpc_simd_variant_of(plan, variants);
    const ldpc_code *code = plan->code;
    bool exact = plan->arithmetic == LDPC_ARITHMETIC_FLOAT || !is_flooding(plan) || sums_fit(code);
    return code->order == 2 && exact &&
           ldpc_simd_map_fits(code, ldpc_simd_codewords(plan, variant), variant->lane_bytes,
                              variant->register_bytes);
}

/* ---- tables */

static bool refills(const ldpc_plan *plan, const ldpc_lane_layout *batch)
{
    return plan->early_stop && ldpc_simd_refills(batch);
}

static void layout_destroy(ldpc_lane_layout *layout)
{
    ldpc_interleaver_destroy(layout->interleaver);
    ldpc_simd_map_destroy(layout->map);
}

static ldpc_status layout_create(const ldpc_code *code, const ldpc_plan *plan,
                                 const ldpc_simd_variant *variant, uint32_t n_codewords,
                                 ldpc_lane_layout *layout)
{
    layout->variant = variant;
    ldpc_status status = ldpc_simd_map_create(code, is_flooding(plan), n_codewords, variant->lane_bytes,
                                              variant->register_bytes, &layout->map);
    return status ? status : ldpc_interleaver_create(layout->map, variant->interleave, &layout->interleaver);
}

/* Stages require z = 1. */
static ldpc_status single_create(const ldpc_plan *plan, const ldpc_simd_variants *variants,
                                 ldpc_lane_layout *layout)
{
    const ldpc_simd_variant *wide = ldpc_simd_variant_of(plan, variants);
    const ldpc_code *code = ldpc_simd_single_code(plan->code, wide);
    if (code->z > 1)
        return layout_create(code, plan, ldpc_simd_single_variant(plan, variants), 1, layout);
    if (is_flooding(plan))
        return LDPC_OK;
    layout->variant = wide;
    ldpc_status status = ldpc_simd_stages_create(code, wide->lane_bytes, wide->register_bytes, &layout->map);
    return status || !layout->map
               ? status
               : ldpc_interleaver_create(layout->map, wide->interleave, &layout->interleaver);
}

static void simd_destroy(ldpc_cpu_tables *base)
{
    simd_tables *tables = (simd_tables *)base;
    layout_destroy(&tables->batch);
    layout_destroy(&tables->single);
    free(tables);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static ldpc_status simd_create(const ldpc_plan *plan, const ldpc_simd_variants *variants,
                               ldpc_cpu_tables **made)
{
    const ldpc_simd_variant *wide = ldpc_simd_variant_of(plan, variants);
    simd_tables *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    const uint32_t n_codewords = ldpc_simd_codewords(plan, wide);
    ldpc_status status = single_create(plan, variants, &tables->single);
    if (!status && (!tables->single.map || tables->single.map->n_codewords != n_codewords))
        status = layout_create(plan->code, plan, wide, n_codewords, &tables->batch);
    if (status) {
        simd_destroy(&tables->base);
        return status;
    }
    tables->base = (ldpc_cpu_tables){
        .plan = plan,
        .rule = ldpc_plan_rule(plan),
        .codewords = n_codewords,
        .most_codewords = refills(plan, &tables->batch) ? n_codewords * MOST_REFILLS : n_codewords,
        .scratch_bytes =
            larger(ldpc_simd_scratch_bytes(&tables->single), ldpc_simd_scratch_bytes(&tables->batch)),
    };
    *made = &tables->base;
    return LDPC_OK;
}

/* ---- decoding */

static bool takes_batch(const simd_tables *tables, size_t n_codewords)
{
    if (!tables->single.map || !tables->batch.map)
        return !tables->single.map;
    return ldpc_simd_side_by_side(tables->base.plan, &tables->single, &tables->batch, n_codewords);
}

static void decode_few(const simd_tables *tables, void *scratch, const ldpc_batch *batch)
{
    const ldpc_cpu_tables *base = &tables->base;
    if (takes_batch(tables, batch->n_codewords)) {
        ldpc_simd_decode(&tables->batch, base->plan, &base->rule, scratch, batch);
        return;
    }
    for (size_t w = 0; w < batch->n_codewords; w++) {
        ldpc_batch one = ldpc_batch_slice(base->plan, batch, w, 1);
        ldpc_simd_decode(&tables->single, base->plan, &base->rule, scratch, &one);
    }
}

static void simd_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const simd_tables *tables = (const simd_tables *)base;
    const size_t total = batch->n_codewords, lanes = base->codewords;
    const bool refilled = refills(base->plan, &tables->batch);
    for (size_t count, first = 0; first < total; first += count) {
        count = refilled || total - first < lanes ? total - first : lanes;
        ldpc_batch few = ldpc_batch_slice(base->plan, batch, first, count);
        decode_few(tables, scratch, &few);
    }
}

/* ---- the rows */

#define VARIANTS(isa, kernel, needs) {&ldpc_simd_i8_##isa, &ldpc_simd_i16_##isa, &ldpc_simd_f32_##isa, needs},
#define NUMBER(isa, kernel, needs)   number_##isa,
enum { LDPC_EACH_SIMD(NUMBER) };
static const ldpc_simd_variants all_variants[] = {LDPC_EACH_SIMD(VARIANTS)};

#define ROW(isa, kernel, needs)                                                                              \
    static bool supports_##isa(const ldpc_plan *plan)                                                        \
    {                                                                                                        \
        return simd_supports(plan, &all_variants[number_##isa]);                                             \
    }                                                                                                        \
    static ldpc_status create_##isa(const ldpc_plan *plan, ldpc_cpu_tables **tables)                         \
    {                                                                                                        \
        return simd_create(plan, &all_variants[number_##isa], tables);                                       \
    }                                                                                                        \
    const ldpc_cpu_kernel ldpc_cpu_##isa = {                                                                 \
        .name = #kernel,                                                                                     \
        .features = needs,                                                                                   \
        .supports = supports_##isa,                                                                          \
        .create = create_##isa,                                                                              \
        .destroy = simd_destroy,                                                                             \
        .decode = simd_decode,                                                                               \
    };

LDPC_EACH_SIMD(ROW)
