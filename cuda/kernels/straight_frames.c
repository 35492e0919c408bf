/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared-memory positions of the column groups of the kernel "straight" (straight.h). */
#include "cuda/kernels/straight.h"

enum { BANKS = 32, WARP = 32, MOST_FRAMES = 3 };

static uint32_t distance(const ldpc_straight *s, const ldpc_straight_edge *from, const ldpc_straight_edge *to)
{
    return (to->shift + s->code->z - from->shift) % s->code->z;
}

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

/* Frames 0 and 1 alternate along the edges of a group. A closed cycle of an odd number of edges also needs
 * frame 2. Returns the number of frames. */
static uint32_t number_frames(ldpc_straight *s, uint32_t group)
{
    ldpc_straight_column *c = &s->columns[group];
    uint32_t e = c->first, count = 0;
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next)
        if (s->edges[e].carried) {
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
        else if (c->storage == LDPC_STORAGE_SHARED)
            s->pair_u32 += z;
        else if (c->storage == LDPC_STORAGE_LEAF)
            s->pair_u32 += s->early_stop ? 2 * z : z;
    }
    /* avoids bank conflicts (straight.h) */
    while (s->pair_u32 % BANKS != z % BANKS)
        s->pair_u32++;
}
