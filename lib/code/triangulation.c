/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/sparse_matrix.h"
#include "code/triangulation.h"

ldpc_status ldpc_columns_open(ldpc_columns *columns, const ldpc_code *code)
{
    columns->start = ldpc_allocate((size_t)code->columns + 1, sizeof *columns->start);
    columns->checks = ldpc_allocate(code->edges, sizeof *columns->checks);
    if (!columns->start || !columns->checks) {
        ldpc_columns_close(columns);
        return LDPC_ERR_MEMORY;
    }
    ldpc_sparse_transpose(code->checks, code->columns, code->row_start, code->row_columns, columns->start,
                          columns->checks);
    return LDPC_OK;
}

void ldpc_columns_close(ldpc_columns *columns)
{
    free(columns->start);
    free(columns->checks);
    *columns = (ldpc_columns){NULL, NULL};
}

/* ---- queue of checks: a doubly linked list for each number of open columns
 *
 * Element d of the links is the head of list d, element heads + c is check c. */

#define NO_CHECK UINT32_MAX

typedef struct check_queue {
    uint32_t heads;  /* largest degree + 1 */
    uint32_t lowest; /* lists 1 .. lowest - 1 are empty */
    uint32_t *next, *previous;
    uint32_t *open; /* [checks] number of open columns */
} check_queue;

static void queue_close(check_queue *queue)
{
    free(queue->next);
    free(queue->previous);
    free(queue->open);
}

static ldpc_status queue_open(check_queue *queue, const ldpc_code *code)
{
    queue->heads = code->max_check_degree + 1;
    queue->lowest = queue->heads;
    size_t links = (size_t)queue->heads + code->checks;
    queue->next = ldpc_allocate(links, sizeof *queue->next);
    queue->previous = ldpc_allocate(links, sizeof *queue->previous);
    queue->open = ldpc_allocate(code->checks, sizeof *queue->open);
    if (!queue->next || !queue->previous || !queue->open) {
        queue_close(queue);
        return LDPC_ERR_MEMORY;
    }
    for (uint32_t d = 0; d < queue->heads; d++)
        queue->next[d] = queue->previous[d] = d;
    return LDPC_OK;
}

static void queue_remove(check_queue *queue, uint32_t check)
{
    uint32_t at = queue->heads + check;
    queue->next[queue->previous[at]] = queue->next[at];
    queue->previous[queue->next[at]] = queue->previous[at];
}

static void queue_append(check_queue *queue, uint32_t check)
{
    uint32_t at = queue->heads + check, head = queue->open[check];
    queue->next[at] = head;
    queue->previous[at] = queue->previous[head];
    queue->next[queue->previous[head]] = at;
    queue->previous[head] = at;
    if (head > 0 && head < queue->lowest)
        queue->lowest = head;
}

static uint32_t queue_first(check_queue *queue)
{
    while (queue->lowest < queue->heads && queue->next[queue->lowest] == queue->lowest)
        queue->lowest++;
    return queue->lowest < queue->heads ? queue->next[queue->lowest] - queue->heads : NO_CHECK;
}

/* ---- the triangulation */

typedef struct triangulation {
    const ldpc_code *code;
    const ldpc_columns *columns;
    ldpc_triangle *triangle;
    check_queue queue;
    bool *open;
    bool *used;      /* [checks] solves a column */
    uint32_t *heavy; /* [edges] columns of each check, by descending degree */
    uint32_t *cursor;
} triangulation;

static void close_column(triangulation *t, uint32_t column)
{
    t->open[column] = false;
    for (uint32_t e = t->columns->start[column]; e < t->columns->start[column + 1]; e++) {
        uint32_t check = t->columns->checks[e];
        if (!t->used[check])
            queue_remove(&t->queue, check);
        t->queue.open[check]--;
        if (!t->used[check])
            queue_append(&t->queue, check);
    }
}

/* Returns false if out of memory. */
static bool sort_by_degree(triangulation *t)
{
    const ldpc_code *code = t->code;
    const uint32_t *start = t->columns->start;
    uint32_t *first = ldpc_allocate((size_t)code->max_variable_degree + 2, sizeof *first);
    uint32_t *order = ldpc_allocate(code->columns, sizeof *order);
    const bool ok = first && order;
    for (uint32_t v = 0; ok && v < code->columns; v++)
        first[code->max_variable_degree - (start[v + 1] - start[v]) + 1]++;
    if (ok)
        ldpc_sparse_sum(first, code->max_variable_degree + 1);
    for (uint32_t v = 0; ok && v < code->columns; v++)
        order[first[code->max_variable_degree - (start[v + 1] - start[v])]++] = v;
    memcpy(t->cursor, code->row_start, code->checks * sizeof *t->cursor);
    for (uint32_t i = 0; ok && i < code->columns; i++)
        for (uint32_t e = start[order[i]]; e < start[order[i] + 1]; e++)
            t->heavy[t->cursor[t->columns->checks[e]]++] = order[i];
    memcpy(t->cursor, code->row_start, code->checks * sizeof *t->cursor);
    free(first);
    free(order);
    return ok;
}

/* The check must have an open column. */
static uint32_t heaviest_open_column(triangulation *t, uint32_t check)
{
    while (!t->open[t->heavy[t->cursor[check]]])
        t->cursor[check]++;
    return t->heavy[t->cursor[check]];
}

static void triangulate(triangulation *t)
{
    ldpc_triangle *triangle = t->triangle;
    for (uint32_t check; (check = queue_first(&t->queue)) != NO_CHECK;) {
        uint32_t column = heaviest_open_column(t, check);
        if (t->queue.open[check] == 1) {
            t->used[check] = true;
            queue_remove(&t->queue, check);
            triangle->step[triangle->steps++] = (ldpc_step){check, column};
        }
        close_column(t, column);
    }
}

static void collect(triangulation *t, const bool *unknown)
{
    ldpc_triangle *triangle = t->triangle;
    bool *solved = t->open; /* reused */
    for (uint32_t v = 0; v < t->code->columns; v++)
        solved[v] = false;
    for (uint32_t i = 0; i < triangle->steps; i++)
        solved[triangle->step[i].column] = true;
    for (uint32_t v = 0; v < t->code->columns; v++)
        if (unknown[v] && !solved[v])
            triangle->aside_column[triangle->aside++] = v;
    for (uint32_t c = 0; c < t->code->checks; c++)
        if (!t->used[c] && t->code->row_start[c] < t->code->row_start[c + 1])
            triangle->rest_check[triangle->rest++] = c;
}

static void fill_queue(triangulation *t, const bool *unknown)
{
    for (uint32_t v = 0; v < t->code->columns; v++)
        t->open[v] = unknown[v];
    for (uint32_t c = 0; c < t->code->checks; c++) {
        for (uint32_t e = t->code->row_start[c]; e < t->code->row_start[c + 1]; e++)
            t->queue.open[c] += unknown[t->code->row_columns[e]];
        queue_append(&t->queue, c);
    }
}

ldpc_status ldpc_triangle_open(ldpc_triangle *triangle, const ldpc_code *code, const ldpc_columns *columns,
                               const bool *unknown)
{
    triangulation t = {.code = code, .columns = columns, .triangle = triangle};
    *triangle = (ldpc_triangle){0};
    if (queue_open(&t.queue, code))
        return LDPC_ERR_MEMORY;
    t.open = ldpc_allocate(code->columns, sizeof *t.open);
    t.used = ldpc_allocate(code->checks, sizeof *t.used);
    t.heavy = ldpc_allocate(code->edges, sizeof *t.heavy);
    t.cursor = ldpc_allocate(code->checks, sizeof *t.cursor);
    triangle->step = ldpc_allocate(code->checks, sizeof *triangle->step);
    triangle->aside_column = ldpc_allocate(code->columns, sizeof *triangle->aside_column);
    triangle->rest_check = ldpc_allocate(code->checks, sizeof *triangle->rest_check);
    bool complete = t.open && t.used && t.heavy && t.cursor && triangle->step && triangle->aside_column &&
                    triangle->rest_check && sort_by_degree(&t);
    if (complete) {
        fill_queue(&t, unknown);
        triangulate(&t);
        collect(&t, unknown);
    } else {
        ldpc_triangle_close(triangle);
    }
    queue_close(&t.queue);
    free(t.open);
    free(t.used);
    free(t.heavy);
    free(t.cursor);
    return complete ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_triangle_close(ldpc_triangle *triangle)
{
    free(triangle->step);
    free(triangle->aside_column);
    free(triangle->rest_check);
    *triangle = (ldpc_triangle){0};
}
