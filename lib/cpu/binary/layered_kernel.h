/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered schedule on the memory map of simd_map.h, for all instruction sets and lane widths.
 * Parameters: LANE_BITS, 8, 16 or 32 (floats); LDPC_ISA, the name of the instruction set.
 *
 * For each register of a layer, there are two passes over its edges (check_node.h):
 *
 *   pass 1:  compute Q = L - R, insert |Q| into the smallest magnitudes,
 *            and XOR all signs                                                2 loads per edge
 *   rule:    compute msg_others and msg_min
 *   pass 2:  R' is one of these messages, signed; compute L' = Q + R'        2 stores per edge
 *
 * Each degree has its own function, with both passes unrolled and Q in registers. */
#ifndef LDPC_LAYERED_KERNEL_H
#define LDPC_LAYERED_KERNEL_H

#include <assert.h>

#include "cpu/binary/layer_generic.h"
#include "cpu/binary/simd_parities.h"
#include "cpu/binary/simd_variant.h"

/* ---- one layer */

#if !defined(LDPC_ISA_SCALAR)

#if defined(__clang__)
#define COMPUTE_AGAIN(q) __asm__ volatile("" : "+" VECTOR_REGISTER(q) : : "memory")
#else
#define COMPUTE_AGAIN(q) __asm__("" : "+" VECTOR_REGISTER(q))
#endif

FORCE_INLINE void second_pass(const bool masked, const unsigned degree, const unsigned owners,
                              const bool again, vec *q, const check_msgs *msgs, char *L, char *R,
                              const ldpc_simd_access *accesses, const rule_lanes *rule)
{
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        if (again)
            COMPUTE_AGAIN(q[e]);
        vec r = message_of(msgs, q[e]);
        q[e] = e < (degree + 1) / 2 || e < owners ? v_adds(q[e], r)
                                                  : less_message(masked, r, R + e * REGISTER_BYTES, rule);
        v_store(R + e * REGISTER_BYTES, r);
        v_store(L + accesses[e].to, q[e]);
    }
}

FORCE_INLINE void layer_unrolled(const bool three, const bool masked, const unsigned degree,
                                 const unsigned owners, char *restrict L, char *restrict R,
                                 const ldpc_simd_layer *layer, const ldpc_simd_map *map,
                                 const rule_lanes *rule)
{
    const ldpc_simd_access *accesses = layer->accesses;
    for (unsigned j = 0; j < map->registers; j++, accesses += degree, R += degree * REGISTER_BYTES) {
        vec q[MAX_UNROLLED];
        if (VECTOR_REGISTERS < 32)
            __asm__("" : "+r"(rule));
        check_msgs msgs = first_pass(three, masked, degree, q, L, R, accesses, rule);
        second_pass(masked, degree, owners, degree > KEEP_MAGNITUDES, q, &msgs, L, R, accesses, rule);
    }
    store_mirrors(layer, map, L);
}

#define LAYER(d, three, masked, name)                                                                        \
    static void name##_##d(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,                 \
                           const ldpc_simd_map *map, const rule_lanes *rule)                                 \
    {                                                                                                        \
        layer_unrolled(three, masked, d, d, L, R, layer, map, rule);                                         \
    }                                                                                                        \
    static void name##_repeated_##d(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,        \
                                    const ldpc_simd_map *map, const rule_lanes *rule)                        \
    {                                                                                                        \
        layer_unrolled(three, masked, d, d - layer->repeats, L, R, layer, map, rule);                        \
    }
#define LAYERS(d) LAYER(d, false, false, two) LAYER(d, true, false, three)
DEGREES(LAYERS)

typedef layer_function *const functions_of_degrees[MAX_UNROLLED + 1][4];
#define ENTRY(d) [d] = {two_##d, two_repeated_##d, three_##d, three_repeated_##d},
static functions_of_degrees by_degree = {DEGREES(ENTRY)};

static layer_function *function_in(functions_of_degrees functions, const rule_lanes *rule,
                                   const ldpc_simd_layer *layer)
{
    if (rule->sum_product || layer->degree > MAX_UNROLLED || layer->repeats > layer->degree / 2)
        return NULL;
    return functions[layer->degree][2 * rule->three + (layer->repeats > 0)];
}

static layer_function *function_of_degree(const rule_lanes *rule, const ldpc_simd_layer *layer)
{
    layer_function *unrolled = function_in(by_degree, rule, layer);
    return unrolled ? unrolled : layer_any;
}

#else

static layer_function *function_of_degree(const rule_lanes *rule, const ldpc_simd_layer *layer)
{
    (void)rule;
    (void)layer;
    return layer_any;
}

#endif

#if defined(MASKED_FUNCTIONS) && MASKED_FUNCTIONS
#define MASKED_LAYERS(d) LAYER(d, false, true, two_masked) LAYER(d, true, true, three_masked)
DEGREES(MASKED_LAYERS)

#define MASKED_ENTRY(d)                                                                                      \
    [d] = {two_masked_##d, two_masked_repeated_##d, three_masked_##d, three_masked_repeated_##d},
static functions_of_degrees masked_by_degree = {DEGREES(MASKED_ENTRY)};
#endif

static inline layer_function *masked_function(layer_function *update, const ldpc_simd_layer *layer,
                                              const rule_lanes *rule)
{
    if (!update || update == layer_any || update == layer_dyadic)
        return NULL;
#if defined(MASKS_MESSAGES) && MASKS_MESSAGES
    (void)layer;
    (void)rule;
    return update;
#elif defined(MASKED_FUNCTIONS) && MASKED_FUNCTIONS
    return function_in(masked_by_degree, rule, layer);
#else
    (void)layer;
    (void)rule;
    return NULL;
#endif
}

static layer_function *complete_function(const ldpc_simd_map *map, const ldpc_simd_layer *layer,
                                         const rule_lanes *rule)
{
    return map->code->is_dyadic ? layer_dyadic : function_of_degree(rule, layer);
}

/* ---- repeated blocks */

static void store_mirror(const ldpc_simd_map *map, char *row)
{
    v_storeu(row + map->row_bytes, v_load(row));
}

FORCE_INLINE uint32_t add_registers(const ldpc_simd_map *map, const char *from, const char *difference,
                                    uint32_t in_row, uint32_t end, char *to)
{
    for (; in_row < end; in_row += REGISTER_BYTES) {
        vec sum = v_adds(v_load(from + in_row), v_loadu(difference + in_row));
        v_store(to + in_row, map->saturates ? limited(sum) : sum);
    }
    return in_row;
}

static void add_difference(const ldpc_simd_map *map, const char *from, const char *difference,
                           uint32_t rotation, char *to)
{
    const uint32_t row_bytes = map->row_bytes;
    uint32_t done = add_registers(map, from, difference + rotation, 0, row_bytes - rotation, to);
    add_registers(map, from, difference + rotation - row_bytes, done, row_bytes, to);
    store_mirror(map, to);
}

/* In table order. */
static void add_differences(const ldpc_simd_map *map, const ldpc_simd_layer *layer, char *L)
{
    char *difference = L + map->differences;
    for (uint32_t i = 0; i < layer->repeats; i++)
        store_mirror(map, difference + (size_t)i * map->slot_bytes);
    for (uint32_t i = 0; i < layer->repeats; i++, difference += map->slot_bytes)
        add_difference(map, L + layer->repeat[i].from, difference, layer->repeat[i].rotation,
                       L + layer->repeat[i].to);
}

/* ---- the iteration */

typedef struct prepared_layers {
    rule_lanes rule;
    layer_function *update[]; /* NULL: use layer_with_missing() */
} prepared_layers;

static size_t prepared_bytes(const ldpc_simd_map *map)
{
    return sizeof(prepared_layers) + map->n_layers * sizeof(layer_function *);
}

static void prepare(const ldpc_simd_map *map, const ldpc_rule *rule, void *posteriors, void *made)
{
    prepared_layers *p = made;
    p->rule = rule_lanes_of(rule, (char *)posteriors + map->edge_scratch);
    for (uint32_t l = 0; l < map->n_layers; l++) {
        const ldpc_simd_layer *layer = &map->layers[l];
        bool complete = !layer->careful && !layer->n_missing;
        p->update[l] = complete ? complete_function(map, layer, &p->rule) : NULL;
    }
}

/* lanes[i]: -1 if the codeword of lane i is in the set, else 0. Repeats after V lanes. */
static inline void find_lanes(const ldpc_simd_map *map, uint64_t set, lane_t *lanes)
{
    const uint32_t V = map->n_codewords;
    for (uint32_t i = 0; i < V; i++)
        lanes[i] = (lane_t)(set >> i & 1 ? -1 : 0);
    for (uint32_t i = V; i < V + map->lanes; i++)
        lanes[i] = lanes[i - V];
}

/* The mask must be equal for all registers of a row. */
static vec lanes_of(const ldpc_simd_map *map, uint64_t set)
{
#if LANE_BITS == 8
    set &= UINT64_MAX >> (64 - map->n_codewords);
    for (uint32_t n = map->n_codewords; n < REGISTER_BYTES; n *= 2)
        set |= set << n;
    return v_sub(v_zero(), v_expand_u8(set));
#else
    lane_t lanes[2 * REGISTER_BYTES / sizeof(lane_t)] = {0};
    find_lanes(map, set, lanes);
    return v_loadu(lanes);
#endif
}

typedef struct fresh_lanes {
    bool any, all;
    vec kept;
} fresh_lanes;

static fresh_lanes fresh_lanes_of(const ldpc_simd_map *map, uint64_t fresh)
{
    const uint64_t all = UINT64_MAX >> (64 - map->n_codewords);
    fresh_lanes f = {(fresh & all) != 0, (fresh & all) == all, v_zero()};
    if (f.any && !f.all)
        f.kept = lanes_of(map, ~fresh);
    return f;
}

FORCE_INLINE void clear_messages(const fresh_lanes *fresh, char *R, size_t bytes)
{
    if (fresh->all)
        memset(R, 0, bytes);
    else if (fresh->any)
        for (size_t at = 0; at < bytes; at += REGISTER_BYTES)
            v_store(R + at, v_and(fresh->kept, v_load(R + at)));
}

static void clear_lanes(const ldpc_simd_map *map, uint64_t lanes, void *messages, size_t bytes)
{
    const fresh_lanes fresh = fresh_lanes_of(map, lanes);
    clear_messages(&fresh, messages, bytes);
}

FORCE_INLINE void run_layer(const ldpc_simd_map *map, uint32_t l, const fresh_lanes *fresh, char *L, char *R,
                            const prepared_layers *p)
{
    const ldpc_simd_layer *layer = &map->layers[l];
    layer_function *masked = fresh->any ? masked_function(p->update[l], layer, &p->rule) : NULL;
    R += layer->messages;
    if (!masked)
        clear_messages(fresh, R, (size_t)layer->degree * map->registers * REGISTER_BYTES);
    if (masked)
        masked(L, R, layer, map, &p->rule);
    else if (p->update[l])
        p->update[l](L, R, layer, map, &p->rule);
    else
        layer_with_missing(complete_function(map, layer, &p->rule), L, R, layer, map, &p->rule);
    if (layer->repeats)
        add_differences(map, layer, L);
}

FORCE_INLINE void gather(const lane_t *restrict posteriors, const uint32_t *restrict columns, uint32_t checks,
                         lane_t *restrict lanes)
{
    _Pragma("GCC unroll 8") for (uint32_t i = 0; i < checks; i++) lanes[i] = posteriors[columns[i]];
}

FORCE_INLINE void scatter(const lane_t *restrict lanes, const uint32_t *restrict columns, uint32_t checks,
                          lane_t *restrict posteriors)
{
    _Pragma("GCC unroll 8") for (uint32_t i = 0; i < checks; i++) posteriors[columns[i]] = lanes[i];
}

static void run_part(const ldpc_simd_map *map, uint32_t l, const fresh_lanes *fresh, char *L, char *R,
                     const prepared_layers *p)
{
    const ldpc_simd_layer *part = &map->layers[l];
    const uint32_t checks = part->checks, degree = part->degree;
    const uint32_t *columns = part->columns;
    char *registers = L + map->differences;
    for (uint32_t e = 0; e < degree; e++)
        gather((lane_t *)L, columns + e * checks, checks, (lane_t *)(registers + e * REGISTER_BYTES));
    run_layer(map, l, fresh, registers, R, p);
    for (uint32_t e = 0; e < degree; e++)
        scatter((lane_t *)(registers + e * REGISTER_BYTES), columns + e * checks, checks, (lane_t *)L);
}

static void iterate(const ldpc_simd_map *map, void *prepared, uint64_t fresh, void *posteriors,
                    void *messages)
{
    prepared_layers *p = prepared;
    assert((uintptr_t)posteriors % REGISTER_BYTES == 0 && (uintptr_t)messages % REGISTER_BYTES == 0);
    assert(map->n_codewords == 64 || fresh >> map->n_codewords == 0);
    const fresh_lanes lanes = fresh_lanes_of(map, fresh);
#if MASKS_MESSAGES
    p->rule.kept = lanes.all ? 0 : lanes.any ? v_signs(lanes.kept) : UINT64_MAX;
#elif defined(MASKED_FUNCTIONS) && MASKED_FUNCTIONS
    p->rule.kept = lanes.kept;
#endif
    for (uint32_t l = 0; map->column_memory && l < map->n_layers; l++)
        run_part(map, l, &lanes, posteriors, messages, p);
    for (uint32_t l = 0; !map->column_memory && l < map->n_layers; l++)
        run_layer(map, l, &lanes, posteriors, messages, p);
}

static void mirror(const ldpc_simd_map *map, void *posteriors)
{
    for (uint32_t g = 0; g < map->code->groups; g++)
        store_mirror(map, (char *)posteriors + map->home[g]);
}

/* Byte shuffle that copies codeword source[v] to codeword v within 16 bytes. V must be a power of two. */
static vec shuffle_of(const ldpc_simd_map *map, const uint8_t *source)
{
    const uint32_t lane_bytes = LANE_BITS / 8, row = map->n_codewords * lane_bytes;
    const uint32_t count = row <= 16 ? 16 : REGISTER_BYTES;
    uint8_t bytes[REGISTER_BYTES];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t in_row = i % row;
        bytes[i] = (i - in_row + source[in_row / lane_bytes] * lane_bytes + in_row % lane_bytes) % 16;
    }
    return count == 16 ? v_table(bytes) : v_loadu(bytes);
}

static void copy_lanes(const ldpc_simd_map *map, uint64_t lanes, uint32_t groups, const char *slots,
                       char *others)
{
    const uint32_t step = map->lanes % map->n_codewords;
    lane_t in_row[2 * REGISTER_BYTES / sizeof(lane_t)];
    find_lanes(map, lanes, in_row);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t j = 0, first = 0; j < map->registers; j++) {
            const size_t at = map->home[g] + (size_t)j * REGISTER_BYTES;
            v_store(others + at, v_blend(v_loadu(in_row + first), v_load(others + at), v_load(slots + at)));
            first += step;
            first -= first < map->n_codewords ? 0 : map->n_codewords;
        }
}

typedef struct lane_shuffle {
    vec taken, shuffle;
} lane_shuffle;

static lane_shuffle shuffle_for(const ldpc_simd_map *map, const ldpc_lane_moves *moves)
{
    return (lane_shuffle){lanes_of(map, moves->lanes), shuffle_of(map, moves->source)};
}

FORCE_INLINE vec with_moved(vec to, vec from, lane_shuffle moves)
{
    return v_blend(moves.taken, to, v_shuffle_u8(from, moves.shuffle));
}

static void move_groups(const ldpc_simd_map *map, lane_shuffle moves, uint32_t first, uint32_t end,
                        const char *slots, char *others)
{
    const uint32_t *home = map->home, bytes = map->registers * REGISTER_BYTES;
    for (uint32_t g = first; g < end; g++) {
        const char *from = slots + home[g];
        char *to = others + home[g];
        for (uint32_t at = 0; at < bytes; at += REGISTER_BYTES)
            v_store(to + at, with_moved(v_load(to + at), v_load(from + at), moves));
    }
}

static void move_lanes(const ldpc_simd_map *map, const ldpc_lane_moves *moves, uint32_t groups,
                       const void *slots, void *others)
{
    if (ldpc_simd_movable(map) == 1)
        copy_lanes(map, moves->lanes, groups, slots, others);
    else
        move_groups(map, shuffle_for(map, moves), 0, groups, slots, others);
}

static void exchange_lanes(const ldpc_simd_map *map, const ldpc_lane_moves *in, const ldpc_lane_moves *out,
                           uint32_t out_groups, void *slots, void *others)
{
    const lane_shuffle to_slots = shuffle_for(map, in), to_others = shuffle_for(map, out);
    const uint32_t *home = map->home, bytes = map->registers * REGISTER_BYTES;
    for (uint32_t g = 0; g < out_groups; g++) {
        char *here = (char *)slots + home[g], *there = (char *)others + home[g];
        for (uint32_t at = 0; at < bytes; at += REGISTER_BYTES) {
            const vec x = v_load(here + at), y = v_load(there + at);
            v_store(here + at, with_moved(x, y, to_slots));
            v_store(there + at, with_moved(y, x, to_others));
        }
    }
    move_groups(map, to_slots, out_groups, map->code->groups, others, slots);
}

const ldpc_simd_variant LDPC_VARIANT_NAME(ldpc_simd) = {
    .lane_bytes = LANE_BITS / 8,
    .register_bytes = REGISTER_BYTES,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .iterate = iterate,
    .flood = LDPC_VARIANT_NAME(ldpc_flood),
    .mirror = mirror,
    .move_lanes = move_lanes,
    .exchange_lanes = exchange_lanes,
    .clear_lanes = clear_lanes,
    .parities = parities,
    .odd_lanes = odd_lanes,
    .interleave = &LDPC_ISA_SYMBOL(ldpc_interleave_),
};

#endif
