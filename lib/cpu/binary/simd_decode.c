/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "cpu/binary/simd_kernels.h"

/* ---- scratch memory */

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

static size_t home_bytes(const ldpc_simd_map *map)
{
    return (size_t)map->code->groups * map->slot_bytes;
}

/* Returns the size of the scratch memory:
 *
 *   scratch:  | prepared rule | posteriors | channel (flooding only) | messages | interleaver |
 *             | exchange: home slots | arriving: home slots | */
size_t ldpc_simd_scratch_bytes(const ldpc_lane_layout *layout)
{
    const ldpc_simd_map *map = layout->map;
    if (!map)
        return 0;
    return aligned(layout->variant->prepared_bytes(map)) + aligned(map->posterior_bytes) +
           aligned(map->channel_bytes) + aligned(map->message_bytes) +
           aligned(layout->interleaver->scratch_bytes) + 2 * aligned(home_bytes(map));
}

bool ldpc_simd_refills(const ldpc_lane_layout *layout)
{
    const ldpc_simd_map *map = layout->map;
    if (!map || map->n_codewords == 1)
        return false;
    const uint32_t movable = ldpc_simd_movable(map);
    return movable == map->n_codewords || (movable == 16 && map->n_codewords % 16 == 0);
}

typedef struct lane_set {
    uint64_t lanes;                          /* set of occupied lanes */
    uint32_t codeword[LDPC_MAX_INTERLEAVED]; /* [lane] index in the batch */
} lane_set;

/* State while a batch is decoded.
 *
 * With refills, each codeword moves through three sets of lanes. Here movable = 4, codeword b is finished,
 * and codeword e waits in the same block of 4 lanes:
 *
 *     waiting (exchange)     . . e .                   e has been interleaved in advance
 *     active (posteriors)    a b c d  ->  a e c d      b and e exchange their lanes
 *     leaving (exchange)     . . . .  ->  . . b .      b is stored when all 4 codewords of the block have left
 */
typedef struct run {
    const ldpc_plan *plan;
    const ldpc_simd_variant *variant;
    const ldpc_interleaver *interleaver;
    const ldpc_simd_map *map;
    const ldpc_batch *batch;
    char *prepared, *posteriors, *channel, *messages;
    char *exchange;
    char *arriving;
    void *interleaver_scratch;
    uint32_t next; /* next codeword of the batch */
    uint32_t movable;
    bool refills;
    bool same_lanes;
    uint64_t fresh; /* lanes before their first iteration */
    /* lanes whose posteriors changed after the last syndrome test */
    uint64_t untested;
    uint32_t iterations;
    bool mirrored;  /* home slots have valid mirrors */
    uint64_t every; /* lanes 0, V, 2 V ... of a register */
    uint64_t last_lanes;
    /* layer at which the last syndrome test failed; the next test starts there */
    uint32_t first_scan;
    lane_set active;  /* codewords being decoded */
    lane_set waiting; /* interleaved codewords, in `exchange` */
    lane_set leaving; /* finished codewords, in `exchange` */
    uint32_t begun[LDPC_MAX_INTERLEAVED];
} run;

static uint64_t first_lanes(size_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

static uint64_t all_lanes(const run *r)
{
    return first_lanes(r->map->n_codewords);
}

/* Most memory stays uninitialised, because clearing takes long for a short codeword. */
static void open_run(run *r, const ldpc_lane_layout *layout, const ldpc_plan *plan, const ldpc_rule *rule,
                     void *scratch, const ldpc_batch *batch)
{
    const ldpc_simd_map *map = layout->map;
    char *at = scratch;
    r->plan = plan;
    r->variant = layout->variant;
    r->interleaver = layout->interleaver;
    r->map = map;
    r->batch = batch;
    r->prepared = at;
    r->posteriors = at += aligned(r->variant->prepared_bytes(map));
    r->channel = at += aligned(map->posterior_bytes);
    r->messages = at += aligned(map->channel_bytes);
    r->interleaver_scratch = at += aligned(map->message_bytes);
    r->exchange = at += aligned(layout->interleaver->scratch_bytes);
    r->arriving = at + aligned(home_bytes(map));
    r->movable = ldpc_simd_movable(map);
    r->refills = ldpc_simd_refills(layout);
    r->same_lanes = map->lanes % map->n_codewords == 0;
    r->every = 0;
    for (uint32_t lane = 0; lane < 64; lane += map->n_codewords)
        r->every |= (uint64_t)1 << lane;
    r->last_lanes = UINT64_MAX >> (64 - (map->row_lanes - 1) % map->lanes - 1);
    r->first_scan = map->n_layers - 1;
    r->next = r->iterations = 0;
    r->fresh = r->untested = 0;
    r->active.lanes = r->waiting.lanes = r->leaving.lanes = 0;
    r->mirrored = false;
    r->variant->prepare(map, rule, r->posteriors, r->prepared);
}

static void make_mirrors(run *r)
{
    if (!r->mirrored && r->map->has_mirrors)
        r->variant->mirror(r->map, r->posteriors);
    r->mirrored = true;
}

static void iterate(run *r)
{
    r->mirrored = false;
    if (r->map->flooding) {
        r->variant->clear_lanes(r->map, r->fresh, r->messages, r->map->message_bytes);
        r->variant->flood(r->map, r->prepared, r->posteriors, r->channel, r->messages);
    } else {
        r->variant->iterate(r->map, r->prepared, r->fresh, r->posteriors, r->messages);
    }
    r->fresh = 0;
    r->untested = r->active.lanes;
    r->iterations++;
}

/* ---- syndrome */

static uint64_t missing_bits(const run *r, uint32_t l, uint32_t j)
{
    const ldpc_simd_layer *layer = &r->map->layers[l];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < layer->n_missing; i++) {
        const ldpc_missing_edge *edge = &layer->missing[i];
        const char *posterior = r->posteriors + edge->home;
        bool negative = (signed char)posterior[r->map->lane_bytes - 1] < 0;
        if (edge->check_register == j)
            bits ^= (uint64_t)negative << edge->check_lane;
    }
    return bits;
}

static uint32_t unsatisfied_checks(run *r, uint32_t l, uint32_t j, uint32_t most, uint64_t *checks)
{
    const ldpc_simd_map *map = r->map;
    uint32_t rest = map->registers - j, count = rest < most ? rest : most;
    if (count > 1)
        make_mirrors(r);
    r->variant->parities(map, l, j, count, r->posteriors, checks);
    for (uint32_t i = 0; map->layers[l].n_missing && i < count; i++)
        checks[i] ^= missing_bits(r, l, j + i);
    if (count == rest)
        checks[count - 1] &= r->last_lanes;
    return count;
}

static uint64_t lanes_of_codeword(const run *r, uint32_t w, uint32_t j)
{
    uint32_t n = r->map->n_codewords, first = j * r->map->lanes % n;
    return r->every << (w >= first ? w - first : w + n - first);
}

static uint64_t codewords_with(const run *r, uint64_t lanes, uint32_t j, uint64_t asked)
{
    uint32_t n = r->map->n_codewords, width = r->map->lanes;
    if (!lanes || n == 1)
        return lanes ? asked : 0;
    if (r->same_lanes) {
        for (; width > n; lanes |= lanes >> width)
            width /= 2;
        return lanes & asked;
    }
    uint64_t found = 0;
    for (uint64_t rest = asked; rest; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        if (lanes & lanes_of_codeword(r, w, j))
            found |= (uint64_t)1 << w;
    }
    return found;
}

static uint64_t satisfied_in_layer(run *r, uint32_t l, uint64_t asked)
{
    const ldpc_simd_map *map = r->map;
    uint64_t checks[LDPC_MAX_PARITIES];
    if (r->same_lanes && !map->layers[l].n_missing && !map->code->is_dyadic && !map->column_memory) {
        make_mirrors(r);
        return asked &
               ~codewords_with(r, r->variant->odd_lanes(map, l, r->posteriors, r->last_lanes), 0, asked);
    }
    for (uint32_t j = 0, count; asked && j < map->registers; j += count) {
        count = unsatisfied_checks(r, l, j, LDPC_MAX_PARITIES, checks);
        for (uint32_t i = 0; i < count; i++)
            asked &= ~codewords_with(r, checks[i], j + i, asked);
    }
    return asked;
}

static uint64_t satisfied_at_first(run *r, uint32_t l, uint64_t asked)
{
    uint64_t checks;
    unsatisfied_checks(r, l, 0, 1, &checks);
    return asked & ~codewords_with(r, checks, 0, asked);
}

static uint64_t satisfied_codewords(run *r, uint64_t asked)
{
    uint32_t layers = r->map->n_layers;
    asked = satisfied_at_first(r, r->first_scan, asked);
    for (uint32_t scanned = 0; asked && scanned < layers; scanned++) {
        asked = satisfied_in_layer(r, r->first_scan, asked);
        if (asked)
            r->first_scan = r->first_scan + 1 < layers ? r->first_scan + 1 : 0;
    }
    return asked;
}

static void count_in_register(const run *r, uint64_t checks, uint32_t j, uint64_t codewords, uint32_t *counts)
{
    for (uint64_t rest = codewords_with(r, checks, j, codewords); rest; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        counts[w] += (uint32_t)__builtin_popcountll(checks & lanes_of_codeword(r, w, j));
    }
}

static void count_unsatisfied(run *r, uint64_t codewords, uint32_t *counts)
{
    uint64_t checks[LDPC_MAX_PARITIES];
    for (uint32_t l = 0; l < r->map->n_layers; l++)
        for (uint32_t j = 0, count; j < r->map->registers; j += count) {
            count = unsatisfied_checks(r, l, j, LDPC_MAX_PARITIES, checks);
            for (uint32_t i = 0; i < count; i++)
                count_in_register(r, checks[i], j + i, codewords, counts);
        }
}

/* ---- codewords in */

static uint64_t neighbours(const run *r, uint32_t lane)
{
    return first_lanes(r->movable) << (lane & ~(r->movable - 1));
}

static void interleave(run *r, uint64_t lanes, char *slots, lane_set *set)
{
    uint64_t loaded = 0;
    for (; lanes && r->next < r->batch->n_codewords; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
        set->codeword[lane] = r->next++;
        loaded |= (uint64_t)1 << lane;
    }
    set->lanes |= loaded;
    if (loaded)
        ldpc_interleaver_load(r->interleaver, r->plan, r->batch, set->codeword, loaded, slots,
                              r->interleaver_scratch);
}

static void copy_codewords(run *r, uint64_t lanes, const char *slots, char *others)
{
    ldpc_lane_moves same = {.lanes = lanes};
    for (uint32_t w = 0; w < r->map->n_codewords; w++)
        same.source[w] = (uint8_t)w;
    r->variant->move_lanes(r->map, &same, r->map->code->groups, slots, others);
}

static void interleave_waiting(run *r)
{
    const uint64_t taken = r->waiting.lanes | r->leaving.lanes;
    uint64_t lanes = 0;
    for (uint32_t lane = 0; lane < r->map->n_codewords; lane += r->movable)
        lanes |= taken & neighbours(r, lane) ? 0 : neighbours(r, lane);
    interleave(r, lanes, taken ? r->arriving : r->exchange, &r->waiting);
    if (taken && r->waiting.lanes & lanes)
        copy_codewords(r, r->waiting.lanes & lanes, r->arriving, r->exchange);
}

static void begin_codewords(run *r, uint64_t lanes)
{
    r->fresh |= lanes;
    r->untested |= lanes;
    for (uint64_t rest = lanes; rest; rest &= rest - 1)
        r->begun[__builtin_ctzll(rest)] = r->iterations;
    r->mirrored = false;
    make_mirrors(r);
    if (r->map->flooding)
        copy_codewords(r, lanes, r->posteriors, r->channel); /* flooding: `channel` keeps the LLRs */
}

/* All lanes must be empty. */
static void begin_lanes(run *r)
{
    interleave(r, all_lanes(r), r->posteriors, &r->active);
    begin_codewords(r, r->active.lanes);
    r->fresh = all_lanes(r);
}

/* ---- codewords out */

static void write_info(run *r, uint64_t lanes, uint64_t satisfied)
{
    uint32_t counts[LDPC_MAX_INTERLEAVED] = {0};
    if (lanes & ~satisfied)
        count_unsatisfied(r, lanes & ~satisfied, counts);
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        r->batch->info[r->active.codeword[w]] = (ldpc_codeword_info){
            .iterations = r->iterations - r->begun[w],
            .unsatisfied = counts[w],
            .converged = counts[w] == 0,
            .decoded = 1,
        };
    }
}

static void store(run *r, lane_set *set, uint64_t lanes, const char *slots)
{
    if (lanes)
        ldpc_interleaver_store(r->interleaver, r->plan, slots, set->codeword, lanes, r->batch,
                               r->interleaver_scratch);
    set->lanes &= ~lanes;
}

static uint64_t leave(run *r, uint64_t lanes)
{
    ldpc_lane_moves in = {0}, out = {0};
    uint64_t left = 0;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
        const uint64_t waiting = r->waiting.lanes & neighbours(r, lane);
        const uint64_t places = waiting ? waiting : neighbours(r, lane) & ~r->leaving.lanes;
        if (!places)
            continue;
        const uint32_t place = (uint32_t)__builtin_ctzll(places);
        out.source[place] = (uint8_t)lane;
        out.lanes |= (uint64_t)1 << place;
        r->leaving.codeword[place] = r->active.codeword[lane];
        r->leaving.lanes |= (uint64_t)1 << place;
        left |= (uint64_t)1 << lane;
        if (!waiting)
            continue;
        in.source[lane] = (uint8_t)place;
        in.lanes |= (uint64_t)1 << lane;
        r->active.codeword[lane] = r->waiting.codeword[place];
        r->waiting.lanes &= ~((uint64_t)1 << place);
    }
    const uint32_t groups = ldpc_interleaver_groups(r->interleaver, r->batch);
    if (!in.lanes) {
        r->variant->move_lanes(r->map, &out, groups, r->posteriors, r->exchange);
        return left;
    }
    r->variant->exchange_lanes(r->map, &in, &out, groups, r->posteriors, r->exchange);
    r->active.lanes |= in.lanes;
    begin_codewords(r, in.lanes);
    return left;
}

static void store_full(run *r)
{
    uint64_t full = 0;
    for (uint32_t lane = 0; lane < r->map->n_codewords; lane += r->movable)
        full |= neighbours(r, lane) & ~r->leaving.lanes ? 0 : neighbours(r, lane);
    store(r, &r->leaving, full, r->exchange);
}

static void finish(run *r, uint64_t lanes, uint64_t satisfied)
{
    if (r->batch->info)
        write_info(r, lanes, satisfied);
    if (lanes == r->active.lanes && !r->waiting.lanes && !r->leaving.lanes) {
        store(r, &r->active, lanes, r->posteriors);
        return;
    }
    r->active.lanes &= ~lanes;
    while (lanes) {
        if (r->refills)
            interleave_waiting(r);
        lanes &= ~leave(r, lanes);
        store_full(r);
    }
}

/* ---- decoding */

static uint64_t without_iterations(const run *r)
{
    uint64_t found = 0;
    for (uint64_t rest = r->untested; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        found |= (uint64_t)(r->iterations - r->begun[w] >= r->plan->max_iterations) << w;
    }
    return found;
}

void ldpc_simd_decode(const ldpc_lane_layout *layout, const ldpc_plan *plan, const ldpc_rule *rule,
                      void *scratch, const ldpc_batch *batch)
{
    run r;
    open_run(&r, layout, plan, rule, scratch, batch);
    begin_lanes(&r);
    while (r.active.lanes) {
        const uint64_t satisfied = plan->early_stop ? satisfied_codewords(&r, r.untested) : 0;
        const uint64_t done = satisfied | without_iterations(&r);
        r.untested = 0;
        if (done)
            finish(&r, done, satisfied);
        if (!r.active.lanes && r.next < batch->n_codewords)
            begin_lanes(&r);
        if (!r.untested && r.active.lanes)
            iterate(&r);
    }
    store(&r, &r.leaving, r.leaving.lanes, r.exchange);
}
