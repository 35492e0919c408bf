/* SPDX-License-Identifier: BSD-3-Clause */
/* The flooding schedule on the memory map of simd_map.h, for all instruction sets and lane widths.
 * Parameters: LANE_BITS, 8, 16 or 32 (floats); LDPC_ISA, the name of the instruction set.
 *
 * For each register of a layer:
 *
 *   compute Q = L - R and the check node (check_node.h)                      2 loads per edge
 *   store the signed messages R', each in the row of its block               1 store per edge
 *
 * Then, for each column group whose last layer this is:
 *
 *   compute L' = channel + all R'                                            1 load per edge
 *
 * Integer sums are exact and saturate only once: a few messages are added in 8 bits, the results in 16 bits.
 * Floats are added in layer order, as in the reference. */
#ifndef LDPC_FLOODING_KERNEL_H
#define LDPC_FLOODING_KERNEL_H

#define FLOODING 1
#include "cpu/binary/layer_generic.h"
#include "cpu/binary/simd_variant.h"

/* ---- checks of a layer */

#if !defined(LDPC_ISA_SCALAR)

FORCE_INLINE void layer_unrolled(const unsigned degree, char *restrict L, char *restrict R,
                                 const ldpc_simd_layer *layer, const ldpc_simd_map *map,
                                 const rule_lanes *rule)
{
    const ldpc_simd_access *accesses = layer->accesses;
    for (unsigned j = 0; j < map->registers; j++, accesses += degree) {
        vec q[MAX_UNROLLED];
        if (VECTOR_REGISTERS < 32)
            __asm__("" : "+r"(rule));
        check_msgs msgs = first_pass(false, false, degree, q, L, R, accesses, rule);
        UNROLL
        for (unsigned e = 0; e < degree; e++) {
            if (degree > KEEP_MAGNITUDES) /* computed again instead of spilled */
                __asm__("" : "+" VECTOR_REGISTER(q[e]));
            v_store(R + accesses[e].to, message_of(&msgs, q[e]));
        }
    }
    store_mirrors(layer, map, R);
}

#define LAYER(d)                                                                                             \
    static void layer_##d(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,                  \
                          const ldpc_simd_map *map, const rule_lanes *rule)                                  \
    {                                                                                                        \
        layer_unrolled(d, L, R, layer, map, rule);                                                           \
    }
DEGREES(LAYER)

#define ENTRY(d) [d] = layer_##d,
static layer_function *const by_degree[MAX_UNROLLED + 1] = {DEGREES(ENTRY)};

static layer_function *function_of_degree(const rule_lanes *rule, const ldpc_simd_layer *layer)
{
    if (rule->sum_product || rule->three || layer->degree > MAX_UNROLLED || !by_degree[layer->degree])
        return layer_any;
    return by_degree[layer->degree];
}

#else

static layer_function *function_of_degree(const rule_lanes *rule, const ldpc_simd_layer *layer)
{
    (void)rule;
    (void)layer;
    return layer_any;
}

#endif

/* ---- posteriors of a column group */

#define FEW_MESSAGES 4
_Static_assert(FEW_MESSAGES *LDPC_MESSAGE_LIMIT <= LDPC_I8_MAX, "their sum fits 8 bits");

FORCE_INLINE vec sum_of(const unsigned degree, const bool dyadic, const char *R, const uint32_t *from,
                        vec channel)
{
#if LANE_BITS == 8
    if (degree > FEW_MESSAGES) {
        wide sum = w_add(w_zero(), channel);
        UNROLL
        for (unsigned e = 0; e < degree; e += FEW_MESSAGES) {
            vec few = posteriors_at(dyadic, R, from[e]);
            UNROLL
            for (unsigned i = 1; i < FEW_MESSAGES; i++)
                if (e + i < degree)
                    few = v_add(few, posteriors_at(dyadic, R, from[e + i]));
            sum = w_add(sum, few);
        }
        return w_narrow(sum);
    }
#endif
#if LANE_BITS == 8
    vec sum = posteriors_at(dyadic, R, from[0]);
    UNROLL
    for (unsigned e = 1; e < degree; e++)
        sum = v_add(sum, posteriors_at(dyadic, R, from[e]));
    return v_adds(channel, sum);
#else
    UNROLL
    for (unsigned e = 0; e < degree; e++)
        channel = v_add(channel, posteriors_at(dyadic, R, from[e]));
    return channel;
#endif
}

FORCE_INLINE void group_of(const unsigned degree, const bool dyadic, const ldpc_simd_map *map,
                           const ldpc_flooding_group *group, const char *restrict channel,
                           const char *restrict R, char *restrict L)
{
    const uint32_t *from = group->from;
    channel += group->home;
    L += group->home;
    for (unsigned j = 0; j < map->registers; j++, from += degree) {
        vec sum = sum_of(degree, dyadic, R, from, v_load(channel + j * REGISTER_BYTES));
        v_store(L + j * REGISTER_BYTES, map->saturates ? limited(sum) : sum);
    }
    if (map->has_mirrors)
        v_storeu(L + map->row_bytes, v_load(L));
}

#define GROUP_DEGREES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

static void update_group(const ldpc_simd_map *map, const ldpc_flooding_group *group, const char *channel,
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

/* ---- the iteration */

void LDPC_VARIANT_NAME(ldpc_flood)(const ldpc_simd_map *map, const void *prepared, void *posteriors,
                                   const void *channel, void *messages)
{
    const rule_lanes *rule = prepared; /* first member of prepared_layers */
    for (uint32_t l = 0; l < map->n_layers; l++) {
        const ldpc_simd_layer *layer = &map->layers[l];
        layer_function *complete = map->code->is_dyadic ? layer_dyadic : function_of_degree(rule, layer);
        layer_with_missing(complete, posteriors, messages, layer, map, rule);
        for (uint32_t i = 0; i < layer->n_groups; i++)
            update_group(map, &layer->group[i], channel, messages, posteriors);
    }
}

#endif
