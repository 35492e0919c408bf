/* SPDX-License-Identifier: BSD-3-Clause */
/* Demapping kernels. Each lane is a cell. The cost of a point is its weighted squared distance from the
 * received cell, in nats, without terms common to all points.
 *
 * A table holds the costs of all levels or labels. The first bit of the label selects the half of the table:
 *
 *     LLR = (combined costs of the second half) - (combined costs of the first half)
 *
 * For the next bit, entry i of the first half is combined with its counterpart in the second half: the
 * mirrored entry on a Gray-coded axis, entry i in a table of labels. Combining costs a and b gives min(a, b)
 * for max-log, and -ln(e^-a + e^-b) for exact LLRs.
 *
 *     Gray-coded axis, 2 bits:   costs      c0 c1 | c2 c3        LLR of bit 0: min(c2, c3) - min(c0, c1)
 *                                labels     00 01   11 10
 *                                combined   min(c0, c3) | min(c1, c2)         LLR of bit 1: second - first
 */
#include "dvb/demap_kernel.h"

#include <math.h>

#include "cpu/simd/simd.h"

/* Unrolls all loops, except in sanitizer builds and plain C. */
#if defined(LDPC_SANITIZED) || defined(LDPC_ISA_SCALAR)
#define INLINED static inline
#define UNROLL
#else
#define INLINED FORCE_INLINE
#define UNROLL  UNROLL_FULLY
#endif

/* ln(1 + e^-d), d >= 0, error below 3e-4. */
INLINED vecf log_one_plus(vecf d)
{
    static const float c[] = {0.01841348f, -0.07279523f, 0.13256669f,  -0.17144573f,
                              0.21266027f, -0.15062228f, -0.01661095f, 0.04845733f};
    const vecf t = v_sub_f32(v_mul_f32(v_min_f32(d, v_set_f32(8.0f)), v_set_f32(0.25f)), v_set_f32(1.0f));
    vecf sum = v_set_f32(c[7]);
    UNROLL
    for (int i = 6; i >= 0; i--)
        sum = v_add_f32(v_mul_f32(sum, t), v_set_f32(c[i]));
    return sum;
}

INLINED vecf combined(const bool exact, vecf a, vecf b)
{
    const vecf least = v_min_f32(a, b);
    return exact ? v_sub_f32(least, log_one_plus(v_sub_f32(v_max_f32(a, b), least))) : least;
}

INLINED void halve(const bool exact, const bool mirrored, const unsigned half, const vecf *costs, vecf *joint)
{
    UNROLL
    for (unsigned i = 0; i < half; i++)
        joint[i] = combined(exact, costs[i], costs[mirrored ? 2 * half - 1 - i : half + i]);
}

/* Calls X(half) with constant expressions. */
#define EACH_HALF(X, bits) X(32, bits) X(16, bits) X(8, bits) X(4, bits) X(2, bits) X(1, bits)

/* Combines `count` costs into one. `count` is a power of two. */
INLINED vecf all_combined(const bool exact, const unsigned count, const vecf *costs)
{
    vecf rest[LDPC_DEMAP_TABLE / 2] = {costs[0]};
#define SMALLER(half, size)                                                                                  \
    if (half < (size))                                                                                       \
        halve(exact, false, half, 2 * half == (size) ? costs : rest, rest);
    EACH_HALF(SMALLER, count)
    return rest[0];
}

/* LLRs of bit b are written to `to` + b * stride. */
typedef struct target {
    int8_t *to;
    size_t stride;
    vecf scale;
} target;

INLINED void put(const target *out, vecf llr)
{
    v_store_s8_f32(out->to,
                   v_max_f32(v_set_f32(-127.0f), v_min_f32(v_set_f32(127.0f), v_mul_f32(llr, out->scale))));
}

/* Overwrites the costs. */
INLINED void demap_bits(const bool exact, const bool mirrored, const unsigned bits, vecf *costs, target out)
{
#define ONE_BIT(half, size)                                                                                  \
    if (half < 1u << (size)) {                                                                               \
        put(&out, v_sub_f32(all_combined(exact, half, costs + half), all_combined(exact, half, costs)));     \
        out.to += out.stride;                                                                                \
        halve(exact, mirrored, half, costs, costs);                                                          \
    }
    EACH_HALF(ONE_BIT, bits)
}

INLINED vecf memory_combined(const bool exact, const unsigned count, const vecf *costs)
{
    vecf rest[4] = {costs[0], costs[1], costs[2], costs[3]};
    for (unsigned i = 4; i < count; i += 4)
        for (unsigned j = 0; j < 4; j++)
            rest[j] = combined(exact, rest[j], costs[i + j]);
    return all_combined(exact, 4, rest);
}

/* Writes the LLRs of all bits from a table of labels. Large tables are combined in memory first. */
INLINED void demap_table(const bool exact, const unsigned bits, vecf *costs, target out)
{
    for (unsigned half = 1u << (bits - 1); half >= LDPC_DEMAP_TABLE; half /= 2) {
        put(&out, v_sub_f32(memory_combined(exact, half, costs + half), memory_combined(exact, half, costs)));
        out.to += out.stride;
        for (unsigned i = 0; i < half; i++)
            costs[i] = combined(exact, costs[i], costs[half + i]);
    }
    demap_bits(exact, false, bits < LDPC_DEMAP_TABLE_BITS ? bits : LDPC_DEMAP_TABLE_BITS, costs, out);
}

INLINED target target_of(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk, size_t cell)
{
    return (target){chunk->llr + cell, chunk->stride, v_set_f32(shape->llr_scale)};
}

INLINED target target_of_axis(target all, unsigned axis)
{
    return (target){all.to + axis * all.stride, 2 * all.stride, all.scale};
}

/* Computes w (x - level)^2 - w x^2 for the levels ... 3, 1, -1, -3 ... (times step), largest first. */
INLINED void axes(const bool exact, const unsigned half_bits, const ldpc_demap_shape *shape,
                  const ldpc_demap_chunk *chunk)
{
    const unsigned levels = 1u << half_bits;
    const vecf linear = v_set_f32(2 * shape->step), square = v_set_f32(shape->step * shape->step);
    for (size_t cell = 0; cell < chunk->cells; cell += F32_LANES) {
        const target out = target_of(shape, chunk, cell);
        UNROLL
        for (unsigned axis = 0; axis < 2; axis++) {
            const vecf weight = v_load_f32(chunk->weight[axis] + cell);
            const vecf u = v_mul_f32(v_mul_f32(v_load_f32(chunk->value[axis] + cell), weight), linear);
            const vecf v = v_mul_f32(weight, square);
            vecf costs[LDPC_DEMAP_LEVELS];
            UNROLL
            for (unsigned i = 0; i < levels / 2; i++) {
                const float level = (float)(levels - 1 - 2 * i);
                const vecf even = v_mul_f32(v, v_set_f32(level * level)),
                           odd = v_mul_f32(u, v_set_f32(level));
                costs[i] = v_sub_f32(even, odd);
                costs[levels - 1 - i] = v_add_f32(even, odd);
            }
            demap_bits(exact, true, half_bits, costs, target_of_axis(out, axis));
        }
    }
}

typedef struct quadratic {
    vecf x, y, own, mixed, other; /* cost = own dx^2 + mixed dx dy + other dy^2 */
    vecf weights;
} quadratic;

/* Returns level i relative to the received point. Level 0 is the largest. */
INLINED vecf level_from(vecf centre, unsigned levels, unsigned i)
{
    return v_sub_f32(v_set_f32((float)levels - 1.0f - 2.0f * (float)i), centre);
}

INLINED vecf cost_at(const quadratic *b, vecf dx, vecf dy)
{
    return v_add_f32(v_mul_f32(v_mul_f32(b->own, dx), dx),
                     v_mul_f32(v_add_f32(v_mul_f32(b->other, dy), v_mul_f32(b->mixed, dx)), dy));
}

INLINED void all_points(const unsigned levels, const quadratic *b, vecf *x_costs, vecf *y_costs)
{
    const vecf infinite = v_set_f32(1e30f);
    UNROLL
    for (unsigned j = 0; j < levels; j++)
        y_costs[j] = infinite;
    for (unsigned i = 0; i < levels; i++) {
        const vecf dx = level_from(b->x, levels, i);
        vecf costs[LDPC_DEMAP_LEVELS];
        UNROLL
        for (unsigned j = 0; j < levels; j++) {
            costs[j] = cost_at(b, dx, level_from(b->y, levels, j));
            y_costs[j] = combined(true, y_costs[j], costs[j]);
        }
        x_costs[i] = all_combined(true, levels, costs);
    }
}

INLINED quadratic derotated(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk, size_t cell)
{
    const float c = shape->cosine, s = shape->sine, square = shape->step * shape->step;
    const vecf c_in = v_set_f32(c / shape->step), s_in = v_set_f32(s / shape->step);
    const vecf cc = v_set_f32(c * c * square), ss = v_set_f32(s * s * square),
               cs = v_set_f32(2 * c * s * square);
    const vecf i = v_load_f32(chunk->value[0] + cell), q = v_load_f32(chunk->value[1] + cell);
    const vecf wi = v_load_f32(chunk->weight[0] + cell), wq = v_load_f32(chunk->weight[1] + cell);
    return (quadratic){.x = v_add_f32(v_mul_f32(i, c_in), v_mul_f32(q, s_in)),
                       .y = v_sub_f32(v_mul_f32(q, c_in), v_mul_f32(i, s_in)),
                       .own = v_add_f32(v_mul_f32(wi, cc), v_mul_f32(wq, ss)),
                       .mixed = v_mul_f32(v_sub_f32(wq, wi), cs),
                       .other = v_add_f32(v_mul_f32(wi, ss), v_mul_f32(wq, cc)),
                       .weights =
                           v_mul_f32(v_mul_f32(wi, v_set_f32(square)), v_mul_f32(wq, v_set_f32(square)))};
}

/* Max-log LLRs of the bits of x. For each level i of x, rounding gives the best level j of y. Levels are
 * numbered from the largest one; the received point is at (u, v):
 *
 *     cost / (4 other) = ratio (u - i)^2 + (p - j)^2,    p = v + mixed / (2 other) (u - i),
 *     ratio = (own other - mixed^2 / 4) / other^2 = weights / other^2
 *
 * The best j is the integer nearest to p. p and ratio (u - i)^2 are updated from level to level. */
INLINED void lattice_axis(const unsigned half_bits, const quadratic *b, target out)
{
    const unsigned levels = 1u << half_bits;
    const vecf half = v_set_f32(0.5f), top = v_set_f32((float)levels - 1.0f), zero = v_set_f32(0.0f);
    const vecf inverse = v_div_f32(v_set_f32(1.0f), v_max_f32(b->other, v_set_f32(1e-30f)));
    const vecf slope = v_mul_f32(v_mul_f32(b->mixed, half), inverse);
    const vecf ratio = v_mul_f32(v_mul_f32(b->weights, inverse), inverse);
    const vecf u = v_mul_f32(v_sub_f32(top, b->x), half), v = v_mul_f32(v_sub_f32(top, b->y), half);
    vecf p = v_add_f32(v, v_mul_f32(slope, u)), costs[LDPC_DEMAP_LEVELS];
    vecf far = v_mul_f32(v_mul_f32(ratio, u), u), twice = v_add_f32(ratio, ratio);
    vecf less = v_sub_f32(v_mul_f32(twice, u), ratio);
    UNROLL
    for (unsigned i = 0; i < levels; i++) {
        const vecf off = v_sub_f32(p, v_round_f32(v_max_f32(zero, v_min_f32(top, p))));
        costs[i] = v_add_f32(far, v_mul_f32(off, off));
        p = v_sub_f32(p, slope);
        far = v_sub_f32(far, less);
        less = v_sub_f32(less, twice);
    }
    out.scale = v_mul_f32(out.scale, v_mul_f32(b->other, v_set_f32(4.0f)));
    demap_bits(false, true, half_bits, costs, out);
}

INLINED void lattice(const bool exact, const unsigned half_bits, const ldpc_demap_shape *shape,
                     const ldpc_demap_chunk *chunk)
{
    for (size_t cell = 0; cell < chunk->cells; cell += F32_LANES) {
        const target out = target_of(shape, chunk, cell);
        const target x_out = target_of_axis(out, 0), y_out = target_of_axis(out, 1);
        const quadratic b = derotated(shape, chunk, cell);
        if (exact) {
            vecf x_costs[LDPC_DEMAP_LEVELS], y_costs[LDPC_DEMAP_LEVELS];
            all_points(1u << half_bits, &b, x_costs, y_costs);
            demap_bits(true, true, half_bits, x_costs, x_out);
            demap_bits(true, true, half_bits, y_costs, y_out);
        } else {
            lattice_axis(half_bits, &b, x_out);
            lattice_axis(half_bits, &(quadratic){b.y, b.x, b.other, b.mixed, b.own, b.weights}, y_out);
        }
    }
}

INLINED void points(const bool exact, const unsigned bits, const ldpc_demap_shape *shape,
                    const ldpc_demap_chunk *chunk)
{
    const unsigned count = 1u << bits;
    for (size_t cell = 0; cell < chunk->cells; cell += F32_LANES) {
        const vecf wi = v_load_f32(chunk->weight[0] + cell), wq = v_load_f32(chunk->weight[1] + cell);
        const vecf ui = v_mul_f32(v_mul_f32(v_load_f32(chunk->value[0] + cell), wi), v_set_f32(-2.0f));
        const vecf uq = v_mul_f32(v_mul_f32(v_load_f32(chunk->value[1] + cell), wq), v_set_f32(-2.0f));
        vecf costs[LDPC_DEMAP_MOST_POINTS];
        UNROLL
        for (unsigned k = 0; k < count; k++) {
            const vecf x = v_set_f32(shape->points[2 * k]), y = v_set_f32(shape->points[2 * k + 1]);
            costs[k] = v_add_f32(v_mul_f32(v_add_f32(v_mul_f32(x, wi), ui), x),
                                 v_mul_f32(v_add_f32(v_mul_f32(y, wq), uq), y));
        }
        demap_table(exact, bits, costs, target_of(shape, chunk, cell));
    }
}

/* Returns 1, -1 or, if x is 0, 0. Tiny numbers may give a smaller magnitude. */
INLINED vecf sign_of(vecf x)
{
    const vecf one = v_set_f32(1.0f), large = v_mul_f32(x, v_set_f32(1e30f));
    return v_max_f32(v_sub_f32(v_set_f32(0.0f), one), v_min_f32(one, large));
}

/* The sign of a received coordinate gives the sign of the nearest point, for any of the other label bits. The costs
 * are exactly those of points(). */
INLINED void mirrored(const unsigned bits, const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk)
{
    const unsigned count = 1u << (bits - 2);
    for (size_t cell = 0; cell < chunk->cells; cell += F32_LANES) {
        target out = target_of(shape, chunk, cell);
        const vecf zero = v_set_f32(0.0f), two = v_set_f32(2.0f);
        const vecf wi = v_load_f32(chunk->weight[0] + cell), wq = v_load_f32(chunk->weight[1] + cell);
        const vecf ui = v_mul_f32(v_mul_f32(v_load_f32(chunk->value[0] + cell), wi), two);
        const vecf uq = v_mul_f32(v_mul_f32(v_load_f32(chunk->value[1] + cell), wq), two);
        const vecf ai = v_max_f32(ui, v_sub_f32(zero, ui)), aq = v_max_f32(uq, v_sub_f32(zero, uq));
        vecf costs[LDPC_DEMAP_MOST_POINTS / 4], far_i = v_set_f32(1e30f), far_q = far_i;
        UNROLL
        for (unsigned k = 0; k < count; k++) {
            const vecf x = v_set_f32(shape->quadrant[2 * k]), y = v_set_f32(shape->quadrant[2 * k + 1]);
            const vecf xw = v_mul_f32(x, wi), yw = v_mul_f32(y, wq);
            const vecf near_x = v_mul_f32(v_sub_f32(xw, ai), x), near_y = v_mul_f32(v_sub_f32(yw, aq), y);
            costs[k] = v_add_f32(near_x, near_y);
            far_i = v_min_f32(far_i, v_add_f32(v_mul_f32(v_add_f32(xw, ai), x), near_y));
            far_q = v_min_f32(far_q, v_add_f32(near_x, v_mul_f32(v_add_f32(yw, aq), y)));
        }
        const vecf least = memory_combined(false, count, costs);
        const vecf sign_i = v_mul_f32(sign_of(ui), v_set_f32(shape->sign[0]));
        const vecf sign_q = v_mul_f32(sign_of(uq), v_set_f32(shape->sign[1]));
        put(&out, v_mul_f32(v_sub_f32(far_i, least), sign_i));
        out.to += out.stride;
        put(&out, v_mul_f32(v_sub_f32(far_q, least), sign_q));
        out.to += out.stride;
        demap_table(false, bits - 2, costs, out);
    }
}

#define KEY(search, exact, bits) (32 * (int)(search) + 16 * (int)(exact) + (int)(bits))
#define AXES(exact, bits)                                                                                    \
    case KEY(LDPC_DEMAP_AXES, exact, bits):                                                                  \
        axes(exact, bits / 2, shape, chunk);                                                                 \
        break;
#define LATTICE(exact, bits)                                                                                 \
    case KEY(LDPC_DEMAP_LATTICE, exact, bits):                                                               \
        lattice(exact, bits / 2, shape, chunk);                                                              \
        break;
#define POINTS(exact, bits)                                                                                  \
    case KEY(LDPC_DEMAP_POINTS, exact, bits):                                                                \
        points(exact, bits, shape, chunk);                                                                   \
        break;
#define MIRRORED(exact, bits)                                                                                \
    case KEY(LDPC_DEMAP_MIRRORED, exact, bits):                                                              \
        mirrored(bits, shape, chunk);                                                                        \
        break;
#define EACH_APSK(X, exact)      X(exact, 4) X(exact, 5) X(exact, 6) X(exact, 7) X(exact, 8)
#define EACH_QAM(X, exact)       X(exact, 2) X(exact, 4) X(exact, 6) X(exact, 8)
#define EACH_LARGE_QAM(X, exact) X(exact, 10) X(exact, 12)
#define EACH_RING(X, exact)                                                                                  \
    X(exact, 1) X(exact, 2) X(exact, 3) X(exact, 4) X(exact, 5) X(exact, 6) X(exact, 7) X(exact, 8)

/* The compiler vectorises this loop. */
static void weigh(size_t count, const float *restrict iq, const float *restrict noise, float *restrict value,
                  float *restrict weight)
{
    for (size_t c = 0; c < count; c++) {
        const float confidence = 1.0f / noise[c];
        value[c] = iq[2 * c];
        weight[c] = noise[c] > 0.0f ? confidence : 0.0f;
    }
    for (size_t c = 0; c < count; c++) {
        const bool known = (fabsf(value[c]) <= LDPC_DEMAP_MAX_VALUE) & (weight[c] > 0.0f);
        const float limited = weight[c] < LDPC_DEMAP_MAX_WEIGHT ? weight[c] : LDPC_DEMAP_MAX_WEIGHT;
        value[c] = known ? value[c] : 0.0f;
        weight[c] = known ? limited : 0.0f;
    }
}

/* The function is aligned to a cache line. Otherwise, its speed would vary by up to 20 %. */
static void __attribute__((aligned(64))) demap(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk)
{
    switch (KEY(shape->search, shape->exact, shape->bits)) {
        EACH_QAM(AXES, false)
        EACH_QAM(AXES, true)
        EACH_LARGE_QAM(AXES, false)
        EACH_LARGE_QAM(AXES, true)
        EACH_QAM(LATTICE, false)
        EACH_QAM(LATTICE, true)
        EACH_RING(POINTS, false)
        EACH_RING(POINTS, true)
        EACH_APSK(MIRRORED, false)
    }
}

extern const ldpc_interleave_ops LDPC_ISA_SYMBOL(ldpc_interleave_);

const ldpc_demap_kernel LDPC_ISA_SYMBOL(ldpc_demap_) = {
    {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    weigh,
    demap,
    &LDPC_ISA_SYMBOL(ldpc_interleave_),
};
