// SPDX-License-Identifier: BSD-3-Clause
// Places of rows without wide circulants: a table lists them, four to an entry, entry beside entry for all
// slots. The first entries of a row are loaded a turn ahead.
template <int E> struct Places {
    u32 at[(E + 3) / 4 * 2 + 2];
};

F u32 listed_place(const u32 *at, int e)
{
    return e & 1 ? at[e / 2] >> 16 : at[e / 2] & 0xffff;
}

F void load_places_ahead(const Ctx &x, const Turn &next, Ahead &ahead)
{
#pragma unroll
    for (int i = 0; i < PLACES_AHEAD; i += 2)
        ldpc_load_later(ahead.places[i], ahead.places[i + 1], x.listed + next.at + i / 2 * SLOTS);
}

template <int E> F void take_places(const Ctx &x, u32 first, const Ahead &ahead, Places<E> &p)
{
#pragma unroll
    for (int i = 0; i < (E + 3) / 4 * 2; i += 2) {
        if (i < PLACES_AHEAD) {
            p.at[i] = ldpc_copy(ahead.places[i], x.zero);
            p.at[i + 1] = ldpc_copy(ahead.places[i + 1], x.zero);
        } else {
            uint2 entry = __ldg(x.listed + first + i / 2 * SLOTS);
            p.at[i] = entry.x;
            p.at[i + 1] = entry.y;
        }
    }
}

template <bool CROWDED, int E> F u32 *visit(const Ctx &x, Places<E> &p, int e)
{
    return x.sm + listed_place(p.at, e);
}

// Between the two visits: places will be unpacked again, rather than kept in registers.
template <bool CROWDED, int E> F void go_back(const Ctx &, Places<E> &p)
{
    if (CROWDED)
#pragma unroll
        for (int i = 0; i < (E + 3) / 4 * 2; i++)
            asm volatile("" : "+r"(p.at[i]));
}

template <bool CROWDED, int E> F u32 *revisit(const Ctx &x, const Places<E> &p, int e)
{
    return x.sm + listed_place(p.at, e);
}

F bool is_gap(const Ctx &, u32) // rows are listed without what they have not
{
    return false;
}

// The product of the signs of a row's posteriors, in bits 15 and 31.
static __device__ u32 sign_product(const Ctx &x, u32 first, u32 edges, bool)
{
    u32 product = 0;
    for (u32 e = 0; e < edges; e += 4) {
        uint2 entry = __ldg(x.listed + first + e / 4 * SLOTS);
        for (u32 i = 0; i < 4 && e + i < edges; i++) {
            u32 two = i < 2 ? entry.x : entry.y;
            product ^= hsub(x.sm[i & 1 ? two >> 16 : two & 0xffff], H(BIAS));
        }
    }
    return product;
}
