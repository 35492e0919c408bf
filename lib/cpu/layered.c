/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered SIMD kernels as rows of the kernel table: how many codewords share the lanes, loading,
 * iterations, early stop, storing. What touches every edge is in layered_kernel.h. */
#include <stdlib.h>
#include <string.h>

#include "code/memory.h"
#include "cpu/cpu_kernel.h"
#include "cpu/lane_io.h"
#include "cpu/layered.h"
#include "cpu/layered_engine.h"

#define MOST_WORDS 64          /* a set of codewords is a 64-bit mask */
#define MOST_STATE (64 * 1024) /* L1 and a little: more of it costs more than fuller registers gain */

/* One way to fill the lanes: V codewords side by side. */
typedef struct layout {
    ldpc_layered_map *map;
    ldpc_lane_io *io;
} layout;

typedef struct layered_tables {
    ldpc_cpu_tables base;
    const ldpc_layered_engine *engine;
    ldpc_rule rule;
    layout one, many; /* for a single codeword and for a batch; the same when z = 1 */
} layered_tables;

/* ------------------------------------------------------------------------------------------------ choosing V
 */

static uint32_t registers_of(const ldpc_code *code, const ldpc_layered_engine *engine, uint32_t words)
{
    uint32_t row = words * code->z * engine->lane_bytes;
    return (row + engine->register_bytes - 1) / engine->register_bytes;
}

static bool has_absent_lane(const ldpc_code *code)
{
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++)
        if (code->blocks[b].absent != LDPC_NO_LANE)
            return true;
    return false;
}

/* Time per codeword of a batch, roughly: the registers of a row, and one more for the latency between rows.
 */
static double cost_of(const ldpc_code *code, const ldpc_layered_engine *engine, uint32_t words)
{
    return (registers_of(code, engine, words) + 1.0) / words;
}

/* Posteriors and messages. */
static size_t state_bytes(const ldpc_code *code, const ldpc_layered_engine *engine, uint32_t words)
{
    size_t rows = (size_t)code->groups + code->layer_start[code->layers];
    return rows * words * code->z * engine->lane_bytes;
}

/* In a batch: more codewords fill the registers and hide latency, as long as what they need stays near L1. */
static uint32_t words_of_many(const ldpc_code *code, const ldpc_layered_engine *engine)
{
    uint32_t lanes = engine->register_bytes / engine->lane_bytes, best = 1;
    if (has_absent_lane(code))
        return 1;
    if (code->z == 1)
        return lanes;
    for (uint32_t words = 2; words <= lanes; words = words < 8 ? words + 1 : 2 * words)
        if (state_bytes(code, engine, words) <= MOST_STATE &&
            cost_of(code, engine, words) < 0.95 * cost_of(code, engine, best))
            best = words;
    return best;
}

/* Alone: a code without structure has nothing to put into the other lanes. */
static uint32_t words_of_one(const ldpc_code *code, const ldpc_layered_engine *engine)
{
    return code->z == 1 ? words_of_many(code, engine) : 1;
}

static bool every_message_fits(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_I8 ||
           LDPC_KNOWN_LLR + (uint64_t)plan->code->max_variable_degree * LDPC_MESSAGE_LIMIT <= LDPC_I16_LIMIT;
}

static bool layered_supports(const ldpc_plan *plan, const ldpc_layered_engine *i8,
                             const ldpc_layered_engine *i16)
{
    const ldpc_layered_engine *engine = plan->arithmetic == LDPC_ARITHMETIC_I8 ? i8 : i16;
    const ldpc_code *code = plan->code;
    return code->order == 2 && plan->schedule == LDPC_SCHEDULE_LAYERED &&
           (plan->arithmetic == LDPC_ARITHMETIC_I8 || plan->arithmetic == LDPC_ARITHMETIC_I16) &&
           every_message_fits(plan) &&
           ldpc_layered_map_fits(code, words_of_many(code, engine), engine->lane_bytes,
                                 engine->register_bytes);
}

/* ------------------------------------------------------------------------------------------------ life */

static void layout_destroy(layout *l)
{
    ldpc_lane_io_destroy(l->io);
    ldpc_layered_map_destroy(l->map);
}

static ldpc_status layout_create(const ldpc_code *code, const ldpc_layered_engine *engine, uint32_t words,
                                 layout *l)
{
    ldpc_status status =
        ldpc_layered_map_create(code, words, engine->lane_bytes, engine->register_bytes, &l->map);
    return status ? status : ldpc_lane_io_create(l->map, engine->weaver, &l->io);
}

static void layered_destroy(ldpc_cpu_tables *base)
{
    layered_tables *tables = (layered_tables *)base;
    layout_destroy(&tables->many);
    layout_destroy(&tables->one);
    free(tables);
}

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

/* posteriors, messages, masks of unsatisfied checks, lane_io's own; one register to spare, which lane_io may
 * overrun */
static size_t scratch_of(const layout *l)
{
    const ldpc_layered_map *map = l->map;
    if (!map)
        return 0;
    return aligned(map->posterior_bytes) + LDPC_CPU_ALIGN + aligned(map->message_bytes) +
           aligned(map->registers * sizeof(uint64_t)) + aligned(l->io->scratch_bytes);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static ldpc_status layered_create(const ldpc_plan *plan, const ldpc_layered_engine *i8,
                                  const ldpc_layered_engine *i16, ldpc_cpu_tables **made)
{
    layered_tables *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    tables->engine = plan->arithmetic == LDPC_ARITHMETIC_I8 ? i8 : i16;
    tables->rule = ldpc_plan_rule(plan);
    uint32_t one = words_of_one(plan->code, tables->engine);
    uint32_t many = words_of_many(plan->code, tables->engine);
    ldpc_status status = layout_create(plan->code, tables->engine, one, &tables->one);
    if (!status && many != one)
        status = layout_create(plan->code, tables->engine, many, &tables->many);
    if (status) {
        layered_destroy(&tables->base);
        return status;
    }
    tables->base = (ldpc_cpu_tables){
        .plan = plan,
        .words = many,
        .scratch_bytes = larger(scratch_of(&tables->one), scratch_of(&tables->many)),
    };
    *made = &tables->base;
    return LDPC_OK;
}

/* ------------------------------------------------------------------------------------------------ decoding
 */

/* Some words in one layout, on their way. */
typedef struct run {
    const layered_tables *tables;
    const layout *layout;
    const ldpc_layered_map *map;
    const ldpc_batch *batch;
    char *posteriors, *messages;
    uint64_t *unsatisfied; /* [registers] of one layer */
    void *io_scratch;
} run;

static run open_run(const layered_tables *tables, const layout *l, void *scratch, const ldpc_batch *batch)
{
    const ldpc_layered_map *map = l->map;
    char *at = scratch;
    run r = {.tables = tables, .layout = l, .map = map, .batch = batch};
    r.posteriors = at;
    r.messages = at += aligned(map->posterior_bytes) + LDPC_CPU_ALIGN;
    r.unsatisfied = (uint64_t *)(void *)(at += aligned(map->message_bytes));
    r.io_scratch = at + aligned(map->registers * sizeof(uint64_t));
    return r;
}

static void start(run *r)
{
    const ldpc_layered_map *map = r->map;
    ldpc_lane_load(r->layout->io, r->batch, r->posteriors, r->io_scratch);
    for (uint32_t g = 0; map->code->z > 1 && g < map->code->groups; g++) {
        char *row = r->posteriors + map->home[g];
        memmove(row + map->row_bytes, row, map->register_bytes); /* a short row overlaps its mirror */
    }
    memset(r->messages, 0, map->message_bytes);
}

/* Absent lanes took part in the parity of their checks; take their bits out again. */
static void leave_out_absent(const run *r, uint32_t l)
{
    const ldpc_layered_map *map = r->map;
    for (uint32_t i = 0; i < map->layers[l].absents; i++) {
        const ldpc_layered_absent *absent = &map->layers[l].absent[i];
        const char *posterior = r->posteriors + absent->home;
        bool negative =
            (signed char)posterior[map->lane_bytes - 1] < 0; /* little endian: the sign comes last */
        r->unsatisfied[absent->check_register] ^= (uint64_t)negative << absent->check_lane;
    }
}

/* Unsatisfied checks of layer l, cleared of lanes behind the row. */
static void check_layer(const run *r, uint32_t l)
{
    const ldpc_layered_map *map = r->map;
    r->tables->engine->parities(map, l, r->posteriors, r->unsatisfied);
    leave_out_absent(r, l);
    uint32_t lanes = map->register_bytes / map->lane_bytes;
    uint32_t last = map->row_bytes / map->lane_bytes - (map->registers - 1) * lanes;
    if (last < 64)
        r->unsatisfied[map->registers - 1] &= ((uint64_t)1 << last) - 1;
}

/* The words, of those that are asked for, that have an unsatisfied check in the layer just checked. */
static uint64_t failing_words(const run *r, uint64_t asked)
{
    const ldpc_layered_map *map = r->map;
    uint32_t lanes = map->register_bytes / map->lane_bytes;
    uint64_t failing = 0;
    for (uint32_t j = 0; j < map->registers; j++) {
        uint64_t bits = r->unsatisfied[j];
        if (map->words == 1 || map->words == lanes) {
            failing |= map->words == 1 ? bits != 0 : bits;
            continue;
        }
        for (; bits && (asked & ~failing); bits &= bits - 1)
            failing |= (uint64_t)1 << (j * lanes + (uint32_t)__builtin_ctzll(bits)) % map->words;
    }
    return failing & asked;
}

/* The words, of those that are asked for, whose syndrome is zero; the scan ends when none can be left. */
static uint64_t satisfied_words(const run *r, uint64_t asked)
{
    for (uint32_t l = 0; asked && l < r->map->code->layers; l++) {
        check_layer(r, l);
        asked &= ~failing_words(r, asked);
    }
    return asked;
}

static void count_unsatisfied(const run *r, uint32_t *counts)
{
    const ldpc_layered_map *map = r->map;
    uint32_t lanes = map->register_bytes / map->lane_bytes;
    memset(counts, 0, MOST_WORDS * sizeof *counts);
    for (uint32_t l = 0; l < map->code->layers; l++) {
        check_layer(r, l);
        for (uint32_t j = 0; j < map->registers; j++) {
            if (map->words == 1) {
                counts[0] += (uint32_t)__builtin_popcountll(r->unsatisfied[j]);
                continue;
            }
            for (uint64_t bits = r->unsatisfied[j]; bits; bits &= bits - 1)
                counts[(j * lanes + (uint32_t)__builtin_ctzll(bits)) % map->words]++;
        }
    }
}

/* Hand over words as they are now. */
static void finish(const run *r, uint64_t words, uint32_t iterations, bool satisfied)
{
    const ldpc_batch *batch = r->batch;
    uint32_t counts[MOST_WORDS] = {0};
    if (!words)
        return;
    ldpc_lane_store(r->layout->io, r->tables->base.plan, r->posteriors, words, batch, r->io_scratch);
    if (!batch->info)
        return;
    if (!satisfied)
        count_unsatisfied(r, counts);
    for (size_t w = 0; w < batch->n_words; w++)
        if (words >> w & 1)
            batch->info[w] = (ldpc_word_info){
                .iterations = iterations,
                .unsatisfied = counts[w],
                .converged = counts[w] == 0,
                .decoded = 1,
            };
}

static void decode_words(const layered_tables *tables, const layout *l, void *scratch,
                         const ldpc_batch *batch)
{
    const ldpc_plan *plan = tables->base.plan;
    run r = open_run(tables, l, scratch, batch);
    uint64_t active = batch->n_words < 64 ? ((uint64_t)1 << batch->n_words) - 1 : UINT64_MAX;
    start(&r);
    for (uint32_t iterations = 0;; iterations++) {
        if (plan->early_stop) {
            uint64_t satisfied = satisfied_words(&r, active);
            finish(&r, satisfied, iterations, true);
            active &= ~satisfied;
        }
        if (!active)
            return;
        if (iterations == plan->max_iterations) {
            finish(&r, active, iterations, false);
            return;
        }
        tables->engine->iterate(r.map, &tables->rule, r.posteriors, r.messages);
    }
}

/* A few words run faster one by one than side by side with empty lanes. */
static bool side_by_side(const layered_tables *tables, size_t n_words)
{
    return tables->many.map && n_words * tables->one.map->registers > tables->many.map->registers;
}

static void layered_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const layered_tables *tables = (const layered_tables *)base;
    if (tables->one.map->words > 1 || side_by_side(tables, batch->n_words)) {
        decode_words(tables, tables->many.map ? &tables->many : &tables->one, scratch, batch);
        return;
    }
    for (size_t w = 0; w < batch->n_words; w++) {
        ldpc_batch one = ldpc_cpu_slice(base->plan, batch, w, 1);
        decode_words(tables, &tables->one, scratch, &one);
    }
}

/* ------------------------------------------------------------------------------------------------ the rows
 */

#define ROW(isa, needs)                                                                                      \
    static bool supports_##isa(const ldpc_plan *plan)                                                        \
    {                                                                                                        \
        return layered_supports(plan, &ldpc_layered8_##isa, &ldpc_layered16_##isa);                          \
    }                                                                                                        \
    static ldpc_status create_##isa(const ldpc_plan *plan, ldpc_cpu_tables **tables)                         \
    {                                                                                                        \
        return layered_create(plan, &ldpc_layered8_##isa, &ldpc_layered16_##isa, tables);                    \
    }                                                                                                        \
    const ldpc_cpu_kernel ldpc_cpu_##isa = {                                                                 \
        .name = #isa,                                                                                        \
        .features = needs,                                                                                   \
        .supports = supports_##isa,                                                                          \
        .create = create_##isa,                                                                              \
        .destroy = layered_destroy,                                                                          \
        .decode = layered_decode,                                                                            \
    };

#if defined(LDPC_HAVE_SCALAR)
ROW(scalar, 0)
#endif
#if defined(LDPC_HAVE_SSE41)
ROW(sse41, LDPC_CPU_SSE41)
#endif
#if defined(LDPC_HAVE_AVX2)
ROW(avx2, LDPC_CPU_AVX2)
#endif
#if defined(LDPC_HAVE_AVX512)
ROW(avx512, LDPC_CPU_AVX512BW)
#endif
#if defined(LDPC_HAVE_NEON)
ROW(neon, LDPC_CPU_NEON)
#endif
