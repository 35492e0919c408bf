/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/nonbinary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/builder.h"
#include "base/memory.h"
#include "base/status_internal.h"

#define MAX_DENSE_BYTES (UINT64_C(1) << 27)
#define MAX_PRODUCTS    (UINT64_C(1) << 37)

void ldpc_nb_destroy(ldpc_nb *nb)
{
    if (!nb)
        return;
    free(nb->variable_start);
    free(nb->variable_edges);
    free(nb->product);
    free(nb->halves);
    free(nb->parity_columns);
    free(nb->generator);
    free(nb);
}

ldpc_status ldpc_nb_size_check(uint64_t checks, uint64_t columns, uint64_t entries, ldpc_error *err)
{
    if (checks == 0 || columns == 0)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%" PRIu64 " checks and %" PRIu64 " columns: expected at least one of each", checks,
                         columns);
    if (checks > LDPC_MAX_CHECKS || columns > LDPC_MAX_COLUMNS || checks * columns > MAX_DENSE_BYTES ||
        checks * checks * columns > MAX_PRODUCTS)
        return ldpc_fail(err, LDPC_ERR_LIMIT,
                         "%" PRIu64 " checks and %" PRIu64
                         " columns: expected checks * columns <= 2^27 and checks^2 * columns <= 2^37 over a "
                         "field larger than GF(2)",
                         checks, columns);
    return entries > checks * columns
               ? ldpc_fail(err, LDPC_ERR_RANGE,
                           "%" PRIu64 " nonzero elements: expected at most checks * columns = %" PRIu64,
                           entries, checks * columns)
               : LDPC_OK;
}

/* ---- the matrix */

static int compare_entries(const void *left, const void *right)
{
    const ldpc_nb_entry *a = left, *b = right;
    if (a->check != b->check)
        return a->check < b->check ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static ldpc_status check_entries(uint32_t checks, uint32_t columns, const ldpc_field *field,
                                 const ldpc_nb_entry *entries, size_t count, ldpc_error *err)
{
    for (size_t e = 0; e < count; e++) {
        if (entries[e].check >= checks || entries[e].column >= columns)
            return ldpc_fail(err, LDPC_ERR_RANGE,
                             "check %" PRIu32 ", column %" PRIu32 ": expected numbers below %" PRIu32
                             " and %" PRIu32,
                             entries[e].check, entries[e].column, checks, columns);
        if (entries[e].coefficient == 0 || entries[e].coefficient >= field->q)
            return ldpc_fail(err, LDPC_ERR_RANGE,
                             "check %" PRIu32 ", column %" PRIu32 " has value %u: expected 1 .. %" PRIu32,
                             entries[e].check, entries[e].column, entries[e].coefficient, field->q - 1);
    }
    return LDPC_OK;
}

static ldpc_status make_graph(uint32_t checks, uint32_t columns, const ldpc_nb_entry *entries, size_t count,
                              const char *name, const char *standard, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, checks, columns, err))
        return LDPC_ERR_MEMORY;
    for (size_t e = 0; e < count; e++)
        ldpc_code_builder_add(&builder, entries[e].check, entries[e].column, 0);
    return ldpc_code_builder_finish_graph(&builder, name, standard, code, err);
}

static bool fill_variables(ldpc_code *code)
{
    ldpc_nb *nb = code->nb;
    uint32_t *start = nb->variable_start = ldpc_allocate((size_t)code->columns + 1, sizeof *start);
    nb->variable_edges = ldpc_allocate(code->edges, sizeof *nb->variable_edges);
    if (!start || !nb->variable_edges)
        return false;
    for (size_t e = 0; e < code->edges; e++)
        start[code->row_columns[e] + 1]++;
    for (uint32_t v = 0; v < code->columns; v++)
        start[v + 1] += start[v];
    for (size_t e = 0; e < code->edges; e++)
        nb->variable_edges[start[code->row_columns[e]]++] = (uint32_t)e;
    memmove(start + 1, start, code->columns * sizeof *start);
    start[0] = 0;
    return true;
}

static bool fill_tables(ldpc_code *code)
{
    ldpc_nb *nb = code->nb;
    const ldpc_field *field = &nb->field;
    uint32_t q = field->q;
    nb->product = ldpc_allocate((size_t)q * q, 1);
    nb->halves = ldpc_allocate(q, 32);
    if (!nb->product || !nb->halves)
        return false;
    for (uint32_t h = 0; h < q; h++) {
        for (uint32_t a = 0; a < q; a++)
            nb->product[h * q + a] = ldpc_field_mul(field, (uint8_t)h, (uint8_t)a);
        for (uint32_t i = 0; i < 16; i++) {
            nb->halves[32 * h + i] = i < q ? nb->product[h * q + i] : 0;
            nb->halves[32 * h + 16 + i] = 16 * i < q ? nb->product[h * q + 16 * i] : 0;
        }
    }
    return true;
}

/* ---- the encoder */

static void eliminate(const ldpc_code *code, uint8_t *matrix, uint32_t *pivot_row, uint8_t *used)
{
    const ldpc_nb *nb = code->nb;
    uint32_t n = code->columns;
    for (uint32_t v = n; v-- > 0;) {
        uint32_t r = 0;
        while (r < code->checks && (used[r] || !matrix[(size_t)r * n + v]))
            r++;
        pivot_row[v] = r < code->checks ? r : LDPC_NO_COLUMN;
        if (r == code->checks)
            continue;
        used[r] = 1;
        uint8_t *pivot = matrix + (size_t)r * n;
        const uint8_t *scale = nb->product + (size_t)ldpc_field_inv(&nb->field, pivot[v]) * code->order;
        for (uint32_t j = 0; j < n; j++)
            pivot[j] = scale[pivot[j]];
        for (uint32_t i = 0; i < code->checks; i++)
            if (i != r && matrix[(size_t)i * n + v])
                ldpc_field_add_scaled(&nb->field, matrix + (size_t)i * n, pivot, matrix[(size_t)i * n + v],
                                      n);
    }
}

static bool read_generator(ldpc_code *code, const uint8_t *matrix, const uint32_t *pivot_row)
{
    ldpc_nb *nb = code->nb;
    for (uint32_t v = 0; v < code->columns; v++) {
        if (pivot_row[v] == LDPC_NO_COLUMN)
            code->message[code->k++] = v;
        else
            nb->parity_columns[nb->parity++] = v;
    }
    nb->generator = ldpc_allocate(code->k, nb->parity);
    for (uint32_t j = 0; nb->generator && j < code->k; j++)
        for (uint32_t i = 0; i < nb->parity; i++)
            nb->generator[(size_t)j * nb->parity + i] =
                matrix[(size_t)pivot_row[nb->parity_columns[i]] * code->columns + code->message[j]];
    return nb->generator;
}

static bool fill_encoder(ldpc_code *code)
{
    uint32_t n = code->columns;
    uint8_t *matrix = ldpc_allocate(code->checks, n);
    uint8_t *used = ldpc_allocate(code->checks, 1);
    uint32_t *pivot_row = ldpc_allocate(n, sizeof *pivot_row);
    code->message = ldpc_allocate(n, sizeof *code->message);
    code->nb->parity_columns = ldpc_allocate(code->checks, sizeof *code->nb->parity_columns);
    bool ok = matrix && used && pivot_row && code->message && code->nb->parity_columns;
    if (ok) {
        for (uint32_t c = 0; c < code->checks; c++)
            for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++)
                matrix[(size_t)c * n + code->row_columns[e]] = (uint8_t)code->row_coefficients[e];
        eliminate(code, matrix, pivot_row, used);
        ok = read_generator(code, matrix, pivot_row);
    }
    free(matrix);
    free(used);
    free(pivot_row);
    return ok;
}

/* ---- the complete code */

static bool fill(ldpc_code *code, const ldpc_field *field, const ldpc_nb_entry *entries)
{
    code->order = field->q;
    code->row_coefficients = ldpc_allocate(code->edges, sizeof *code->row_coefficients);
    code->nb = ldpc_allocate(1, sizeof *code->nb);
    if (!code->row_coefficients || !code->nb)
        return false;
    for (size_t e = 0; e < code->edges; e++)
        code->row_coefficients[e] = entries[e].coefficient;
    code->nb->field = *field;
    return fill_variables(code) && fill_tables(code) && fill_encoder(code);
}

ldpc_status ldpc_nb_code_create(uint32_t checks, uint32_t columns, const ldpc_field *field,
                                ldpc_nb_entry *entries, size_t count, const char *name, const char *standard,
                                ldpc_code **code, ldpc_error *err)
{
    *code = NULL;
    ldpc_code *made;
    ldpc_status status = ldpc_nb_size_check(checks, columns, count, err);
    if (!status)
        status = check_entries(checks, columns, field, entries, count, err);
    if (status)
        return status;
    qsort(entries, count, sizeof *entries, compare_entries);
    status = make_graph(checks, columns, entries, count, name, standard, &made, err);
    if (status)
        return status;
    if (!fill(made, field, entries)) {
        ldpc_code_destroy(made);
        return ldpc_fail_memory(err);
    }
    *code = made;
    return LDPC_OK;
}
