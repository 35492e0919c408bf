// SPDX-License-Identifier: BSD-3-Clause
/* Check node for pairs of halves, with all edges in registers. The kernel defines NO_OTHER (|Q| of a missing
 * edge), MESSAGE_BIAS, and the macros of half_rule.cuh. */
#include "half_rule.cuh"

// Calls F(0, a ...) ... F(N - 1, a ...). The optimiser would take seconds to unroll hundreds of small loops.
template <int... I> struct Numbers {
};
template <int N, int... I> struct NumbersBelow : NumbersBelow<N - 1, N - 1, I...> {
};
template <int... I> struct NumbersBelow<0, I...> {
    typedef Numbers<I...> type;
};
template <auto F, int... I, class... A> DEVICE_INLINE void each_of(Numbers<I...>, A &...a)
{
    (F(I, a...), ...);
}
template <auto F, int N, class... A> DEVICE_INLINE void each(A &...a)
{
    each_of<F>(typename NumbersBelow<N>::type(), a...);
}

// v in both halves
__device__ constexpr u32 H(double v)
{
    if (v == 0)
        return 0;
    u32 s = v < 0 ? 0x8000 : 0;
    int e = 15;
    for (v = v < 0 ? -v : v; v >= 2; v /= 2)
        e++;
    for (; v < 1; v *= 2)
        e--;
    u32 h = s | (u32)e << 10 | (u32)((v - 1) * 1024 + 0.5);
    return h | h << 16;
}

/* min1 <= min2 <= min3. The sign of min1 is the product of all signs. */
struct Minima {
    u32 min1, min2, min3;
};
DEVICE_INLINE Minima merge(const Minima &a, const Minima &b, bool third_a, bool third_b)
{
    Minima m = {0, 0, 0};
    u32 big = hmaxa(a.min1, b.min1);
    if (RULE_HAS_THIRD) {
        u32 small = hmin(a.min2, b.min2), other = hmax(big, small);
        m.min2 = hmin(big, small);
        m.min3 = third_a && third_b ? hmin3(other, a.min3, b.min3) : third_a ? hmin(other, a.min3) : other;
    } else {
        m.min2 = hmin3(big, a.min2, b.min2);
    }
    m.min1 = hminx(a.min1, b.min1);
    return m;
}
DEVICE_INLINE Minima with_edge(const Minima &a, u32 q)
{
    u32 big = hmaxa(a.min1, q);
    return {hminx(a.min1, q), hmin(a.min2, big), RULE_HAS_THIRD ? hmin(a.min3, hmax(a.min2, big)) : a.min3};
}
template <int D> DEVICE_INLINE void merge_edges(int i, Minima (&m)[D / 2 + 1], const u32 (&q)[D])
{
    m[i] = {hminx(q[2 * i], q[2 * i + 1]), hmaxa(q[2 * i], q[2 * i + 1]), H(NO_OTHER)};
}
template <int S, int HALF> DEVICE_INLINE void merge_minima(int i, Minima (&m)[HALF + 1])
{
    if (i % (2 * S) == 0 && i + S < HALF)
        m[i] = merge(m[i], m[i + S], S > 1, S > 1 && i + S + 1 < HALF);
}
template <int S, int HALF> DEVICE_INLINE void merge_all(Minima (&m)[HALF + 1])
{
    if constexpr (S < HALF) {
        each<merge_minima<S, HALF>, HALF>(m);
        merge_all<2 * S, HALF>(m);
    }
}
template <int D> DEVICE_INLINE Minima minima(const u32 (&q)[D])
{
    constexpr int HALF = D / 2;
    if (D == 1)
        return {q[0], H(NO_OTHER), H(NO_OTHER)};
    Minima m[HALF + 1];
    each<merge_edges<D>, HALF>(m, q);
    merge_all<1, HALF>(m);
    if (D & 1)
        m[0] = with_edge(m[0], q[D - 1]);
    return m[0];
}

struct Messages {
    u32 others, holder; // |msg_others|, |msg_min|
    u32 holder_delta;   // msg_min - msg_others
    u32 min1_plus_1;
    u32 sign; // sign product, as +-1
};
DEVICE_INLINE Messages check_node(const ldpc_cuda_args &a, const Minima &least)
{
    u32 min1 = habsf(least.min1), others, holder;
    clamped_rule(&a, min1, least.min2, least.min3, &others, &holder);
    return {others, holder, hsub(holder, others), hadd(min1, H(1)), (least.min1 & SIGNS) | H(1)};
}
DEVICE_INLINE u32 is_holding(const Messages &m, u32 q) // 1 or 0
{
    return hsubsat(m.min1_plus_1, habsf(q));
}
DEVICE_INLINE u32 new_sign(const Messages &m, u32 q) // +-1
{
    return (q & SIGNS) ^ m.sign;
}
DEVICE_INLINE u32 signed_message(const Messages &m, u32 is_holder, u32 sign) // + MESSAGE_BIAS
{
    return hfma(hfma(is_holder, m.holder_delta, m.others), sign, H(MESSAGE_BIAS));
}
DEVICE_INLINE u32 new_message(const Messages &m, u32 q) // + MESSAGE_BIAS
{
    return signed_message(m, is_holding(m, q), new_sign(m, q));
}

DEVICE_INLINE u32 unpack(u32 pack, int e, u32 high)
{
    return e & 1 ? unpack_second(pack, high) : unpack_first(pack, high);
}
