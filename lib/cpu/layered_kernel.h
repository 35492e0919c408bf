/* SPDX-License-Identifier: BSD-3-Clause */
/* Layered min-sum on the memory map of layered.h: one source for all instruction sets and both lane widths.
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
#include "cpu/layered_engine.h"
#include "cpu/simd.h"

#include <assert.h>

#define UNROLL _Pragma("GCC unroll 32")

/* Degrees above take layer_any, in plain C all do: unrolled it takes minutes to compile. So it does with
 * sanitizers, which see the same source in the smaller degrees. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAX_UNROLLED 8
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MAX_UNROLLED 8
#endif
#endif
#if !defined(MAX_UNROLLED)
#define MAX_UNROLLED 32
#endif

/* |Q| stays in registers between the passes up to this many; above it is worked out again, which is less work
 * than memory. */
#define KEEP_MAGNITUDES (VECTOR_REGISTERS == 32 ? 11 : 0)

/* ------------------------------------------------------------------------------------------------ check node
 */

/* The rule's constants in all lanes. One formula of m1 serves all rules, and one of m2 all but three-min; the
 * factor of normalised min-sum comes before it. */
typedef struct rule_words {
    vec offset, step, last_near /* threshold - 1 */, threshold, far, floor, max_others, max;
    int factor;
    bool three;
    bool weak; /* |Q| = 127 need not be enough for the largest message */
} rule_words;

static rule_words words_of(const ldpc_rule *rule)
{
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    int factor = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM ? rule->factor : 16;
    int loss = three ? rule->far + 2 * rule->step : offset ? rule->offset : 0;
    return (rule_words){
        .offset = v_set(offset ? rule->offset : 0),
        .step = v_set(corrected ? rule->step : 0),
        .last_near = v_set(rule->threshold - 1),
        .threshold = v_set(rule->threshold),
        .far = v_set(rule->far),
        .floor = v_set(corrected ? -1 : 0),
        .max_others = v_set(rule->max_others),
        .max = v_set(rule->max_message),
        .factor = factor,
        .three = three,
        .weak = (LDPC_I8_MAX - loss) * factor / 16 < rule->max_message,
    };
}

/* The smallest |Q| of some edges, u <= v <= w. */
typedef struct minima {
    vec u, v, w;
} minima;

/* |Q| where there is no edge. */
FORCE_INLINE vec nobody(void)
{
    return v_set(LANE_BITS == 8 ? -1 /* 255 */ : LDPC_I16_LIMIT);
}

/* `has_w`: else there is none yet, of two edges, or it is not asked for. */
FORCE_INLINE minima with(const bool has_w, minima x, vec magnitude)
{
    vec larger = v_max(x.u, magnitude), next = v_max(x.v, larger);
    return (minima){v_min(x.u, magnitude), v_min(x.v, larger), has_w ? v_min(x.w, next) : next};
}

/* Signed messages of a check: `holder` for edges whose |Q| is `smallest`, `others` for the rest; each edge
 * still takes its own sign out. */
typedef struct answer {
    vec smallest, others, holder;
} answer;

/* What m2 loses. Distances of 128 and more are those from 0, and from v so large that nothing is lost. */
FORCE_INLINE vec holder_loss(const bool three, minima m, const rule_words *rule)
{
    if (!three)
        return rule->offset;
    vec distance = v_usubs(m.w, m.v);
    return v_add(v_if_below(distance, rule->far, rule->step),
                 v_if_below(distance, rule->threshold, rule->step));
}

FORCE_INLINE answer answer_of(const bool three, minima m, vec sign, const rule_words *rule)
{
    vec u = m.u, v = m.v;
    if (!three && rule->factor != 16) {
        u = v_times(u, rule->factor);
        v = v_times(v, rule->factor);
    }
    /* The way from v to the messages is what a row waits for. Of an only edge v is nobody's and `others` too.
     */
    vec lost = v_if_near(v, v_add(u, rule->last_near), rule->step);
    vec others = v_usubs(v_usubs(u, rule->offset), lost);
    others = v_min(v_max(others, v_and(v_half(u), rule->floor)), three ? rule->max_others : rule->max);
    vec holder = v_min(v_usubs(v, holder_loss(three, m, rule)), rule->max);
    return (answer){m.u, v_negate_by(others, sign), v_negate_by(holder, sign)};
}

FORCE_INLINE vec message_of(const answer *a, vec q)
{
    return v_negate_by(v_pick(v_abs(q), a->smallest, a->others, a->holder), q);
}

/* ------------------------------------------------------------------------------------------------ one layer
 */

typedef void layer_function(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                            const ldpc_layered_map *map, const rule_words *rule);

/* Lanes of a step that have no edge. */
static vec absent_lanes(const ldpc_layered_layer *layer, size_t step)
{
    lane_t lanes[REGISTER_BYTES / sizeof(lane_t)] = {0};
    for (uint32_t i = 0; i < layer->absents; i++)
        if (layer->absent[i].message / REGISTER_BYTES == step)
            lanes[layer->absent[i].message % REGISTER_BYTES / sizeof(lane_t)] = -1;
    return v_loadu(lanes);
}

/* y where the mask is set, else x */
FORCE_INLINE vec chosen(vec mask, vec x, vec y)
{
    return v_xor(x, v_and(mask, v_xor(x, y)));
}

/* 16-bit lanes saturate earlier than their instructions. */
FORCE_INLINE vec limited(vec x)
{
    return LANE_BITS == 8 ? x : v_negate_by(v_min(v_abs(x), v_set(LDPC_I16_LIMIT)), x);
}

/* A register of posteriors that begins at `at`, or whose byte i is at `at` ^ i. */
FORCE_INLINE vec posteriors_at(const bool translated, const char *L, uint32_t at)
{
    return translated ? v_load_xor(L + at / REGISTER_BYTES * REGISTER_BYTES, at % REGISTER_BYTES)
                      : v_loadu(L + at);
}

/* Any degree: Q waits in the place of the messages, and old messages of repeats where their change goes.
 * `careful`: lanes may be absent, 16-bit lanes may saturate. */
FORCE_INLINE void layer_in_memory(const bool three, const bool careful, const bool translated,
                                  char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                                  const ldpc_layered_map *map, const rule_words *rule)
{
    const ldpc_layered_step *steps = layer->steps;
    const unsigned degree = layer->degree, owners = degree - layer->repeats;
    for (unsigned j = 0; j < map->registers; j++, steps += degree, R += (size_t)degree * REGISTER_BYTES) {
        minima m = {nobody(), nobody(), nobody()};
        vec sign = v_zero();
        for (unsigned e = 0; e < degree; e++) {
            vec old = v_load(R + (size_t)e * REGISTER_BYTES);
            vec q = v_subs(posteriors_at(translated, L, steps[e].from), old);
            vec absent = careful ? absent_lanes(layer, (size_t)(steps + e - layer->steps)) : v_zero();
            q = careful ? limited(q) : q;
            v_store(R + (size_t)e * REGISTER_BYTES, q);
            if (e >= owners)
                v_store(L + steps[e].to, old);
            m = with(three, m, careful ? chosen(absent, v_abs(q), nobody()) : v_abs(q));
            sign = v_xor(sign, careful ? chosen(absent, q, v_zero()) : q);
        }
        answer a = answer_of(three, m, sign, rule);
        for (unsigned e = 0; e < degree; e++) {
            vec q = v_load(R + (size_t)e * REGISTER_BYTES), r = message_of(&a, q);
            if (careful) /* without an edge Q is L, and stays */
                r = chosen(absent_lanes(layer, (size_t)(steps + e - layer->steps)), r, v_zero());
            vec sum = careful ? limited(v_adds(q, r)) : v_adds(q, r);
            v_store(R + (size_t)e * REGISTER_BYTES, r);
            v_store(L + steps[e].to, e < owners ? sum : v_sub(r, v_load(L + steps[e].to)));
        }
    }
    steps -= degree;
    for (unsigned e = 0; degree && e < layer->mirrors; e++)
        v_storeu(L + steps[e].to + map->row_bytes, v_load(L + steps[e].to));
}

static void layer_any(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                      const ldpc_layered_map *map, const rule_words *rule)
{
    if (rule->three)
        layer_in_memory(true, false, false, L, R, layer, map, rule);
    else
        layer_in_memory(false, false, false, L, R, layer, map, rule);
}

static void layer_translated(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                             const ldpc_layered_map *map, const rule_words *rule)
{
    if (rule->three)
        layer_in_memory(true, false, true, L, R, layer, map, rule);
    else
        layer_in_memory(false, false, true, L, R, layer, map, rule);
}

static void layer_careful(char *restrict L, char *restrict R, const ldpc_layered_layer *layer,
                          const ldpc_layered_map *map, const rule_words *rule)
{
    const bool translated = map->code->by_translation;
    if (rule->three)
        layer_in_memory(true, true, translated, L, R, layer, map, rule);
    else
        layer_in_memory(false, true, translated, L, R, layer, map, rule);
}

#if defined(LDPC_ISA_SCALAR)

static layer_function *function_for(const bool three, const ldpc_layered_layer *layer)
{
    (void)three;
    (void)layer;
    return layer_any;
}

#else

FORCE_INLINE minima merged(const bool x_has_w, minima x, const bool y_has_w, minima y)
{
    vec larger = v_max(x.u, y.u), smaller = v_min(x.v, y.v), next = v_max(larger, smaller);
    next = x_has_w ? v_min(x.w, next) : next;
    next = y_has_w ? v_min(y.w, next) : next;
    return (minima){v_min(x.u, y.u), v_min(larger, smaller), next};
}

/* What the first edges of a check have in common. The minima are kept as the digits of a binary counter:
 * level i holds those of 2^(i+1) edges. The chain is log2(degree) long. Two minima take as many operations
 * as edge after edge, three take four for each edge instead of five. */
typedef struct check {
    minima level[5];
    vec single; /* magnitude that waits for a partner */
    vec sign;
} check;

FORCE_INLINE void check_add(const bool three, check *c, unsigned e, unsigned degree, vec q)
{
    vec magnitude = v_abs(q);
    c->sign = e ? v_xor(c->sign, q) : q;
    if (!(e & 1)) {
        c->single = magnitude;
        if (e + 1 == degree) { /* no partner comes: join the lowest digit */
            unsigned i = 0;
            while (!(degree / 2 >> i & 1))
                i++;
            c->level[i] = with(three && i > 0, c->level[i], magnitude);
        }
        return;
    }
    minima sum = {v_min(c->single, magnitude), v_max(c->single, magnitude), nobody()};
    unsigned i = 0;
    for (; e / 2 >> i & 1; i++)
        sum = merged(three && i > 0, c->level[i], three && i > 0, sum);
    c->level[i] = sum;
}

FORCE_INLINE minima check_minima(const bool three, const check *c, unsigned degree)
{
    unsigned i = 0;
    while (!(degree / 2 >> i & 1))
        i++;
    minima all = c->level[i];
    bool has_w = three && (i > 0 || degree & 1);
    for (i++; i < 5; i++)
        if (degree / 2 >> i & 1) {
            all = merged(three, c->level[i], has_w, all);
            has_w = three;
        }
    return all;
}

FORCE_INLINE answer first_pass(const bool three, const unsigned degree, vec *q, const char *L, const char *R,
                               const ldpc_layered_step *steps, const rule_words *rule)
{
    check c;
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        q[e] = v_subs(v_loadu(L + steps[e].from), v_load(R + e * REGISTER_BYTES));
        check_add(three, &c, e, degree, q[e]);
    }
    return answer_of(three, check_minima(three, &c, degree), c.sign, rule);
}

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
        answer a = first_pass(three, degree, q, L, R, steps, rule);
        second_pass(degree, owners, degree > KEEP_MAGNITUDES, q, &a, L, R, steps);
    }
    /* The first register comes last, so that what the mirrors repeat is still at hand. */
    steps -= degree;
    for (unsigned e = 0; e < layer->mirrors; e++)
        v_storeu(L + steps[e].to + map->row_bytes, v_load(L + steps[e].to));
}

/* clang-format off */
#if MAX_UNROLLED == 8
#define DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#else
#define DEGREES(X) \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#endif
/* clang-format on */

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

static layer_function *function_for(const bool three, const ldpc_layered_layer *layer)
{
    if (layer->degree < 2 || layer->degree > MAX_UNROLLED || layer->repeats > layer->degree / 2)
        return layer_any;
    return by_degree[layer->degree][2 * three + (layer->repeats > 0)];
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

/* Absent lanes go through their layer as edges that are certain of their bit and so change nothing. */
static void hide_absent(const ldpc_layered_layer *layer, char *L, lane_t *kept)
{
    const lane_t certain = LANE_BITS == 8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
    for (uint32_t i = 0; i < layer->absents; i++) {
        memcpy(&kept[i], L + layer->absent[i].from, sizeof(lane_t));
        memcpy(L + layer->absent[i].from, &certain, sizeof(lane_t));
    }
}

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

FORCE_INLINE void run_layer(const ldpc_layered_map *map, uint32_t l, char *L, char *R, const rule_words *rule)
{
    const ldpc_layered_layer *layer = &map->layers[l];
    if (layer->careful || (layer->absents && rule->weak)) {
        layer_careful(L, R + layer->messages, layer, map, rule);
    } else {
        lane_t kept[LDPC_LAYERED_MOST_ABSENTS];
        hide_absent(layer, L, kept);
        layer_function *update =
            map->code->by_translation ? layer_translated : function_for(rule->three, layer);
        update(L, R + layer->messages, layer, map, rule);
        restore_absent(map, layer, L, R + layer->messages, kept);
    }
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

static void run_stage(const ldpc_layered_map *map, uint32_t l, char *L, char *R, const rule_words *rule)
{
    const ldpc_layered_layer *stage = &map->layers[l];
    const uint32_t checks = stage->checks, degree = stage->degree;
    const uint32_t *places = stage->places;
    char *registers = L + map->changes;
    for (uint32_t e = 0; e < degree; e++)
        gather((lane_t *)L, places + e * checks, checks, (lane_t *)(registers + e * REGISTER_BYTES));
    run_layer(map, l, registers, R, rule);
    for (uint32_t e = 0; e < degree; e++)
        scatter((lane_t *)(registers + e * REGISTER_BYTES), places + e * checks, checks, (lane_t *)L);
}

static void iterate(const ldpc_layered_map *map, const ldpc_rule *rule, void *posteriors, void *messages)
{
    const rule_words words = words_of(rule);
    for (uint32_t l = 0; map->place_memory && l < map->n_layers; l++)
        run_stage(map, l, posteriors, messages, &words);
    for (uint32_t l = 0; !map->place_memory && l < map->n_layers; l++)
        run_layer(map, l, posteriors, messages, &words);
}

static void mirror(const ldpc_layered_map *map, void *posteriors)
{
    for (uint32_t g = 0; g < map->code->groups; g++)
        store_mirror(map, (char *)posteriors + map->home[g]);
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
            sum[i] = v_xor(sum[i], posteriors_at(translated, row, at < row_bytes ? at : at - row_bytes));
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
    if (map->code->by_translation) {
        for (uint32_t i = 0; i < count; i++)
            parities_of(1, true, map, l, j + i, posteriors, found + i);
        return;
    }
    switch (count) {
    case 1:
        parities_of(1, false, map, l, j, posteriors, found);
        break;
    case 2:
        parities_of(2, false, map, l, j, posteriors, found);
        break;
    case 3:
        parities_of(3, false, map, l, j, posteriors, found);
        break;
    default:
        parities_of(LDPC_LAYERED_PARITIES, false, map, l, j, posteriors, found);
    }
}

#define ENGINE_OF(isa) ENGINE(isa)
#define WEAVER(isa)    ldpc_weaver_##isa
#define WEAVER_OF(isa) WEAVER(isa)
const ldpc_layered_engine ENGINE_OF(LDPC_ISA) = {
    .lane_bytes = LANE_BITS / 8,
    .register_bytes = REGISTER_BYTES,
    .iterate = iterate,
    .mirror = mirror,
    .parities = parities,
    .weaver = &WEAVER_OF(LDPC_ISA),
};
