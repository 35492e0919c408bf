/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference for nonbinary decoders (docs/nonbinary.md), in plain loops for one codeword. It is never
 * optimised. Every 8-bit kernel must compute the same bytes.
 *
 * A message is a vector of q costs, 0 .. 255; the smallest is 0. Sums are saturated at 255. */
#include "cpu/nonbinary/nonbinary_kernel.h"

#include <string.h>

typedef struct state {
    const ldpc_code *code;
    const ldpc_nb_spec *spec;
    uint32_t q;
    uint8_t *channel; /* [n][q] */
    uint8_t *read;
    uint8_t *write;
    uint8_t *var_msg;
    uint8_t *forward; /* [degree][q] */
    uint8_t *backward;
    uint8_t *symbols;
} state;

static uint8_t saturate(uint32_t cost)
{
    return (uint8_t)(cost < LDPC_NB_MAX_COST ? cost : LDPC_NB_MAX_COST);
}

/* cost(a): the sum of |llr| over the bits in which a differs from the hard decisions */
static void channel_costs(const state *s, const int8_t *llr)
{
    uint32_t p = s->code->nb->field.p;
    for (uint32_t v = 0; v < s->code->columns; v++)
        for (uint32_t a = 0; a < s->q; a++) {
            uint32_t cost = 0;
            for (uint32_t b = 0; b < p; b++) {
                int32_t l = llr[v * p + b] == -128 ? -127 : llr[v * p + b];
                uint32_t bit = a >> (p - 1 - b) & 1;
                cost += (uint32_t)(bit ? (l > 0 ? l : 0) : (l < 0 ? -l : 0));
            }
            s->channel[v * s->q + a] = saturate(cost);
        }
}

static void subtract_smallest(uint8_t *cost, uint32_t q)
{
    uint8_t smallest = LDPC_NB_MAX_COST;
    for (uint32_t a = 0; a < q; a++)
        smallest = cost[a] < smallest ? cost[a] : smallest;
    for (uint32_t a = 0; a < q; a++)
        cost[a] = (uint8_t)(cost[a] - smallest);
}

static void variable_sum(const state *s, uint32_t v, uint32_t without, uint8_t *sum)
{
    const ldpc_nb *nb = s->code->nb;
    for (uint32_t a = 0; a < s->q; a++) {
        uint32_t cost = s->channel[v * s->q + a];
        for (uint32_t i = nb->variable_start[v]; i < nb->variable_start[v + 1]; i++)
            if (nb->variable_edges[i] != without)
                cost += s->read[(size_t)nb->variable_edges[i] * s->q + a];
        sum[a] = saturate(cost);
    }
}

static void convolve(const state *s, const uint8_t *left, const uint8_t *right, uint8_t *out)
{
    for (uint32_t a = 0; a < s->q; a++) {
        uint32_t best = LDPC_NB_MAX_COST;
        for (uint32_t x = 0; x < s->q; x++) {
            uint32_t l = left[a ^ x], r = right[x];
            uint32_t cost = s->spec->maximum ? (l > r ? l : r) : l + r;
            best = cost < best ? cost : best;
        }
        out[a] = (uint8_t)best;
    }
}

/* Forward-backward algorithm (Wang et al. 2012, algorithm 2). */
static void check_update(const state *s, uint32_t c)
{
    const ldpc_code *code = s->code;
    uint32_t q = s->q, first = code->row_start[c], degree = code->row_start[c + 1] - first;
    uint8_t sum[LDPC_NB_MAX_ORDER];
    if (degree == 0)
        return;
    for (uint32_t i = 0; i < degree; i++) {
        variable_sum(s, code->row_columns[first + i], first + i, sum);
        subtract_smallest(sum, q);
        for (uint32_t a = 0; a < q; a++)
            s->var_msg[i * q + ldpc_field_mul(&code->nb->field, (uint8_t)code->row_coefficients[first + i],
                                              (uint8_t)a)] = sum[a];
    }
    memset(s->forward, LDPC_NB_MAX_COST, q);
    memset(s->backward + (degree - 1) * q, LDPC_NB_MAX_COST, q);
    s->forward[0] = s->backward[(degree - 1) * q] = 0;
    for (uint32_t i = 1; i < degree; i++) {
        uint32_t j = degree - i;
        convolve(s, s->forward + (i - 1) * q, s->var_msg + (i - 1) * q, s->forward + i * q);
        convolve(s, s->backward + j * q, s->var_msg + j * q, s->backward + (j - 1) * q);
    }
    for (uint32_t i = 0; i < degree; i++) {
        convolve(s, s->forward + i * q, s->backward + i * q, sum);
        for (uint32_t a = 0; a < q; a++)
            s->write[(size_t)(first + i) * q + a] =
                sum[ldpc_field_mul(&code->nb->field, (uint8_t)code->row_coefficients[first + i], (uint8_t)a)];
    }
}

static void decide(const state *s, uint8_t *posterior)
{
    uint8_t sum[LDPC_NB_MAX_ORDER];
    for (uint32_t v = 0; v < s->code->columns; v++) {
        variable_sum(s, v, UINT32_MAX, sum);
        subtract_smallest(sum, s->q);
        s->symbols[v] = (uint8_t)((const uint8_t *)memchr(sum, 0, s->q) - sum);
        if (posterior)
            memcpy(posterior + (size_t)v * s->q, sum, s->q);
    }
}

static void iterate(state *s, uint8_t *posterior, ldpc_codeword_info *info)
{
    decide(s, posterior);
    uint32_t i = 0;
    for (; i < s->spec->max_iterations; i++) {
        if (s->spec->early_stop && ldpc_nb_syndrome_symbols(s->code, s->symbols) == 0)
            break;
        for (uint32_t c = 0; c < s->code->checks; c++)
            check_update(s, c);
        if (s->spec->flooding) {
            uint8_t *newest = s->write;
            s->write = s->read;
            s->read = newest;
        }
        decide(s, posterior);
    }
    info->iterations = i;
    info->unsatisfied = ldpc_nb_syndrome_symbols(s->code, s->symbols);
    info->converged = info->unsatisfied == 0;
    info->decoded = 1;
}

static size_t scratch_bytes(const ldpc_code *code, bool flooding)
{
    (void)flooding;
    return (code->columns + 2 * code->edges + 3 * (size_t)code->max_check_degree) * code->order;
}

static void decode_codeword(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                            const ldpc_nb_group *group)
{
    uint32_t q = code->order;
    size_t check = (size_t)code->max_check_degree * q, edges = code->edges * q,
           channel = (size_t)code->columns * q;
    state s = {.code = code, .spec = spec, .q = q, .channel = scratch, .symbols = group->symbols};
    s.read = s.channel + channel;
    s.write = spec->flooding ? s.read + edges : s.read;
    s.var_msg = s.read + 2 * edges;
    s.forward = s.var_msg + check;
    s.backward = s.forward + check;
    memset(s.read, 0, 2 * edges);
    if (group->llr)
        channel_costs(&s, group->llr);
    else
        memcpy(s.channel, group->costs, channel);
    for (uint32_t v = 0; v < code->columns; v++)
        subtract_smallest(s.channel + (size_t)v * q, q);
    iterate(&s, group->posterior, group->info);
}

static const ldpc_nb_decoder decoder = {
    {"ref", 0},
    1, 0, scratch_bytes, decode_codeword
};

LDPC_NB_ROW(ldpc_nb_ref, "ref", decoder, ldpc_nb_supports);
