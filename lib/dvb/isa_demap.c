/* SPDX-License-Identifier: BSD-3-Clause */
/* Demapping kernels: lanes are cells. The cost of a point is its squared distance times the weights, in nat;
 * what all points of a cell have in common is left out.
 *
 * The bits follow one after the other, the first one from all costs of a table:
 *
 *     LLR = (combined costs of the second half) - (combined costs of the first half)
 *
 * Then entry i of the first half is combined with its counterpart of the second one, and the table, now half
 * as long, belongs to the next bit. The counterpart is the mirrored entry for the levels of a Gray-coded
 * axis, and entry i for a table of labels. Two costs combine to the smaller one (max-log), or for exact LLRs
 * to -ln(e^-a + e^-b). */
#include "dvb/demap_kernel.h"
#include "cpu/simd/simd.h"

/* Kernels are fast because they are straight-line code. Sanitizers take minutes to compile that, and in plain
 * C, where operations are long, it is too large. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INLINED static inline
#define UNROLL
#elif defined(LDPC_ISA_SCALAR)
#define INLINED FORCE_INLINE
#define UNROLL  _Pragma("GCC unroll 4")
#else
#define INLINED FORCE_INLINE
#define UNROLL  _Pragma("GCC unroll 32")
#endif

/* ln(1 + e^-d), d >= 0, within 3e-4: a polynomial in d / 4 - 1 up to d = 8, behind which it is constant. */
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

/* joint[i] = entry i of the first half of 2 * half costs, combined with its counterpart. */
INLINED void halve(const bool exact, const bool mirrored, const unsigned half, const vecf *costs, vecf *joint)
{
    UNROLL
    for (unsigned i = 0; i < half; i++)
        joint[i] = combined(exact, costs[i], costs[mirrored ? 2 * half - 1 - i : half + i]);
}

/* X(half) for each half that `bits` (a constant) has, the largest first. Not a loop, so that `half` is a
 * constant. */
#define EACH_HALF(X, bits) X(16, bits) X(8, bits) X(4, bits) X(2, bits) X(1, bits)

/* `count` costs, a power of two, combined into one. */
INLINED vecf all_combined(const bool exact, const unsigned count, const vecf *costs)
{
    vecf rest[LDPC_DEMAP_MOST / 2] = {costs[0]};
#define SMALLER(half, size)                                                                                  \
    if (half < (size))                                                                                       \
        halve(exact, false, half, 2 * half == (size) ? costs : rest, rest);
    EACH_HALF(SMALLER, count)
    return rest[0];
}

/* Where the LLRs of some cells go: bit b of them to to + b * stride. */
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

/* The LLRs of all `bits` bits of the table. Its costs are overwritten. */
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

INLINED target target_of(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk, size_t cell)
{
    return (target){chunk->llr + cell, chunk->stride, v_set_f32(shape->llr_scale)};
}

/* The same for one axis: every second bit, from bit `axis` on. */
INLINED target target_of_axis(target all, unsigned axis)
{
    return (target){all.to + axis * all.stride, 2 * all.stride, all.scale};
}

/* Levels +-1, +-3 .. in steps: cost w (x - level)^2 - w x^2, from the largest level down. */
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

/* The cost of a point at distance (dx, dy) from the received one (x, y), in steps. */
typedef struct quadratic {
    vecf x, y, own, mixed, other; /* own dx^2 + mixed dx dy + other dy^2 */
} quadratic;

/* The i-th level from the largest down, relative to the received point. */
INLINED vecf level_from(vecf centre, unsigned levels, unsigned i)
{
    return v_sub_f32(v_set_f32((float)levels - 1.0f - 2.0f * (float)i), centre);
}

INLINED vecf cost_at(const quadratic *b, vecf dx, vecf dy)
{
    return v_add_f32(v_mul_f32(v_mul_f32(b->own, dx), dx),
                     v_mul_f32(v_add_f32(v_mul_f32(b->other, dy), v_mul_f32(b->mixed, dx)), dy));
}

/* For each level of x the cost of the best level of y: the one next to the minimum over all real y, limited
 * to the range of levels. */
INLINED void best_points(const unsigned levels, const quadratic *b, vecf *costs)
{
    const vecf highest = v_set_f32((float)levels - 1.0f), lowest = v_set_f32(1.0f - (float)levels);
    const vecf slope = v_div_f32(b->mixed, v_max_f32(v_add_f32(b->other, b->other), v_set_f32(1e-30f)));
    UNROLL
    for (unsigned i = 0; i < levels; i++) {
        const vecf dx = level_from(b->x, levels, i);
        const vecf kept = v_max_f32(lowest, v_min_f32(highest, v_sub_f32(b->y, v_mul_f32(slope, dx))));
        const vecf rounded = v_round_f32(v_mul_f32(v_sub_f32(kept, highest), v_set_f32(0.5f)));
        costs[i] = cost_at(b, dx, v_sub_f32(v_add_f32(v_add_f32(rounded, rounded), highest), b->y));
    }
}

/* The costs of all points, combined along either axis. */
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

/* A rotated QAM, derotated: the noise of I and Q differs, so the cost has a mixed term. For max-log the best
 * level of one axis follows from each level of the other by rounding, so that 2 sqrt(points) costs are
 * enough. */
INLINED void lattice(const bool exact, const unsigned half_bits, const ldpc_demap_shape *shape,
                     const ldpc_demap_chunk *chunk)
{
    const unsigned levels = 1u << half_bits;
    const float c = shape->cosine, s = shape->sine, square = shape->step * shape->step;
    const vecf c_in = v_set_f32(c / shape->step), s_in = v_set_f32(s / shape->step);
    const vecf cc = v_set_f32(c * c * square), ss = v_set_f32(s * s * square),
               cs = v_set_f32(2 * c * s * square);
    for (size_t cell = 0; cell < chunk->cells; cell += F32_LANES) {
        const target out = target_of(shape, chunk, cell);
        const vecf i = v_load_f32(chunk->value[0] + cell), q = v_load_f32(chunk->value[1] + cell);
        const vecf wi = v_load_f32(chunk->weight[0] + cell), wq = v_load_f32(chunk->weight[1] + cell);
        const quadratic b = {.x = v_add_f32(v_mul_f32(i, c_in), v_mul_f32(q, s_in)),
                             .y = v_sub_f32(v_mul_f32(q, c_in), v_mul_f32(i, s_in)),
                             .own = v_add_f32(v_mul_f32(wi, cc), v_mul_f32(wq, ss)),
                             .mixed = v_mul_f32(v_sub_f32(wq, wi), cs),
                             .other = v_add_f32(v_mul_f32(wi, ss), v_mul_f32(wq, cc))};
        vecf x_costs[LDPC_DEMAP_LEVELS], y_costs[LDPC_DEMAP_LEVELS];
        if (exact) {
            all_points(levels, &b, x_costs, y_costs);
        } else {
            best_points(levels, &b, x_costs);
            best_points(levels, &(quadratic){b.y, b.x, b.other, b.mixed, b.own}, y_costs);
        }
        demap_bits(exact, true, half_bits, x_costs, target_of_axis(out, 0));
        demap_bits(exact, true, half_bits, y_costs, target_of_axis(out, 1));
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
        vecf costs[LDPC_DEMAP_MOST];
        UNROLL
        for (unsigned k = 0; k < count; k++) {
            const vecf x = v_set_f32(shape->points[2 * k]), y = v_set_f32(shape->points[2 * k + 1]);
            costs[k] = v_add_f32(v_mul_f32(v_add_f32(v_mul_f32(x, wi), ui), x),
                                 v_mul_f32(v_add_f32(v_mul_f32(y, wq), uq), y));
        }
        demap_bits(exact, false, bits, costs, target_of(shape, chunk, cell));
    }
}

/* The sizes are constants in each case, so that costs stay in registers. */
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
#define EACH_QAM(X, exact)  X(exact, 2) X(exact, 4) X(exact, 6) X(exact, 8)
#define EACH_RING(X, exact) X(exact, 3) X(exact, 4) X(exact, 5)

/* On a line of the cache, because its place in the program otherwise decides on up to a fifth of its speed.
 */
static void __attribute__((aligned(64))) demap(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk)
{
    switch (KEY(shape->search, shape->exact, shape->bits)) {
        EACH_QAM(AXES, false)
        EACH_QAM(AXES, true)
        EACH_QAM(LATTICE, false)
        EACH_QAM(LATTICE, true)
        EACH_RING(POINTS, false)
        EACH_RING(POINTS, true)
    }
}

const ldpc_demap_kernel LDPC_ISA_SYMBOL(ldpc_demap_) = {
    {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    demap
};
