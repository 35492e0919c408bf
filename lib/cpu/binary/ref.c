/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/arithmetic.md in code: one codeword, plain loops, no cleverness. Every other kernel of every backend
 * equals this one byte for byte (float: within a tolerance). It is never optimised.
 *
 * ref_schedule.h holds the schedules and is included twice: with integer values and with float values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/cpu_kernel.h"
#include "cpu/binary/numbers.h"

typedef struct ref_tables {
    ldpc_cpu_tables base;
    bool *first_of_group;    /* [blocks]: no earlier block of its layer has the same column group */
    uint32_t max_degree;     /* blocks of the largest layer */
    int32_t lowest, highest; /* integer posteriors and Q saturate here */
} ref_tables;

/* Column that lane `lane` of a block meets, LDPC_NO_COLUMN for the absent lane. */
static uint32_t column_of(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    if (lane == block->missing_lane)
        return LDPC_NO_COLUMN;
    return code->column_at[(size_t)block->group * code->z + (lane + block->shift) % code->z];
}

/* ------------------------------------------------------------------------------------------------ integer
 * check node */

#define INT_NO_OTHER(tables) ((tables)->highest == LDPC_I8_MAX ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT)

static int32_t int_saturate(const ref_tables *tables, int32_t x)
{
    return x < tables->lowest ? tables->lowest : x > tables->highest ? tables->highest : x;
}

static int32_t max_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t min_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The three smallest |Q| of a row, in order; equal ones count apart. */
#define MINIMA 3

/* A step for each threshold that the distance is below. */
static int32_t int_loss(const ldpc_rule *rule, const int32_t thresholds[LDPC_RULE_THRESHOLDS],
                        int32_t distance)
{
    int32_t loss = 0;
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        loss += distance < thresholds[i] ? rule->step : 0;
    return loss;
}

/* Magnitudes of a row's messages from its smallest |Q|: m[1] goes to edges that hold the smallest, m[0] to
 * the others. */
static void int_magnitudes(const ldpc_rule *rule, const int32_t min[MINIMA], int32_t m[2])
{
    int32_t u = min[0], v = min[1], w = min[2];
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        m[0] = max_of(u - rule->offset, 0);
        m[1] = max_of(v - rule->offset, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        m[0] = u * rule->factor / 16;
        m[1] = v * rule->factor / 16;
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        m[0] = max_of(u - rule->offset - (v - u < rule->threshold ? rule->step : 0), (u + 1) / 2);
        m[1] = max_of(v - rule->offset, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        m[0] = max_of(u - int_loss(rule, rule->others_threshold, (v - u) + (w - u)), (u + 1) / 2);
        m[1] = max_of(v - int_loss(rule, rule->min_threshold, w - v), 0);
        break;
    default:
        m[0] = u;
        m[1] = v;
    }
    m[0] = min_of(m[0], rule->max_msg_others);
    m[1] = min_of(m[1], rule->max_msg);
}

static void int_insert(int32_t min[MINIMA], int32_t magnitude)
{
    for (int i = 0; i < MINIMA; i++)
        if (magnitude < min[i]) {
            int32_t larger = min[i];
            min[i] = magnitude;
            magnitude = larger;
        }
}

static void int_check_node(const ref_tables *tables, size_t degree, const int32_t *q, int32_t *r)
{
    const int32_t nobody = INT_NO_OTHER(tables);
    int32_t min[MINIMA] = {nobody, nobody, nobody}, m[2];
    bool odd = false;
    for (size_t e = 0; e < degree; e++) {
        int_insert(min, abs(q[e]));
        odd ^= q[e] < 0;
    }
    int_magnitudes(&tables->base.rule, min, m);
    for (size_t e = 0; e < degree; e++) {
        int32_t magnitude = m[abs(q[e]) == min[0]];
        bool negative = odd ^ (q[e] < 0);
        r[e] = negative ? -magnitude : magnitude;
    }
}

/* ------------------------------------------------------------------------------------------------ float
 * check node */

static float float_saturate(const ref_tables *tables, float x)
{
    (void)tables;
    return x;
}

/* LLR of the sum of two bits. */
static float box_plus(float a, float b)
{
    float magnitude = fminf(fabsf(a), fabsf(b));
    float sign = (a < 0) != (b < 0) ? -magnitude : magnitude;
    return sign + log1pf(expf(-fabsf(a + b))) - log1pf(expf(-fabsf(a - b)));
}

/* r[e] = box-plus of all q but q[e]: what came before e, and what comes after it (gathered in r from the
 * back). */
static void float_sum_product(size_t degree, const float *q, float *r)
{
    float after = FLOAT_LIMIT;
    for (size_t e = degree; e-- > 0;) {
        r[e] = after;
        after = box_plus(after, q[e]);
    }
    float before = FLOAT_LIMIT;
    for (size_t e = 0; e < degree; e++) {
        r[e] = float_clamp(box_plus(before, r[e]));
        before = box_plus(before, q[e]);
    }
}

static void float_magnitudes(const ldpc_rule *rule, const float min[MINIMA], float m[2])
{
    float u = min[0], v = min[1], w = min[2];
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        m[0] = fmaxf(u - rule->offset_f, 0);
        m[1] = fmaxf(v - rule->offset_f, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        m[0] = u * rule->factor_f;
        m[1] = v * rule->factor_f;
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        m[0] = fmaxf(u - fmaxf(rule->offset_f, rule->others_peak_f - rule->others_slope_f * (v - u)), u / 2);
        m[1] = fmaxf(v - rule->offset_f, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        m[0] = fmaxf(u - fmaxf(rule->offset_f, rule->others_peak_f - rule->others_slope_f * (v - u)), u / 2);
        m[1] = fmaxf(v - fmaxf(rule->min_peak_f - rule->min_slope_f * (w - v), 0), 0);
        break;
    default:
        m[0] = u;
        m[1] = v;
    }
}

static void float_insert(float min[MINIMA], float magnitude)
{
    for (int i = 0; i < MINIMA; i++)
        if (magnitude < min[i]) {
            float larger = min[i];
            min[i] = magnitude;
            magnitude = larger;
        }
}

static void float_check_node(const ref_tables *tables, size_t degree, const float *q, float *r)
{
    if (tables->base.rule.algorithm == LDPC_ALGORITHM_SUM_PRODUCT) {
        float_sum_product(degree, q, r);
        return;
    }
    float min[MINIMA] = {FLOAT_LIMIT, FLOAT_LIMIT, FLOAT_LIMIT}, m[2];
    bool odd = false;
    for (size_t e = 0; e < degree; e++) {
        float_insert(min, fabsf(q[e]));
        odd ^= q[e] < 0;
    }
    float_magnitudes(&tables->base.rule, min, m);
    for (size_t e = 0; e < degree; e++) {
        float magnitude = m[fabsf(q[e]) == min[0]];
        bool negative = odd ^ (q[e] < 0);
        r[e] = float_clamp(negative ? -magnitude : magnitude);
    }
}

/* ------------------------------------------------------------------------------------------------ schedules
 */

#define VALUE      int32_t
#define NAME(name) int_##name
#include "cpu/binary/ref_schedule.h"
#undef VALUE
#undef NAME

#define VALUE      float
#define NAME(name) float_##name
#include "cpu/binary/ref_schedule.h"
#undef VALUE
#undef NAME

/* ------------------------------------------------------------------------------------------------ the kernel
 * row */

static bool ref_supports(const ldpc_plan *plan)
{
    return plan->code->order == 2;
}

static void ref_destroy(ldpc_cpu_tables *base)
{
    ref_tables *tables = (ref_tables *)base;
    free(tables->first_of_group);
    free(tables);
}

/* The arrays of int_state or float_state. */
static size_t scratch_bytes(const ref_tables *tables, const ldpc_code *code)
{
    _Static_assert(sizeof(float) == sizeof(int32_t), "one size of scratch for both");
    size_t messages = (size_t)code->layer_start[code->layers] * code->z;
    size_t layer = (size_t)tables->max_degree * code->z;
    size_t bits = code->n > code->columns ? code->n : code->columns;
    return sizeof(int32_t) * (3 * (size_t)code->columns + messages + 2 * layer + 2 * tables->max_degree) +
           bits;
}

/* Has no earlier block of layer l the same column group? */
static void mark_first(const ldpc_code *code, uint32_t l, bool *first_of_group)
{
    uint32_t first = code->layer_start[l];
    for (uint32_t b = first; b < code->layer_start[l + 1]; b++) {
        first_of_group[b] = true;
        for (uint32_t earlier = first; earlier < b; earlier++)
            if (code->blocks[earlier].group == code->blocks[b].group)
                first_of_group[b] = false;
    }
}

static ldpc_status ref_create(const ldpc_plan *plan, ldpc_cpu_tables **made)
{
    const ldpc_code *code = plan->code;
    bool i8 = plan->arithmetic == LDPC_ARITHMETIC_I8;
    ref_tables *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    tables->lowest = i8 ? LDPC_I8_MIN : -LDPC_I16_LIMIT;
    tables->highest = i8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
    tables->first_of_group = ldpc_allocate(code->layer_start[code->layers], sizeof *tables->first_of_group);
    if (!tables->first_of_group) {
        ref_destroy(&tables->base);
        return LDPC_ERR_MEMORY;
    }
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        mark_first(code, l, tables->first_of_group);
        if (degree > tables->max_degree)
            tables->max_degree = degree;
    }
    tables->base = (ldpc_cpu_tables){
        .plan = plan,
        .rule = ldpc_plan_rule(plan),
        .words = 1,
        .scratch_bytes = scratch_bytes(tables, code),
    };
    *made = &tables->base;
    return LDPC_OK;
}

static void ref_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const ref_tables *tables = (const ref_tables *)base;
    if (base->plan->arithmetic == LDPC_ARITHMETIC_FLOAT)
        float_decode(tables, scratch, batch);
    else
        int_decode(tables, scratch, batch);
}

const ldpc_cpu_kernel ldpc_cpu_ref = {
    .name = "ref",
    .supports = ref_supports,
    .create = ref_create,
    .destroy = ref_destroy,
    .decode = ref_decode,
};
