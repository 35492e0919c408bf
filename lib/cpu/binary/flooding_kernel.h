/* SPDX-License-Identifier: BSD-3-Clause */
/* The flooding schedule on the memory map of layered.h: one source for all instruction sets and lane widths.
 *
 * Layer after layer, per register:
 *
 *   Q = L - R, and all of the check node                                     2 loads for each edge
 *   R' = the message, signed, to a row of its block                          1 store
 *
 * then, for the groups that no later layer reads:
 *
 *   L' = channel + all R'                                                    1 load
 *
 * The sum is exact and saturates once: few messages fit into 8 bits together, sums of them are added in 16.
 * Floats are summed up layer after layer.
 */
#include "cpu/binary/check_node.h"

/* ------------------------------------------------------------------------------------------------ checks of
 * a layer */

typedef const char posterior_bytes; /* groups write them, after the checks */

FORCE_INLINE void layer_in_memory(const bool three, const bool careful, const bool translated,
                                  const char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                                  const ldpc_layered_map *map, const rule_words *rule)
{
    const ldpc_layered_step *steps = layer->steps;
    for (unsigned j = 0; j < map->registers; j++, steps += layer->degree) {
        answer a = first_in_memory(true, three, careful, translated, L, R, layer, steps, rule);
        for (unsigned e = 0; e < layer->degree; e++) {
            vec q = v_load(R + steps[e].to);
            v_store(R + steps[e].to, message_in_memory(careful, rule, &a, q, e, layer, steps));
        }
    }
    store_mirrors(layer, map, R);
}

#include "cpu/binary/layer_any.h"

#if !defined(LDPC_ISA_SCALAR)

FORCE_INLINE void layer_unrolled(const bool three, const unsigned degree, const char *restrict L,
                                 char *restrict R, const ldpc_layered_layer *layer,
                                 const ldpc_layered_map *map, const rule_words *rule)
{
    const ldpc_layered_step *steps = layer->steps;
    for (unsigned j = 0; j < map->registers; j++, steps += degree) {
        vec q[MAX_UNROLLED];
        if (VECTOR_REGISTERS < 32) /* else the compiler copies the rule to its stack first */
            __asm__("" : "+r"(rule));
        answer a = first_pass(true, three, degree, q, L, R, steps, rule);
        UNROLL
        for (unsigned e = 0; e < degree; e++) {
            if (degree > KEEP_MAGNITUDES) /* else the compiler keeps |Q| of the first pass, in memory */
                __asm__("" : "+" VECTOR_REGISTER(q[e]));
            v_store(R + steps[e].to, message_of(&a, q[e]));
        }
    }
    store_mirrors(layer, map, R);
}

#define LAYER(d, three, name)                                                                                \
    static void name##_##d(const char *restrict L, char *restrict R, const ldpc_layered_layer *layer,        \
                           const ldpc_layered_map *map, const rule_words *rule)                              \
    {                                                                                                        \
        layer_unrolled(three, d, L, R, layer, map, rule);                                                    \
    }
#define LAYERS(d) LAYER(d, false, two) LAYER(d, true, three)
DEGREES(LAYERS)

#define ENTRY(d) [d] = {two_##d, three_##d},
static layer_function *const by_degree[MAX_UNROLLED + 1][2] = {DEGREES(ENTRY)};

static layer_function *function_for(const rule_words *rule, const ldpc_layered_layer *layer)
{
    if (rule->product || layer->degree > MAX_UNROLLED)
        return layer_any;
    layer_function *unrolled = by_degree[layer->degree][rule->three];
    return unrolled ? unrolled : layer_any;
}

#endif

/* Absent lanes have no message, and their posteriors are as they were. */
static void restore_absent(const ldpc_layered_map *map, const ldpc_layered_layer *layer, char *L, char *R,
                           const lane_t *kept)
{
    for (uint32_t i = 0; i < layer->absents; i++) {
        const ldpc_layered_absent *absent = &layer->absent[i];
        memcpy(L + absent->from, &kept[i], sizeof(lane_t));
        memset(R + absent->to, 0, sizeof(lane_t));
        if (absent->in_first)
            memset(R + absent->to + map->row_bytes, 0, sizeof(lane_t));
    }
}

/* ------------------------------------------------------------------------------------------------ posteriors
 * of a group */

#define FEW_MESSAGES 4 /* fit into 8 bits */
_Static_assert(FEW_MESSAGES *LDPC_MESSAGE_LIMIT <= LDPC_I8_MAX, "8 bits");

/* The next posteriors: R in a register at `from` of each block, and the channel. */
FORCE_INLINE vec sum_of(const unsigned degree, const bool translated, const char *R, const uint32_t *from,
                        vec channel)
{
#if LANE_BITS == 8
    if (degree > FEW_MESSAGES) {
        wide sum = w_add(w_zero(), channel);
        UNROLL
        for (unsigned e = 0; e < degree; e += FEW_MESSAGES) {
            vec few = posteriors_at(translated, R, from[e]);
            UNROLL
            for (unsigned i = 1; i < FEW_MESSAGES; i++)
                if (e + i < degree)
                    few = v_add(few, posteriors_at(translated, R, from[e + i]));
            sum = w_add(sum, few);
        }
        return w_narrow(sum);
    }
#endif
#if LANE_BITS == 8
    vec sum = posteriors_at(translated, R, from[0]);
    UNROLL
    for (unsigned e = 1; e < degree; e++)
        sum = v_add(sum, posteriors_at(translated, R, from[e]));
    return v_adds(channel, sum);
#else
    UNROLL
    for (unsigned e = 0; e < degree; e++)
        channel = v_add(channel, posteriors_at(translated, R, from[e]));
    return channel;
#endif
}

FORCE_INLINE void group_of(const unsigned degree, const bool translated, const ldpc_layered_map *map,
                           const ldpc_layered_group *group, const char *restrict channel,
                           const char *restrict R, char *restrict L)
{
    const uint32_t *from = group->from;
    channel += group->home;
    L += group->home;
    for (unsigned j = 0; j < map->registers; j++, from += degree) {
        vec sum = sum_of(degree, translated, R, from, v_load(channel + j * REGISTER_BYTES));
        v_store(L + j * REGISTER_BYTES, map->saturates ? limited(sum) : sum);
    }
    if (map->rotates)
        v_storeu(L + map->row_bytes, v_load(L));
}

#define GROUP_DEGREES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

static void update_group(const ldpc_layered_map *map, const ldpc_layered_group *group, const char *channel,
                         const char *R, char *L)
{
    if (map->code->is_dyadic) {
        group_of(group->degree, true, map, group, channel, R, L);
        return;
    }
    switch (group->degree) {
#define GROUP(d)                                                                                             \
    case d:                                                                                                  \
        group_of(d, false, map, group, channel, R, L);                                                       \
        break;
        GROUP_DEGREES(GROUP)
    default:
        group_of(group->degree, false, map, group, channel, R, L);
    }
}

/* ------------------------------------------------------------------------------------------------ the
 * iteration */

#define FLOOD_OF(isa) FLOOD(isa)
void FLOOD_OF(LDPC_ISA)(const ldpc_layered_map *map, const void *program, void *posteriors,
                        const void *channel, void *messages)
{
    const rule_words *rule = program; /* it begins with it */
    for (uint32_t l = 0; l < map->n_layers; l++) {
        const ldpc_layered_layer *layer = &map->layers[l];
        layer_with_absents(true, posteriors, messages, layer, map, rule);
        for (uint32_t i = 0; i < layer->groups; i++)
            update_group(map, &layer->group[i], channel, messages, posteriors);
    }
}
