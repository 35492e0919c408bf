/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node of the reference decoder (docs/arithmetic.md, "One check"). */
#ifndef LDPC_REF_CHECK_NODE_H
#define LDPC_REF_CHECK_NODE_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cpu/binary/llr_conversion.h"

#define MINIMA 3

/* ---- integers */

typedef struct int_msgs {
    int32_t others, min;
} int_msgs;

static inline int32_t max_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t min_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t int_loss(const ldpc_rule *rule, const int32_t thresholds[LDPC_RULE_THRESHOLDS],
                               int32_t distance)
{
    int32_t loss = 0;
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        loss += distance < thresholds[i] ? rule->step : 0;
    return loss;
}

/* A new rule needs a case here and in float_rule(). */
static inline int_msgs int_rule(const ldpc_rule *rule, const int32_t min[MINIMA])
{
    int_msgs m;
    int32_t u = min[0], v = min[1], w = min[2];
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        m.others = max_of(u - rule->offset, 0);
        m.min = max_of(v - rule->offset, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        m.others = u * rule->factor / 16;
        m.min = v * rule->factor / 16;
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        m.others = max_of(u - rule->offset - (v - u < rule->threshold ? rule->step : 0), (u + 1) / 2);
        m.min = max_of(v - rule->offset, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        m.others = max_of(u - int_loss(rule, rule->others_threshold, (v - u) + (w - u)), (u + 1) / 2);
        m.min = max_of(v - int_loss(rule, rule->min_threshold, w - v), 0);
        break;
    default:
        m.others = u;
        m.min = v;
    }
    m.others = min_of(m.others, rule->max_msg_others);
    m.min = min_of(m.min, rule->max_msg);
    return m;
}

static inline void int_insert(int32_t min[MINIMA], int32_t magnitude)
{
    for (int i = 0; i < MINIMA; i++)
        if (magnitude < min[i]) {
            int32_t larger = min[i];
            min[i] = magnitude;
            magnitude = larger;
        }
}

static inline void int_check_node(const ldpc_rule *rule, int32_t no_edge, size_t degree, const int32_t *q,
                                  int32_t *r)
{
    int32_t min[MINIMA] = {no_edge, no_edge, no_edge};
    bool odd = false;
    for (size_t e = 0; e < degree; e++) {
        int_insert(min, abs(q[e]));
        odd ^= q[e] < 0;
    }
    const int_msgs m = int_rule(rule, min);
    for (size_t e = 0; e < degree; e++) {
        int32_t magnitude = abs(q[e]) == min[0] ? m.min : m.others;
        bool negative = odd ^ (q[e] < 0);
        r[e] = negative ? -magnitude : magnitude;
    }
}

/* ---- floats */

typedef struct float_msgs {
    float others, min;
} float_msgs;

static inline float box_plus(float a, float b)
{
    if (isinf(a) || isinf(b))
        return isinf(a) ? b : a;
    float magnitude = fminf(fabsf(a), fabsf(b));
    float sign = (a < 0) != (b < 0) ? -magnitude : magnitude;
    return sign + log1pf(expf(-fabsf(a + b))) - log1pf(expf(-fabsf(a - b)));
}

static inline void float_sum_product(size_t degree, const float *q, float *r)
{
    float after = INFINITY;
    for (size_t e = degree; e-- > 0;) {
        r[e] = after;
        after = box_plus(after, q[e]);
    }
    float before = INFINITY;
    for (size_t e = 0; e < degree; e++) {
        r[e] = float_clamp(box_plus(before, r[e]));
        before = box_plus(before, q[e]);
    }
}

static inline float_msgs float_rule(const ldpc_rule *rule, const float min[MINIMA])
{
    float_msgs m;
    float u = min[0], v = min[1], w = min[2];
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        m.others = fmaxf(u - rule->offset_f, 0);
        m.min = fmaxf(v - rule->offset_f, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        m.others = u * rule->factor_f;
        m.min = v * rule->factor_f;
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        m.others =
            fmaxf(u - fmaxf(rule->offset_f, rule->others_peak_f - rule->others_slope_f * (v - u)), u / 2);
        m.min = fmaxf(v - rule->offset_f, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        m.others =
            fmaxf(u - fmaxf(rule->offset_f, rule->others_peak_f - rule->others_slope_f * (v - u)), u / 2);
        m.min = fmaxf(v - fmaxf(rule->min_peak_f - rule->min_slope_f * (w - v), 0), 0);
        break;
    default:
        m.others = u;
        m.min = v;
    }
    return m;
}

static inline void float_insert(float min[MINIMA], float magnitude)
{
    for (int i = 0; i < MINIMA; i++)
        if (magnitude < min[i]) {
            float larger = min[i];
            min[i] = magnitude;
            magnitude = larger;
        }
}

static inline void float_check_node(const ldpc_rule *rule, float no_edge, size_t degree, const float *q,
                                    float *r)
{
    if (rule->algorithm == LDPC_ALGORITHM_SUM_PRODUCT) {
        float_sum_product(degree, q, r);
        return;
    }
    float min[MINIMA] = {no_edge, no_edge, no_edge};
    bool odd = false;
    for (size_t e = 0; e < degree; e++) {
        float_insert(min, fabsf(q[e]));
        odd ^= q[e] < 0;
    }
    const float_msgs m = float_rule(rule, min);
    for (size_t e = 0; e < degree; e++) {
        float magnitude = fabsf(q[e]) == min[0] ? m.min : m.others;
        bool negative = odd ^ (q[e] < 0);
        r[e] = float_clamp(negative ? -magnitude : magnitude);
    }
}

#endif
