// SPDX-License-Identifier: BSD-3-Clause
// Places of rows of wide circulants: a turn is a layer, or a part of one, and a row's places follow from its
// lane. In front of this EDGES: for each turn the edges of its layer, then those of its twin. Where a
// lane has not all edges (a gap), that edge is the first one, and behind the last one is whose it is.
struct alignas(8) Edge {
    u32 shift; // (lane of the turn's first row + shift) mod z, in bytes; of a gap's owner: its slot
    u32 base;  // of the column's places, in bytes
};
extern "C" __constant__ Edge edges[] = EDGES;

template <int E> struct Places {
    u32 first;
    const Edge *edge; // the first one
    u32 *at[E + 1];
};

F u32 *place_of(const Ctx &x, const Edge &e)
{
    return at_byte(x.sm, hwrap(x.lane_z, e.shift, x.lane + e.shift) + e.base);
}

F void load_places_ahead(const Ctx &, const Turn &, Ahead &) {}

// The same number, but in a register of the thread, where loads of constants look for addresses: from one of
// the warp each of them would be moved there first.
F u32 own(const Ctx &x, u32 v)
{
    return v | x.slot >> 20;
}

template <int E> F void take_places(const Ctx &x, u32 first, const Ahead &, Places<E> &p)
{
    p.first = own(x, first);
    p.edge = edges + p.first;
}

template <bool CROWDED, int E> F u32 *visit(const Ctx &x, Places<E> &p, int e)
{
    u32 *to = place_of(x, p.edge[e]);
    if (!CROWDED)
        p.at[e] = to;
    return to;
}

// Between the two visits. The compiler must not know that it computes the same places again: it would keep
// them, and put other things into local memory.
template <bool CROWDED, int E> F void go_back(const Ctx &x, Places<E> &p)
{
    if (CROWDED)
        p.edge = edges + ldpc_copy(p.first, x.zero);
}

template <bool CROWDED, int E> F u32 *revisit(const Ctx &x, const Places<E> &p, int e)
{
    return CROWDED ? place_of(x, p.edge[e]) : p.at[e];
}

F bool is_gap(const Ctx &x, u32 owner)
{
    return edges[owner].shift == x.slot;
}

// The product of the signs of a row's posteriors, in bits 15 and 31.
static __device__ u32 sign_product(const Ctx &x, u32 first, u32 count, bool gap)
{
    u32 product = 0;
    for (u32 e = gap && is_gap(x, first + count) ? 1 : 0; e < count; e++)
        product ^= hsub(*place_of(x, edges[first + e]), H(BIAS));
    return product;
}
