/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers of any degree, of translations, and with care: what layered_kernel.h and flooding_kernel.h make of
 * their own `layer_in_memory`, which stands before the place where they include this. `posterior_bytes` is
 * const where the schedule does not write them. */

typedef void layer_function(posterior_bytes *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                            const ldpc_layered_map *map, const rule_words *rule);

/* `three` becomes a constant. */
FORCE_INLINE void layer_by_minima(const bool careful, const bool translated, posterior_bytes *restrict L,
                                  char *restrict R, const ldpc_layered_layer *layer,
                                  const ldpc_layered_map *map, const rule_words *rule)
{
    if (rule->three)
        layer_in_memory(true, careful, translated, L, R, layer, map, rule);
    else
        layer_in_memory(false, careful, translated, L, R, layer, map, rule);
}

static void layer_any(posterior_bytes *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                      const ldpc_layered_map *map, const rule_words *rule)
{
    layer_by_minima(false, false, L, R, layer, map, rule);
}

static void layer_translated(posterior_bytes *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                             const ldpc_layered_map *map, const rule_words *rule)
{
    layer_by_minima(false, true, L, R, layer, map, rule);
}

static void layer_careful(posterior_bytes *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                          const ldpc_layered_map *map, const rule_words *rule)
{
    layer_by_minima(true, map->code->is_dyadic, L, R, layer, map, rule);
}

/* Of a layer whose lanes all have their edges, neither translated nor careful. */
#if defined(LDPC_ISA_SCALAR)
static layer_function *function_for(const rule_words *rule, const ldpc_layered_layer *layer)
{
    (void)rule;
    (void)layer;
    return layer_any;
}
#else
static layer_function *function_for(const rule_words *rule, const ldpc_layered_layer *layer);
#endif

/* Where lanes are absent they are hidden before, or the layer is careful. */
static layer_function *usual_function(const ldpc_layered_map *map, const ldpc_layered_layer *layer,
                                      const rule_words *rule)
{
    return map->code->is_dyadic ? layer_translated : function_for(rule, layer);
}

/* Puts back what hide_absent() took away; each schedule has its own, where it writes. */
static void restore_absent(const ldpc_layered_map *map, const ldpc_layered_layer *layer, char *L, char *R,
                           const lane_t *kept);

FORCE_INLINE void layer_with_absents(const bool flooding, char *L, char *R, const ldpc_layered_layer *layer,
                                     const ldpc_layered_map *map, const rule_words *rule)
{
    lane_t kept[LDPC_LAYERED_MOST_ABSENTS];
    if (needs_care(flooding, map, layer, L, R, rule)) {
        layer_careful(L, R, layer, map, rule);
        return;
    }
    hide_absent(layer, L, kept);
    usual_function(map, layer, rule)(L, R, layer, map, rule);
    restore_absent(map, layer, L, R, kept);
}
