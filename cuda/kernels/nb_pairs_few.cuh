// SPDX-License-Identifier: BSD-3-Clause
/* Min-max convolution for large fields. Only elements below the largest cost of the result matter. They are
 * combined with the other message in ascending order. The first elements are those up to an expected cost.
 * The expected cost affects only the speed. */

#define TOP_BITS     0x80008000u
#define EACH_ONE     0x00010001u
#define EACH_QUARTER 0x003f003fu

#if LDPC_PTX >= 80 && !defined(__OPENCL_VERSION__)
DEVICE_INLINE u32 warp_sum(const nb_state *s, u32 mine)
{
    return __reduce_add_sync(0xffffffffu, mine);
}
DEVICE_INLINE u32 warp_least(const nb_state *s, u32 mine)
{
    return __reduce_min_sync(0xffffffffu, mine & 0xffffu) | __reduce_min_sync(0xffffffffu, mine >> 16) << 16;
}
DEVICE_INLINE u32 warp_most(const nb_state *s, u32 mine)
{
    return __reduce_max_sync(0xffffffffu, mine & 0xffffu) | __reduce_max_sync(0xffffffffu, mine >> 16) << 16;
}
#else
#define SUM_OF(a, b) ((a) + (b))
#define WARP_OF(name, operation)                                                                             \
    DEVICE_INLINE u32 name(const nb_state *s, u32 all)                                                       \
    {                                                                                                        \
        for (int lanes = 1; lanes < 32; lanes *= 2)                                                          \
            all = operation(all, ldpc_warp_xor(all, lanes, s->words));                                       \
        return all;                                                                                          \
    }
WARP_OF(warp_sum, SUM_OF)
WARP_OF(warp_least, hmin)
WARP_OF(warp_most, hmax)
#endif

DEVICE_INLINE u32 within(u32 value, u32 from, u32 to)
{
    return ((value | TOP_BITS) - from) & ((to | TOP_BITS) - value) & TOP_BITS;
}

DEVICE_INLINE u32 largest_cost(const nb_state *s, const u32 *value)
{
    u32 most = 0;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        most = hmax(most, value[r]);
    return warp_most(s, most);
}

DEVICE_INLINE bool left_has_fewer(const nb_state *s, IN_SHARED const nb_slot *left,
                                  IN_SHARED const nb_slot *right, u32 to)
{
    u32 l[HELD], x[HELD];
    u32 surplus = 0;
    read_slots(left, s->lane, l);
    read_slots(right, s->lane, x);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        surplus += (within(x[r], 0, to) != 0) - (within(l[r], 0, to) != 0);
    return (int)warp_sum(s, surplus) > 0;
}

DEVICE_INLINE void combine_few(const nb_state *s, IN_SHARED const nb_slot *left,
                               IN_SHARED const nb_slot *right, const u32 *few, u32 *acc)
{
    u32 groups = 0;
#pragma unroll
    for (int b = 0; b < HELD; b++)
        groups |= few[b];
    while (groups) {
        const u32 g = 31 - __clz(groups);
        IN_SHARED const nb_slot *group = right + VECTOR * g;
        u32 l[HELD];
        groups ^= 1u << g;
        read_slots(left, s->lane ^ g, l);
#pragma unroll
        for (int b = 0; b < HELD; b++)
            if (few[b] >> g & 1) {
                const u32 x = from_slot(group[b / VECTOR * 32 * VECTOR + b % VECTOR]);
#pragma unroll
                for (int a = 0; a < HELD; a++)
                    acc[a] = hmin_sum(hrelu(x, MINUS_ONE, l[a ^ b]), x, acc[a]); // larger(l, x)
            }
    }
}

DEVICE_INLINE void convolve_few(const nb_state *s, IN_SHARED const nb_slot *left,
                                IN_SHARED const nb_slot *right, u32 *expected, u32 *acc)
{
    u32 own[HELD], from = 0, to = *expected, worst;
    if (left_has_fewer(s, left, right, to)) {
        IN_SHARED const nb_slot *other = left;
        left = right;
        right = other;
    }
    read_slots(right, s->lane, own);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        acc[r] = TOP;
    for (;;) {
        u32 few[HELD];
#pragma unroll
        for (int r = 0; r < HELD; r++)
            few[r] = ldpc_warp_ballot(within(own[r], from, to) != 0);
        combine_few(s, left, right, few, acc);
        worst = largest_cost(s, acc);
        from = to + EACH_ONE;
        if (((from | TOP_BITS) - worst & TOP_BITS) == TOP_BITS) // no remaining element matters
            break;
        to = hmin(hmax(worst, EACH_ONE) - EACH_ONE, from + (to >> 2 & EACH_QUARTER));
    }
    *expected = worst;
}
