/* SPDX-License-Identifier: BSD-3-Clause */
/* Sum-product for the float lanes of check_node.h.
 *
 * A message of magnitude x stands as t = e^-x. In these, box-plus needs no logarithm and does not cancel:
 *
 *   tanh(x/2) = (1 - t) / (1 + t), so the product of two tanh belongs to t = (t1 + t2) / (1 + t1 t2)
 *
 * So that large messages do not underflow, all t of a row are multiplied by e^v, where v is the second
 * smallest magnitude: only one t can then be large, and scale = e^-2v puts the product right. t below e^-20
 * are nothing beside the largest, scale below e^-40 is nothing beside 1; such limits keep everything far from
 * denormal numbers. */

FORCE_INLINE floats box_plus(floats a, floats b, floats scale)
{
    return (a + b) / (1.0f + scale * a * b);
}

/* e^x within 2e-8 of its size, x limited to -60 .. 40: 2^k e^r with |r| <= ln(2) / 2, by a fitted polynomial.
 */
FORCE_INLINE floats exp_of(floats x)
{
    const float round = 12582912; /* 1.5 * 2^23: what is added to it loses its fraction */
    x = v_larger(v_smaller(x, 40.0f + (floats){0}), -60.0f + (floats){0});
    floats shifted = x * 1.44269504f + round, k = shifted - round;
    floats r = (x - k * 0.693359375f) + k * 2.12194440e-4f; /* ln 2 in two parts */
    floats p = r * 1.3933649e-3f + 8.3631789e-3f;
    p = p * r + 4.1666467e-2f;
    p = p * r + 1.6666576e-1f;
    p = p * r + 0.5f;
    p = p * (r * r) + r + 1.0f;
    return (floats)((patterns)p + ((patterns)shifted << 23));
}

/* t of a magnitude, times e^v. */
FORCE_INLINE floats scaled(floats v, floats magnitude)
{
    return exp_of(v_larger(v - magnitude, -20.0f + (floats){0}));
}

/* ln x within 2e-7, x > 0 and normal: the exponent, and a fitted polynomial from sqrt(1/2) to sqrt(2). */
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

/* An edge of a register while its message is worked out: |Q|, its t, and box-plus of all edges that follow,
 * which then gives way to the message, but for the sign of its own Q. */
typedef struct product {
    vec magnitude;
    floats t;
    vec message;
} product;
_Static_assert(sizeof(product) == LDPC_LAYERED_KEPT * REGISTER_BYTES, "the spare space");

/* Messages from magnitudes, of which u and v are the smallest: backwards, then forwards. Rounding does not
 * take them beyond those of min-sum. */
static void box_pluses(product *edges, unsigned degree, vec u, vec v, vec sign)
{
    const floats second = (floats)v;
    const floats scale = (floats)((patterns)exp_of(second * -2.0f) & (second <= 20.0f));
    floats after = {0}, before = {0};
    for (unsigned e = degree; e-- > 0;) {
        edges[e].t = scaled(second, (floats)edges[e].magnitude);
        edges[e].message = (vec)after;
        after = box_plus(after, edges[e].t, scale);
    }
    for (unsigned e = 0; e < degree; e++) {
        floats x = second - log_of(box_plus(before, (floats)edges[e].message, scale));
        vec most = v_pick(edges[e].magnitude, u, u, v);
        vec message = v_min((vec)v_larger(x, (floats){0}), most);
        edges[e].message = v_negate_by(message, sign);
        before = box_plus(before, edges[e].t, scale);
    }
}
