/* SPDX-License-Identifier: BSD-3-Clause */
/* The nonbinary kernel for a single codeword. Lanes are field elements, q >= LANES.
 *
 * Adding x to every index permutes blocks of 16 bytes, then bytes in each block. Multiplying every index
 * shuffles bytes by a row of the product table.
 *
 *   channel:  [variable][q]      messages:  [edge][q], the index is the variable's own symbol
 */
#include "cpu/nonbinary/nonbinary_kernel.h"
#include "cpu/simd/simd.h"

#include <string.h>

enum { LANES = REGISTER_BYTES, MAX_VECS = LDPC_NB_MAX_ORDER / LANES, BLOCKS = LANES / 16 };

typedef struct state {
    const ldpc_code *code;
    const ldpc_nb_spec *spec;
    uint32_t q;
    uint8_t *channel;
    uint8_t *read, *write;
    uint8_t *input, *forward, *backward; /* [degree][q] index: coefficient * symbol */
    uint8_t *symbols;
} state;

static size_t scratch_bytes(const ldpc_code *code, bool flooding)
{
    return (code->columns + code->edges * (flooding ? 2 : 1) + 3 * (size_t)code->max_check_degree) *
           code->order;
}

static state lay_out(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch)
{
    uint32_t q = code->order;
    state s = {.code = code, .spec = spec, .q = q, .channel = scratch};
    s.read = s.channel + (size_t)code->columns * q;
    s.write = spec->flooding ? s.read + code->edges * q : s.read;
    s.input = s.write + code->edges * q;
    s.forward = s.input + code->max_check_degree * q;
    s.backward = s.forward + code->max_check_degree * q;
    return s;
}

/* Register v of in[row[i]]. */
static inline vec permuted(const uint8_t *in, const uint8_t *row, uint32_t q, uint32_t v)
{
    vec index = v_loadu(row + v * LANES);
#if defined(V_PERMUTE)
    if (q == LANES)
        return v_permute_u8(v_loadu(in), index);
#endif
    vec sum = v_zero();
    for (uint32_t block = 0; block < q; block += 16)
        sum = v_or(sum, v_look_u8(v_table(in + block), v_xor(index, v_set_u8(block))));
    return sum;
}

static inline void variable_sum(const state *s, uint32_t v, uint32_t without, uint32_t vecs, vec *sum)
{
    const ldpc_nb *nb = s->code->nb;
    const uint8_t *channel = s->channel + (size_t)v * vecs * LANES;
    for (uint32_t j = 0; j < vecs; j++)
        sum[j] = v_loadu(channel + j * LANES);
    for (uint32_t i = nb->variable_start[v]; i < nb->variable_start[v + 1]; i++) {
        const uint8_t *message = s->read + (size_t)nb->variable_edges[i] * vecs * LANES;
        for (uint32_t j = 0; nb->variable_edges[i] != without && j < vecs; j++)
            sum[j] = v_adds_u8(sum[j], v_loadu(message + j * LANES));
    }
    vec smallest = sum[0];
    for (uint32_t j = 1; j < vecs; j++)
        smallest = v_min_u8(smallest, sum[j]);
    smallest = v_set_u8(v_smallest_u8(smallest));
    for (uint32_t j = 0; j < vecs; j++)
        sum[j] = v_subs_u8(sum[j], smallest);
}

/* out(a) = min over x of max(left(a + x), right(x)). Without `maximum`, the saturated sum replaces max(). */
static inline void convolve(const uint8_t *left, const uint8_t *right, uint32_t vecs, bool maximum,
                            uint8_t *out)
{
    static const uint8_t natural[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    vec sum[MAX_VECS][2], swapped[MAX_VECS][BLOCKS];
    for (uint32_t j = 0; j < vecs; j++) {
        sum[j][0] = sum[j][1] = v_set_u8(255);
        vec l = v_loadu(left + j * LANES);
        for (int k = 0; k < BLOCKS; k++)
            swapped[j][k] = v_swap_blocks(l, k);
    }
    for (uint32_t low = 0; low < 16; low++) {
        vec index = v_xor(v_table(natural), v_set_u8(low)), shuffled[MAX_VECS][BLOCKS];
        for (uint32_t j = 0; j < vecs; j++)
            for (int k = 0; k < BLOCKS; k++)
                shuffled[j][k] = v_shuffle_u8(swapped[j][k], index);
        for (uint32_t high = 0; high < vecs; high++)
            for (int k = 0; k < BLOCKS; k++) {
                vec r = v_set_u8(right[high * LANES + (uint32_t)k * 16 + low]);
                for (uint32_t j = 0; j < vecs; j++) {
                    vec l = shuffled[j ^ high][k];
                    sum[j][k & 1] = v_min_u8(sum[j][k & 1], maximum ? v_max_u8(l, r) : v_adds_u8(l, r));
                }
            }
    }
    for (uint32_t j = 0; j < vecs; j++)
        v_storeu(out + j * LANES, v_min_u8(sum[j][0], sum[j][1]));
}

static inline void check_update(const state *s, uint32_t c, uint32_t vecs, bool maximum)
{
    const ldpc_code *code = s->code;
    const uint8_t *product = code->nb->product;
    uint32_t q = vecs * LANES, first = code->row_start[c], degree = code->row_start[c + 1] - first;
    uint8_t message[LDPC_NB_MAX_ORDER];
    if (degree == 0)
        return;
    for (uint32_t i = 0; i < degree; i++) {
        uint8_t inverse = ldpc_field_inv(&code->nb->field, (uint8_t)code->row_coefficients[first + i]);
        vec sum[MAX_VECS];
        variable_sum(s, code->row_columns[first + i], first + i, vecs, sum);
        for (uint32_t j = 0; j < vecs; j++)
            v_storeu(message + j * LANES, sum[j]);
        for (uint32_t j = 0; j < vecs; j++)
            v_storeu(s->input + i * q + j * LANES, permuted(message, product + inverse * q, q, j));
    }
    /* `before`: terms 0 .. i-1, `after`: terms i+1 .. degree-1 */
    const uint8_t *after = s->input + (degree - 1) * q, *before = s->input;
    for (uint32_t i = degree - 1; i-- > 1;) {
        convolve(after, s->input + i * q, vecs, maximum, s->backward + (i - 1) * q);
        after = s->backward + (i - 1) * q;
    }
    for (uint32_t i = 0; i < degree; i++) {
        const uint8_t *result = message;
        if (degree == 1) {
            memset(message, 255, q);
            message[0] = 0;
        } else if (i == 0) {
            result = after;
        } else if (i == degree - 1) {
            result = before;
        } else {
            convolve(before, i == degree - 2 ? s->input + (i + 1) * q : s->backward + i * q, vecs, maximum,
                     message);
            convolve(before, s->input + i * q, vecs, maximum, s->forward + i * q);
            before = s->forward + i * q;
        }
        for (uint32_t j = 0; j < vecs; j++)
            v_storeu(s->write + (size_t)(first + i) * q + j * LANES,
                     permuted(result, product + code->row_coefficients[first + i] * q, q, j));
    }
}

static inline void decide(const state *s, uint32_t vecs, uint8_t *symbols, uint8_t *posterior)
{
    for (uint32_t v = 0; v < s->code->columns; v++) {
        vec sum[MAX_VECS];
        variable_sum(s, v, UINT32_MAX, vecs, sum);
        uint8_t cost[LDPC_NB_MAX_ORDER];
        for (uint32_t j = 0; j < vecs; j++)
            v_storeu(cost + j * LANES, sum[j]);
        symbols[v] = (uint8_t)((const uint8_t *)memchr(cost, 0, s->q) - cost);
        if (posterior)
            memcpy(posterior + (size_t)v * s->q, cost, s->q);
    }
}

static uint32_t unsatisfied(const ldpc_code *code, const uint8_t *symbols, bool stop_at_first)
{
    uint32_t weight = 0;
    for (uint32_t c = 0; c < code->checks && !(weight && stop_at_first); c++) {
        uint8_t sum = 0;
        for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++)
            sum ^= code->nb->product[code->row_coefficients[e] * code->order + symbols[code->row_columns[e]]];
        weight += sum != 0;
    }
    return weight;
}

static void channel_costs(const state *s, const ldpc_nb_group *group)
{
    uint32_t p = s->code->nb->field.p;
    for (uint32_t v = 0; v < s->code->columns; v++) {
        uint8_t *cost = s->channel + (size_t)v * s->q;
        if (group->costs) {
            const uint8_t *given = group->costs + (size_t)v * s->q;
            uint8_t smallest = 255;
            for (uint32_t a = 0; a < s->q; a++)
                smallest = given[a] < smallest ? given[a] : smallest;
            for (uint32_t a = 0; a < s->q; a++)
                cost[a] = (uint8_t)(given[a] - smallest);
            continue;
        }
        cost[0] = 0;
        for (uint32_t b = p; b-- > 0;) { /* from the least significant bit */
            uint32_t done = 1u << (p - 1 - b);
            int l = group->llr[v * p + b];
            uint32_t zero = l < 0 ? (l < -127 ? 127u : (uint32_t)-l) : 0, one = l > 0 ? (uint32_t)l : 0;
            for (uint32_t a = 0; a < done; a++) {
                uint32_t high = cost[a] + one, low = cost[a] + zero;
                cost[a + done] = (uint8_t)(high < 255 ? high : 255);
                cost[a] = (uint8_t)(low < 255 ? low : 255);
            }
        }
    }
}

static inline void decode_vecs(state s, const ldpc_nb_group *group, uint32_t vecs, bool maximum)
{
    const ldpc_code *code = s.code;
    channel_costs(&s, group);
    memset(s.read, 0, code->edges * s.q);
    uint32_t i = 0;
    for (; i < s.spec->max_iterations; i++) {
        if (s.spec->early_stop) {
            decide(&s, vecs, group->symbols, NULL);
            if (!unsatisfied(code, group->symbols, true))
                break;
        }
        for (uint32_t c = 0; c < code->checks; c++)
            check_update(&s, c, vecs, maximum);
        if (s.spec->flooding) {
            uint8_t *newest = s.write;
            s.write = s.read;
            s.read = newest;
        }
    }
    decide(&s, vecs, group->symbols, group->posterior);
    uint32_t weight = unsatisfied(code, group->symbols, false);
    *group->info =
        (ldpc_codeword_info){.iterations = i, .unsatisfied = weight, .converged = weight == 0, .decoded = 1};
}

#define DECODE(vecs) maximum ? decode_vecs(s, group, vecs, true) : decode_vecs(s, group, vecs, false)

static void decode_codeword(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                            const ldpc_nb_group *group)
{
    state s = lay_out(code, spec, scratch);
    bool maximum = spec->maximum;
    switch (code->order / LANES) {
    case 1:
        DECODE(1);
        break;
    case 2:
        DECODE(2);
        break;
    case 4:
        DECODE(4);
        break;
    default:
        decode_vecs(s, group, code->order / LANES, maximum);
        break;
    }
}

/* This kernel is used only if it is selected by name. Other kernels use this decoder for single codewords. */
static bool supports(const ldpc_plan *plan)
{
    return ldpc_nb_supports(plan) && plan->code->order >= LANES && plan->kernel[0];
}

extern const ldpc_nb_decoder LDPC_ISA_SYMBOL(ldpc_nb_single_);
const ldpc_nb_decoder LDPC_ISA_SYMBOL(ldpc_nb_single_) = {
    {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    1, LANES, scratch_bytes, decode_codeword
};

LDPC_NB_ROW(LDPC_ISA_SYMBOL(ldpc_nb_within_), "within-" LDPC_ISA_NAME, LDPC_ISA_SYMBOL(ldpc_nb_single_),
            supports);
