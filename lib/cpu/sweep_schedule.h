/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules of the sweep kernels, for one kind of numbers. No include guard: isa_sweep.c includes it once
 * per kind, with VALUE, PATTERN, CHUNK, NAME(x) and the functions of a number defined. */

typedef struct NAME(state) {
    const ldpc_sweep *tables;
    const ldpc_plan *plan;
    const ldpc_code *code;
    uint32_t words, lanes; /* V and V * z */
    bool flooding;
    NAME(limits) limits;
    VALUE *posterior; /* [groups][row]: L */
    VALUE *channel;   /* [groups][row], flooding */
    VALUE *sum;       /* [groups][row], flooding: channel + the messages of this iteration; at the end, the
                       * posteriors in natural order */
    VALUE *check_msg; /* [blocks][row]: R */
    VALUE *
        var_msg; /* [max_degree][row]: Q of one layer; then, of groups that stand in it twice, changes of R */
    VALUE *hidden;    /* [max_degree][words]: Q of absent lanes */
    VALUE *fresh;     /* [max_degree][CHUNK]: R' of one chunk, sum-product */
    VALUE *certain;   /* [max_degree][CHUNK]: what else sum-product has to keep */
    PATTERN *parity;  /* [row]: negative where the check is not satisfied */
    uint32_t *turned; /* [groups]: lane 0 of the posteriors' row is this lane of the group */
    uint8_t *bits;    /* [columns or n]: output before it is packed */
} NAME(state);

/* The next part of the scratch; NULL while it is only being measured. */
static void *NAME(claim)(char *scratch, size_t *used, size_t count, size_t size)
{
    size_t at = *used;
    *used += (count * size + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
    return scratch ? scratch + at : NULL;
}

/* Lays the state out in the scratch and returns the bytes it takes. */
static size_t NAME(open)(NAME(state) * s, const ldpc_sweep *tables, char *scratch)
{
    const ldpc_code *code = tables->base.plan->code;
    size_t row = tables->row, rows = code->groups, degree = tables->max_degree, used = 0;
    *s = (NAME(state)){.tables = tables, .plan = tables->base.plan, .code = code};
    s->limits = NAME(limits_of)(tables);
    s->flooding = s->plan->schedule == LDPC_SCHEDULE_FLOODING;
    s->posterior = NAME(claim)(scratch, &used, rows * row, sizeof(VALUE));
    s->channel = NAME(claim)(scratch, &used, s->flooding ? rows * row : 0, sizeof(VALUE));
    s->sum = NAME(claim)(scratch, &used, rows * row, sizeof(VALUE));
    s->check_msg = NAME(claim)(scratch, &used, code->layer_start[code->layers] * row, sizeof(VALUE));
    s->var_msg = NAME(claim)(scratch, &used, degree * row, sizeof(VALUE));
    s->hidden = NAME(claim)(scratch, &used, degree * tables->base.words, sizeof(VALUE));
    s->fresh = NAME(claim)(scratch, &used, degree * CHUNK, sizeof(VALUE));
    s->certain = NAME(claim)(scratch, &used, degree * CHUNK, sizeof(VALUE));
    s->parity = NAME(claim)(scratch, &used, row, sizeof(PATTERN));
    s->turned = NAME(claim)(scratch, &used, rows, sizeof *s->turned);
    s->bits = NAME(claim)(scratch, &used, code->n > code->columns ? code->n : code->columns, 1);
    return used;
}

static size_t NAME(scratch_bytes)(const ldpc_sweep *tables)
{
    NAME(state) s;
    return NAME(open)(&s, tables, NULL);
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Where lanes c, c + 1, ... of a row are when it is read `by` lanes further on. */
FORCE_INLINE uint32_t NAME(turn)(const NAME(state) * s, uint32_t c, uint32_t by)
{
    uint32_t at = c + by;
    return at >= s->lanes ? at - s->lanes : at;
}

/* a - b on the circle of a row's lanes. */
static uint32_t NAME(difference)(const NAME(state) * s, uint32_t a, uint32_t b)
{
    return a >= b ? a - b : a + s->lanes - b;
}

FORCE_INLINE void NAME(mirror)(const NAME(state) * s, VALUE *row)
{
    VALUE first[CHUNK];
    if (s->code->z == 1)
        return;
    memcpy(first, row, sizeof first);
    memcpy(row + s->lanes, first, sizeof first);
}

static uint32_t NAME(last_chunk)(const NAME(state) * s)
{
    return (s->lanes - 1) / CHUNK * CHUNK;
}

/* How far the posteriors' row is to be turned for a block. */
static uint32_t NAME(offset)(const NAME(state) * s, const ldpc_block *block)
{
    return NAME(difference)(s, block->shift * s->words, s->turned[block->group]);
}

FORCE_INLINE void NAME(add_chunk)(NAME(limits) limits, VALUE *restrict to, const VALUE *restrict a,
                                  const VALUE *restrict b)
{
    EACH_LANE(i) to[i] = NAME(saturate)(limits, (VALUE)(a[i] + b[i]));
}

/* to += from, read `by` lanes further on. */
static void NAME(add_turned)(const NAME(state) * s, NAME(limits) limits, VALUE *restrict to,
                             const VALUE *restrict from, uint32_t by)
{
    for (uint32_t c = 0; c < s->lanes; c += CHUNK) {
        VALUE sum[CHUNK];
        NAME(add_chunk)(limits, sum, to + c, from + NAME(turn)(s, c, by));
        memcpy(to + c, sum, sizeof sum);
    }
}

/* ------------------------------------------------------------------------------------------------ variables
 * to checks */

FORCE_INLINE void NAME(subtract)(NAME(limits) limits, const VALUE *restrict l, const VALUE *restrict r,
                                 VALUE *restrict q)
{
    EACH_LANE(i) q[i] = NAME(saturate)(limits, (VALUE)(l[i] - r[i]));
}

/* Q = sat(L - R) of a layer. */
static void NAME(gather)(const NAME(state) * s, uint32_t l)
{
    size_t row = s->tables->row;
    NAME(limits) limits = s->limits;
    for (uint32_t b = s->code->layer_start[l]; b < s->code->layer_start[l + 1]; b++) {
        const ldpc_block *block = &s->code->blocks[b];
        const VALUE *posterior = s->posterior + block->group * row, *r = s->check_msg + b * row;
        VALUE *q = s->var_msg + (b - s->code->layer_start[l]) * row;
        uint32_t by = NAME(offset)(s, block);
        for (uint32_t c = 0; c < s->lanes; c += CHUNK)
            NAME(subtract)(limits, posterior + NAME(turn)(s, c, by), r + c, q + c);
    }
}

/* Lanes without an edge: in the check node they look like a message that is surely 0. */
static void NAME(hide_absent)(const NAME(state) * s, uint32_t l)
{
    uint32_t first = s->code->layer_start[l];
    for (uint32_t b = first; b < s->code->layer_start[l + 1]; b++) {
        if (s->code->blocks[b].absent == LDPC_NO_LANE)
            continue;
        VALUE *q = s->var_msg + (b - first) * s->tables->row + s->code->blocks[b].absent * s->words;
        VALUE *hidden = s->hidden + (b - first) * s->words;
        for (uint32_t v = 0; v < s->words; v++) {
            hidden[v] = q[v];
            q[v] = SURE;
        }
    }
}

/* Afterwards: no message, and the posterior as it was. */
static void NAME(reveal_absent)(const NAME(state) * s, uint32_t l)
{
    uint32_t first = s->code->layer_start[l];
    for (uint32_t b = first; b < s->code->layer_start[l + 1]; b++) {
        const ldpc_block *block = &s->code->blocks[b];
        if (block->absent == LDPC_NO_LANE)
            continue;
        uint32_t lane = block->absent * s->words;
        VALUE *posterior = s->posterior + block->group * s->tables->row;
        VALUE *change = s->var_msg + (b - first) * s->tables->row;
        VALUE *r = s->check_msg + b * s->tables->row;
        for (uint32_t v = 0; v < s->words; v++) {
            r[lane + v] = 0;
            if (s->flooding)
                continue;
            if (s->tables->first_of_group[b])
                posterior[lane + v] = s->hidden[(b - first) * s->words + v];
            else
                change[lane + v] = 0;
        }
        NAME(mirror)(s, r);
        if (!s->flooding && s->tables->first_of_group[b])
            NAME(mirror)(s, posterior);
    }
}

/* ------------------------------------------------------------------------------------------------ checks to
 * variables */

/* Where the messages of one block and chunk go. */
typedef struct NAME(target) {
    VALUE *r;         /* R */
    const VALUE *q;   /* Q */
    VALUE *posterior; /* layered, first of its group: L = sat(Q + R') */
    VALUE *change;    /* layered, its group stands in the layer already: R' - R */
} NAME(target);

FORCE_INLINE NAME(target) NAME(target_of)(const NAME(state) * s, uint32_t l, uint32_t b, uint32_t c)
{
    size_t row = s->tables->row;
    VALUE *q = s->var_msg + (b - s->code->layer_start[l]) * row + c;
    bool first = s->tables->first_of_group[b];
    return (NAME(target)){
        .r = s->check_msg + b * row + c,
        .q = q,
        .posterior = s->flooding || !first ? NULL : s->posterior + s->code->blocks[b].group * row + c,
        .change = s->flooding || first ? NULL : q,
    };
}

FORCE_INLINE void NAME(hand_over)(const NAME(state) * s, const NAME(target) * to, uint32_t c,
                                  const VALUE *restrict fresh)
{
    VALUE old[CHUNK], q[CHUNK];
    memcpy(q, to->q, sizeof q);
    if (to->change)
        memcpy(old, to->r, sizeof old);
    memcpy(to->r, fresh, sizeof old);
    if (to->posterior)
        NAME(add_chunk)(s->limits, to->posterior, q, fresh);
    if (to->change)
        EACH_LANE(i) to->change[i] = (VALUE)(fresh[i] - old[i]);
    if (c == 0 && to->posterior)
        NAME(mirror)(s, to->posterior);
    if (c == 0 && s->flooding)
        NAME(mirror)(s, to->r);
}

/* The smallest |Q|, u <= v <= w, and the product of the signs. */
typedef struct NAME(ranking) {
    PATTERN u[CHUNK], v[CHUNK], w[CHUNK], sign[CHUNK];
} NAME(ranking);

/* `three`: w is asked for, else it is left out. */
FORCE_INLINE void NAME(rank)(const bool three, const NAME(state) * s, uint32_t degree, uint32_t c,
                             NAME(ranking) * out)
{
    PATTERN u[CHUNK], v[CHUNK], w[CHUNK], sign[CHUNK];
    EACH_LANE(i) u[i] = v[i] = w[i] = NAME(nobody)(s->tables);
    EACH_LANE(i) sign[i] = 0;
    for (uint32_t e = 0; e < degree; e++) {
        const VALUE *q = s->var_msg + e * s->tables->row + c;
        EACH_LANE(i)
        {
            PATTERN magnitude = NAME(magnitude)(q[i]), larger = LARGER_OF(u[i], magnitude);
            sign[i] ^= NAME(pattern)(q[i]);
            if (three) {
                PATTERN largest = LARGER_OF(v[i], larger);
                w[i] = SMALLER_OF(w[i], largest);
            }
            v[i] = SMALLER_OF(v[i], larger);
            u[i] = SMALLER_OF(u[i], magnitude);
        }
    }
    memcpy(out->u, u, sizeof u);
    memcpy(out->v, v, sizeof v);
    memcpy(out->w, w, sizeof w);
    memcpy(out->sign, sign, sizeof sign);
}

FORCE_INLINE void NAME(answer)(const bool three, const NAME(state) * s, uint32_t l, uint32_t c)
{
    uint32_t first = s->code->layer_start[l], end = s->code->layer_start[l + 1];
    NAME(ranking) m;
    VALUE others[CHUNK], holder[CHUNK];
    NAME(rank)(three, s, end - first, c, &m);
    NAME(magnitudes)(&s->tables->rule, m.u, m.v, m.w, others, holder);
    EACH_LANE(i) others[i] = NAME(signed)(others[i], m.sign[i]);
    EACH_LANE(i) holder[i] = NAME(signed)(holder[i], m.sign[i]);
    for (uint32_t b = first; b < end; b++) {
        NAME(target) to = NAME(target_of)(s, l, b, c);
        VALUE fresh[CHUNK];
        EACH_LANE(i)
        {
            VALUE x = NAME(magnitude)(to.q[i]) == m.u[i] ? holder[i] : others[i];
            fresh[i] = NAME(signed)(x, NAME(pattern)(to.q[i]));
        }
        NAME(hand_over)(s, &to, c, fresh);
    }
}

static void NAME(min_sum)(const NAME(state) * s, uint32_t l, uint32_t c)
{
    NAME(answer)(false, s, l, c);
}

static void NAME(three_min)(const NAME(state) * s, uint32_t l, uint32_t c)
{
    NAME(answer)(true, s, l, c);
}

#ifdef SUM_PRODUCT
/* See exp_of and box_plus: magnitudes x as e^(v - x), v the second smallest of the row. Backwards, then
 * forwards. */
static void NAME(sum_product)(const NAME(state) * s, uint32_t l, uint32_t c)
{
    uint32_t first = s->code->layer_start[l], end = s->code->layer_start[l + 1], degree = end - first;
    float scale[CHUNK], v[CHUNK], before[CHUNK], after[CHUNK];
    NAME(ranking) m;
    NAME(rank)(false, s, degree, c, &m);
    EACH_LANE(i) v[i] = float_of(m.v[i]);
    EACH_LANE(i) scale[i] = v[i] > 20 ? 0 : exp_of(-2 * v[i]);
    EACH_LANE(i) before[i] = after[i] = 0;
    for (uint32_t e = degree; e-- > 0;) {
        const float *q = s->var_msg + e * s->tables->row + c;
        float *certain = s->certain + e * CHUNK, *fresh = s->fresh + e * CHUNK;
        EACH_LANE(i) certain[i] = scaled(v[i], float_of(float_magnitude(q[i])));
        EACH_LANE(i) fresh[i] = after[i];
        EACH_LANE(i) after[i] = box_plus(after[i], certain[i], scale[i]);
    }
    for (uint32_t e = 0; e < degree; e++) {
        NAME(target) to = NAME(target_of)(s, l, first + e, c);
        const float *certain = s->certain + e * CHUNK, *rest = s->fresh + e * CHUNK;
        float fresh[CHUNK];
        EACH_LANE(i) fresh[i] = v[i] - log_of(box_plus(before[i], rest[i], scale[i]));
        EACH_LANE(i)
        {
            int32_t most = float_magnitude(to.q[i]) == m.u[i] ? m.v[i] : m.u[i]; /* of min-sum */
            int32_t x = LARGER_OF(float_pattern(fresh[i]), 0);
            x = SMALLER_OF(x, most);
            fresh[i] = float_signed(float_of(x), m.sign[i] ^ float_pattern(to.q[i]));
        }
        EACH_LANE(i) before[i] = box_plus(before[i], certain[i], scale[i]);
        NAME(hand_over)(s, &to, c, fresh);
    }
}
#endif

/* R' of a layer, last chunk first: the mirrors of the rows are made from the first one. */
static void NAME(check_nodes)(const NAME(state) * s, uint32_t l)
{
    for (uint32_t c = NAME(last_chunk)(s);; c -= CHUNK) {
        switch (s->tables->rule.algorithm) {
#ifdef SUM_PRODUCT
        case LDPC_ALGORITHM_SUM_PRODUCT:
            NAME(sum_product)(s, l, c);
            break;
#endif
        case LDPC_ALGORITHM_THREE_MIN:
            NAME(three_min)(s, l, c);
            break;
        default:
            NAME(min_sum)(s, l, c);
        }
        if (c == 0)
            return;
    }
}

/* ------------------------------------------------------------------------------------------------ iterations
 */

/* The posteriors now stand as the first blocks of their groups do; then the others add what their messages
 * have changed. */
static void NAME(finish_layer)(const NAME(state) * s, uint32_t l)
{
    size_t row = s->tables->row;
    uint32_t first = s->code->layer_start[l], end = s->code->layer_start[l + 1];
    for (uint32_t b = first; b < end; b++) {
        const ldpc_block *block = &s->code->blocks[b];
        VALUE *posterior = s->posterior + block->group * row, *change = s->var_msg + (b - first) * row;
        if (s->tables->first_of_group[b]) {
            s->turned[block->group] = block->shift * s->words;
            continue;
        }
        NAME(mirror)(s, change);
        uint32_t by = NAME(difference)(s, s->turned[block->group], block->shift * s->words);
        NAME(add_turned)(s, s->limits, posterior, change, by);
        NAME(mirror)(s, posterior);
    }
}

static void NAME(iterate_layered)(const NAME(state) * s)
{
    for (uint32_t l = 0; l < s->code->layers; l++) {
        NAME(gather)(s, l);
        NAME(hide_absent)(s, l);
        NAME(check_nodes)(s, l);
        NAME(reveal_absent)(s, l);
        NAME(finish_layer)(s, l);
    }
}

static void NAME(add_messages)(const NAME(state) * s, uint32_t l)
{
    size_t row = s->tables->row;
    for (uint32_t b = s->code->layer_start[l]; b < s->code->layer_start[l + 1]; b++) {
        const ldpc_block *block = &s->code->blocks[b];
        uint32_t by = NAME(difference)(s, 0, block->shift * s->words);
        NAME(add_turned)(s, NAME(wide), s->sum + block->group * row, s->check_msg + b * row, by);
    }
}

static void NAME(iterate_flooding)(const NAME(state) * s)
{
    size_t row = s->tables->row;
    memcpy(s->sum, s->channel, s->code->groups * row * sizeof(VALUE));
    for (uint32_t l = 0; l < s->code->layers; l++) {
        NAME(gather)(s, l);
        NAME(hide_absent)(s, l);
        NAME(check_nodes)(s, l);
        NAME(reveal_absent)(s, l);
        NAME(add_messages)(s, l);
    }
    for (uint32_t g = 0; g < s->code->groups; g++) {
        VALUE *posterior = s->posterior + g * row;
        memset(posterior, 0, row * sizeof(VALUE));
        NAME(add_turned)(s, s->limits, posterior, s->sum + g * row, 0);
        NAME(mirror)(s, posterior);
    }
}

/* ------------------------------------------------------------------------------------------------ syndrome
 */

/* Parities of the checks of a layer. */
static void NAME(check_parity)(const NAME(state) * s, uint32_t l)
{
    const ldpc_code *code = s->code;
    memset(s->parity, 0, s->tables->row * sizeof(PATTERN));
    for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
        const ldpc_block *block = &code->blocks[b];
        const VALUE *posterior = s->posterior + block->group * s->tables->row;
        uint32_t by = NAME(offset)(s, block);
        for (uint32_t c = 0; c < s->lanes; c += CHUNK) {
            const VALUE *x = posterior + NAME(turn)(s, c, by);
            PATTERN *parity = s->parity + c;
            EACH_LANE(i) parity[i] ^= NAME(pattern)(x[i]);
        }
        for (uint32_t v = 0; block->absent != LDPC_NO_LANE && v < s->words; v++) {
            uint32_t lane = block->absent * s->words + v;
            s->parity[lane] ^= NAME(pattern)(posterior[NAME(turn)(s, lane, by)]);
        }
    }
}

/* Adds the unsatisfied checks of a layer to those of each word. */
static void NAME(count_layer)(const NAME(state) * s, uint32_t l, uint32_t *unsatisfied)
{
    NAME(check_parity)(s, l);
    if (s->words == 1) {
        uint32_t count = 0;
        for (uint32_t lane = 0; lane < s->lanes; lane++)
            count += s->parity[lane] < 0;
        unsatisfied[0] += count;
        return;
    }
    for (uint32_t lane = 0; lane < s->lanes; lane += s->words)
        for (uint32_t v = 0; v < s->words; v++)
            unsatisfied[v] += s->parity[lane + v] < 0;
}

/* The words of `asked` whose syndrome is zero; the scan ends when none can be left. */
static uint64_t NAME(satisfied)(const NAME(state) * s, uint64_t asked)
{
    uint32_t unsatisfied[LDPC_SWEEP_MOST_WORDS] = {0};
    for (uint32_t l = 0; asked && l < s->code->layers; l++) {
        NAME(count_layer)(s, l, unsatisfied);
        for (uint32_t v = 0; v < s->words; v++)
            asked &= ~((uint64_t)(unsatisfied[v] != 0) << v);
    }
    return asked;
}

/* ------------------------------------------------------------------------------------------------ in and out
 */

static size_t NAME(place)(const NAME(state) * s, uint32_t column, uint32_t v)
{
    const ldpc_sweep_place *place = &s->tables->place[column];
    return place->row + place->lane * s->words + v;
}

static void NAME(load)(NAME(state) * s, const ldpc_batch *batch)
{
    const ldpc_code *code = s->code;
    size_t count = code->groups * s->tables->row;
    s->words = (uint32_t)batch->n_words;
    s->lanes = s->words * code->z;
    memset(s->posterior, 0, count * sizeof(VALUE));
    memset(s->check_msg, 0, code->layer_start[code->layers] * s->tables->row * sizeof(VALUE));
    memset(s->turned, 0, code->groups * sizeof *s->turned);
    for (uint32_t v = 0; v < s->words; v++) {
        for (uint32_t i = 0; i < code->n; i++)
            if (code->sent[i] != LDPC_NO_COLUMN)
                s->posterior[NAME(place)(s, code->sent[i], v)] =
                    (VALUE)(NAME(channel)(s->plan, batch, (size_t)v * code->n + i) + 0); /* no -0 */
        for (uint32_t i = 0; i < code->shortened; i++)
            s->posterior[NAME(place)(s, code->known[i], v)] = (VALUE)NAME(known)(s->plan);
    }
    for (uint32_t g = 0; g < code->groups; g++)
        NAME(mirror)(s, s->posterior + g * s->tables->row);
    if (s->flooding)
        memcpy(s->channel, s->posterior, count * sizeof(VALUE));
}

/* The posteriors with lane 0 of each group in front, in s->sum. */
static void NAME(straighten)(const NAME(state) * s)
{
    size_t row = s->tables->row;
    memset(s->sum, 0, s->code->groups * row * sizeof(VALUE));
    for (uint32_t g = 0; g < s->code->groups; g++) {
        uint32_t by = NAME(difference)(s, 0, s->turned[g]);
        NAME(add_turned)(s, NAME(wide), s->sum + g * row, s->posterior + g * row, by);
    }
}

/* The bits of word v at `columns`, packed or not. */
static void NAME(store_bits)(const NAME(state) * s, const uint32_t *columns, size_t n, uint32_t v,
                             uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        s->bits[i] = columns[i] != LDPC_NO_COLUMN && s->sum[NAME(place)(s, columns[i], v)] < 0;
    if (s->plan->packed)
        ldpc_cpu_pack(s->bits, n, out + v * ((n + 7) / 8));
    else
        memcpy(out + v * n, s->bits, n);
}

static void NAME(store_word)(const NAME(state) * s, const ldpc_batch *batch, uint32_t v)
{
    const ldpc_code *code = s->code;
    if (batch->message)
        NAME(store_bits)(s, code->message, code->k, v, batch->message);
    if (batch->codeword)
        NAME(store_bits)(s, code->sent, code->n, v, batch->codeword);
    for (uint32_t i = 0; batch->posterior && i < code->n; i++)
        batch->posterior[(size_t)v * code->n + i] =
            code->sent[i] == LDPC_NO_COLUMN
                ? LDPC_KNOWN_LLR
                : (int16_t)NAME(steps)(s->plan, s->sum[NAME(place)(s, code->sent[i], v)]);
}

/* Hand over words as they are now. */
static void NAME(store)(const NAME(state) * s, const ldpc_batch *batch, uint64_t words, uint32_t iterations,
                        bool satisfied)
{
    uint32_t unsatisfied[LDPC_SWEEP_MOST_WORDS] = {0};
    if (!words)
        return;
    NAME(straighten)(s);
    for (uint32_t l = 0; batch->info && !satisfied && l < s->code->layers; l++)
        NAME(count_layer)(s, l, unsatisfied);
    for (uint32_t v = 0; v < s->words; v++) {
        if (!(words >> v & 1))
            continue;
        NAME(store_word)(s, batch, v);
        if (batch->info)
            batch->info[v] = (ldpc_word_info){
                .iterations = iterations,
                .unsatisfied = unsatisfied[v],
                .converged = unsatisfied[v] == 0,
                .decoded = 1,
            };
    }
}

static void NAME(decode)(const ldpc_sweep *tables, void *scratch, const ldpc_batch *batch)
{
    const ldpc_plan *plan = tables->base.plan;
    NAME(state) s;
    NAME(open)(&s, tables, scratch);
    NAME(load)(&s, batch);
    uint64_t active = s.words < 64 ? ((uint64_t)1 << s.words) - 1 : UINT64_MAX;
    for (uint32_t iterations = 0;; iterations++) {
        if (plan->early_stop) {
            uint64_t satisfied = NAME(satisfied)(&s, active);
            NAME(store)(&s, batch, satisfied, iterations, true);
            active &= ~satisfied;
        }
        if (!active)
            return;
        if (iterations == plan->max_iterations) {
            NAME(store)(&s, batch, active, iterations, false);
            return;
        }
        if (s.flooding)
            NAME(iterate_flooding)(&s);
        else
            NAME(iterate_layered)(&s);
    }
}
