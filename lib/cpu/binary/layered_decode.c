/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes codewords side by side: loading, iterations, early stop, storing. */
#include <string.h>

#include "cpu/binary/layered.h"

/* ---- scratch memory */

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

/* Posteriors of all column groups between iterations: the first slots. */
static size_t home_bytes(const ldpc_layered_map *map)
{
    return (size_t)map->code->groups * map->slot_bytes;
}

/*   scratch:  | prepared rule | posteriors | channel (flooding only) | messages | interleaver |
 *             | results: home slots */
size_t ldpc_layered_scratch_bytes(const ldpc_lane_layout *layout)
{
    const ldpc_layered_map *map = layout->map;
    if (!map)
        return 0;
    return aligned(layout->variant->prepared_bytes(map)) + aligned(map->posterior_bytes) +
           aligned(map->channel_bytes) + aligned(map->message_bytes) +
           aligned(layout->interleaver->scratch_bytes) + aligned(home_bytes(map));
}

/* A batch that is being decoded. Sets of codewords, and of lanes of a register, are 64-bit masks. */
typedef struct run {
    const ldpc_plan *plan;
    const ldpc_layered_variant *variant;
    const ldpc_interleaver *interleaver;
    const ldpc_layered_map *map;
    const ldpc_batch *batch;
    char *prepared, *posteriors, *channel, *messages, *results;
    void *interleaver_scratch;
    uint64_t done;       /* codewords whose posteriors are in `results` */
    bool mirrored;       /* the home slots have their mirrors */
    uint64_t every;      /* lanes 0, V, 2 V ... of a register */
    uint64_t last_lanes; /* of a row's last register */
    uint32_t
        first_scan; /* layer in which the previous syndrome failed; initially the final layer, which usually
                            has low degree, so that its test is cheap */
} run;

static run open_run(const ldpc_lane_layout *layout, const ldpc_plan *plan, void *scratch,
                    const ldpc_batch *batch)
{
    const ldpc_layered_map *map = layout->map;
    char *at = scratch;
    run r = {
        .plan = plan,
        .variant = layout->variant,
        .interleaver = layout->interleaver,
        .map = map,
        .batch = batch,
        .first_scan = map->n_layers - 1,
    };
    r.prepared = at;
    r.posteriors = at += aligned(r.variant->prepared_bytes(map));
    r.channel = at += aligned(map->posterior_bytes);
    r.messages = at += aligned(map->channel_bytes);
    r.interleaver_scratch = at += aligned(map->message_bytes);
    r.results = at + aligned(layout->interleaver->scratch_bytes);
    r.last_lanes = UINT64_MAX >> (64 - (map->row_lanes - 1) % map->lanes - 1);
    for (uint32_t lane = 0; lane < 64; lane += map->n_codewords)
        r.every |= (uint64_t)1 << lane;
    return r;
}

static void make_mirrors(run *r)
{
    if (!r->mirrored && r->map->has_mirrors)
        r->variant->mirror(r->map, r->posteriors);
    r->mirrored = true;
}

static void start(run *r, const ldpc_rule *rule)
{
    r->variant->prepare(r->map, rule, r->posteriors, r->prepared);
    ldpc_interleaver_load(r->interleaver, r->plan, r->batch, r->posteriors, r->interleaver_scratch);
    make_mirrors(r);
    memcpy(r->channel, r->posteriors, r->map->channel_bytes);
    if (r->map->flooding)
        memset(r->messages, 0, r->map->message_bytes);
}

static void iterate(run *r, bool first)
{
    r->mirrored = false;
    if (r->map->flooding)
        r->variant->flood(r->map, r->prepared, r->posteriors, r->channel, r->messages);
    else
        r->variant->iterate(r->map, r->prepared, first, r->posteriors, r->messages);
}

/* ---- syndrome */

/* What missing edges have added to the parities of their checks, to be xored again. */
static uint64_t missing_bits(const run *r, uint32_t l, uint32_t j)
{
    const ldpc_layered_layer *layer = &r->map->layers[l];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < layer->n_missing; i++) {
        const ldpc_missing_edge *edge = &layer->missing[i];
        const char *posterior = r->posteriors + edge->home;
        bool negative =
            (signed char)posterior[r->map->lane_bytes - 1] < 0; /* little endian: the sign comes last */
        if (edge->check_register == j)
            bits ^= (uint64_t)negative << edge->check_lane;
    }
    return bits;
}

/* Unsatisfied checks in at most `most` registers of layer l, from register j on. Returns the number of
 * registers. */
static uint32_t unsatisfied_checks(run *r, uint32_t l, uint32_t j, uint32_t most, uint64_t *checks)
{
    const ldpc_layered_map *map = r->map;
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

/* Lanes of codeword w in register j. */
static uint64_t lanes_of_codeword(const run *r, uint32_t w, uint32_t j)
{
    uint32_t n = r->map->n_codewords, first = j * r->map->lanes % n;
    return r->every << (w >= first ? w - first : w + n - first);
}

/* Of the codewords asked for, those that have one of these lanes of register j. */
static uint64_t codewords_with(const run *r, uint64_t lanes, uint32_t j, uint64_t asked)
{
    uint32_t n = r->map->n_codewords, width = r->map->lanes;
    if (!lanes || n == 1)
        return lanes ? asked : 0;
    if (width % n == 0) { /* the same lanes in all registers, and both numbers are powers of two */
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

/* Of the codewords asked for, those whose checks in layer l are all satisfied. The first register rules out
 * most others. */
static uint64_t satisfied_in_layer(run *r, uint32_t l, uint64_t asked)
{
    const bool same_lanes = r->map->lanes % r->map->n_codewords == 0; /* of a codeword, in all registers */
    uint64_t checks[LDPC_MAX_PARITIES];
    for (uint32_t j = 0, count; asked && j < r->map->registers; j += count) {
        count = unsatisfied_checks(r, l, j, j ? LDPC_MAX_PARITIES : 1, checks);
        for (uint32_t i = 1; same_lanes && i < count; i++)
            checks[0] |= checks[i];
        for (uint32_t i = 0; i < (same_lanes ? 1 : count); i++)
            asked &= ~codewords_with(r, checks[i], j + i, asked);
    }
    return asked;
}

/* Of the codewords asked for, those whose syndrome is zero. The scan ends when none is left, and the next one
 * begins there, where an unsatisfied check is most likely. */
static uint64_t satisfied_codewords(run *r, uint64_t asked)
{
    uint32_t layers = r->map->n_layers;
    for (uint32_t scanned = 0; scanned < layers; scanned++) {
        asked = satisfied_in_layer(r, r->first_scan, asked);
        if (!asked)
            break;
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

/* counts[w] += unsatisfied checks of codeword w. */
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

/* ---- decoding */

static void write_info(run *r, uint64_t codewords, uint32_t iterations, bool satisfied)
{
    uint32_t counts[LDPC_MAX_INTERLEAVED] = {0};
    if (!satisfied)
        count_unsatisfied(r, codewords, counts);
    for (uint64_t rest = codewords; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        r->batch->info[w] = (ldpc_codeword_info){
            .iterations = iterations,
            .unsatisfied = counts[w],
            .converged = counts[w] == 0,
            .decoded = 1,
        };
    }
}

/* Keeps codewords as they are now; `others` need more iterations. The last ones bring all to the batch: bits of
 * all codewords take as long as those of one. */
static void finish(run *r, uint64_t codewords, uint64_t others, uint32_t iterations, bool satisfied)
{
    const char *results = r->done | others ? r->results : r->posteriors;
    if (r->batch->info)
        write_info(r, codewords, iterations, satisfied);
    if (results == r->results)
        r->variant->copy_lanes(r->map, codewords, ldpc_interleaver_groups(r->interleaver, r->batch),
                               r->posteriors, r->results);
    r->done |= codewords;
    if (!others)
        ldpc_interleaver_store(r->interleaver, r->plan, results, r->done, r->batch, r->interleaver_scratch);
}

void ldpc_layered_decode(const ldpc_lane_layout *layout, const ldpc_plan *plan, const ldpc_rule *rule,
                         void *scratch, const ldpc_batch *batch)
{
    run r = open_run(layout, plan, scratch, batch);
    uint64_t active = batch->n_codewords < 64 ? ((uint64_t)1 << batch->n_codewords) - 1 : UINT64_MAX;
    start(&r, rule);
    for (uint32_t iterations = 0;; iterations++) {
        if (plan->early_stop) {
            uint64_t satisfied = satisfied_codewords(&r, active);
            active &= ~satisfied;
            if (satisfied)
                finish(&r, satisfied, active, iterations, true);
        }
        if (!active)
            return;
        if (iterations == plan->max_iterations) {
            finish(&r, active, 0, iterations, false);
            return;
        }
        iterate(&r, iterations == 0);
    }
}
