/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns positions in shared memory to the column groups of the kernel "straight". straight.h explains
 * frames and mirrors. */
#include "cuda/kernels/straight.h"

enum { BANKS = 32, WARP = 32, MOST_FRAMES = 3 };

/* Returns the distance d, in words, between a thread's own word in the frame of edge `from` and the lane that
 * edge `to` reads. */
static uint32_t distance(const ldpc_straight *s, const ldpc_straight_edge *from, const ldpc_straight_edge *to)
{
    return (to->shift + s->code->z - from->shift) % s->code->z;
}

/* Determines which threads write mirrors of the edge's posteriors. The next edge reads them. If the next edge
 * is the first edge of a layer that repeats the group, all edges of this layer in the group read them, and
 * all mirrors are above. The number of threads is rounded up to whole warps or, if z is not a multiple of a
 * warp, to all z threads, so that the store needs no condition within a warp. */
static void choose_mirrors(ldpc_straight *s, ldpc_straight_edge *edge)
{
    uint32_t z = s->code->z, unit = z % WARP ? z : WARP;
    const ldpc_straight_edge *next = &s->edges[edge->next], *reader = next;
    bool one_reader = true;
    edge->above = distance(s, edge, next);
    edge->below = 0;
    while (!next->occurrence && (reader = &s->edges[reader->next])->occurrence) {
        uint32_t d = distance(s, edge, reader);
        edge->above = d > edge->above ? d : edge->above;
        one_reader = false;
    }
    if (one_reader && edge->above > z / 2) {
        edge->below = (z - edge->above + unit - 1) / unit * unit;
        edge->above = 0;
    }
    edge->above = (edge->above + unit - 1) / unit * unit;
    if (edge->above + edge->below > s->most_mirrors)
        edge->above = edge->below = 0;
}

/* Numbers the frames of a group: 0, 1 and, only if an odd number of edges forms a closed cycle, 2. A carried
 * edge writes nothing, so that the cycle is open. edge->frame is the number of the frame until place_frames()
 * replaces it by an index. Returns the number of frames. */
static uint32_t number_frames(ldpc_straight *s, uint32_t group)
{
    ldpc_straight_column *c = &s->columns[group];
    uint32_t e = c->first, count = 0;
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next)
        if (s->edges[e].carried) { /* the cycle is open, and it starts at the next edge */
            e = s->edges[e].next;
            break;
        }
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next) {
        ldpc_straight_edge *edge = &s->edges[e], *before = &s->edges[edge->before],
                           *next = &s->edges[edge->next];
        bool taken[MOST_FRAMES] = {false};
        if (i > 0 && !before->carried)
            taken[before->frame] = true;
        if (i > 0 && i == c->degree - 1 && !next->carried)
            taken[next->frame] = true;
        edge->frame = !taken[0] ? 0 : !taken[1] ? 1 : 2;
        if (!edge->carried && edge->frame >= count)
            count = edge->frame + 1;
    }
    return count;
}

/* Places the frames of a group. A frame contains z words and, on both sides, the largest mirrors of its
 * edges. */
static void place_frames(ldpc_straight *s, uint32_t group)
{
    uint32_t below[MOST_FRAMES] = {0}, above[MOST_FRAMES] = {0}, base[MOST_FRAMES] = {0};
    uint32_t frames = number_frames(s, group);
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_straight_edge *edge = &s->edges[e];
        if (edge->group != group || edge->carried)
            continue;
        choose_mirrors(s, edge);
        below[edge->frame] = edge->below > below[edge->frame] ? edge->below : below[edge->frame];
        above[edge->frame] = edge->above > above[edge->frame] ? edge->above : above[edge->frame];
    }
    for (uint32_t f = 0; f < frames; f++) {
        base[f] = s->pair_u32 + below[f];
        s->pair_u32 += below[f] + s->code->z + above[f];
    }
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (s->edges[e].group == group)
            s->edges[e].frame = base[s->edges[e].frame];
}

void ldpc_straight_place_columns(ldpc_straight *s)
{
    uint32_t z = s->code->z;
    s->pair_u32 = 0;
    for (uint32_t g = 0; g < s->code->groups; g++) {
        ldpc_straight_column *c = &s->columns[g];
        c->base = s->pair_u32;
        if (c->storage == LDPC_STORAGE_SHARED && s->frames && c->degree)
            place_frames(s, g);
        else if (c->storage == LDPC_STORAGE_SHARED) /* stored in place, as are groups without edges */
            s->pair_u32 += z;
        else if (c->storage == LDPC_STORAGE_LEAF)
            s->pair_u32 += s->early_stop ? 2 * z : z; /* with early stop, a leaf stores its channel LLR and
                                                       * its posterior */
    }
    /* with this padding, a warp with threads of two pairs has no bank conflict (straight.h) */
    while (s->pair_u32 % BANKS != z % BANKS)
        s->pair_u32++;
}
