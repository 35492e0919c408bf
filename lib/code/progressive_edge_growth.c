/* SPDX-License-Identifier: BSD-3-Clause */
/* Random regular codes by progressive edge growth (Hu, Eleftheriou, Arnold 2005). Each edge goes to a
 * farthest check node of lowest degree. Coefficients are drawn last, so the graph does not depend on the
 * field. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "code/code_file.h"
#include "base/status_internal.h"
#include "code/nonbinary.h"

/* Limit of edges * checks * dv * dc. The construction takes less than a minute. */
#define MAX_WORK ((double)(UINT64_C(1) << 38))

typedef struct graph {
    uint32_t n, m, dv, dc;
    uint32_t *variable;
    uint32_t *check;
    uint32_t *variable_degree, *check_degree;
    uint32_t *seen;
    uint32_t *queue; /* [m] */
    uint32_t search; /* number of the current search */
    uint64_t random;
} graph;

static uint32_t draw(graph *g, uint32_t limit)
{
    g->random ^= g->random >> 12;
    g->random ^= g->random << 25;
    g->random ^= g->random >> 27;
    uint64_t number = g->random * UINT64_C(0x2545f4914f6cdd1d) >> 32;
    return (uint32_t)(number * limit >> 32);
}

static uint32_t reach(graph *g, uint32_t v, uint32_t *end)
{
    uint32_t with_room = 0;
    for (uint32_t i = 0; i < g->variable_degree[v]; i++) {
        uint32_t c = g->variable[(size_t)v * g->dv + i];
        if (g->seen[c] == g->search)
            continue;
        g->seen[c] = g->search;
        g->queue[(*end)++] = c;
        with_room += g->check_degree[c] < g->dc;
    }
    return with_room;
}

static void mark_near_checks(graph *g, uint32_t v)
{
    uint32_t open = 0, end = 0, first = 0;
    for (uint32_t c = 0; c < g->m; c++)
        open += g->check_degree[c] < g->dc;
    g->search++;
    open -= reach(g, v, &end);
    while (first < end) {
        uint32_t level = end, reached = 0;
        for (; first < level; first++) {
            uint32_t c = g->queue[first];
            for (uint32_t j = 0; j < g->check_degree[c]; j++)
                reached += reach(g, g->check[(size_t)c * g->dc + j], &end);
        }
        if (reached == open) {
            for (uint32_t i = level; i < end; i++)
                g->seen[g->queue[i]] = 0;
            return;
        }
        open -= reached;
    }
}

static bool connect(graph *g, uint32_t v)
{
    uint32_t least = g->dc, ties = 0, chosen = 0;
    mark_near_checks(g, v);
    for (uint32_t c = 0; c < g->m; c++) {
        if (g->seen[c] == g->search || g->check_degree[c] > least || g->check_degree[c] == g->dc)
            continue;
        ties = g->check_degree[c] < least ? 1 : ties + 1;
        least = g->check_degree[c];
        if (draw(g, ties) == 0)
            chosen = c;
    }
    if (least == g->dc)
        return false;
    g->variable[(size_t)v * g->dv + g->variable_degree[v]++] = chosen;
    g->check[(size_t)chosen * g->dc + g->check_degree[chosen]++] = v;
    return true;
}

static bool grow(graph *g)
{
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t i = 0; i < g->dv; i++)
            if (!connect(g, v))
                return false;
    return true;
}

static void close_graph(graph *g)
{
    free(g->variable);
    free(g->check);
    free(g->variable_degree);
    free(g->check_degree);
    free(g->seen);
    free(g->queue);
}

static bool open_graph(graph *g)
{
    g->variable = ldpc_allocate((size_t)g->n * g->dv, sizeof *g->variable);
    g->check = ldpc_allocate((size_t)g->m * g->dc, sizeof *g->check);
    g->variable_degree = ldpc_allocate(g->n, sizeof *g->variable_degree);
    g->check_degree = ldpc_allocate(g->m, sizeof *g->check_degree);
    g->seen = ldpc_allocate(g->m, sizeof *g->seen);
    g->queue = ldpc_allocate(g->m, sizeof *g->queue);
    return g->variable && g->check && g->variable_degree && g->check_degree && g->seen && g->queue;
}

/* ---- the code of a graph */

static ldpc_status make_binary(const graph *g, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, g->m, g->n, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t i = 0; i < g->dv; i++)
            ldpc_code_builder_add(&builder, g->variable[(size_t)v * g->dv + i], v, 0);
    return ldpc_code_builder_finish(&builder, "random", "", code, err);
}

static ldpc_status make_nonbinary(graph *g, uint32_t order, ldpc_code **code, ldpc_error *err)
{
    ldpc_field field;
    size_t count = (size_t)g->n * g->dv;
    ldpc_nb_entry *entries = ldpc_allocate(count, sizeof *entries);
    if (!entries)
        return ldpc_fail_memory(err);
    for (size_t e = 0; e < count; e++)
        entries[e] =
            (ldpc_nb_entry){g->variable[e], (uint32_t)(e / g->dv), (uint8_t)(1 + draw(g, order - 1))};
    ldpc_status status = ldpc_field_init(&field, ldpc_field_bits(order), 0, err);
    if (!status)
        status = ldpc_nb_code_create(g->m, g->n, &field, entries, count, "random", "", code, err);
    free(entries);
    return status;
}

static ldpc_status check_arguments(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order, ldpc_error *err)
{
    if (order != 2 && !ldpc_field_bits(order))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "field order %" PRIu32 ": expected 2, 4, 8, 16, 32, 64, 128 or 256", order);
    if (n == 0 || dv == 0 || dc < 2 || (uint64_t)n * dv % dc != 0)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "n %" PRIu32 ", dv %" PRIu32 ", dc %" PRIu32
                         ": expected n * dv to be a multiple of dc",
                         n, dv, dc);
    uint64_t edges = (uint64_t)n * dv, checks = edges / dc;
    if (dv > checks || dc > n)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%" PRIu64 " checks and %" PRIu32 " columns: expected at least dv and dc", checks,
                         n);
    ldpc_status status = ldpc_code_size_check(checks, n, edges, err);
    if (!status && order > 2)
        status = ldpc_nb_size_check(checks, n, edges, err);
    if (!status && (double)edges * (double)checks * dv * dc > MAX_WORK)
        return ldpc_fail(err, LDPC_ERR_LIMIT,
                         "n %" PRIu32 ": expected edges * checks * dv * dc of at most 2^38", n);
    return status;
}

ldpc_status ldpc_code_create_random(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order, uint64_t seed,
                                    ldpc_code **code, ldpc_error *err)
{
    if (!code)
        return ldpc_fail(err, LDPC_ERR_NULL, "code must not be NULL");
    *code = NULL;
    ldpc_status status = check_arguments(n, dv, dc, order, err);
    if (status)
        return status;
    graph g = {.n = n, .m = (uint32_t)((uint64_t)n * dv / dc), .dv = dv, .dc = dc};
    g.random = 2 * seed + 1;
    /* with small seeds, the first random numbers are similar */
    for (int i = 0; i < 16; i++)
        draw(&g, 1);
    if (!open_graph(&g))
        status = ldpc_fail_memory(err);
    else if (!grow(&g))
        status = ldpc_fail(err, LDPC_ERR_RANGE,
                           "found no graph with these degrees: choose another seed or a longer code");
    else
        status = order == 2 ? make_binary(&g, code, err) : make_nonbinary(&g, order, code, err);
    close_graph(&g);
    return status;
}
