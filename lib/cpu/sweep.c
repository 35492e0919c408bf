/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep kernels as rows of the kernel table: how many codewords stand side by side, tables. */
#include "cpu/sweep.h"

#include <stdlib.h>

#include "code/memory.h"
#include "cpu/isa_list.h"

#define MOST_STATE (256 * 1024) /* more words are taken side by side while they fit the level-2 cache */

/* ------------------------------------------------------------------------------------------------ choosing V
 */

static size_t chunks_of(const ldpc_code *code, size_t chunk, uint32_t words)
{
    return ((size_t)words * code->z + chunk - 1) / chunk;
}

/* Time per codeword, roughly: the chunks of a row, and what starting a row costs. */
static double cost_of(const ldpc_code *code, size_t chunk, uint32_t words)
{
    return ((double)chunks_of(code, chunk, words) + 1) / words;
}

/* Posteriors, those of before, messages. */
static bool state_fits(const ldpc_code *code, size_t lane_bytes, uint32_t words)
{
    size_t rows = 2 * (size_t)code->groups + code->layer_start[code->layers];
    return rows * words * code->z * lane_bytes <= MOST_STATE;
}

/* More words fill the chunks and share what starting a row costs; at least one chunk is filled in any case.
 */
static uint32_t words_of(const ldpc_code *code, const ldpc_sweep_engine *engine)
{
    size_t chunk = engine->chunk_bytes / engine->lane_bytes;
    uint32_t best = 1;
    for (uint32_t words = 2; words <= LDPC_SWEEP_MOST_WORDS; words++)
        if (((size_t)words * code->z <= chunk || state_fits(code, engine->lane_bytes, words)) &&
            cost_of(code, chunk, words) < 0.97 * cost_of(code, chunk, best))
            best = words;
    return best;
}

/* ------------------------------------------------------------------------------------------------ life */

/* Sums of the flooding schedule are exact in 16 bits. */
static bool sums_fit(const ldpc_code *code)
{
    return LDPC_KNOWN_LLR + (uint64_t)code->max_variable_degree * LDPC_MESSAGE_LIMIT <= INT16_MAX;
}

static bool sweep_supports(const ldpc_plan *plan)
{
    return plan->code->order == 2 && (plan->arithmetic == LDPC_ARITHMETIC_FLOAT || sums_fit(plan->code));
}

static void sweep_destroy(ldpc_cpu_tables *base)
{
    ldpc_sweep *tables = (ldpc_sweep *)base;
    free(tables->first_of_group);
    free(tables->place);
    free(tables);
}

static void make_layers(const ldpc_code *code, ldpc_sweep *tables)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        ldpc_cpu_mark_first(code, l, tables->first_of_group);
        if (degree > tables->max_degree)
            tables->max_degree = degree;
    }
}

static void make_places(const ldpc_code *code, ldpc_sweep *tables)
{
    for (uint32_t g = 0; g < code->groups; g++)
        for (uint32_t lane = 0; lane < code->z; lane++)
            tables->place[code->column_at[(size_t)g * code->z + lane]] =
                (ldpc_sweep_place){.lane = lane, .row = g * tables->row};
}

static ldpc_status sweep_create(const ldpc_plan *plan, const ldpc_sweep_engine *integers,
                                const ldpc_sweep_engine *floats, ldpc_cpu_tables **made)
{
    const ldpc_code *code = plan->code;
    bool i8 = plan->arithmetic == LDPC_ARITHMETIC_I8;
    ldpc_sweep *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    tables->engine = plan->arithmetic == LDPC_ARITHMETIC_FLOAT ? floats : integers;
    tables->rule = ldpc_plan_rule(plan);
    tables->lowest = i8 ? LDPC_I8_MIN : -LDPC_I16_LIMIT;
    tables->highest = i8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
    tables->nobody = i8 ? 255 : LDPC_I16_LIMIT;
    tables->first_of_group = ldpc_allocate(code->layer_start[code->layers], sizeof *tables->first_of_group);
    tables->place = ldpc_allocate(code->columns, sizeof *tables->place);
    if (!tables->first_of_group || !tables->place) {
        sweep_destroy(&tables->base);
        return LDPC_ERR_MEMORY;
    }
    size_t chunk = tables->engine->chunk_bytes / tables->engine->lane_bytes;
    uint32_t words = words_of(code, tables->engine);
    tables->row = (chunks_of(code, chunk, words) + (code->z > 1)) * chunk;
    make_layers(code, tables);
    make_places(code, tables);
    tables->base = (ldpc_cpu_tables){.plan = plan, .words = words};
    tables->base.scratch_bytes = tables->engine->scratch_bytes(tables);
    *made = &tables->base;
    return LDPC_OK;
}

static void sweep_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const ldpc_sweep *tables = (const ldpc_sweep *)base;
    tables->engine->decode(tables, scratch, batch);
}

/* ------------------------------------------------------------------------------------------------ the rows
 */

#define ROW(isa, needs)                                                                                      \
    static ldpc_status create_##isa(const ldpc_plan *plan, ldpc_cpu_tables **tables)                         \
    {                                                                                                        \
        return sweep_create(plan, &ldpc_sweep_int_##isa, &ldpc_sweep_float_##isa, tables);                   \
    }                                                                                                        \
    const ldpc_cpu_kernel ldpc_sweep_##isa = {                                                               \
        .name = #isa,                                                                                        \
        .features = needs,                                                                                   \
        .supports = sweep_supports,                                                                          \
        .create = create_##isa,                                                                              \
        .destroy = sweep_destroy,                                                                            \
        .decode = sweep_decode,                                                                              \
    };

LDPC_EACH_ISA(ROW)
