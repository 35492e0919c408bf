/* SPDX-License-Identifier: BSD-3-Clause */
/* Sum-product on float lanes (rule_float.h). Parameter: LANE_BITS, 32.
 *
 * A magnitude x is represented by t = e^-x. Box-plus then needs no logarithm and has no cancellation:
 *
 *   tanh(x/2) = (1 - t) / (1 + t), so the product of two tanh has t = (t1 + t2) / (1 + t1 t2)
 *
 * For large magnitudes, t would underflow. Therefore all t of a check are multiplied by e^min2, where min2 is
 * the second smallest magnitude. The product t1 t2 is multiplied by scale = e^(-2 min2). t is limited to
 * e^-20 and scale to e^-40. Smaller values are negligible, and denormal numbers are slow. */
#ifndef LDPC_BOX_PLUS_H
#define LDPC_BOX_PLUS_H

#ifndef LANE_BITS
#define LANE_BITS 32
#endif

#include "cpu/binary/simd_map.h"
#include "cpu/simd/lanes.h"

FORCE_INLINE floats box_plus(floats a, floats b, floats scale)
{
    return (a + b) / (1.0f + scale * a * b);
}

/* Returns 2^k e^r = e^x with |r| <= ln(2) / 2, for x limited to -60 .. 40. The relative error is 2e-8. */
FORCE_INLINE floats exp_of(floats x)
{
    const float round = 12582912; /* 1.5 * 2^23; adding it rounds to an integer */
    x = v_larger(v_smaller(x, 40.0f + (floats){0}), -60.0f + (floats){0});
    floats shifted = x * 1.44269504f + round, k = shifted - round;
    floats r = (x - k * 0.693359375f) + k * 2.12194440e-4f; /* x - k * ln 2; two constants for precision */
    floats p = r * 1.3933649e-3f + 8.3631789e-3f;
    p = p * r + 4.1666467e-2f;
    p = p * r + 1.6666576e-1f;
    p = p * r + 0.5f;
    p = p * (r * r) + r + 1.0f;
    return (floats)((patterns)p + ((patterns)shifted << 23));
}

/* t = e^-x, times e^min2 */
FORCE_INLINE floats scaled_t(floats min2, floats magnitude)
{
    return exp_of(v_larger(min2 - magnitude, -20.0f + (floats){0}));
}

/* Returns ln x for normal x > 0. The error is 2e-7. */
FORCE_INLINE floats log_of(floats x)
{
    const int32_t lowest = 0x3f3504f3; /* sqrt(1/2) */
    patterns pattern = (patterns)x - lowest;
    floats k = __builtin_convertvector(pattern >> 23, floats);
    floats y = (floats)((pattern & 0x7fffff) + lowest) - 1.0f;
    floats p = y * 9.0043135e-2f - 1.4257967e-1f;
    p = p * y + 1.4806497e-1f;
    p = p * y - 1.6575029e-1f;
    p = p * y + 1.9973102e-1f;
    p = p * y - 2.5001609e-1f;
    p = p * y + 3.3333659e-1f;
    p = p * y - 0.5f;
    return p * (y * y) + y + k * 0.693147181f;
}

typedef struct product_edge {
    vec magnitude; /* |Q| */
    floats t;
    vec message;
} product_edge;
_Static_assert(sizeof(product_edge) == LDPC_SUM_PRODUCT_REGISTERS * REGISTER_BYTES,
               "size of the scratch of an edge");

static void sum_product_msgs(product_edge *edges, unsigned degree, vec min1, vec min2, vec sign)
{
    const floats second = (floats)min2;
    const floats scale = (floats)((patterns)exp_of(second * -2.0f) & (second <= 20.0f));
    floats after = {0}, before = {0};
    for (unsigned e = degree; e-- > 0;) {
        edges[e].t = scaled_t(second, (floats)edges[e].magnitude);
        edges[e].message = (vec)after;
        after = box_plus(after, edges[e].t, scale);
    }
    for (unsigned e = 0; e < degree; e++) {
        floats x = second - log_of(box_plus(before, (floats)edges[e].message, scale));
        vec most = v_pick(edges[e].magnitude, min1, min1, min2);
        vec message = v_min((vec)v_larger(x, (floats){0}), most);
        edges[e].message = v_negate_by(message, sign);
        before = box_plus(before, edges[e].t, scale);
    }
}

#endif
