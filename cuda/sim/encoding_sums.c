/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/sim/encoding_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/encoder.h"
#include "cuda/sim/encoding.h"

static void begin_section(ldpc_encoding_builder *b)
{
    b->section = b->n_sums;
    b->first_level = b->n_levels;
}

static void begin_sum(ldpc_encoding_builder *b, uint32_t target)
{
    b->sums[b->n_sums] = (ldpc_encoding_sum){.target = target,
                                             .first_operand = b->n_operands,
                                             .level = b->first_level,
                                             .before = LDPC_ENCODING_NONE,
                                             .after = LDPC_ENCODING_NONE};
}

static uint32_t maker_of(const ldpc_encoding_builder *b, uint32_t column)
{
    uint32_t maker = column < b->code->columns ? b->made_by[column] : LDPC_ENCODING_NONE;
    return maker != LDPC_ENCODING_NONE && maker >= b->section ? maker : LDPC_ENCODING_NONE;
}

static uint32_t count_of_level(const ldpc_encoding_builder *b, const ldpc_encoding_sum *s, uint32_t level,
                               uint32_t *at)
{
    uint32_t count = 0;
    for (uint32_t i = s->first_operand; i < b->n_operands; i++) {
        uint32_t maker = maker_of(b, b->operands[i]);
        if (maker != LDPC_ENCODING_NONE && b->sums[maker].level == level) {
            *at = i;
            count++;
        }
    }
    return count;
}

typedef struct placement {
    uint32_t level;
    uint32_t operand;
} placement;

static placement placement_of(const ldpc_encoding_builder *b)
{
    const ldpc_encoding_sum *s = &b->sums[b->n_sums];
    uint32_t latest = LDPC_ENCODING_NONE, at = 0;
    for (uint32_t i = s->first_operand; i < b->n_operands; i++) {
        uint32_t maker = maker_of(b, b->operands[i]);
        if (maker != LDPC_ENCODING_NONE && (latest == LDPC_ENCODING_NONE || b->sums[maker].level > latest))
            latest = b->sums[maker].level;
    }
    if (latest == LDPC_ENCODING_NONE)
        return (placement){b->first_level, LDPC_ENCODING_NONE};
    if (count_of_level(b, s, latest, &at) == 1 &&
        b->sums[maker_of(b, b->operands[at])].after == LDPC_ENCODING_NONE)
        return (placement){latest, at};
    return (placement){latest + 1, LDPC_ENCODING_NONE};
}

static bool has_terms(const ldpc_encoding_builder *b, uint32_t column)
{
    return b->terms && column < b->code->columns && b->terms->count[column] <= LDPC_ENCODING_MAX_TERMS;
}

static placement take_terms(ldpc_encoding_builder *b, uint32_t column)
{
    uint32_t count = b->terms->count[column];
    b->n_operands = b->sums[b->n_sums].first_operand;
    memcpy(b->operands + b->n_operands, b->terms->column + (size_t)column * LDPC_ENCODING_MAX_TERMS,
           count * sizeof *b->operands);
    b->n_operands += count;
    return (placement){b->first_level, LDPC_ENCODING_NONE};
}

static void end_sum(ldpc_encoding_builder *b)
{
    ldpc_encoding_sum *s = &b->sums[b->n_sums];
    placement at = placement_of(b);
    if (at.level > b->first_level + 1 && has_terms(b, s->target))
        at = take_terms(b, s->target);
    if (at.operand != LDPC_ENCODING_NONE) {
        s->before = maker_of(b, b->operands[at.operand]);
        b->sums[s->before].after = b->n_sums;
        b->operands[at.operand] = b->operands[--b->n_operands];
    }
    s->level = at.level;
    s->operands = b->n_operands - s->first_operand;
    if (s->target < b->code->columns)
        b->made_by[s->target] = b->n_sums;
    if (s->level >= b->n_levels)
        b->n_levels = s->level + 1;
    b->n_sums++;
}

static void add_check(ldpc_encoding_builder *b, uint32_t check, uint32_t target)
{
    const ldpc_code *code = b->code;
    begin_sum(b, target);
    for (uint32_t e = code->row_start[check]; e < code->row_start[check + 1]; e++)
        if (code->row_columns[e] != target && !b->zero[code->row_columns[e]])
            b->operands[b->n_operands++] = code->row_columns[e];
    end_sum(b);
}

static void add_steps(ldpc_encoding_builder *b, const ldpc_step *step, uint32_t steps)
{
    begin_section(b);
    for (uint32_t i = 0; i < steps; i++)
        add_check(b, step[i].check, step[i].column);
}

static bool picked(const ldpc_encoder *encoder, uint32_t row, uint32_t i)
{
    return encoder->inverse[(size_t)(i / 8) * encoder->aside + row] >> i % 8 & 1;
}

static void add_aside(ldpc_encoding_builder *b)
{
    const ldpc_encoder *encoder = b->code->encoder;
    begin_section(b);
    for (uint32_t i = 0; i < encoder->aside; i++)
        add_check(b, encoder->aside_check[i], b->code->columns + i);
    begin_section(b);
    for (uint32_t row = 0; row < encoder->aside; row++) {
        begin_sum(b, encoder->aside_column[row]);
        for (uint32_t i = 0; i < encoder->aside; i++)
            if (picked(encoder, row, i))
                b->operands[b->n_operands++] = b->code->columns + i;
        end_sum(b);
    }
}

static void mark(ldpc_encoding_builder *b, const uint32_t *columns, uint32_t count, bool zero)
{
    for (uint32_t i = 0; i < count; i++)
        b->zero[columns[i]] = zero;
}

static bool all_have_terms(const ldpc_encoding_builder *b, const uint32_t *columns, uint32_t count)
{
    bool all = true;
    for (uint32_t i = 0; i < count; i++)
        all = all && has_terms(b, columns[i]);
    return all;
}

static void add_aside_terms(ldpc_encoding_builder *b)
{
    const ldpc_encoder *encoder = b->code->encoder;
    begin_section(b);
    for (uint32_t i = 0; i < encoder->aside; i++) {
        begin_sum(b, encoder->aside_column[i]);
        take_terms(b, encoder->aside_column[i]);
        end_sum(b);
    }
}

static void add_aside_steps(ldpc_encoding_builder *b)
{
    const ldpc_encoder *encoder = b->code->encoder;
    const ldpc_encoding_terms *terms = b->terms;
    b->terms = NULL;
    mark(b, encoder->aside_column, encoder->aside, true);
    add_steps(b, encoder->early_step, encoder->early_steps);
    add_aside(b);
    mark(b, encoder->aside_column, encoder->aside, false);
    b->terms = terms;
}

static void find_sums(ldpc_encoding_builder *b)
{
    const ldpc_encoder *encoder = b->code->encoder;
    mark(b, b->code->known_zero, b->code->shortened, true);
    if (all_have_terms(b, encoder->aside_column, encoder->aside))
        add_aside_terms(b);
    else
        add_aside_steps(b);
    add_steps(b, encoder->step, encoder->steps);
}

/* ---- memory of the builder */

static size_t step_edges(const ldpc_code *code, const ldpc_step *step, uint32_t steps)
{
    size_t edges = 0;
    for (uint32_t i = 0; i < steps; i++)
        edges += code->row_start[step[i].check + 1] - code->row_start[step[i].check];
    return edges;
}

static size_t most_operands(const ldpc_code *code)
{
    const ldpc_encoder *encoder = code->encoder;
    size_t most = step_edges(code, encoder->early_step, encoder->early_steps) +
                  step_edges(code, encoder->step, encoder->steps) + code->edges;
    for (uint32_t row = 0; row < encoder->aside; row++)
        for (uint32_t i = 0; i < encoder->aside; i++)
            most += picked(encoder, row, i);
    return most;
}

void ldpc_encoding_builder_close(ldpc_encoding_builder *b)
{
    free(b->sums);
    free(b->operands);
    free(b->made_by);
    free(b->zero);
}

static bool builder_open(ldpc_encoding_builder *b, const ldpc_code *code, const ldpc_encoding_terms *terms)
{
    const ldpc_encoder *encoder = code->encoder;
    size_t most = most_operands(code);
    *b = (ldpc_encoding_builder){.code = code, .terms = terms};
    for (uint32_t v = 0; terms && v < code->columns; v++)
        most += terms->count[v] <= LDPC_ENCODING_MAX_TERMS ? terms->count[v] : 0;
    if (most >= LDPC_ENCODING_HEAD)
        return false;
    b->sums = ldpc_allocate((size_t)encoder->early_steps + encoder->steps + 2 * (size_t)encoder->aside,
                            sizeof *b->sums);
    b->operands = ldpc_allocate(most, sizeof *b->operands);
    b->made_by = ldpc_allocate(code->columns, sizeof *b->made_by);
    b->zero = ldpc_allocate(code->columns, sizeof *b->zero);
    if (!b->sums || !b->operands || !b->made_by || !b->zero) {
        ldpc_encoding_builder_close(b);
        return false;
    }
    for (uint32_t v = 0; v < code->columns; v++)
        b->made_by[v] = LDPC_ENCODING_NONE;
    return true;
}

bool ldpc_encoding_find_sums(ldpc_encoding_builder *b, const ldpc_code *code,
                             const ldpc_encoding_terms *terms)
{
    if (!builder_open(b, code, terms))
        return false;
    find_sums(b);
    return true;
}
