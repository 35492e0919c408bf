// SPDX-License-Identifier: BSD-3-Clause
// The smallest magnitudes of a row. In front of this: NO_OTHER (|Q| where there is no edge) and THIRD (the
// rule asks for the third smallest |Q|).
__device__ constexpr u32 H(double v) // both halves of a register
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

// The smallest |Q| with the product of the signs, the next one, and the third. Of pairs, pairs of pairs ...;
// a pair has no third. Of two sides, the larger of the smallest and the smaller of the next ones are the
// second and, unless one side's third is smaller, the third of both.
struct Minima {
    u32 lo, hi, th;
};
F Minima merge(const Minima &a, const Minima &b, bool third_a, bool third_b)
{
    Minima m = {0, 0, 0};
    u32 big = hmaxa(a.lo, b.lo);
    if (THIRD) {
        u32 small = hmin(a.hi, b.hi), other = hmax(big, small);
        m.hi = hmin(big, small);
        m.th = third_a && third_b ? hmin3(other, a.th, b.th) : third_a ? hmin(other, a.th) : other;
    } else {
        m.hi = hmin3(big, a.hi, b.hi);
    }
    m.lo = hminx(a.lo, b.lo);
    return m;
}
F Minima with_edge(const Minima &a, u32 q)
{
    u32 big = hmaxa(a.lo, q);
    return {hminx(a.lo, q), hmin(a.hi, big), THIRD ? hmin(a.th, hmax(a.hi, big)) : a.th};
}
template <int D> F Minima minima(const u32 (&q)[D])
{
    constexpr int HALF = D / 2;
    if (D == 1)
        return {q[0], H(NO_OTHER), H(NO_OTHER)};
    Minima m[HALF + 1];
#pragma unroll
    for (int i = 0; i < HALF; i++)
        m[i] = {hminx(q[2 * i], q[2 * i + 1]), hmaxa(q[2 * i], q[2 * i + 1]), H(NO_OTHER)};
#pragma unroll
    for (int s = 1; s < HALF; s *= 2)
#pragma unroll
        for (int i = 0; i + s < HALF; i += 2 * s)
            m[i] = merge(m[i], m[i + s], s > 1, s > 1 && i + s + 1 < HALF);
    if (D & 1)
        m[0] = with_edge(m[0], q[D - 1]);
    return m[0];
}
