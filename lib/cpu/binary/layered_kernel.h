/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered schedule on the memory map of layered.h: one source for all instruction sets and lane widths.
 *
 * A register holds the same edge of as many checks as it has lanes. Per register of a layer, in two passes
 * over its d edges whose Q stay in registers in between:
 *
 *   Q = L - R, |Q| into the two or three smallest, signs into one xor        2 loads
 *   the rule turns the smallest into two messages, once
 *   R' = the message, signed;  L' = Q + R'                                   2 stores
 *
 * The degree is a constant of each function, so that both passes unroll completely, and so is whether the
 * rule asks for the third smallest (`three`).
 */
#include "cpu/binary/check_node.h"

/* ------------------------------------------------------------------------------------------------ one layer
 */

typedef char posterior_bytes; /* updated in place */

/* Any degree. Old messages of repeats wait where their change goes. */
FORCE_INLINE void layer_in_memory(const bool three, const bool careful, const bool translated,
                                  char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                                  const ldpc_layered_map *map, const rule_words *rule)
{
    const ldpc_layered_step *steps = layer->steps;
    const unsigned degree = layer->degree, owners = degree - layer->repeats;
    for (unsigned j = 0; j < map->registers; j++, steps += degree, R += (size_t)degree * REGISTER_BYTES) {
        for (unsigned e = owners; e < degree; e++)
            v_store(L + steps[e].to, v_load(R + (size_t)e * REGISTER_BYTES));
        answer a = first_in_memory(false, three, careful, translated, L, R, layer, steps, rule);
        for (unsigned e = 0; e < degree; e++) {
            vec q = v_load(R + (size_t)e * REGISTER_BYTES);
            vec r = message_in_memory(careful, rule, &a, q, e, layer, steps);
            vec sum = careful ? limited(v_adds(q, r)) : v_adds(q, r); /* without an edge Q is L, and stays */
            v_store(R + (size_t)e * REGISTER_BYTES, r);
            v_store(L + steps[e].to, e < owners ? sum : v_sub(r, v_load(L + steps[e].to)));
        }
    }
    store_mirrors(layer, map, L);
}

#include "cpu/binary/layer_any.h"

#if !defined(LDPC_ISA_SCALAR)

/* Owners of their groups write L'; repeats, which come last and are no more than they, write the change of
 * their messages. */
FORCE_INLINE void second_pass(const unsigned degree, const unsigned owners, const bool again, vec *q,
                              const answer *a, char *L, char *R, const ldpc_layered_step *steps)
{
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        if (again) /* else the compiler keeps |Q| of the first pass, in memory */
            __asm__("" : "+" VECTOR_REGISTER(q[e]));
        vec r = message_of(a, q[e]);
        q[e] =
            e < (degree + 1) / 2 || e < owners ? v_adds(q[e], r) : v_sub(r, v_load(R + e * REGISTER_BYTES));
        v_store(R + e * REGISTER_BYTES, r);
        v_store(L + steps[e].to, q[e]);
    }
}

FORCE_INLINE void layer_unrolled(const bool three, const unsigned degree, const unsigned owners,
                                 char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                                 const ldpc_layered_map *map, const rule_words *rule)
{
    const ldpc_layered_step *steps = layer->steps;
    for (unsigned j = 0; j < map->registers; j++, steps += degree, R += degree * REGISTER_BYTES) {
        vec q[MAX_UNROLLED];
        if (VECTOR_REGISTERS < 32) /* else the compiler copies the rule to its stack first */
            __asm__("" : "+r"(rule));
        answer a = first_pass(false, three, degree, q, L, R, steps, rule);
        second_pass(degree, owners, degree > KEEP_MAGNITUDES, q, &a, L, R, steps);
    }
    store_mirrors(layer, map, L);
}

#define LAYER(d, three, name)                                                                                \
    static void name##_##d(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,              \
                           const ldpc_layered_map *map, const rule_words *rule)                              \
    {                                                                                                        \
        layer_unrolled(three, d, d, L, R, layer, map, rule);                                                 \
    }                                                                                                        \
    static void name##_repeated_##d(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,     \
                                    const ldpc_layered_map *map, const rule_words *rule)                     \
    {                                                                                                        \
        layer_unrolled(three, d, d - layer->repeats, L, R, layer, map, rule);                                \
    }
#define LAYERS(d) LAYER(d, false, two) LAYER(d, true, three)
DEGREES(LAYERS)

#define ENTRY(d) [d] = {two_##d, two_repeated_##d, three_##d, three_repeated_##d},
static layer_function *const by_degree[MAX_UNROLLED + 1][4] = {DEGREES(ENTRY)};

static layer_function *function_for(const rule_words *rule, const ldpc_layered_layer *layer)
{
    if (rule->product || layer->degree > MAX_UNROLLED || layer->repeats > layer->degree / 2)
        return layer_any;
    layer_function *unrolled = by_degree[layer->degree][2 * rule->three + (layer->repeats > 0)];
    return unrolled ? unrolled : layer_any;
}

#endif

/* ------------------------------------------------------------------------------------------------ repeats */

static void store_mirror(const ldpc_layered_map *map, char *row)
{
    v_storeu(row + map->row_bytes, v_load(row));
}

/* Bytes `in_row` .. `end` of a row: to = from + the change. */
FORCE_INLINE uint32_t add_registers(const ldpc_layered_map *map, const char *from, const char *change,
                                    uint32_t in_row, uint32_t end, char *to)
{
    for (; in_row < end; in_row += REGISTER_BYTES) {
        vec sum = v_adds(v_load(from + in_row), v_loadu(change + in_row));
        v_store(to + in_row, map->saturates ? limited(sum) : sum);
    }
    return in_row;
}

/* to = from + the change, which is rotated; both with their mirrors. */
static void add_change(const ldpc_layered_map *map, const char *from, const char *change, uint32_t rotation,
                       char *to)
{
    const uint32_t row_bytes = map->row_bytes;
    uint32_t done = add_registers(map, from, change + rotation, 0, row_bytes - rotation, to);
    add_registers(map, from, change + rotation - row_bytes, done, row_bytes, to);
    store_mirror(map, to);
}

/* L = L + (R' - R) for the blocks that meet a group again, one after the other. */
static void add_changes(const ldpc_layered_map *map, const ldpc_layered_layer *layer, char *L)
{
    char *change = L + map->changes;
    for (uint32_t i = 0; i < layer->repeats; i++)
        store_mirror(map, change + (size_t)i * map->slot_bytes);
    for (uint32_t i = 0; i < layer->repeats; i++, change += map->slot_bytes)
        add_change(map, L + layer->repeat[i].from, change, layer->repeat[i].rotation,
                   L + layer->repeat[i].to);
}

/* ------------------------------------------------------------------------------------------------ the engine
 */

static void restore_absent(const ldpc_layered_map *map, const ldpc_layered_layer *layer, char *L, char *R,
                           const lane_t *kept)
{
    for (uint32_t i = 0; i < layer->absents; i++) {
        const ldpc_layered_absent *absent = &layer->absent[i];
        memcpy(L + absent->to, &kept[i], sizeof(lane_t));
        if (absent->in_first)
            memcpy(L + absent->to + map->row_bytes, &kept[i], sizeof(lane_t));
        memset(R + absent->message, 0, sizeof(lane_t));
    }
}

/* What iterations read: the rule, and each layer's function, where it does not depend on posteriors. One word
 * of a short code would wait for the choice of it, layer by layer. */
typedef struct program {
    rule_words rule;
    layer_function *update[]; /* NULL: layer_with_absents */
} program;

static size_t program_bytes(const ldpc_layered_map *map)
{
    return sizeof(program) + map->n_layers * sizeof(layer_function *);
}

static void prepare(const ldpc_layered_map *map, const ldpc_rule *rule, void *posteriors, void *made)
{
    program *p = made;
    p->rule = words_of(rule, (char *)posteriors + map->spare);
    for (uint32_t l = 0; l < map->n_layers; l++) {
        const ldpc_layered_layer *layer = &map->layers[l];
        bool usual = !layer->careful && !layer->absents;
        p->update[l] = usual ? usual_function(map, layer, &p->rule) : NULL;
    }
}

/* Messages are zero before the first iteration. They are cleared layer by layer, so that each layer finds its
 * own in L1: all those of a long code would have gone on to L2. */
FORCE_INLINE void run_layer(const ldpc_layered_map *map, uint32_t l, const bool first, char *L, char *R,
                            const program *p)
{
    const ldpc_layered_layer *layer = &map->layers[l];
    R += layer->messages;
    if (first)
        memset(R, 0, (size_t)layer->degree * map->registers * REGISTER_BYTES);
    if (p->update[l])
        p->update[l](L, R, layer, map, &p->rule);
    else
        layer_with_absents(false, L, R, layer, map, &p->rule);
    if (layer->repeats)
        add_changes(map, layer, L);
}

/* The posteriors of an edge of a stage to its register, and back. */
FORCE_INLINE void gather(const lane_t *restrict posteriors, const uint32_t *restrict places, uint32_t checks,
                         lane_t *restrict lanes)
{
    _Pragma("GCC unroll 8") for (uint32_t i = 0; i < checks; i++) lanes[i] = posteriors[places[i]];
}

FORCE_INLINE void scatter(const lane_t *restrict lanes, const uint32_t *restrict places, uint32_t checks,
                          lane_t *restrict posteriors)
{
    _Pragma("GCC unroll 8") for (uint32_t i = 0; i < checks; i++) posteriors[places[i]] = lanes[i];
}

static void run_stage(const ldpc_layered_map *map, uint32_t l, bool first, char *L, char *R, const program *p)
{
    const ldpc_layered_layer *stage = &map->layers[l];
    const uint32_t checks = stage->checks, degree = stage->degree;
    const uint32_t *places = stage->places;
    char *registers = L + map->changes;
    for (uint32_t e = 0; e < degree; e++)
        gather((lane_t *)L, places + e * checks, checks, (lane_t *)(registers + e * REGISTER_BYTES));
    run_layer(map, l, first, registers, R, p);
    for (uint32_t e = 0; e < degree; e++)
        scatter((lane_t *)(registers + e * REGISTER_BYTES), places + e * checks, checks, (lane_t *)L);
}

static void iterate(const ldpc_layered_map *map, const void *prepared, bool first, void *posteriors,
                    void *messages)
{
    for (uint32_t l = 0; map->place_memory && l < map->n_layers; l++)
        run_stage(map, l, first, posteriors, messages, prepared);
    for (uint32_t l = 0; !map->place_memory && l < map->n_layers; l++)
        run_layer(map, l, first, posteriors, messages, prepared);
}

static void mirror(const ldpc_layered_map *map, void *posteriors)
{
    for (uint32_t g = 0; g < map->code->groups; g++)
        store_mirror(map, (char *)posteriors + map->home[g]);
}

/* A register of a row from `at` on, which goes on at the row's start: layers keep only those mirrors that the
 * next iteration reads. What is loaded from before the row is another row's, or before the first one the
 * program's, and not taken. */
FORCE_INLINE vec around_end(const ldpc_layered_map *map, const char *row, uint32_t at)
{
    static const uint8_t end[2 * REGISTER_BYTES] = {[0 ... REGISTER_BYTES - 1] = 0xff};
    vec here = v_loadu(row + at);
    if (at <= (map->registers - 1) * REGISTER_BYTES)
        return here;
    vec from_start = v_loadu(row + at - map->row_bytes);
    return chosen(v_loadu(end + REGISTER_BYTES - (map->row_bytes - at)), from_start, here);
}

FORCE_INLINE void parities_of(const unsigned count, const bool translated, const ldpc_layered_map *map,
                              uint32_t l, uint32_t j, const char *L, uint64_t *parities)
{
    const uint32_t row_bytes = map->row_bytes, in_row = j * REGISTER_BYTES,
                   end = map->code->layer_start[l + 1];
    vec sum[LDPC_LAYERED_PARITIES];
    UNROLL
    for (unsigned i = 0; i < count; i++)
        sum[i] = v_zero();
    for (uint32_t b = map->code->layer_start[l]; b < end; b++) {
        const char *row = L + map->home_of[b];
        UNROLL
        for (unsigned i = 0; i < count; i++) {
            uint32_t first = map->home_rotation[b], more = in_row + i * REGISTER_BYTES;
            uint32_t at = translated ? first ^ more : first + more;
            at -= at < row_bytes ? 0 : row_bytes;
            sum[i] = v_xor(sum[i], translated ? posteriors_at(true, row, at) : around_end(map, row, at));
        }
    }
    UNROLL
    for (unsigned i = 0; i < count; i++)
        parities[i] = v_signs(sum[i]);
}

static uint64_t parities_of_stage(const ldpc_layered_map *map, uint32_t l, const void *posteriors)
{
    const ldpc_layered_layer *stage = &map->layers[l];
    const uint32_t *places = stage->places;
    const lane_t *posterior = posteriors;
    lane_t sum[REGISTER_BYTES / sizeof(lane_t)] = {0};
    for (uint32_t e = 0; e < stage->degree; e++, places += stage->checks)
        for (uint32_t i = 0; i < stage->checks; i++)
            sum[i] ^= posterior[places[i]];
    return v_signs(v_loadu(sum));
}

static void parities(const ldpc_layered_map *map, uint32_t l, uint32_t j, uint32_t count,
                     const void *posteriors, uint64_t *found)
{
    if (map->place_memory) {
        *found = parities_of_stage(map, l, posteriors);
        return;
    }
    if (map->code->is_dyadic) {
        for (uint32_t i = 0; i < count; i++)
            parities_of(1, true, map, l, j + i, posteriors, found + i);
        return;
    }
    switch (count) {
#define PARITIES(n)                                                                                          \
    case n:                                                                                                  \
        parities_of(n, false, map, l, j, posteriors, found);                                                 \
        break;
        PARITIES(1)
        PARITIES(2)
        PARITIES(3)
        PARITIES(4)
        PARITIES(5)
    default:
        parities_of(LDPC_LAYERED_PARITIES, false, map, l, j, posteriors, found);
    }
}

#define ENGINE_OF(isa) ENGINE(isa)
#define FLOOD_OF(isa)  FLOOD(isa)
#define WEAVER(isa)    ldpc_weaver_##isa
#define WEAVER_OF(isa) WEAVER(isa)
const ldpc_layered_engine ENGINE_OF(LDPC_ISA) = {
    .lane_bytes = LANE_BITS / 8,
    .register_bytes = REGISTER_BYTES,
    .program_bytes = program_bytes,
    .prepare = prepare,
    .iterate = iterate,
    .flood = FLOOD_OF(LDPC_ISA),
    .mirror = mirror,
    .parities = parities,
    .weaver = &WEAVER_OF(LDPC_ISA),
};
