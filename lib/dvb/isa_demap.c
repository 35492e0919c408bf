/* SPDX-License-Identifier: BSD-3-Clause */
/* Demapping kernels: lanes are cells. Every point's squared distance, times the weights, is its cost in nats;
 * what all points of a cell have in common is left out.
 *
 * The bits are folded away one after the other: the LLR of the first bit is the difference of the costs of
 * the two halves of the table; then the two halves are laid upon each other and the second bit's turn comes.
 * A Gray-coded axis is folded like paper (the order of its second half is mirrored), a table of labels is
 * not. Laying two costs upon each other takes the smaller one, or for exact LLRs -ln(e^-a + e^-b). */
#include "dvb/demap_kernel.h"
#include "cpu/simd/isa.h"
#include "cpu/simd/simd_float.h"

/* ln(1 + e^-d), d >= 0, to 3e-4: a polynomial in d / 4 - 1 up to 8, where next to nothing is left. */
FORCE_INLINE vecf log_one_plus(vecf d)
{
    static const float c[] = {0.01841348f, -0.07279523f, 0.13256669f,  -0.17144573f,
                              0.21266027f, -0.15062228f, -0.01661095f, 0.04845733f};
    const vecf t = f_sub(f_mul(f_min(d, f_set(8.0f)), f_set(0.25f)), f_set(1.0f));
    vecf sum = f_set(c[7]);
    UNROLL
    for (int i = 6; i >= 0; i--)
        sum = f_add(f_mul(sum, t), f_set(c[i]));
    return sum;
}

FORCE_INLINE vecf joined(const bool exact, vecf a, vecf b)
{
    const vecf least = f_min(a, b);
    return exact ? f_sub(least, log_one_plus(f_sub(f_max(a, b), least))) : least;
}

/* The halves of 2 * half costs upon each other. */
FORCE_INLINE void halve(const bool exact, const bool mirrored, const unsigned half, const vecf *costs,
                        vecf *joint)
{
    UNROLL
    for (unsigned i = 0; i < half; i++)
        joint[i] = joined(exact, costs[i], costs[mirrored ? 2 * half - 1 - i : half + i]);
}

/* X(half) for each half that `bits` (a constant) has, the largest first. Not a loop: every half is a
 * constant. */
#define EACH_HALF(X, bits) X(16, bits) X(8, bits) X(4, bits) X(2, bits) X(1, bits)

/* All of `count` (a power of two) costs upon each other. */
FORCE_INLINE vecf all_joined(const bool exact, const unsigned count, const vecf *costs)
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

FORCE_INLINE void put(const target *out, vecf llr)
{
    f_store_bytes(out->to, f_max(f_set(-127.0f), f_min(f_set(127.0f), f_mul(llr, out->scale))));
}

FORCE_INLINE void fold(const bool exact, const bool mirrored, const unsigned bits, vecf *costs, target out)
{
#define ONE_BIT(half, size)                                                                                  \
    if (half < 1u << (size)) {                                                                               \
        put(&out, f_sub(all_joined(exact, half, costs + half), all_joined(exact, half, costs)));             \
        out.to += out.stride;                                                                                \
        halve(exact, mirrored, half, costs, costs);                                                          \
    }
    EACH_HALF(ONE_BIT, bits)
}

FORCE_INLINE target target_of(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk, size_t cell)
{
    return (target){chunk->llr + cell, chunk->stride, f_set(shape->llr_scale)};
}

/* The same for one axis: every second bit, from bit `axis` on. */
FORCE_INLINE target target_of_axis(target all, unsigned axis)
{
    return (target){all.to + axis * all.stride, 2 * all.stride, all.scale};
}

/* Levels +-1, +-3 .. in steps: cost w (x - level)^2 - w x^2, from the largest level down. */
FORCE_INLINE void axes(const bool exact, const unsigned half_bits, const ldpc_demap_shape *shape,
                       const ldpc_demap_chunk *chunk)
{
    const unsigned levels = 1u << half_bits;
    const vecf linear = f_set(2 * shape->step), square = f_set(shape->step * shape->step);
    for (size_t cell = 0; cell < chunk->cells; cell += FLOAT_LANES) {
        const target out = target_of(shape, chunk, cell);
        UNROLL
        for (unsigned axis = 0; axis < 2; axis++) {
            const vecf weight = f_load(chunk->weight[axis] + cell);
            const vecf u = f_mul(f_mul(f_load(chunk->value[axis] + cell), weight), linear);
            const vecf v = f_mul(weight, square);
            vecf costs[LDPC_DEMAP_LEVELS];
            UNROLL
            for (unsigned i = 0; i < levels / 2; i++) {
                const float level = (float)(levels - 1 - 2 * i);
                const vecf even = f_mul(v, f_set(level * level)), odd = f_mul(u, f_set(level));
                costs[i] = f_sub(even, odd);
                costs[levels - 1 - i] = f_add(even, odd);
            }
            fold(exact, true, half_bits, costs, target_of_axis(out, axis));
        }
    }
}

/* A quadratic form around the received point, in steps. */
typedef struct bowl {
    vecf x, y, own, mixed, other; /* own dx^2 + mixed dx dy + other dy^2 */
} bowl;

/* The i-th level from the largest down, less where the bowl's centre is. */
FORCE_INLINE vecf level_from(vecf centre, unsigned levels, unsigned i)
{
    return f_sub(f_set((float)levels - 1.0f - 2.0f * (float)i), centre);
}

FORCE_INLINE vecf depth(const bowl *b, vecf dx, vecf dy)
{
    return f_add(f_mul(f_mul(b->own, dx), dx), f_mul(f_add(f_mul(b->other, dy), f_mul(b->mixed, dx)), dy));
}

/* For each level of x the cost of the best level of y, which is the one next to the bottom of the valley. */
FORCE_INLINE void valley(const unsigned levels, const bowl *b, vecf *costs)
{
    const vecf highest = f_set((float)levels - 1.0f), lowest = f_set(1.0f - (float)levels);
    const vecf slope = f_div(b->mixed, f_max(f_add(b->other, b->other), f_set(1e-30f)));
    UNROLL
    for (unsigned i = 0; i < levels; i++) {
        const vecf dx = level_from(b->x, levels, i);
        const vecf kept = f_max(lowest, f_min(highest, f_sub(b->y, f_mul(slope, dx))));
        const vecf rounded = f_whole(f_mul(f_sub(kept, highest), f_set(0.5f)));
        costs[i] = depth(b, dx, f_sub(f_add(f_add(rounded, rounded), highest), b->y));
    }
}

/* Costs of all points, joined along both axes. */
FORCE_INLINE void whole_bowl(const unsigned levels, const bowl *b, vecf *x_costs, vecf *y_costs)
{
    const vecf endless = f_set(1e30f);
    UNROLL
    for (unsigned j = 0; j < levels; j++)
        y_costs[j] = endless;
    for (unsigned i = 0; i < levels; i++) {
        const vecf dx = level_from(b->x, levels, i);
        vecf costs[LDPC_DEMAP_LEVELS];
        UNROLL
        for (unsigned j = 0; j < levels; j++) {
            costs[j] = depth(b, dx, level_from(b->y, levels, j));
            y_costs[j] = joined(true, y_costs[j], costs[j]);
        }
        x_costs[i] = all_joined(true, levels, costs);
    }
}

/* A rotated QAM turned back: equal costs are ellipses that lie askew. For max-log and one level of one axis
 * the best level of the other is found by rounding, so 2 sqrt(points) costs are enough. */
FORCE_INLINE void lattice(const bool exact, const unsigned half_bits, const ldpc_demap_shape *shape,
                          const ldpc_demap_chunk *chunk)
{
    const unsigned levels = 1u << half_bits;
    const float c = shape->cosine, s = shape->sine, square = shape->step * shape->step;
    const vecf c_in = f_set(c / shape->step), s_in = f_set(s / shape->step);
    const vecf cc = f_set(c * c * square), ss = f_set(s * s * square), cs = f_set(2 * c * s * square);
    for (size_t cell = 0; cell < chunk->cells; cell += FLOAT_LANES) {
        const target out = target_of(shape, chunk, cell);
        const vecf i = f_load(chunk->value[0] + cell), q = f_load(chunk->value[1] + cell);
        const vecf wi = f_load(chunk->weight[0] + cell), wq = f_load(chunk->weight[1] + cell);
        const bowl b = {.x = f_add(f_mul(i, c_in), f_mul(q, s_in)),
                        .y = f_sub(f_mul(q, c_in), f_mul(i, s_in)),
                        .own = f_add(f_mul(wi, cc), f_mul(wq, ss)),
                        .mixed = f_mul(f_sub(wq, wi), cs),
                        .other = f_add(f_mul(wi, ss), f_mul(wq, cc))};
        vecf x_costs[LDPC_DEMAP_LEVELS], y_costs[LDPC_DEMAP_LEVELS];
        if (exact) {
            whole_bowl(levels, &b, x_costs, y_costs);
        } else {
            valley(levels, &b, x_costs);
            valley(levels, &(bowl){b.y, b.x, b.other, b.mixed, b.own}, y_costs);
        }
        fold(exact, true, half_bits, x_costs, target_of_axis(out, 0));
        fold(exact, true, half_bits, y_costs, target_of_axis(out, 1));
    }
}

FORCE_INLINE void points(const bool exact, const unsigned bits, const ldpc_demap_shape *shape,
                         const ldpc_demap_chunk *chunk)
{
    const unsigned count = 1u << bits;
    for (size_t cell = 0; cell < chunk->cells; cell += FLOAT_LANES) {
        const vecf wi = f_load(chunk->weight[0] + cell), wq = f_load(chunk->weight[1] + cell);
        const vecf ui = f_mul(f_mul(f_load(chunk->value[0] + cell), wi), f_set(-2.0f));
        const vecf uq = f_mul(f_mul(f_load(chunk->value[1] + cell), wq), f_set(-2.0f));
        vecf costs[LDPC_DEMAP_MOST];
        UNROLL
        for (unsigned k = 0; k < count; k++) {
            const vecf x = f_set(shape->points[2 * k]), y = f_set(shape->points[2 * k + 1]);
            costs[k] = f_add(f_mul(f_add(f_mul(x, wi), ui), x), f_mul(f_add(f_mul(y, wq), uq), y));
        }
        fold(exact, false, bits, costs, target_of(shape, chunk, cell));
    }
}

/* The sizes are constants of each case, so that costs stay in registers. */
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

static void demap(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk)
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
