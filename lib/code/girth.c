/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the girth of the Tanner graph by breadth-first search.
 *
 * Rotating all lanes maps the graph onto itself. Therefore the search starts at one node of each class (a
 * layer or column group). Each cycle has a rotation without missing edges, so missing edges are ignored. A
 * class is removed after its search. Classes of high degree are removed first, which shortens later searches.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "code/code_internal.h"
#include "base/memory.h"

typedef struct arc {
    uint32_t to, shift;
} arc;

typedef struct girth_search {
    const ldpc_code *code;
    uint32_t classes;
    uint32_t *start; /* [classes + 1] index in arcs */
    arc *arcs;       /* [2 * blocks] sorted by class */
    bool *done;
    uint32_t *order; /* [classes] classes by descending degree */
    uint32_t *distance, *parent, *queue;
} girth_search;

#define UNSEEN UINT32_MAX

static bool search_open(girth_search *s, const ldpc_code *code)
{
    size_t nodes = (size_t)code->checks + code->columns;
    s->code = code;
    s->classes = code->layers + code->groups;
    s->start = ldpc_allocate((size_t)s->classes + 1, sizeof *s->start);
    s->arcs = ldpc_allocate(2 * (size_t)code->layer_start[code->layers], sizeof *s->arcs);
    s->done = ldpc_allocate(s->classes, sizeof *s->done);
    s->order = ldpc_allocate(s->classes, sizeof *s->order);
    s->distance = ldpc_allocate(nodes, sizeof *s->distance);
    s->parent = ldpc_allocate(nodes, sizeof *s->parent);
    s->queue = ldpc_allocate(nodes, sizeof *s->queue);
    return s->start && s->arcs && s->done && s->order && s->distance && s->parent && s->queue;
}

static void search_close(girth_search *s)
{
    free(s->start);
    free(s->arcs);
    free(s->done);
    free(s->order);
    free(s->distance);
    free(s->parent);
    free(s->queue);
}

static void make_arcs(girth_search *s)
{
    const ldpc_code *code = s->code;
    for (uint32_t layer = 0; layer < code->layers; layer++)
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++) {
            s->start[layer + 1]++;
            s->start[code->layers + code->blocks[b].group + 1]++;
        }
    for (uint32_t c = 0; c < s->classes; c++)
        s->start[c + 1] += s->start[c];
    uint32_t *next = s->queue;
    for (uint32_t c = 0; c < s->classes; c++)
        next[c] = s->start[c];
    for (uint32_t layer = 0; layer < code->layers; layer++)
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++) {
            uint32_t group = code->layers + code->blocks[b].group, shift = code->blocks[b].shift;
            s->arcs[next[layer]++] = (arc){group, shift};
            s->arcs[next[group]++] = (arc){layer, (code->z - shift) % code->z};
        }
}

static bool make_order(girth_search *s)
{
    uint32_t most = 0;
    for (uint32_t c = 0; c < s->classes; c++)
        if (s->start[c + 1] - s->start[c] > most)
            most = s->start[c + 1] - s->start[c];
    uint32_t *first = ldpc_allocate((size_t)most + 2, sizeof *first);
    if (!first)
        return false;
    for (uint32_t c = 0; c < s->classes; c++)
        first[most - (s->start[c + 1] - s->start[c]) + 1]++;
    for (uint32_t d = 0; d <= most; d++)
        first[d + 1] += first[d];
    for (uint32_t c = 0; c < s->classes; c++)
        s->order[first[most - (s->start[c + 1] - s->start[c])]++] = c;
    free(first);
    return true;
}

/* Length of the shortest cycle found from `root`, at most `shortest`. If the cycle avoids the root, this is
 * an upper bound. All distances are UNSEEN before and after the call. */
static uint32_t search_from(girth_search *s, uint32_t root, uint32_t shortest)
{
    uint32_t z = s->code->z, head = 0, tail = 0;
    s->queue[tail++] = root;
    s->distance[root] = 0;
    s->parent[root] = root;
    while (head < tail && 2 * s->distance[s->queue[head]] + 2 < shortest) {
        uint32_t node = s->queue[head++], class = node / z;
        for (uint32_t a = s->start[class]; a < s->start[class + 1]; a++) {
            uint32_t to = s->arcs[a].to * z + (node % z + s->arcs[a].shift) % z;
            if (s->done[s->arcs[a].to] || to == s->parent[node])
                continue;
            if (s->distance[to] == UNSEEN) {
                s->distance[to] = s->distance[node] + 1;
                s->parent[to] = node;
                s->queue[tail++] = to;
            } else if (s->distance[node] + s->distance[to] + 1 < shortest) {
                shortest = s->distance[node] + s->distance[to] + 1;
            }
        }
    }
    while (tail > 0)
        s->distance[s->queue[--tail]] = UNSEEN;
    return shortest;
}

uint32_t ldpc_code_girth(const ldpc_code *code, uint32_t limit)
{
    enum { SHORTEST_POSSIBLE = 4 };
    if (!code)
        return 0;
    girth_search s = {0};
    uint32_t longest = limit < UNSEEN - 2 ? limit + 1 : UNSEEN - 1, shortest = longest;
    if (search_open(&s, code)) {
        make_arcs(&s);
        for (size_t i = 0; i < (size_t)code->checks + code->columns; i++)
            s.distance[i] = UNSEEN;
        bool ordered = make_order(&s);
        for (uint32_t i = 0; ordered && i < s.classes && shortest > SHORTEST_POSSIBLE; i++) {
            shortest = search_from(&s, s.order[i] * code->z, shortest);
            s.done[s.order[i]] = true;
        }
    }
    search_close(&s);
    return shortest < longest ? shortest : 0;
}
