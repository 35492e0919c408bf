// SPDX-License-Identifier: BSD-3-Clause
template <int E> struct Places {
    u32 at[(E + 3) / 4 * 2 + 2];
};

DEVICE_INLINE u32 listed_place(const u32 *at, int e)
{
    return e & 1 ? at[e / 2] >> 16 : at[e / 2] & 0xffff;
}

DEVICE_INLINE void load_places_ahead(const pair_state &x, const Pass &next, Ahead &ahead)
{
#pragma unroll
    for (int i = 0; i < PLACES_AHEAD; i += 2)
        ldpc_load_pair_later(&ahead.places[i], &ahead.places[i + 1], x.listed + next.at + i / 2 * CHECKS);
}

template <int E>
DEVICE_INLINE void take_places(const pair_state &x, u32 first, const Ahead &ahead, Places<E> &p)
{
#pragma unroll
    for (int i = 0; i < (E + 3) / 4 * 2; i += 2) {
        if (i < PLACES_AHEAD) {
            p.at[i] = ldpc_copy(ahead.places[i], x.zero);
            p.at[i + 1] = ldpc_copy(ahead.places[i + 1], x.zero);
        } else {
            uint2 entry = __ldg(x.listed + first + i / 2 * CHECKS);
            p.at[i] = entry.x;
            p.at[i + 1] = entry.y;
        }
    }
}

template <bool CROWDED, int E> DEVICE_INLINE u32 *posterior_at(const pair_state &x, Places<E> &p, int e)
{
    return x.posteriors + listed_place(p.at, e);
}

template <bool CROWDED, int E> DEVICE_INLINE void forget_places(const pair_state &, Places<E> &p)
{
    if (CROWDED)
#pragma unroll
        for (int i = 0; i < (E + 3) / 4 * 2; i++)
            asm volatile("" : "+r"(p.at[i]));
}

template <bool CROWDED, int E>
DEVICE_INLINE u32 *posterior_again(const pair_state &x, const Places<E> &p, int e)
{
    return x.posteriors + listed_place(p.at, e);
}

DEVICE_INLINE bool misses_first_edge(const pair_state &, u32)
{
    return false;
}

DEVICE u32 sign_product(const pair_state &x, u32 first, u32 edges, bool)
{
    u32 product = 0;
    for (u32 e = 0; e < edges; e += 4) {
        uint2 entry = __ldg(x.listed + first + e / 4 * CHECKS);
        for (u32 i = 0; i < 4 && e + i < edges; i++) {
            u32 two = i < 2 ? entry.x : entry.y;
            product ^= hsub(x.posteriors[i & 1 ? two >> 16 : two & 0xffff], H(BIAS));
        }
    }
    return product;
}
