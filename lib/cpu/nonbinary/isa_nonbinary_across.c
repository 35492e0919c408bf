/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonbinary kernel with one codeword per lane, for any q.
 *
 * A message is q rows of LANES symbol costs. A permutation reads the rows in another order. The XOR
 * convolution of a check node is computed in tiles, which stay in registers.
 *
 *   channel:  [variable][a][lane]      messages:  [edge][a][lane], a = symbol of the variable
 */
#include "cpu/nonbinary/nonbinary_kernel.h"
#include "cpu/simd/simd.h"

#include <string.h>

enum { LANES = REGISTER_BYTES };

#if VECTOR_REGISTERS == 32
#define TILE 8
#else
#define TILE 4
#endif

typedef struct prefetch_list {
    const uint8_t **message;
    size_t message_bytes, position, end;
    size_t step; /* bytes to prefetch per call */
} prefetch_list;

typedef struct state {
    const ldpc_code *code;
    const ldpc_nb_spec *spec;
    uint32_t q;
    uint8_t *channel;
    uint8_t *read, *write;       /* check messages */
    uint8_t *input;              /* [degree][q] variable messages of a check; index: coefficient * symbol */
    uint8_t *forward, *backward; /* [degree][q] */
    uint8_t *symbols;            /* [variable][lane] */
    prefetch_list *next;
} state;

static size_t message_bytes(const ldpc_code *code)
{
    return (size_t)code->order * LANES;
}

static size_t most_prefetched(const ldpc_code *code)
{
    return (size_t)code->max_check_degree * (1 + code->max_variable_degree);
}

static size_t scratch_bytes(const ldpc_code *code, bool flooding)
{
    size_t messages = code->columns + code->edges * (flooding ? 2 : 1) + 3 * (size_t)code->max_check_degree;
    return messages * message_bytes(code) + (size_t)code->columns * LANES +
           most_prefetched(code) * sizeof(uint8_t *);
}

static state lay_out(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch, prefetch_list *next)
{
    size_t message = message_bytes(code), check = code->max_check_degree * message;
    state s = {.code = code, .spec = spec, .q = code->order, .channel = scratch, .next = next};
    s.read = s.channel + code->columns * message;
    s.write = spec->flooding ? s.read + code->edges * message : s.read;
    s.input = s.write + code->edges * message;
    s.forward = s.input + check;
    s.backward = s.forward + check;
    s.symbols = s.backward + check;
    next->message = (const uint8_t **)(s.symbols + (size_t)code->columns * LANES);
    return s;
}

static void subtract_smallest(uint8_t *message, uint32_t q, vec smallest)
{
    for (uint32_t a = 0; a < q; a++)
        v_storeu(message + a * LANES, v_subs_u8(v_loadu(message + a * LANES), smallest));
}

static void channel_from_bits(const state *s, const ldpc_nb_group *group)
{
    uint32_t p = s->code->nb->field.p;
    /* GCC needs this limit stated */
    size_t codewords = group->codewords < LANES ? group->codewords : LANES;
    uint8_t against[2][LANES];
    for (uint32_t v = 0; v < s->code->columns; v++) {
        uint8_t *cost = s->channel + v * message_bytes(s->code);
        memset(cost, 0, LANES);
        for (uint32_t b = p; b-- > 0;) {
            for (size_t w = 0; w < codewords; w++) {
                int l = group->llr[(w * s->code->columns + v) * p + b];
                against[0][w] = (uint8_t)(l < 0 ? (l < -127 ? 127 : -l) : 0);
                against[1][w] = (uint8_t)(l > 0 ? l : 0);
            }
            memset(against[0] + codewords, 0, LANES - codewords);
            memset(against[1] + codewords, 0, LANES - codewords);
            vec zero = v_loadu(against[0]), one = v_loadu(against[1]);
            uint32_t done = 1u << (p - 1 - b);
            for (uint32_t a = 0; a < done; a++) {
                vec old = v_loadu(cost + a * LANES);
                v_storeu(cost + (a + done) * LANES, v_adds_u8(old, one));
                v_storeu(cost + a * LANES, v_adds_u8(old, zero));
            }
        }
    }
}

static void channel_from_costs(const state *s, const ldpc_nb_group *group)
{
    for (uint32_t v = 0; v < s->code->columns; v++) {
        uint8_t *cost = s->channel + v * message_bytes(s->code);
        vec smallest = v_set_u8(255);
        for (uint32_t a = 0; a < s->q; a++) {
            memset(cost + a * LANES, 0, LANES);
            for (size_t w = 0; w < group->codewords; w++)
                cost[a * LANES + w] = group->costs[(w * s->code->columns + v) * s->q + a];
            smallest = v_min_u8(smallest, v_loadu(cost + a * LANES));
        }
        subtract_smallest(cost, s->q, smallest);
    }
}

static inline vec add_messages(const uint8_t *channel, const uint8_t *const *message, uint32_t count,
                               uint32_t q, const uint8_t *row, uint8_t *target)
{
    vec smallest = v_set_u8(255);
    for (uint32_t a = 0; a < q; a++) {
        vec sum = v_loadu(channel + a * LANES);
        for (uint32_t i = 0; i < count; i++)
            sum = v_adds_u8(sum, v_loadu(message[i] + a * LANES));
        smallest = v_min_u8(smallest, sum);
        v_storeu(target + row[a] * LANES, sum);
    }
    return smallest;
}

static void variable_sum(const state *s, uint32_t v, uint32_t without, const uint8_t *row, uint8_t *target)
{
    const ldpc_nb *nb = s->code->nb;
    const uint8_t *channel = s->channel + v * message_bytes(s->code);
    const uint8_t *message[3];
    uint32_t count = 0, i = nb->variable_start[v], end = nb->variable_start[v + 1];
    vec smallest;
    for (; i < end && count < 3; i++)
        if (nb->variable_edges[i] != without)
            message[count++] = s->read + nb->variable_edges[i] * message_bytes(s->code);
    switch (count) {
    case 0:
        smallest = add_messages(channel, message, 0, s->q, row, target);
        break;
    case 1:
        smallest = add_messages(channel, message, 1, s->q, row, target);
        break;
    case 2:
        smallest = add_messages(channel, message, 2, s->q, row, target);
        break;
    default:
        smallest = add_messages(channel, message, 3, s->q, row, target);
        break;
    }
    for (; i < end; i++)
        if (nb->variable_edges[i] != without) {
            const uint8_t *more = s->read + nb->variable_edges[i] * message_bytes(s->code);
            smallest = v_set_u8(255);
            for (uint32_t a = 0; a < s->q; a++) {
                vec sum = v_adds_u8(v_loadu(target + row[a] * LANES), v_loadu(more + a * LANES));
                smallest = v_min_u8(smallest, sum);
                v_storeu(target + row[a] * LANES, sum);
            }
        }
    subtract_smallest(target, s->q, smallest);
}

static inline void prefetch_some(prefetch_list *next)
{
    for (size_t i = 0; i < next->step && next->position < next->end; i += 64, next->position += 64)
        v_prefetch(next->message[next->position / next->message_bytes] +
                   next->position % next->message_bytes);
}

/* out[row[a]] = min over x of RULE(left[a ^ x], right[x]) */
#define STEP(i, j) sum[i] = v_min_u8(sum[i], RULE(l[(i) ^ (j)], r))
#define ROW4(j)    r = v_loadu(right + (j)*LANES), STEP(0, j), STEP(1, j), STEP(2, j), STEP(3, j)
#define ROW8(j)    ROW4(j), STEP(4, j), STEP(5, j), STEP(6, j), STEP(7, j)
#define CONVOLVE(name, tile, rows)                                                                           \
    static void name(const state *s, const uint8_t *left, const uint8_t *right, const uint8_t *row,          \
                     uint8_t *out)                                                                           \
    {                                                                                                        \
        uint32_t q = s->q;                                                                                   \
        for (uint32_t a = 0; a < q; a += tile) {                                                             \
            vec sum[tile], l[tile], r;                                                                       \
            for (int i = 0; i < tile; i++)                                                                   \
                sum[i] = v_set_u8(255);                                                                      \
            prefetch_some(s->next);                                                                          \
            for (uint32_t x = 0; x < q; x += tile, right += tile * LANES) {                                  \
                for (int i = 0; i < tile; i++)                                                               \
                    l[i] = v_loadu(left + ((a ^ x) + (uint32_t)i) * LANES);                                  \
                rows;                                                                                        \
            }                                                                                                \
            right -= q * LANES;                                                                              \
            for (int i = 0; i < tile; i++)                                                                   \
                v_storeu(out + row[a + (uint32_t)i] * LANES, sum[i]);                                        \
        }                                                                                                    \
    }
#define ROWS4 ROW4(0), ROW4(1), ROW4(2), ROW4(3)
#define ROWS8 ROW8(0), ROW8(1), ROW8(2), ROW8(3), ROW8(4), ROW8(5), ROW8(6), ROW8(7)

#define RULE v_max_u8
CONVOLVE(convolve_max, 4, ROWS4)
#if TILE == 8
CONVOLVE(convolve_max8, 8, ROWS8)
#endif
#undef RULE
#define RULE v_adds_u8
CONVOLVE(convolve_add, 4, ROWS4)
#if TILE == 8
CONVOLVE(convolve_add8, 8, ROWS8)
#endif
#undef RULE

typedef void convolve_function(const state *s, const uint8_t *left, const uint8_t *right, const uint8_t *row,
                               uint8_t *out);

static convolve_function *choose_convolve(const ldpc_code *code, const ldpc_nb_spec *spec)
{
#if TILE == 8
    if (code->order >= 8)
        return spec->maximum ? convolve_max8 : convolve_add8;
#endif
    (void)code;
    return spec->maximum ? convolve_max : convolve_add;
}

static void permute_rows(const uint8_t *in, uint32_t q, const uint8_t *row, uint8_t *out)
{
    for (uint32_t a = 0; a < q; a++)
        v_storeu(out + row[a] * LANES, v_loadu(in + a * LANES));
}

static void list_prefetches(const state *s, uint32_t c, uint32_t calls)
{
    const ldpc_code *code = s->code;
    prefetch_list *next = s->next;
    size_t count = 0;
    for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++) {
        uint32_t v = code->row_columns[e];
        next->message[count++] = s->channel + v * message_bytes(code);
        for (uint32_t i = code->nb->variable_start[v]; i < code->nb->variable_start[v + 1]; i++)
            next->message[count++] = (code->nb->variable_edges[i] == e ? s->write : s->read) +
                                     code->nb->variable_edges[i] * message_bytes(code);
    }
    next->message_bytes = message_bytes(code);
    next->position = 0;
    next->end = count * next->message_bytes;
    next->step = (next->end / (calls + 1) + 64) / 64 * 64;
}

static void check_update(const state *s, uint32_t c)
{
    const ldpc_code *code = s->code;
    const ldpc_field *field = &code->nb->field;
    size_t message = message_bytes(code);
    uint32_t q = s->q, first = code->row_start[c], degree = code->row_start[c + 1] - first;
    if (degree == 0)
        return;
    const uint8_t *row, *product = code->nb->product, *identity = product + q;
    convolve_function *convolve = choose_convolve(code, s->spec);
    for (uint32_t i = 0; i < degree; i++) {
        row = product + code->row_coefficients[first + i] * q;
        variable_sum(s, code->row_columns[first + i], first + i, row, s->input + i * message);
    }
    if (degree > 2)
        list_prefetches(s, c + 1 < code->checks ? c + 1 : 0, 3 * (degree - 2) * (q / TILE));
    /* forward[i]: terms 0 .. i, backward[i]: terms i .. degree - 1 */
    const uint8_t *before = s->input, *after = s->input + (degree - 1) * message;
    for (uint32_t i = degree - 1; i > 1; i--) {
        uint8_t *sum = s->backward + (i - 1) * message;
        convolve(s, after, s->input + (i - 1) * message, identity, sum);
        after = sum;
    }
    for (uint32_t i = 0; i < degree; i++) {
        uint8_t *out = s->write + (first + i) * message;
        row = product + ldpc_field_inv(field, (uint8_t)code->row_coefficients[first + i]) * q;
        if (degree == 1) {
            memset(out, 255, message);
            memset(out, 0, LANES);
        } else if (i == 0) {
            permute_rows(after, q, row, out);
        } else if (i == degree - 1) {
            permute_rows(before, q, row, out);
        } else {
            convolve(s, before,
                     i + 1 == degree - 1 ? s->input + (i + 1) * message : s->backward + (i + 1) * message,
                     row, out);
            uint8_t *sum = s->forward + i * message;
            convolve(s, before, s->input + i * message, identity, sum);
            before = sum;
        }
    }
}

static void decide(const state *s, uint8_t *work)
{
    const uint8_t *identity = s->code->nb->product + s->q;
    for (uint32_t v = 0; v < s->code->columns; v++) {
        variable_sum(s, v, UINT32_MAX, identity, work);
        vec best = v_loadu(work), symbol = v_set_u8(0);
        for (uint32_t a = 1; a < s->q; a++) {
            vec cost = v_loadu(work + a * LANES);
            symbol = v_choose_less_u8(cost, best, v_set_u8(a), symbol);
            best = v_min_u8(cost, best);
        }
        v_storeu(s->symbols + v * LANES, symbol);
    }
}

static vec syndrome(const state *s, uint32_t c)
{
    vec sum = v_set_u8(0), low = v_set_u8(15);
    for (uint32_t e = s->code->row_start[c]; e < s->code->row_start[c + 1]; e++) {
        const uint8_t *table = s->code->nb->halves + 32 * s->code->row_coefficients[e];
        vec symbol = v_loadu(s->symbols + s->code->row_columns[e] * LANES);
        sum = v_xor(sum, v_xor(v_shuffle_u8(v_table(table), v_and(symbol, low)),
                               v_shuffle_u8(v_table(table + 16), v_high_nibble_u8(symbol))));
    }
    return sum;
}

static uint64_t wrong_codewords(const state *s)
{
    vec any = v_set_u8(0);
    for (uint32_t c = 0; c < s->code->checks; c++)
        any = v_or(any, syndrome(s, c));
    return v_nonzero_u8(any);
}

static void store_results(const state *s, const ldpc_nb_group *group, uint64_t mask, uint32_t iterations)
{
    for (size_t w = 0; w < group->codewords; w++) {
        if (!(mask >> w & 1))
            continue;
        for (uint32_t v = 0; v < s->code->columns; v++)
            group->symbols[w * s->code->columns + v] = s->symbols[v * LANES + w];
        group->info[w] = (ldpc_codeword_info){.iterations = iterations, .decoded = 1};
    }
    for (uint32_t c = 0; c < s->code->checks; c++) {
        uint64_t wrong = v_nonzero_u8(syndrome(s, c)) & mask;
        for (size_t w = 0; w < group->codewords; w++)
            if (wrong >> w & 1)
                group->info[w].unsatisfied++;
    }
    for (size_t w = 0; w < group->codewords; w++)
        if (mask >> w & 1)
            group->info[w].converged = group->info[w].unsatisfied == 0;
    const uint8_t *identity = s->code->nb->product + s->q;
    for (uint32_t v = 0; group->posterior && v < s->code->columns; v++) {
        variable_sum(s, v, UINT32_MAX, identity, s->input);
        for (size_t w = 0; w < group->codewords; w++)
            for (uint32_t a = 0; mask >> w & 1 && a < s->q; a++)
                group->posterior[(w * s->code->columns + v) * s->q + a] = s->input[a * LANES + w];
    }
}

static void decode_codewords(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                             const ldpc_nb_group *group)
{
    prefetch_list next = {0};
    state s = lay_out(code, spec, scratch, &next);
    if (group->llr)
        channel_from_bits(&s, group);
    else
        channel_from_costs(&s, group);
    memset(s.read, 0, code->edges * message_bytes(code));
    uint64_t active = group->codewords == 64 ? UINT64_MAX : (UINT64_C(1) << group->codewords) - 1;
    for (uint32_t i = 0; i < spec->max_iterations; i++) {
        if (spec->early_stop) {
            decide(&s, s.input);
            uint64_t done = active & ~wrong_codewords(&s);
            if (done)
                store_results(&s, group, done, i);
            active &= ~done;
            if (!active)
                return;
        }
        for (uint32_t c = 0; c < code->checks; c++)
            check_update(&s, c);
        if (spec->flooding) {
            uint8_t *newest = s.write;
            s.write = s.read;
            s.read = newest;
        }
    }
    decide(&s, s.input);
    store_results(&s, group, active, spec->max_iterations);
}

static const ldpc_nb_decoder decoder = {
    {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    LANES, 0, scratch_bytes, decode_codewords
};

LDPC_NB_ROW(LDPC_ISA_SYMBOL(ldpc_nb_across_), LDPC_ISA_NAME, decoder, ldpc_nb_supports);
