/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonbinary decoders in float arithmetic: min-max, min-sum, EMS and sum-product. Costs are in nats.
 *
 * Min-sum and EMS overestimate reliabilities. With more than two checks per symbol, messages are multiplied
 * by MANY_CHECKS_FACTOR. EMS keeps the `kept` smallest costs, and sets the others to the largest kept cost +
 * EMS_OFFSET.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cpu/nonbinary/nonbinary_kernel.h"

#define MANY_CHECKS_FACTOR 0.8f
#define EMS_OFFSET         1.0f
#define NO_COST            (FLT_MAX / 4)
#define LEAST_PROBABILITY  1e-14
#define MAX_LLR            256.0f  /* nats */
#define MAX_COST           4096.0f /* nats */

typedef struct state {
    const ldpc_code *code;
    const ldpc_nb_spec *spec;
    uint32_t q;
    float factor;
    float *channel; /* [n][q] */
    float *read, *write;
    float *input, *forward, *backward; /* [degree][q] index: coefficient * symbol */
    float *out;                        /* [degree][q] */
    double *spectrum;                  /* [degree][q] */
    uint8_t *symbols;
} state;

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float combined(float a, float b, bool maximum)
{
    return maximum ? (a > b ? a : b) : a + b;
}

static inline void convolve_with(const float *left, const float *right, float *out, uint32_t q, bool maximum)
{
    float orders[4][LDPC_NB_MAX_ORDER], sum[LDPC_NB_MAX_ORDER];
    for (uint32_t a = 0; a < q; a++) {
        sum[a] = FLT_MAX;
        for (uint32_t low = 0; low < 4; low++)
            orders[low][a] = left[a ^ low];
    }
    for (uint32_t x = 0; x < q; x++)
        for (uint32_t a = 0; a < q; a += 4) {
            const float *restrict l = orders[x % 4] + (a ^ (x - x % 4)), r = right[x];
            float *restrict o = sum + a;
            o[0] = lesser(combined(l[0], r, maximum), o[0]);
            o[1] = lesser(combined(l[1], r, maximum), o[1]);
            o[2] = lesser(combined(l[2], r, maximum), o[2]);
            o[3] = lesser(combined(l[3], r, maximum), o[3]);
        }
    memcpy(out, sum, q * sizeof *sum);
}

static void convolve(const float *left, const float *right, float *out, uint32_t q, bool maximum)
{
    if (maximum)
        convolve_with(left, right, out, q, true);
    else
        convolve_with(left, right, out, q, false);
}

static float ranked(float *list, uint32_t count, uint32_t rank)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = list[(low + high) / 2];
        uint32_t i = low, j = high;
        for (;; i++, j--) {
            while (list[i] < pivot)
                i++;
            while (pivot < list[j])
                j--;
            if (i >= j)
                break;
            float other = list[i];
            list[i] = list[j];
            list[j] = other;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return list[rank];
}

static void keep_smallest(const state *s, float *message)
{
    float list[LDPC_NB_MAX_ORDER];
    uint32_t kept = s->spec->kept;
    if (s->spec->algorithm != LDPC_ALGORITHM_EMS || kept >= s->q)
        return;
    memcpy(list, message, s->q * sizeof *list);
    float most = ranked(list, s->q, kept - 1);
    for (uint32_t a = 0; a < s->q; a++)
        if (message[a] > most)
            message[a] = most + EMS_OFFSET;
}

static void subtract_smallest(float *cost, uint32_t q)
{
    float smallest = cost[0];
    for (uint32_t a = 1; a < q; a++)
        smallest = cost[a] < smallest ? cost[a] : smallest;
    for (uint32_t a = 0; a < q; a++)
        cost[a] -= smallest;
}

static void variable_sum(const state *s, uint32_t v, uint32_t without, float *sum)
{
    const ldpc_nb *nb = s->code->nb;
    memcpy(sum, s->channel + (size_t)v * s->q, s->q * sizeof *sum);
    for (uint32_t i = nb->variable_start[v]; i < nb->variable_start[v + 1]; i++) {
        const float *message = s->read + (size_t)nb->variable_edges[i] * s->q;
        for (uint32_t a = 0; nb->variable_edges[i] != without && a < s->q; a++)
            sum[a] += message[a];
    }
    subtract_smallest(sum, s->q);
}

/* ---- check nodes: input to out */

static void minimum_check(const state *s, uint32_t degree)
{
    uint32_t q = s->q;
    bool maximum = s->spec->maximum;
    for (uint32_t a = 0; a < q; a++)
        s->forward[a] = s->backward[(degree - 1) * q + a] = a == 0 ? 0 : NO_COST;
    for (uint32_t i = 1; i < degree; i++) {
        uint32_t j = degree - i;
        convolve(s->forward + (i - 1) * q, s->input + (i - 1) * q, s->forward + i * q, q, maximum);
        convolve(s->backward + j * q, s->input + j * q, s->backward + (j - 1) * q, q, maximum);
        keep_smallest(s, s->forward + i * q);
        keep_smallest(s, s->backward + (j - 1) * q);
    }
    for (uint32_t i = 0; i < degree; i++)
        convolve(s->forward + i * q, s->backward + i * q, s->out + i * q, q, maximum);
    for (uint32_t a = 0; !maximum && a < degree * q; a++)
        s->out[a] *= s->factor;
}

static void transform(double *x, uint32_t q)
{
    for (uint32_t h = 1; h < q; h *= 2)
        for (uint32_t i = 0; i < q; i += 2 * h)
            for (uint32_t j = i; j < i + h; j++) {
                double a = x[j], b = x[j + h];
                x[j] = a + b;
                x[j + h] = a - b;
            }
}

static void to_spectrum(const float *cost, double *spectrum, uint32_t q)
{
    double total = 0;
    for (uint32_t a = 0; a < q; a++)
        total += spectrum[a] = exp(-(double)cost[a]);
    for (uint32_t a = 0; a < q; a++)
        spectrum[a] /= total;
    transform(spectrum, q);
}

static void product_check(const state *s, uint32_t degree)
{
    uint32_t q = s->q;
    for (uint32_t i = 0; i < degree; i++)
        to_spectrum(s->input + i * q, s->spectrum + i * q, q);
    for (uint32_t i = 0; i < degree; i++) {
        double product[LDPC_NB_MAX_ORDER], best = 0;
        for (uint32_t a = 0; a < q; a++) {
            product[a] = 1;
            for (uint32_t j = 0; j < degree; j++)
                product[a] *= j == i ? 1 : s->spectrum[j * q + a];
        }
        transform(product, q);
        for (uint32_t a = 0; a < q; a++)
            best = product[a] > best ? product[a] : best;
        for (uint32_t a = 0; a < q; a++) {
            double p = best > 0 ? product[a] / best : 1;
            s->out[i * q + a] = (float)-log(p > LEAST_PROBABILITY ? p : LEAST_PROBABILITY);
        }
    }
}

static void check_update(const state *s, uint32_t c)
{
    const ldpc_code *code = s->code;
    uint32_t q = s->q, first = code->row_start[c], degree = code->row_start[c + 1] - first;
    float sum[LDPC_NB_MAX_ORDER];
    if (degree == 0)
        return;
    for (uint32_t i = 0; i < degree; i++) {
        const uint8_t *times = code->nb->product + (size_t)code->row_coefficients[first + i] * q;
        variable_sum(s, code->row_columns[first + i], first + i, sum);
        for (uint32_t a = 0; a < q; a++)
            s->input[i * q + times[a]] = sum[a];
        keep_smallest(s, s->input + i * q);
    }
    if (s->spec->algorithm == LDPC_ALGORITHM_SUM_PRODUCT)
        product_check(s, degree);
    else
        minimum_check(s, degree);
    for (uint32_t i = 0; i < degree; i++) {
        const uint8_t *times = code->nb->product + (size_t)code->row_coefficients[first + i] * q;
        for (uint32_t a = 0; a < q; a++)
            s->write[(size_t)(first + i) * q + a] = s->out[i * q + times[a]];
    }
}

/* ---- a codeword */

static void decide(const state *s, uint8_t *posterior)
{
    float sum[LDPC_NB_MAX_ORDER];
    for (uint32_t v = 0; v < s->code->columns; v++) {
        variable_sum(s, v, UINT32_MAX, sum);
        uint32_t best = 0;
        for (uint32_t a = 1; a < s->q; a++)
            best = sum[a] < sum[best] ? a : best;
        s->symbols[v] = (uint8_t)best;
        for (uint32_t a = 0; posterior && a < s->q; a++) {
            float steps = sum[a] * s->spec->llr_scale;
            posterior[(size_t)v * s->q + a] =
                (uint8_t)(steps < LDPC_NB_MAX_COST ? lrintf(steps) : LDPC_NB_MAX_COST);
        }
    }
}

static float limited(float x, float limit)
{
    return isnan(x) ? 0 : fmaxf(fminf(x, limit), -limit);
}

static float bit_llr(const state *s, const ldpc_nb_group *group, size_t i)
{
    return group->llr_float ? limited(group->llr_float[i], MAX_LLR)
                            : (float)(group->llr[i] == -128 ? -127 : group->llr[i]) / s->spec->llr_scale;
}

static void costs_from_bits(const state *s, const ldpc_nb_group *group, uint32_t v, float *cost)
{
    uint32_t p = s->code->nb->field.p;
    for (uint32_t a = 0; a < s->q; a++) {
        cost[a] = 0;
        for (uint32_t b = 0; b < p; b++) {
            float l = bit_llr(s, group, (size_t)v * p + b);
            cost[a] += a >> (p - 1 - b) & 1 ? fmaxf(l, 0) : fmaxf(-l, 0);
        }
    }
}

static void channel_costs(const state *s, const ldpc_nb_group *group)
{
    for (uint32_t v = 0; v < s->code->columns; v++) {
        size_t first = (size_t)v * s->q;
        float *cost = s->channel + first;
        if (group->costs)
            for (uint32_t a = 0; a < s->q; a++)
                cost[a] = (float)group->costs[first + a] / s->spec->llr_scale;
        else if (group->costs_float)
            for (uint32_t a = 0; a < s->q; a++)
                cost[a] = limited(group->costs_float[first + a], MAX_COST);
        else
            costs_from_bits(s, group, v, cost);
        subtract_smallest(cost, s->q);
    }
}

static size_t messages_of(const ldpc_code *code)
{
    return code->columns + 2 * code->edges + 4 * (size_t)code->max_check_degree;
}

static size_t scratch_bytes(const ldpc_code *code, bool flooding)
{
    (void)flooding;
    return code->order * (messages_of(code) * sizeof(float) + code->max_check_degree * sizeof(double));
}

static state lay_out(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch, uint8_t *symbols)
{
    size_t q = code->order, check = code->max_check_degree * q;
    state s = {.code = code, .spec = spec, .q = code->order, .symbols = symbols, .factor = 1};
    if (code->max_variable_degree > 2)
        s.factor = MANY_CHECKS_FACTOR;
    s.spectrum = (double *)(void *)scratch;
    s.channel = (float *)(void *)(s.spectrum + check);
    s.read = s.channel + code->columns * q;
    s.write = spec->flooding ? s.read + code->edges * q : s.read;
    s.input = s.read + 2 * code->edges * q;
    s.forward = s.input + check;
    s.backward = s.forward + check;
    s.out = s.backward + check;
    memset(s.read, 0, 2 * code->edges * q * sizeof *s.read);
    return s;
}

static void decode_codeword(const ldpc_code *code, const ldpc_nb_spec *spec, uint8_t *scratch,
                            const ldpc_nb_group *group)
{
    state s = lay_out(code, spec, scratch, group->symbols);
    channel_costs(&s, group);
    decide(&s, group->posterior);
    uint32_t i = 0;
    for (; i < spec->max_iterations; i++) {
        if (spec->early_stop && ldpc_nb_syndrome_symbols(code, s.symbols) == 0)
            break;
        for (uint32_t c = 0; c < code->checks; c++)
            check_update(&s, c);
        if (spec->flooding) {
            float *newest = s.write;
            s.write = s.read;
            s.read = newest;
        }
        decide(&s, group->posterior);
    }
    uint32_t unsatisfied = ldpc_nb_syndrome_symbols(code, s.symbols);
    *group->info = (ldpc_codeword_info){i, unsatisfied, unsatisfied == 0, 1};
}

/* ---- the row */

static bool supports(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT;
}

static const ldpc_nb_decoder decoder = {
    {"float", 0},
    1, 0, scratch_bytes, decode_codeword
};

LDPC_NB_ROW(ldpc_nb_float, "float", decoder, supports);
