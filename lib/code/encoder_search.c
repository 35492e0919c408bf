/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the encoder of a code.
 *
 * Candidates for parity are the last columns, one per check. A column is parity if it is linearly independent
 * of all columns to its right. For standard codes, triangulation proves their independence. For other codes,
 * the null spaces of the dense system show which candidates are dependent, and which columns replace them.
 */
#include <stdlib.h>
#include <string.h>

#include "code/gf2_system.h"
#include "code/encoder.h"
#include "base/memory.h"
#include "code/triangulation.h"

typedef struct encoder_search {
    ldpc_code *code;
    const uint32_t *order;
    ldpc_columns columns;
    bool *known_zero;
    bool *parity;
    ldpc_triangle triangle; /* triangulation of the candidates */
    ldpc_gf2_system system;
    ldpc_step *early_step;
    uint32_t early_steps;
    uint64_t *x;
    uint64_t *y; /* [checks] as x */
    uint32_t max_aside;
    uint64_t operations; /* operations left */
} encoder_search;

/* ---- the limit of operations
 *
 * Counting operations instead of time makes the result independent of the machine. A random access costs as
 * much as EDGE operations on consecutive numbers. */

enum { EDGE = 8 };

static bool afford(encoder_search *s, uint64_t operations)
{
    const bool enough = operations <= s->operations;
    s->operations = enough ? s->operations - operations : 0;
    return enough;
}

static uint64_t solving_operations(uint64_t rows, uint64_t columns)
{
    const uint64_t exchanges = rows < columns ? rows : columns, words = (columns + 63) / 64;
    return (exchanges + 7) / 8 * (rows + 256) * words;
}

static uint64_t degree_of(const encoder_search *s, uint32_t check)
{
    return s->code->row_start[check + 1] - s->code->row_start[check];
}

static uint64_t filling_operations(const encoder_search *s)
{
    const ldpc_triangle *t = &s->triangle;
    uint64_t edges = 0;
    for (uint32_t i = 0; i < s->early_steps; i++)
        edges += degree_of(s, s->early_step[i].check);
    for (uint32_t i = 0; i < t->rest; i++)
        edges += degree_of(s, t->rest_check[i]);
    return (t->aside + 63) / 64 * (s->code->columns + EDGE * edges);
}

static uint64_t basis_operations(const encoder_search *s, uint64_t vectors, uint64_t count)
{
    return (vectors + 63) / 64 * (s->code->columns + EDGE * (uint64_t)s->code->edges) + vectors * count +
           solving_operations(vectors, count);
}

static bool has_ones(const encoder_search *s, uint32_t column)
{
    return s->columns.start[column] < s->columns.start[column + 1];
}

/* ---- candidates */

static uint32_t column_at(const encoder_search *s, uint32_t place)
{
    return s->order ? s->order[place] : place;
}

static void choose_last(encoder_search *s)
{
    uint32_t missing = s->code->checks;
    for (uint32_t i = s->code->columns; i-- > 0;) {
        const uint32_t v = column_at(s, i);
        s->parity[v] = missing > 0 && !s->known_zero[v] && has_ones(s, v);
        missing -= s->parity[v];
    }
}

static ldpc_status choose_best(encoder_search *s)
{
    ldpc_triangle all;
    for (uint32_t v = 0; v < s->code->columns; v++)
        s->parity[v] = !s->known_zero[v] && has_ones(s, v);
    if (ldpc_triangle_open(&all, s->code, &s->columns, s->parity))
        return LDPC_ERR_MEMORY;
    memset(s->parity, 0, s->code->columns * sizeof *s->parity);
    for (uint32_t i = 0; i < all.steps; i++)
        s->parity[all.step[i].column] = true;
    for (uint32_t i = 0; i < all.rest && i < all.aside; i++)
        s->parity[all.aside_column[all.aside - 1 - i]] = true;
    ldpc_triangle_close(&all);
    return LDPC_OK;
}

/* ---- solving for the candidates */

static void find_early_steps(encoder_search *s, bool *needed)
{
    const ldpc_code *code = s->code;
    const ldpc_triangle *t = &s->triangle;
    for (uint32_t i = 0; i < t->rest; i++)
        for (uint32_t e = code->row_start[t->rest_check[i]]; e < code->row_start[t->rest_check[i] + 1]; e++)
            needed[code->row_columns[e]] = true;
    for (uint32_t i = t->steps; i-- > 0;)
        if (needed[t->step[i].column])
            for (uint32_t e = code->row_start[t->step[i].check]; e < code->row_start[t->step[i].check + 1];
                 e++)
                needed[code->row_columns[e]] = true;
    s->early_steps = 0;
    for (uint32_t i = 0; i < t->steps; i++)
        if (needed[t->step[i].column])
            s->early_step[s->early_steps++] = t->step[i];
}

static void fill_system(encoder_search *s)
{
    const ldpc_triangle *t = &s->triangle;
    for (uint32_t first = 0; first < t->aside; first += 64) {
        memset(s->x, 0, s->code->columns * sizeof *s->x);
        for (uint32_t j = first; j < t->aside && j < first + 64; j++)
            s->x[t->aside_column[j]] = UINT64_C(1) << (j - first);
        ldpc_take_steps(s->code, s->early_step, s->early_steps, s->x);
        for (uint32_t i = 0; i < t->rest; i++)
            s->system.bits[i * s->system.words + first / 64] =
                ldpc_check_sum(s->code, t->rest_check[i], s->x);
    }
}

static void close_system(encoder_search *s)
{
    ldpc_triangle_close(&s->triangle);
    ldpc_gf2_close(&s->system);
    free(s->early_step);
    s->early_step = NULL;
}

static ldpc_status solve_candidates(encoder_search *s)
{
    close_system(s);
    if (ldpc_triangle_open(&s->triangle, s->code, &s->columns, s->parity))
        return LDPC_ERR_MEMORY;
    const ldpc_triangle *t = &s->triangle;
    if (t->aside > s->max_aside || (uint64_t)t->aside * t->rest > LDPC_MAX_DENSE_BITS)
        return LDPC_ERR_LIMIT;
    bool *needed = ldpc_allocate(s->code->columns, sizeof *needed);
    s->early_step = ldpc_allocate(t->steps, sizeof *s->early_step);
    if (!needed || !s->early_step || ldpc_gf2_open(&s->system, t->rest, t->aside)) {
        free(needed);
        return LDPC_ERR_MEMORY;
    }
    find_early_steps(s, needed);
    free(needed);
    if (!afford(s, filling_operations(s) + solving_operations(t->rest, t->aside)))
        return LDPC_ERR_LIMIT;
    fill_system(s);
    return ldpc_gf2_solve(&s->system);
}

/* ---- exact parity columns if candidates are linearly dependent
 *
 * Vectors of the right null space are extended to all columns, vectors of the left null space to all checks,
 * 64 at a time.
 */

static void right_null_space(encoder_search *s, uint32_t *next, uint32_t vectors)
{
    const ldpc_triangle *t = &s->triangle;
    memset(s->x, 0, s->code->columns * sizeof *s->x);
    for (uint32_t i = 0; i < vectors; (*next)++) {
        if (s->system.row_of[*next] != LDPC_NOT_EXCHANGED)
            continue;
        uint64_t bit = UINT64_C(1) << i++;
        s->x[t->aside_column[*next]] |= bit;
        for (uint32_t r = 0; r < t->rest; r++)
            if (s->system.column_of[r] != LDPC_NOT_EXCHANGED && ldpc_gf2_get(&s->system, r, *next))
                s->x[t->aside_column[s->system.column_of[r]]] |= bit;
    }
    ldpc_take_steps(s->code, t->step, t->steps, s->x);
}

static uint64_t column_sum(const encoder_search *s, uint32_t column)
{
    uint64_t sum = 0;
    for (uint32_t e = s->columns.start[column]; e < s->columns.start[column + 1]; e++)
        sum ^= s->y[s->columns.checks[e]];
    return sum;
}

static void left_null_space(encoder_search *s, uint32_t *next, uint32_t vectors)
{
    const ldpc_triangle *t = &s->triangle;
    memset(s->y, 0, s->code->checks * sizeof *s->y);
    for (uint32_t i = 0; i < vectors; (*next)++) {
        if (s->system.column_of[*next] != LDPC_NOT_EXCHANGED)
            continue;
        uint64_t bit = UINT64_C(1) << i++;
        s->y[t->rest_check[*next]] |= bit;
        for (uint32_t j = 0; j < t->aside; j++)
            if (s->system.row_of[j] != LDPC_NOT_EXCHANGED && ldpc_gf2_get(&s->system, *next, j))
                s->y[t->rest_check[s->system.row_of[j]]] |= bit;
    }
    for (uint32_t i = t->steps; i-- > 0;)
        s->y[t->step[i].check] = column_sum(s, t->step[i].column); /* y[check] was 0 */
    for (uint32_t v = 0; v < s->code->columns; v++)
        s->x[v] = column_sum(s, v);
}

static ldpc_status mark_basis(encoder_search *s, void (*null_space)(encoder_search *, uint32_t *, uint32_t),
                              uint32_t vectors, const uint32_t *order, uint32_t count, bool *change)
{
    ldpc_gf2_system basis;
    if (vectors == 0 || count == 0)
        return LDPC_OK;
    if ((uint64_t)vectors * count > LDPC_MAX_DENSE_BITS || !afford(s, basis_operations(s, vectors, count)))
        return LDPC_ERR_LIMIT;
    if (ldpc_gf2_open(&basis, vectors, count))
        return LDPC_ERR_MEMORY;
    for (uint32_t first = 0, next = 0; first < vectors; first += 64) {
        uint32_t some = vectors - first < 64 ? vectors - first : 64;
        null_space(s, &next, some);
        for (uint32_t at = 0; at < count; at++)
            for (uint32_t i = 0; i < some; i++)
                if (s->x[order[at]] >> i & 1)
                    ldpc_gf2_set(&basis, first + i, at);
    }
    const ldpc_status status = ldpc_gf2_solve(&basis);
    for (uint32_t at = 0; at < count; at++)
        if (basis.row_of[at] != LDPC_NOT_EXCHANGED)
            change[order[at]] = true;
    ldpc_gf2_close(&basis);
    return status;
}

static ldpc_status exchange_candidates(encoder_search *s)
{
    uint32_t columns = s->code->columns, inside = 0, outside = 0;
    uint32_t *order = ldpc_allocate(columns, sizeof *order);
    bool *change = ldpc_allocate(columns, sizeof *change);
    ldpc_status status = order && change ? LDPC_OK : LDPC_ERR_MEMORY;
    if (!status) {
        for (uint32_t i = 0; i < columns; i++)
            if (s->parity[column_at(s, i)])
                order[inside++] = column_at(s, i);
        status = mark_basis(s, right_null_space, s->triangle.aside - s->system.rank, order, inside, change);
    }
    if (!status) {
        for (uint32_t i = columns; i-- > 0;) {
            const uint32_t v = column_at(s, i);
            if (!s->parity[v] && !s->known_zero[v] && has_ones(s, v))
                order[outside++] = v;
        }
        status = mark_basis(s, left_null_space, s->triangle.rest - s->system.rank, order, outside, change);
    }
    for (uint32_t v = 0; !status && v < columns; v++)
        s->parity[v] ^= change[v];
    free(order);
    free(change);
    return status;
}

static void fill_encoder(const encoder_search *s, ldpc_encoder *encoder)
{
    for (uint32_t j = 0; j < encoder->aside; j++) {
        uint32_t row = s->system.row_of[j];
        encoder->aside_column[j] = s->triangle.aside_column[j];
        encoder->aside_check[j] = s->triangle.rest_check[row];
        for (uint32_t i = 0; i < encoder->aside; i++)
            if (ldpc_gf2_get(&s->system, row, i))
                encoder->inverse[(size_t)(i / 8) * encoder->aside + j] |= (uint8_t)(1 << i % 8);
    }
}

static ldpc_status make_encoder(encoder_search *s)
{
    ldpc_encoder *encoder = ldpc_allocate(1, sizeof *encoder);
    if (!encoder)
        return LDPC_ERR_MEMORY;
    s->code->encoder = encoder;
    encoder->steps = s->triangle.steps;
    encoder->early_steps = s->early_steps;
    encoder->aside = s->triangle.aside;
    encoder->step = s->triangle.step;
    encoder->early_step = s->early_step;
    s->triangle.step = s->early_step = NULL;
    encoder->aside_column = ldpc_allocate(encoder->aside, sizeof *encoder->aside_column);
    encoder->aside_check = ldpc_allocate(encoder->aside, sizeof *encoder->aside_check);
    encoder->inverse =
        ldpc_allocate((size_t)(encoder->aside + 7) / 8 * encoder->aside, sizeof *encoder->inverse);
    if (!encoder->aside_column || !encoder->aside_check || !encoder->inverse)
        return LDPC_ERR_MEMORY;
    fill_encoder(s, encoder);
    return LDPC_OK;
}

static ldpc_status make_message(const encoder_search *s)
{
    ldpc_code *code = s->code;
    code->message = ldpc_allocate(code->columns, sizeof *code->message);
    if (!code->message)
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < code->columns; v++)
        if (!s->parity[v] && !s->known_zero[v])
            code->message[code->k++] = v;
    return LDPC_OK;
}

static ldpc_status settle_candidates(encoder_search *s)
{
    ldpc_status status = solve_candidates(s);
    if (!status && (s->system.rank < s->triangle.aside || s->system.rank < s->triangle.rest)) {
        status = exchange_candidates(s);
        if (!status)
            status = solve_candidates(s);
    }
    return status;
}

static ldpc_status search(encoder_search *s)
{
    choose_last(s);
    ldpc_status status = settle_candidates(s);
    if (status == LDPC_ERR_LIMIT && !s->order) {
        status = choose_best(s);
        if (!status)
            status = settle_candidates(s);
    }
    if (!status)
        status = make_encoder(s);
    if (status == LDPC_ERR_LIMIT && !s->order) {
        choose_last(s);
        status = LDPC_OK;
    }
    return status ? status : make_message(s);
}

static ldpc_status search_open(encoder_search *s)
{
    if (ldpc_columns_open(&s->columns, s->code))
        return LDPC_ERR_MEMORY;
    s->known_zero = ldpc_allocate(s->code->columns, sizeof *s->known_zero);
    s->parity = ldpc_allocate(s->code->columns, sizeof *s->parity);
    s->x = ldpc_allocate(s->code->columns, sizeof *s->x);
    s->y = ldpc_allocate(s->code->checks, sizeof *s->y);
    if (!s->known_zero || !s->parity || !s->x || !s->y)
        return LDPC_ERR_MEMORY;
    for (uint32_t i = 0; i < s->code->shortened; i++)
        s->known_zero[s->code->known_zero[i]] = true;
    return LDPC_OK;
}

ldpc_status ldpc_encoder_open(ldpc_code *code, const uint32_t *order, uint32_t max_aside,
                              uint64_t max_operations)
{
    encoder_search s = {.code = code, .order = order, .max_aside = max_aside, .operations = max_operations};
    ldpc_status status = search_open(&s);
    if (!status)
        status = search(&s);
    close_system(&s);
    ldpc_columns_close(&s.columns);
    free(s.known_zero);
    free(s.parity);
    free(s.x);
    free(s.y);
    return status;
}

void ldpc_encoder_close(ldpc_encoder *encoder)
{
    if (!encoder)
        return;
    free(encoder->step);
    free(encoder->early_step);
    free(encoder->aside_column);
    free(encoder->aside_check);
    free(encoder->inverse);
    free(encoder);
}
