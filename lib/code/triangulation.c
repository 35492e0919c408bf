/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

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

/* ---- checks by the number of their open columns: a doubly linked list for each number
 *
 * List heads and checks share one array of links: head d is element d, check c is element heads + c. */

#define NO_CHECK UINT32_MAX

typedef struct check_queue {
    uint32_t heads;  /* largest degree + 1 */
    uint32_t lowest; /* lists 1 .. lowest - 1 are empty */
    uint32_t *next, *previous;
    uint32_t *open; /* [checks] open columns of each check */
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

/* Puts a check at the end of the list for its number of open columns. */
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

/* The first check with the fewest open columns, at least one; NO_CHECK if all checks are closed. */
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
    bool *open; /* [columns] unknown, neither solved nor set aside */
    bool *used; /* [checks] solves a column */
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

/* The open column of a check with the highest degree: setting it aside helps most other checks. */
static uint32_t heaviest_open_column(const triangulation *t, uint32_t check)
{
    uint32_t heaviest = LDPC_NO_COLUMN, most = 0;
    for (uint32_t e = t->code->row_start[check]; e < t->code->row_start[check + 1]; e++) {
        uint32_t column = t->code->row_columns[e];
        uint32_t degree = t->columns->start[column + 1] - t->columns->start[column];
        if (t->open[column] && (heaviest == LDPC_NO_COLUMN || degree > most)) {
            heaviest = column;
            most = degree;
        }
    }
    return heaviest;
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
    bool *solved = t->open; /* reuses the memory: no column is open any more */
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
    triangle->step = ldpc_allocate(code->checks, sizeof *triangle->step);
    triangle->aside_column = ldpc_allocate(code->columns, sizeof *triangle->aside_column);
    triangle->rest_check = ldpc_allocate(code->checks, sizeof *triangle->rest_check);
    bool complete = t.open && t.used && triangle->step && triangle->aside_column && triangle->rest_check;
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
    return complete ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_triangle_close(ldpc_triangle *triangle)
{
    free(triangle->step);
    free(triangle->aside_column);
    free(triangle->rest_check);
    *triangle = (ldpc_triangle){0};
}
