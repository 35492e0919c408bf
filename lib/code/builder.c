/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates a code from its circulants. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/builder.h"
#include "code/encoder.h"
#include "base/memory.h"
#include "code/schedule.h"
#include "code/sparse_matrix.h"

static uint32_t *natural_order(uint32_t count)
{
    uint32_t *order = ldpc_allocate(count, sizeof *order);
    for (uint32_t i = 0; order && i < count; i++)
        order[i] = i;
    return order;
}

ldpc_status ldpc_code_builder_open(ldpc_code_builder *builder, uint32_t z, uint32_t layers, uint32_t groups,
                                   ldpc_error *err)
{
    *builder = (ldpc_code_builder){.z = z, .layers = layers, .groups = groups};
    builder->check_at = natural_order(layers * z);
    builder->column_at = natural_order(groups * z);
    builder->role = ldpc_allocate((size_t)groups * z, sizeof *builder->role);
    if (builder->check_at && builder->column_at && builder->role)
        return LDPC_OK;
    ldpc_code_builder_close(builder);
    return ldpc_fail_memory(err);
}

void ldpc_code_builder_close(ldpc_code_builder *builder)
{
    free(builder->circulants);
    free(builder->check_at);
    free(builder->column_at);
    free(builder->role);
    free(builder->message_order);
    *builder = (ldpc_code_builder){0};
}

void ldpc_code_builder_add_incomplete(ldpc_code_builder *builder, uint32_t layer, uint32_t group,
                                      uint32_t shift, uint32_t missing_lane)
{
    if (builder->out_of_memory)
        return;
    if (builder->count == builder->capacity) {
        size_t capacity = builder->capacity ? 2 * builder->capacity : 256;
        ldpc_circulant *more = ldpc_reallocate(builder->circulants, capacity, sizeof *more);
        if (!more) {
            builder->out_of_memory = true;
            return;
        }
        builder->circulants = more;
        builder->capacity = capacity;
    }
    builder->circulants[builder->count++] = (ldpc_circulant){
        .layer = layer,
        .block = {.group = group, .shift = shift, .missing_lane = missing_lane},
    };
}

void ldpc_code_builder_add(ldpc_code_builder *builder, uint32_t layer, uint32_t group, uint32_t shift)
{
    ldpc_code_builder_add_incomplete(builder, layer, group, shift, LDPC_NO_LANE);
}

void ldpc_code_builder_set_role(ldpc_code_builder *builder, uint32_t first, uint32_t count, ldpc_role role)
{
    memset(builder->role + first, (int)role, count);
}

/* ---- layers: a stable counting sort */

static ldpc_status make_layers(const ldpc_code_builder *builder, ldpc_code *code)
{
    code->layer_start = ldpc_allocate((size_t)builder->layers + 1, sizeof *code->layer_start);
    code->blocks = ldpc_allocate(builder->count, sizeof *code->blocks);
    uint32_t *next = ldpc_allocate((size_t)builder->layers + 1, sizeof *next);
    if (code->layer_start && code->blocks && next) {
        for (size_t i = 0; i < builder->count; i++)
            code->layer_start[builder->circulants[i].layer + 1]++;
        ldpc_sparse_sum(code->layer_start, builder->layers);
        memcpy(next, code->layer_start, (size_t)builder->layers * sizeof *next);
        for (size_t i = 0; i < builder->count; i++)
            code->blocks[next[builder->circulants[i].layer]++] = builder->circulants[i].block;
    }
    free(next);
    const bool ok = code->layer_start && code->blocks && next && ldpc_code_number_occurrences(code);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

static uint32_t check_degree(const ldpc_code *code, uint32_t layer, uint32_t lane)
{
    uint32_t degree = 0;
    for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
        degree += code->blocks[b].missing_lane != lane;
    return degree;
}

/* `start` [checks + 1] must be zero. */
static void expand(const ldpc_code *code, uint32_t *start, uint32_t *columns)
{
    for (uint32_t i = 0; i < code->checks; i++)
        start[code->check_at[i] + 1] = check_degree(code, i / code->z, i % code->z);
    ldpc_sparse_sum(start, code->checks);
    for (uint32_t i = 0; i < code->checks; i++) {
        uint32_t layer = i / code->z, lane = i % code->z, e = start[code->check_at[i]];
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++) {
            const ldpc_block *block = &code->blocks[b];
            if (block->missing_lane != lane)
                columns[e++] = code->column_at[block->group * code->z + (lane + block->shift) % code->z];
        }
    }
}

static uint32_t largest_list(const uint32_t *start, uint32_t lists)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < lists; i++)
        if (start[i + 1] - start[i] > largest)
            largest = start[i + 1] - start[i];
    return largest;
}

static ldpc_status check_distinct(const ldpc_code *code, ldpc_error *err)
{
    for (uint32_t c = 0; c < code->checks; c++)
        for (uint32_t e = code->row_start[c] + 1; e < code->row_start[c + 1]; e++)
            if (code->row_columns[e] == code->row_columns[e - 1])
                return ldpc_fail(err, LDPC_ERR_PARAM,
                                 "check %" PRIu32 ", column %" PRIu32
                                 " is given twice: expected each edge once",
                                 c, code->row_columns[e]);
    return LDPC_OK;
}

static ldpc_status make_rows(ldpc_code *code, ldpc_error *err)
{
    uint32_t *column_start = ldpc_allocate((size_t)code->columns + 1, sizeof *column_start);
    uint32_t *column_checks = ldpc_allocate(code->edges, sizeof *column_checks);
    code->row_start = ldpc_allocate((size_t)code->checks + 1, sizeof *code->row_start);
    code->row_columns = ldpc_allocate(code->edges, sizeof *code->row_columns);
    ldpc_status status = LDPC_ERR_MEMORY;
    if (column_start && column_checks && code->row_start && code->row_columns) {
        expand(code, code->row_start, code->row_columns);
        ldpc_sparse_transpose(code->checks, code->columns, code->row_start, code->row_columns, column_start,
                              column_checks);
        memset(code->row_start, 0, ((size_t)code->checks + 1) * sizeof *code->row_start);
        ldpc_sparse_transpose(code->columns, code->checks, column_start, column_checks, code->row_start,
                              code->row_columns);
        code->max_check_degree = largest_list(code->row_start, code->checks);
        code->max_variable_degree = largest_list(column_start, code->columns);
        status = check_distinct(code, err);
    }
    free(column_start);
    free(column_checks);
    return status;
}

/* ---- transmitted bits */

static ldpc_status number_transmitted_bits(const ldpc_code_builder *builder, ldpc_code *code)
{
    code->transmitted =
        ldpc_allocate((size_t)code->columns + builder->trailing_zeros, sizeof *code->transmitted);
    code->known_zero = ldpc_allocate(code->columns, sizeof *code->known_zero);
    if (!code->transmitted || !code->known_zero)
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < code->columns; v++) {
        ldpc_role role = (ldpc_role)builder->role[v];
        if (role == LDPC_ROLE_TRANSMITTED)
            code->transmitted[code->n++] = v;
        else if (role == LDPC_ROLE_TRANSMITTED_ZERO)
            code->transmitted[code->n++] = LDPC_NO_COLUMN;
        if (role == LDPC_ROLE_PUNCTURED)
            code->punctured++;
        else if (role != LDPC_ROLE_TRANSMITTED)
            code->known_zero[code->shortened++] = v;
    }
    for (uint32_t i = 0; i < builder->trailing_zeros; i++)
        code->transmitted[code->n++] = LDPC_NO_COLUMN;
    return LDPC_OK;
}

static size_t count_edges(const ldpc_code_builder *builder)
{
    size_t edges = builder->count * builder->z;
    for (size_t i = 0; i < builder->count; i++)
        edges -= builder->circulants[i].block.missing_lane != LDPC_NO_LANE;
    return edges;
}

static ldpc_status fill_graph(ldpc_code_builder *builder, ldpc_code *code, ldpc_error *err)
{
    code->order = 2;
    code->z = builder->z;
    code->layers = builder->layers;
    code->groups = builder->groups;
    code->checks = builder->layers * builder->z;
    code->columns = builder->groups * builder->z;
    code->edges = count_edges(builder);
    code->check_at = builder->check_at;
    code->column_at = builder->column_at;
    builder->check_at = builder->column_at = NULL;

    ldpc_status status = make_layers(builder, code);
    if (!status)
        status = make_rows(code, err);
    if (!status)
        status = number_transmitted_bits(builder, code);
    if (!status && code->n == 0)
        status = ldpc_fail(err, LDPC_ERR_FORMAT, "expected at least one transmitted column, found none");
    return status;
}

ldpc_status ldpc_code_builder_finish_graph(ldpc_code_builder *builder, const char *name, const char *standard,
                                           ldpc_code **code, ldpc_error *err)
{
    *code = NULL;
    ldpc_code *made = builder->out_of_memory ? NULL : ldpc_allocate(1, sizeof *made);
    ldpc_status status = made ? LDPC_OK : LDPC_ERR_MEMORY;
    if (made) {
        atomic_init(&made->references, 1);
        snprintf(made->name, sizeof made->name, "%s", name);
        snprintf(made->standard, sizeof made->standard, "%s", standard);
        status = fill_graph(builder, made, err);
    }
    ldpc_code_builder_close(builder);
    if (status) {
        ldpc_code_destroy(made);
        return status == LDPC_ERR_MEMORY ? ldpc_fail_memory(err) : status;
    }
    *code = made;
    return LDPC_OK;
}

static ldpc_status order_message(ldpc_code *code, const uint32_t *listed, uint32_t count, uint32_t line,
                                 ldpc_error *err)
{
    if (line && code->k != count)
        return ldpc_fail(err, LDPC_ERR_FORMAT,
                         "line %" PRIu32 ": the message has %" PRIu32 " columns: expected k = %" PRIu32
                         " of them",
                         line, count, code->k);
    bool *found = ldpc_allocate(code->columns, sizeof *found);
    if (!found)
        return ldpc_fail_memory(err);
    for (uint32_t i = 0; i < code->k; i++)
        found[code->message[i]] = true;
    ldpc_status status = LDPC_OK;
    for (uint32_t i = 0, next = 0; i < count && !status; i++) {
        if (found[listed[i]])
            code->message[next++] = listed[i];
        else if (line)
            status = ldpc_fail(err, LDPC_ERR_FORMAT,
                               "line %" PRIu32
                               ": the message columns do not determine the codeword, column %" PRIu32
                               " depends on others: expected k = %" PRIu32 " independent columns",
                               line, listed[i], count);
    }
    free(found);
    return status;
}

ldpc_status ldpc_code_builder_finish(ldpc_code_builder *builder, const char *name, const char *standard,
                                     ldpc_code **code, ldpc_error *err)
{
    uint32_t *order = builder->message_order;
    const uint32_t count = builder->message_count;
    const uint32_t line = builder->message_line;
    builder->message_order = NULL;
    ldpc_status status = ldpc_code_builder_finish_graph(builder, name, standard, code, err);
    if (!status) {
        status = ldpc_encoder_open(*code, order, LDPC_MAX_ASIDE, LDPC_MAX_OPERATIONS);
        if (status == LDPC_ERR_MEMORY)
            ldpc_fail_memory(err);
        else if (status)
            ldpc_fail(err, status,
                      "an encoder for these message columns exceeds the limits of docs/formats.md");
    }
    if (!status && count)
        status = order_message(*code, order, count, line, err);
    if (!status)
        (*code)->message_chosen = order && (*code)->k > 0;
    free(order);
    if (status) {
        ldpc_code_destroy(*code);
        *code = NULL;
    }
    return status;
}
