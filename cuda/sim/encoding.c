/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the table of encoding_sums.c. Over GF(q), q > 2, the table is the generator matrix. */
#include "cuda/sim/encoding.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/encoder.h"
#include "code/nonbinary.h"
#include "cuda/sim/encoding_sums.h"

/* With more levels, barriers and idle threads cost more than additional operands. */
enum { GOOD_LEVELS = 8 };

#define MOST_WORK            (UINT64_C(1) << 31)
#define MOST_SYMBOL_OPERANDS ((size_t)1 << 25) /* 128 MiB of table */

/* ---- the table */

static void put_in_order(const ldpc_encoding_builder *b, const uint32_t *level_start, uint32_t *next,
                         uint32_t *order)
{
    memcpy(next, level_start, b->n_levels * sizeof *next);
    for (uint32_t i = 0; i < b->n_sums; i++)
        for (uint32_t s = b->sums[i].before == LDPC_ENCODING_NONE ? i : LDPC_ENCODING_NONE;
             s != LDPC_ENCODING_NONE; s = b->sums[s].after)
            order[next[b->sums[s].level]++] = s;
}

static void write_levels(const ldpc_encoding_builder *b, const uint32_t *level_start, ldpc_encoding *encoding)
{
    uint32_t *level = encoding->table + LDPC_ENCODING_START;
    for (uint32_t l = 0; l < b->n_levels; l++, level += LDPC_ENCODING_LEVEL) {
        level[0] = level_start[l];
        level[1] = level_start[l + 1] - level_start[l];
        encoding->widest = level[1] > encoding->widest ? level[1] : encoding->widest;
    }
    for (uint32_t i = 0; i < b->n_sums; i++)
        if (b->sums[i].before != LDPC_ENCODING_NONE)
            encoding->table[LDPC_ENCODING_START + LDPC_ENCODING_LEVEL * b->sums[i].level + 2] = 1;
}

static void write_sums(const ldpc_encoding_builder *b, const uint32_t *order, uint32_t *table)
{
    uint32_t *target = table + table[1], *start = table + table[2], *operand = table + table[3], used = 0;
    for (uint32_t i = 0; i < b->n_sums; i++) {
        const ldpc_encoding_sum *s = &b->sums[order[i]];
        target[i] = s->target | (s->before == LDPC_ENCODING_NONE ? LDPC_ENCODING_HEAD : 0);
        start[i] = used;
        memcpy(operand + used, b->operands + s->first_operand, s->operands * sizeof *operand);
        used += s->operands;
    }
    start[b->n_sums] = used;
}

static bool write_table(const ldpc_encoding_builder *b, ldpc_encoding *encoding)
{
    size_t head = LDPC_ENCODING_START + (size_t)LDPC_ENCODING_LEVEL * b->n_levels;
    encoding->table_words = head + 2 * (size_t)b->n_sums + 1 + b->n_operands;
    encoding->table = ldpc_allocate(encoding->table_words, sizeof *encoding->table);
    uint32_t *level_start = ldpc_allocate((size_t)b->n_levels + 1, sizeof *level_start);
    uint32_t *next = ldpc_allocate(b->n_levels, sizeof *next);
    uint32_t *order = ldpc_allocate(b->n_sums, sizeof *order);
    bool ok = encoding->table && level_start && next && order;
    if (ok) {
        for (uint32_t i = 0; i < b->n_sums; i++)
            level_start[b->sums[i].level + 1]++;
        for (uint32_t l = 0; l < b->n_levels; l++)
            level_start[l + 1] += level_start[l];
        put_in_order(b, level_start, next, order);
        encoding->table[0] = b->n_levels;
        encoding->table[1] = (uint32_t)head;
        encoding->table[2] = (uint32_t)head + b->n_sums;
        encoding->table[3] = (uint32_t)head + 2 * b->n_sums + 1;
        write_levels(b, level_start, encoding);
        write_sums(b, order, encoding->table);
    }
    free(level_start);
    free(next);
    free(order);
    return ok;
}

static bool make_with(const ldpc_code *code, const ldpc_encoding_terms *terms, ldpc_encoding *encoding)
{
    ldpc_encoding_builder b;
    *encoding = (ldpc_encoding){.columns = code->columns + code->encoder->aside};
    if (!ldpc_encoding_find_sums(&b, code, terms))
        return false;
    bool ok = write_table(&b, encoding);
    ldpc_encoding_builder_close(&b);
    if (!ok)
        ldpc_encoding_free(encoding);
    return ok;
}

static void use_terms(const ldpc_code *code, ldpc_encoding *encoding)
{
    ldpc_encoding other = {0};
    ldpc_encoding_terms terms = {
        .count = ldpc_allocate(code->columns, sizeof *terms.count),
        .column = ldpc_allocate((size_t)code->columns * LDPC_ENCODING_MAX_TERMS, sizeof *terms.column),
    };
    if (terms.count && terms.column && ldpc_encoding_find_terms(code, &terms) &&
        make_with(code, &terms, &other) && other.table[0] < encoding->table[0]) {
        free(encoding->table);
        *encoding = other;
    } else {
        free(other.table);
    }
    free(terms.count);
    free(terms.column);
}

/* ---- codes over GF(q), q = 2^p: each bit of a parity symbol is a sum of message bits, and all sums are in
 * one level. Column v * p + b is bit b of symbol v. */

/* Bit 0 is the MSB. */
static bool counts_for(const ldpc_nb *nb, uint32_t factor, uint32_t from, uint32_t to)
{
    uint32_t p = nb->field.p, product = nb->product[(size_t)factor * nb->field.q + (1u << (p - 1 - from))];
    return product >> (p - 1 - to) & 1;
}

static size_t symbol_operands(const ldpc_code *code)
{
    const ldpc_nb *nb = code->nb;
    uint32_t ones[LDPC_NB_MAX_ORDER] = {0}, p = nb->field.p;
    for (uint32_t factor = 0; factor < nb->field.q; factor++)
        for (uint32_t i = 0; i < p * p; i++)
            ones[factor] += counts_for(nb, factor, i / p, i % p);
    size_t all = 0;
    for (size_t i = 0; i < (size_t)code->k * nb->parity; i++)
        all += ones[nb->generator[i]];
    return all;
}

static void add_symbol_sum(ldpc_encoding_builder *b, uint32_t i, uint32_t bit)
{
    const ldpc_nb *nb = b->code->nb;
    uint32_t p = nb->field.p;
    ldpc_encoding_sum *s = &b->sums[b->n_sums++];
    *s = (ldpc_encoding_sum){.target = nb->parity_columns[i] * p + bit,
                             .first_operand = b->n_operands,
                             .before = LDPC_ENCODING_NONE,
                             .after = LDPC_ENCODING_NONE};
    for (uint32_t j = 0; j < b->code->k; j++)
        for (uint32_t from = 0; from < p; from++)
            if (counts_for(nb, nb->generator[(size_t)j * nb->parity + i], from, bit))
                b->operands[b->n_operands++] = b->code->message[j] * p + from;
    s->operands = b->n_operands - s->first_operand;
}

static ldpc_status make_symbols(const ldpc_code *code, ldpc_encoding *encoding)
{
    uint32_t p = code->nb->field.p;
    size_t operands = symbol_operands(code);
    *encoding = (ldpc_encoding){.columns = code->columns * p};
    if (operands > MOST_SYMBOL_OPERANDS)
        return LDPC_ERR_LIMIT;
    ldpc_encoding_builder b = {.code = code, .n_levels = 1};
    b.sums = ldpc_allocate((size_t)code->nb->parity * p, sizeof *b.sums);
    b.operands = ldpc_allocate(operands, sizeof *b.operands);
    bool ok = b.sums && b.operands;
    for (uint32_t i = 0; ok && i < code->nb->parity; i++)
        for (uint32_t bit = 0; bit < p; bit++)
            add_symbol_sum(&b, i, bit);
    ok = ok && write_table(&b, encoding);
    ldpc_encoding_builder_close(&b);
    if (!ok)
        ldpc_encoding_free(encoding);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding)
{
    if (code->nb)
        return make_symbols(code, encoding);
    bool ok = make_with(code, NULL, encoding);
    if (ok && encoding->table[0] > GOOD_LEVELS && (uint64_t)code->k * code->columns <= MOST_WORK)
        use_terms(code, encoding);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_encoding_free(ldpc_encoding *encoding)
{
    free(encoding->table);
    *encoding = (ldpc_encoding){0};
}
