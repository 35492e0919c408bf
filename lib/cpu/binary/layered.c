/* SPDX-License-Identifier: BSD-3-Clause */
/* The SIMD kernels as rows of the kernel table: how many codewords share the lanes, loading, iterations,
 * early stop, storing. What touches every edge is in layered_kernel.h and flooding_kernel.h. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/cpu_kernel.h"
#include "cpu/isa_list.h"
#include "cpu/binary/lane_io.h"
#include "cpu/binary/layered.h"
#include "cpu/binary/layered_engine.h"
#include "plan/batch.h"

#define WIDEST        64          /* bytes of a register; the slowest instruction set has less */
#define MOST_WORDS    64          /* a set of codewords is a 64-bit mask */
#define FIRST_CACHE   (48 * 1024) /* posteriors and messages beyond it cost a little */
#define STAGED_CHECKS 4           /* so many in stages take as long as a row of as many words as fit */

/* The engines of a kernel, one for each kind of numbers; before them in their array those that are slower. */
typedef struct engines {
    const ldpc_layered_engine *i8, *i16, *floats;
    unsigned features;
} engines;

static const ldpc_layered_engine *engine_of(const ldpc_plan *plan, const engines *e)
{
    return plan->arithmetic == LDPC_ARITHMETIC_I8    ? e->i8
           : plan->arithmetic == LDPC_ARITHMETIC_I16 ? e->i16
                                                     : e->floats;
}

/* Those next before that run here. */
static const engines *slower(const engines *e)
{
    do
        e--;
    while (!ldpc_cpu_runs(e->features));
    return e;
}

/* One way to fill the lanes: V codewords side by side. */
typedef struct layout {
    const ldpc_layered_engine *engine;
    ldpc_layered_map *map;
    ldpc_lane_io *io;
} layout;

typedef struct layered_tables {
    ldpc_cpu_tables base;
    layout one, many; /* for a single codeword and for a batch; either may be missing, and the other serves */
} layered_tables;

/* ------------------------------------------------------------------------------------------------ choosing V
 */

static uint32_t registers_of(const ldpc_code *code, const ldpc_layered_engine *engine, uint32_t words)
{
    uint32_t row = words * code->z * engine->lane_bytes;
    return (row + engine->register_bytes - 1) / engine->register_bytes;
}

static bool is_flooding(const ldpc_plan *plan)
{
    return plan->schedule == LDPC_SCHEDULE_FLOODING;
}

/* Posteriors and messages, flooding the channel's LLRs too. */
static size_t state_bytes(const ldpc_plan *plan, const ldpc_layered_engine *engine, uint32_t words)
{
    const ldpc_code *code = plan->code;
    size_t rows = (is_flooding(plan) ? 2 : 1) * (size_t)code->groups + code->layer_start[code->layers];
    return rows * words * code->z * engine->lane_bytes;
}

/* Beyond this more state costs more than fuller registers gain; narrower ones leave the second cache more
 * time.
 */
static size_t most_state(const ldpc_layered_engine *engine)
{
    return engine->register_bytes == WIDEST ? 192 * 1024 : 576 * 1024;
}

/* Time of a row, roughly: its registers, and the latency between rows. */
static double row_cost(uint32_t registers)
{
    return registers + 1.5;
}

/* Narrow registers gain from more words, but with early stop all of them wait for the slowest. */
static bool wants_more(const ldpc_plan *plan, const ldpc_layered_engine *engine)
{
    return engine->register_bytes < WIDEST && !plan->early_stop;
}

/* Of several words, up to so many registers: more of the widest ones, whose state leaves L1 sooner, hide no
 * more latency. Of narrower ones a few words still gain where they fill the last register. */
static uint32_t most_registers(const ldpc_plan *plan, const ldpc_layered_engine *engine, uint32_t words)
{
    if (engine->register_bytes == WIDEST)
        return 16;
    return words <= 4 ? 48 : wants_more(plan, engine) ? 24 : 16;
}

/* Time of a row per codeword. Other numbers than powers of two take longer to bring in and out. */
static double cost_of(const ldpc_plan *plan, const ldpc_layered_engine *engine, uint32_t words)
{
    double slower = wants_more(plan, engine) ? 1.02 : 1.08;
    slower = state_bytes(plan, engine, words) > FIRST_CACHE ? slower : 1.0;
    slower *= words & (words - 1) ? 1.1 : 1.0;
    return row_cost(registers_of(plan->code, engine, words)) / words * slower;
}

/* In a batch: more codewords fill the registers and hide latency. */
static uint32_t words_of_many(const ldpc_plan *plan, const ldpc_layered_engine *engine)
{
    const ldpc_code *code = plan->code;
    uint32_t lanes = engine->register_bytes / engine->lane_bytes, best = 1;
    if (code->z == 1)
        return lanes;
    for (uint32_t words = 2; words <= lanes; words = words < 8 ? words + 1 : 2 * words)
        if (state_bytes(plan, engine, words) <= most_state(engine) &&
            registers_of(code, engine, words) <= most_registers(plan, engine, words) &&
            cost_of(plan, engine, words) < 0.97 * cost_of(plan, engine, best))
            best = words;
    return best;
}

/* Alone: by translations where there are some. */
static const ldpc_code *code_of_one(const ldpc_code *code, const ldpc_layered_engine *engine)
{
    bool can =
        code->dyadic && ldpc_layered_map_fits(code->dyadic, 1, engine->lane_bytes, engine->register_bytes);
    return can ? code->dyadic : code;
}

/* Alone, where the widest registers would not be full. A row that one of half their width holds is decoded
 * soonest by AVX2's instructions, which have the least latency. Three in place of two are less work where 512
 * bits have fewer ports. More of them hide the latency of the widest ones, which then are faster. */
static const ldpc_layered_engine *engine_of_one(const ldpc_plan *plan, const engines *e)
{
    const ldpc_layered_engine *wide = engine_of(plan, e), *narrow = wide;
    const ldpc_code *code = plan->code;
    if (wide->register_bytes < WIDEST || code->z == 1)
        return wide;
    const engines *half = slower(e);
    const uint32_t registers = registers_of(code, wide, 1);
    if (registers == 1)
        narrow = engine_of(plan, slower(half));
    else if (registers == 2 && !(ldpc_cpu_features() & LDPC_CPU_WIDE))
        narrow = engine_of(plan, half);
    bool less = registers_of(code, narrow, 1) < 2 * registers;
    return less && ldpc_layered_map_fits(code, 1, narrow->lane_bytes, narrow->register_bytes) ? narrow : wide;
}

/* Sums of the flooding schedule are exact in 16 bits. */
static bool sums_fit(const ldpc_code *code)
{
    return LDPC_KNOWN_LLR + (uint64_t)code->max_variable_degree * LDPC_MESSAGE_LIMIT <= INT16_MAX;
}

static bool layered_supports(const ldpc_plan *plan, const engines *e)
{
    const ldpc_layered_engine *engine = engine_of(plan, e);
    const ldpc_code *code = plan->code;
    bool exact = plan->arithmetic == LDPC_ARITHMETIC_FLOAT || !is_flooding(plan) || sums_fit(code);
    return code->order == 2 && exact &&
           ldpc_layered_map_fits(code, words_of_many(plan, engine), engine->lane_bytes,
                                 engine->register_bytes);
}

/* ------------------------------------------------------------------------------------------------ life */

static void layout_destroy(layout *l)
{
    ldpc_lane_io_destroy(l->io);
    ldpc_layered_map_destroy(l->map);
}

static ldpc_status layout_create(const ldpc_code *code, const ldpc_plan *plan,
                                 const ldpc_layered_engine *engine, uint32_t words, layout *l)
{
    l->engine = engine;
    ldpc_status status = ldpc_layered_map_create(code, is_flooding(plan), words, engine->lane_bytes,
                                                 engine->register_bytes, &l->map);
    return status ? status : ldpc_lane_io_create(l->map, engine->weaver, &l->io);
}

/* Alone. A code without structure goes by stages, or else has nothing to put into the other lanes: no layout.
 */
static ldpc_status one_create(const ldpc_plan *plan, const engines *e, layout *l)
{
    const ldpc_layered_engine *wide = engine_of(plan, e);
    const ldpc_code *alone = code_of_one(plan->code, wide);
    if (alone->z > 1)
        return layout_create(alone, plan, engine_of_one(plan, e), 1, l);
    if (is_flooding(plan))
        return LDPC_OK;
    l->engine = wide;
    ldpc_status status = ldpc_layered_stages_create(alone, wide->lane_bytes, wide->register_bytes, &l->map);
    return status || !l->map ? status : ldpc_lane_io_create(l->map, wide->weaver, &l->io);
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

/* the engine's program, posteriors, channel, messages, lane_io's own */
static size_t scratch_of(const layout *l)
{
    const ldpc_layered_map *map = l->map;
    if (!map)
        return 0;
    return aligned(l->engine->program_bytes(map)) + aligned(map->posterior_bytes) +
           aligned(map->channel_bytes) + aligned(map->message_bytes) + aligned(l->io->scratch_bytes);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static ldpc_status layered_create(const ldpc_plan *plan, const engines *e, ldpc_cpu_tables **made)
{
    const ldpc_layered_engine *wide = engine_of(plan, e);
    layered_tables *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    const uint32_t many = words_of_many(plan, wide);
    ldpc_status status = one_create(plan, e, &tables->one);
    if (!status && (!tables->one.map || tables->one.map->words != many))
        status = layout_create(plan->code, plan, wide, many, &tables->many);
    if (status) {
        layered_destroy(&tables->base);
        return status;
    }
    tables->base = (ldpc_cpu_tables){
        .plan = plan,
        .rule = ldpc_plan_rule(plan),
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
    char *program, *posteriors, *channel, *messages;
    void *io_scratch;
    uint64_t every;      /* lanes 0, V, 2 V ... of a register */
    uint64_t last_lanes; /* of a row's last register */
    uint32_t suspect;    /* the layer where the last syndrome failed; the last one costs least */
} run;

static run open_run(const layered_tables *tables, const layout *l, void *scratch, const ldpc_batch *batch)
{
    const ldpc_layered_map *map = l->map;
    char *at = scratch;
    run r = {.tables = tables, .layout = l, .map = map, .batch = batch, .suspect = map->n_layers - 1};
    r.program = at;
    r.posteriors = at += aligned(l->engine->program_bytes(map));
    r.channel = at += aligned(map->posterior_bytes);
    r.messages = at += aligned(map->channel_bytes);
    r.io_scratch = at + aligned(map->message_bytes);
    r.last_lanes = UINT64_MAX >> (64 - (map->row_lanes - 1) % map->lanes - 1);
    for (uint32_t lane = 0; lane < 64; lane += map->words)
        r.every |= (uint64_t)1 << lane;
    return r;
}

static void start(const run *r)
{
    r->layout->engine->prepare(r->map, &r->tables->base.rule, r->posteriors, r->program);
    ldpc_lane_load(r->layout->io, r->tables->base.plan, r->batch, r->posteriors, r->io_scratch);
    if (r->map->rotates)
        r->layout->engine->mirror(r->map, r->posteriors);
    memcpy(r->channel, r->posteriors, r->map->channel_bytes);
    if (r->map->flooding)
        memset(r->messages, 0, r->map->message_bytes);
}

static void iterate(const run *r, bool first)
{
    const ldpc_layered_engine *engine = r->layout->engine;
    if (r->map->flooding)
        engine->flood(r->map, r->program, r->posteriors, r->channel, r->messages);
    else
        engine->iterate(r->map, r->program, first, r->posteriors, r->messages);
}

/* Absent lanes took part in the parity of their checks: the bits to take out again. */
static uint64_t absent_bits(const run *r, uint32_t l, uint32_t j)
{
    const ldpc_layered_layer *layer = &r->map->layers[l];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < layer->absents; i++) {
        const ldpc_layered_absent *absent = &layer->absent[i];
        const char *posterior = r->posteriors + absent->home;
        bool negative =
            (signed char)posterior[r->map->lane_bytes - 1] < 0; /* little endian: the sign comes last */
        if (absent->check_register == j)
            bits ^= (uint64_t)negative << absent->check_lane;
    }
    return bits;
}

/* Unsatisfied checks in registers j and on of layer l, at most `most` registers: how many. */
static uint32_t unsatisfied_checks(const run *r, uint32_t l, uint32_t j, uint32_t most, uint64_t *checks)
{
    const ldpc_layered_map *map = r->map;
    uint32_t rest = map->registers - j, count = rest < most ? rest : most;
    r->layout->engine->parities(map, l, j, count, r->posteriors, checks);
    for (uint32_t i = 0; map->layers[l].absents && i < count; i++)
        checks[i] ^= absent_bits(r, l, j + i);
    if (count == rest)
        checks[count - 1] &= r->last_lanes;
    return count;
}

/* Lanes of word w in register j. */
static uint64_t lanes_of_word(const run *r, uint32_t w, uint32_t j)
{
    uint32_t words = r->map->words, first = j * r->map->lanes % words;
    return r->every << (w >= first ? w - first : w + words - first);
}

/* The words that have one of these lanes of register j, of those that are asked for. */
static uint64_t words_with(const run *r, uint64_t lanes, uint32_t j, uint64_t asked)
{
    uint32_t words = r->map->words, width = r->map->lanes;
    if (!lanes || words == 1)
        return lanes ? asked : 0;
    if (width % words == 0) { /* all registers alike, and both are powers of two */
        for (; width > words; lanes |= lanes >> width)
            width /= 2;
        return lanes & asked;
    }
    uint64_t found = 0;
    for (uint64_t rest = asked; rest; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (lanes & lanes_of_word(r, w, j))
            found |= (uint64_t)1 << w;
    }
    return found;
}

/* The words, of those that are asked for, whose checks in layer l are satisfied. One register is enough
 * mostly. */
static uint64_t satisfied_in_layer(const run *r, uint32_t l, uint64_t asked)
{
    uint64_t checks[LDPC_LAYERED_PARITIES];
    for (uint32_t j = 0, count; asked && j < r->map->registers; j += count) {
        count = unsatisfied_checks(r, l, j, j ? LDPC_LAYERED_PARITIES : 1, checks);
        for (uint32_t i = 0; i < count; i++)
            asked &= ~words_with(r, checks[i], j + i, asked);
    }
    return asked;
}

/* The words, of those that are asked for, whose syndrome is zero; the scan ends when none can be left, and
 * the next one begins where it ended: there an unsatisfied check is most likely. */
static uint64_t satisfied_words(run *r, uint64_t asked)
{
    uint32_t layers = r->map->n_layers;
    for (uint32_t scanned = 0; scanned < layers; scanned++) {
        asked = satisfied_in_layer(r, r->suspect, asked);
        if (!asked)
            break;
        r->suspect = r->suspect + 1 < layers ? r->suspect + 1 : 0;
    }
    return asked;
}

static void count_in_register(const run *r, uint64_t checks, uint32_t j, uint64_t words, uint32_t *counts)
{
    for (uint64_t rest = words_with(r, checks, j, words); rest; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        counts[w] += (uint32_t)__builtin_popcountll(checks & lanes_of_word(r, w, j));
    }
}

static void count_unsatisfied(const run *r, uint64_t words, uint32_t *counts)
{
    uint64_t checks[LDPC_LAYERED_PARITIES];
    for (uint32_t l = 0; l < r->map->n_layers; l++)
        for (uint32_t j = 0, count; j < r->map->registers; j += count) {
            count = unsatisfied_checks(r, l, j, LDPC_LAYERED_PARITIES, checks);
            for (uint32_t i = 0; i < count; i++)
                count_in_register(r, checks[i], j + i, words, counts);
        }
}

/* Hand over words as they are now. */
static void finish(const run *r, uint64_t words, uint32_t iterations, bool satisfied)
{
    const ldpc_batch *batch = r->batch;
    uint32_t counts[MOST_WORDS] = {0};
    ldpc_lane_store(r->layout->io, r->tables->base.plan, r->posteriors, words, batch, r->io_scratch);
    if (!batch->info)
        return;
    if (!satisfied)
        count_unsatisfied(r, words, counts);
    for (size_t w = 0; w < batch->n_codewords; w++)
        if (words >> w & 1)
            batch->info[w] = (ldpc_codeword_info){
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
    uint64_t active = batch->n_codewords < 64 ? ((uint64_t)1 << batch->n_codewords) - 1 : UINT64_MAX;
    start(&r);
    for (uint32_t iterations = 0;; iterations++) {
        if (plan->early_stop) {
            uint64_t satisfied = satisfied_words(&r, active);
            if (satisfied)
                finish(&r, satisfied, iterations, true);
            active &= ~satisfied;
        }
        if (!active)
            return;
        if (iterations == plan->max_iterations) {
            finish(&r, active, iterations, false);
            return;
        }
        iterate(&r, iterations == 0);
    }
}

/* In registers of the batch's engine: one word has narrower ones only where they are not slower. Translations
 * cost half as much again, the scattered columns of a word included; their rows are long enough to hide
 * latency. Stages gather and scatter lane by lane. */
static double iteration_cost(const layered_tables *tables, const layout *l)
{
    const ldpc_layered_map *map = l->map;
    if (map->place_memory)
        return map->code->layers * row_cost(1) / STAGED_CHECKS;
    const uint32_t registers = registers_of(map->code, tables->many.engine, map->words);
    double row = map->code->is_dyadic ? 1.5 * registers * row_cost(1) : row_cost(registers);
    return row * map->n_layers;
}

/* A few words run faster one by one than side by side with empty lanes. With early stop all wait for the
 * slowest of them. */
static bool side_by_side(const layered_tables *tables, size_t n_codewords)
{
    if (!tables->many.map)
        return false;
    double wait = tables->base.plan->early_stop ? 1.2 : 1.0;
    return n_codewords * iteration_cost(tables, &tables->one) >= wait * iteration_cost(tables, &tables->many);
}

static void layered_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const layered_tables *tables = (const layered_tables *)base;
    if (!tables->one.map || side_by_side(tables, batch->n_codewords)) {
        decode_words(tables, &tables->many, scratch, batch);
        return;
    }
    for (size_t w = 0; w < batch->n_codewords; w++) {
        ldpc_batch one = ldpc_batch_slice(base->plan, batch, w, 1);
        decode_words(tables, &tables->one, scratch, &one);
    }
}

/* ------------------------------------------------------------------------------------------------ the rows
 */

#define ENGINES(isa, kernel, needs)                                                                          \
    {&ldpc_layered8_##isa, &ldpc_layered16_##isa, &ldpc_layered_float_##isa, needs},
#define NUMBER(isa, kernel, needs) number_##isa,
enum { LDPC_EACH_LAYERED(NUMBER) };
static const engines all_engines[] = {LDPC_EACH_LAYERED(ENGINES)};

#define ROW(isa, kernel, needs)                                                                              \
    static bool supports_##isa(const ldpc_plan *plan)                                                        \
    {                                                                                                        \
        return layered_supports(plan, &all_engines[number_##isa]);                                           \
    }                                                                                                        \
    static ldpc_status create_##isa(const ldpc_plan *plan, ldpc_cpu_tables **tables)                         \
    {                                                                                                        \
        return layered_create(plan, &all_engines[number_##isa], tables);                                     \
    }                                                                                                        \
    const ldpc_cpu_kernel ldpc_cpu_##isa = {                                                                 \
        .name = #kernel,                                                                                     \
        .features = needs,                                                                                   \
        .supports = supports_##isa,                                                                          \
        .create = create_##isa,                                                                              \
        .destroy = layered_destroy,                                                                          \
        .decode = layered_decode,                                                                            \
    };

LDPC_EACH_LAYERED(ROW)
