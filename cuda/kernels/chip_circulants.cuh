// SPDX-License-Identifier: BSD-3-Clause
// Computes the places of the posteriors (indices in shared memory) if layers are wide. A pass is a layer or a
// part of a layer, and the places follow from the lane of the check. The prologue defines EDGES, which contains
// for each pass the edges of its layer and then those of its twin. If an edge is missing in one lane, this edge
// comes first, and an additional element after the last edge contains the index of the lane.
struct alignas(8) Edge {
    u32 shift; // (lane of the pass's first check + shift) mod z, in bytes; in the entry after the last edge:
               // index in the pass of the check without the first edge
    u32 base;  // byte offset of the column group's posteriors
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

// Returns the same number in a register of the thread, which is used as the address of loads from constant
// memory. This hides from the compiler that all threads of a warp have the same number. Otherwise the compiler
// would store it in a uniform register and copy it before each load.
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

// Called between reading and writing the posteriors. If CROWDED, hides from the compiler that the same places
// are computed twice. Otherwise the compiler would keep them in registers, and spill other values to local
// memory.
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

// Returns whether the thread's parity check has no first edge. `end` is the index of the element after the
// edges of the layer.
DEVICE_INLINE bool misses_first_edge(const pair_state &x, u32 end)
{
    return edges[end].shift == x.check;
}

// Returns the product of the signs of the posteriors in a parity check, in bits 15 and 31.
DEVICE u32 sign_product(const pair_state &x, u32 first, u32 count, bool missing)
{
    u32 product = 0;
    for (u32 e = missing && misses_first_edge(x, first + count) ? 1 : 0; e < count; e++)
        product ^= hsub(*place_of(x, edges[first + e]), H(BIAS));
    return product;
}
