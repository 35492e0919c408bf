/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers without unrolled functions: any degree, dyadic codes, missing edges, and 16-bit lanes that may
 * saturate. Parameters: LANE_BITS, 8, 16 or 32 (floats); FLOODING, 1 for the flooding schedule.
 *
 * Missing edges. The first check of the DVB accumulator has one edge less. Masks would slow down DVB codes by
 * 3 to 20 %. Instead, saturate_missing() sets the posterior of this lane to the largest value: the edge is
 * never the minimum, and changes no sign. restore_missing() restores the posterior, and clears the message.
 * If this is not exact, the layer uses masks (`careful`). */
#ifndef LDPC_LAYER_GENERIC_H
#define LDPC_LAYER_GENERIC_H

#include <string.h>

#include "cpu/binary/layer_pass.h"

/* L: posteriors. R: messages of the layer (layered) or of all layers (flooding). */
typedef void layer_function(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,
                            const ldpc_simd_map *map, const rule_lanes *rule);

FORCE_INLINE void layer_in_memory(const bool three, const bool careful, const bool dyadic, char *restrict L,
                                  char *restrict R, const ldpc_simd_layer *layer, const ldpc_simd_map *map,
                                  const rule_lanes *rule)
{
    const ldpc_simd_access *accesses = layer->accesses;
    const unsigned degree = layer->degree, owners = FLOODING ? degree : degree - layer->repeats;
    for (unsigned j = 0; j < map->registers; j++, accesses += degree) {
        for (unsigned e = owners; e < degree; e++)
            v_store(L + accesses[e].to, v_load(R + message_at(accesses, e)));
        check_msgs msgs = first_in_memory(three, careful, dyadic, L, R, layer, accesses, rule);
        for (unsigned e = 0; e < degree; e++) {
            vec q = v_load(R + message_at(accesses, e));
            vec r = message_in_memory(careful, rule, &msgs, q, e, layer, accesses);
            v_store(R + message_at(accesses, e), r);
            if (FLOODING)
                continue;
            vec sum = careful ? limited(v_adds(q, r)) : v_adds(q, r); /* for a missing edge, r is 0 */
            v_store(L + accesses[e].to, e < owners ? sum : v_sub(r, v_load(L + accesses[e].to)));
        }
        R += FLOODING ? 0 : (size_t)degree * REGISTER_BYTES;
    }
    store_mirrors(layer, map, FLOODING ? R : L);
}

/* `three` becomes a constant. */
FORCE_INLINE void layer_by_minima(const bool careful, const bool dyadic, char *restrict L, char *restrict R,
                                  const ldpc_simd_layer *layer, const ldpc_simd_map *map,
                                  const rule_lanes *rule)
{
    if (rule->three)
        layer_in_memory(true, careful, dyadic, L, R, layer, map, rule);
    else
        layer_in_memory(false, careful, dyadic, L, R, layer, map, rule);
}

static void layer_any(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,
                      const ldpc_simd_map *map, const rule_lanes *rule)
{
    layer_by_minima(false, false, L, R, layer, map, rule);
}

static void layer_dyadic(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,
                         const ldpc_simd_map *map, const rule_lanes *rule)
{
    layer_by_minima(false, true, L, R, layer, map, rule);
}

static void layer_careful(char *restrict L, char *restrict R, const ldpc_simd_layer *layer,
                          const ldpc_simd_map *map, const rule_lanes *rule)
{
    layer_by_minima(true, map->code->is_dyadic, L, R, layer, map, rule);
}

/* ---- missing edges */

static void saturate_missing(const ldpc_simd_layer *layer, char *L, lane_t *kept)
{
    const lane_t saturated = saturated_input();
    for (uint32_t i = 0; i < layer->n_missing; i++) {
        memcpy(&kept[i], L + layer->missing[i].from, sizeof(lane_t));
        memcpy(L + layer->missing[i].from, &saturated, sizeof(lane_t));
    }
}

static void restore_missing(const ldpc_simd_map *map, const ldpc_simd_layer *layer, char *L, char *R,
                            const lane_t *kept)
{
    for (uint32_t i = 0; i < layer->n_missing; i++) {
        const ldpc_missing_edge *edge = &layer->missing[i];
        const lane_t written = FLOODING ? 0 : kept[i];
        char *row = (FLOODING ? R : L) + edge->to;
        memcpy(row, &written, sizeof(lane_t));
        if (edge->in_first)
            memcpy(row + map->row_bytes, &written, sizeof(lane_t));
        if (FLOODING)
            memcpy(L + edge->from, &kept[i], sizeof(lane_t));
        else
            memset(R + edge->message, 0, sizeof(lane_t));
    }
}

/* Returns whether |Q| = 127 of the saturated lane may be the minimum. Then |Q| is 128 in all other edges, one
 * of which is tested. */
static inline bool saturated_may_be_min1(const ldpc_simd_layer *layer, const char *L, const char *R)
{
    for (uint32_t i = 0; i < layer->n_missing; i++) {
        const size_t at = layer->missing[i].message, lane = at % REGISTER_BYTES;
        const unsigned access = (unsigned)(at / REGISTER_BYTES), first = access - access % layer->degree;
        const unsigned other = first + (access == first);
        lane_t posterior, message;
        if (layer->degree < 2)
            return true;
        memcpy(&posterior, L + layer->accesses[other].from + lane, sizeof posterior);
        memcpy(&message, R + message_at(layer->accesses, other) + lane, sizeof message);
        if (posterior - message <= LDPC_I8_MIN)
            return true;
    }
    return false;
}

/* Masks are needed
 * - if the map requires them,
 * - if the rule subtracts so much that a saturated edge changes other messages,
 * - if a saturated edge may be the minimum, and the limits of msg_others and msg_min differ. */
static inline bool needs_masks(const ldpc_simd_map *map, const ldpc_simd_layer *layer, const char *L,
                               const char *R, const rule_lanes *rule)
{
    if (layer->careful || !layer->n_missing || rule->saturation_matters)
        return layer->careful || layer->n_missing;
    return rule->limits_differ && (map->code->is_dyadic || saturated_may_be_min1(layer, L, R));
}

static inline void layer_with_missing(layer_function *complete, char *L, char *R,
                                      const ldpc_simd_layer *layer, const ldpc_simd_map *map,
                                      const rule_lanes *rule)
{
    lane_t kept[LDPC_MOST_MISSING_EDGES];
    if (needs_masks(map, layer, L, R, rule)) {
        layer_careful(L, R, layer, map, rule);
        return;
    }
    saturate_missing(layer, L, kept);
    complete(L, R, layer, map, rule);
    restore_missing(map, layer, L, R, kept);
}

#endif
