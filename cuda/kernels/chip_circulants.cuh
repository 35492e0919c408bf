// SPDX-License-Identifier: BSD-3-Clause
/* Wide layers: the places of posteriors are computed from circulants. The first edge may be missing in one
 * check. The entry after the last edge of a layer has the index of this check in `shift`. */
struct alignas(8) Edge {
    u32 shift;
    u32 base;
};
extern "C" __constant__ Edge edges[] = EDGES;

template <int E> struct Places {
    u32 first;
    const Edge *edge; // first edge of the pass
    u32 *at[E + 1];
};

DEVICE_INLINE u32 *place_of(const pair_state &x, const Edge &e)
{
    return at_byte(x.posteriors, rotated_lane(x.lane_z, e.shift, x.lane + e.shift) + e.base);
}

DEVICE_INLINE void load_places_ahead(const pair_state &, const Pass &, Ahead &) {}

/* Moves v to a register of the thread. Otherwise the compiler would copy v from a uniform register before
 * each load from constant memory. */
DEVICE_INLINE u32 in_thread_register(const pair_state &x, u32 v)
{
    return v | x.check >> 20; // check < 1024
}

template <int E> DEVICE_INLINE void take_places(const pair_state &x, u32 first, const Ahead &, Places<E> &p)
{
    p.first = in_thread_register(x, first);
    p.edge = edges + p.first;
}

template <bool CROWDED, int E> DEVICE_INLINE u32 *posterior_at(const pair_state &x, Places<E> &p, int e)
{
    u32 *to = place_of(x, p.edge[e]);
    if (!CROWDED)
        p.at[e] = to;
    return to;
}

template <bool CROWDED, int E> DEVICE_INLINE void forget_places(const pair_state &x, Places<E> &p)
{
    if (CROWDED)
        p.edge = edges + ldpc_copy(p.first, x.zero);
}

template <bool CROWDED, int E>
DEVICE_INLINE u32 *posterior_again(const pair_state &x, const Places<E> &p, int e)
{
    return CROWDED ? place_of(x, p.edge[e]) : p.at[e];
}

DEVICE_INLINE bool misses_first_edge(const pair_state &x, u32 end)
{
    return edges[end].shift == x.check;
}

DEVICE u32 sign_product(const pair_state &x, u32 first, u32 count, bool missing)
{
    u32 product = 0;
    for (u32 e = missing && misses_first_edge(x, first + count) ? 1 : 0; e < count; e++)
        product ^= hsub(*place_of(x, edges[first + e]), H(BIAS));
    return product;
}
