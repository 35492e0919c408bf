/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/sim/encoding.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "code/encoder.h"
#include "base/memory.h"
#include "code/nonbinary.h"

#define NONE UINT32_MAX

/* Codes whose table has more levels than this are looked at again, with columns as sums of the message. */
enum { GOOD_LEVELS = 8, MOST_TERMS = 256, LANES = 64 };
#define MOST_WORK            (UINT64_C(1) << 31) /* bits of a generator matrix that are looked at */
#define MOST_SYMBOL_OPERANDS ((size_t)1 << 25)   /* 128 MiB */

/* Columns as sums of columns of the message. */
typedef struct term_table {
    uint32_t *count;  /* [columns] more than MOST_TERMS: too many */
    uint32_t *column; /* [columns][MOST_TERMS] */
} term_table;

/* A sum as it is found; `before` is the sum whose column it takes from its own level, or NONE. */
typedef struct sum {
    uint32_t target, first_operand, operands, level, before, after;
} sum;

typedef struct draft {
    const ldpc_code *code;
    const term_table *terms; /* or NULL */
    sum *sums;
    uint32_t *operands;
    uint32_t n_sums, n_operands, n_levels;
    uint32_t stage;       /* first sum of the stage under way: earlier ones are done when it begins */
    uint32_t first_level; /* its first level */
    uint32_t *made_by;    /* [columns] sum that makes the column last, or NONE */
    bool *zero;           /* [columns] counts as zero: known, or set aside and not made yet */
} draft;

/* ---- sums and their levels */

static void begin_stage(draft *d)
{
    d->stage = d->n_sums;
    d->first_level = d->n_levels;
}

static void begin_sum(draft *d, uint32_t target)
{
    d->sums[d->n_sums] = (sum){.target = target,
                               .first_operand = d->n_operands,
                               .level = d->first_level,
                               .before = NONE,
                               .after = NONE};
}

/* The sum that makes an operand within this stage, or NONE. */
static uint32_t maker_of(const draft *d, uint32_t column)
{
    uint32_t maker = column < d->code->columns ? d->made_by[column] : NONE;
    return maker != NONE && maker >= d->stage ? maker : NONE;
}

/* Operands that are made in level `level` of this stage: how many, and the sum of the last one. */
static uint32_t count_of_level(const draft *d, const sum *s, uint32_t level, uint32_t *at)
{
    uint32_t count = 0;
    for (uint32_t i = s->first_operand; i < d->n_operands; i++) {
        uint32_t maker = maker_of(d, d->operands[i]);
        if (maker != NONE && d->sums[maker].level == level) {
            *at = i;
            count++;
        }
    }
    return count;
}

/* Where a sum with all its operands belongs. */
typedef struct spot {
    uint32_t level, operand; /* operand: the one that comes from the sum before it in its chain, or NONE */
} spot;

/* The level behind those of the operands, or theirs as the next of a chain. */
static spot spot_of(const draft *d)
{
    const sum *s = &d->sums[d->n_sums];
    uint32_t latest = NONE, at = 0;
    for (uint32_t i = s->first_operand; i < d->n_operands; i++) {
        uint32_t maker = maker_of(d, d->operands[i]);
        if (maker != NONE && (latest == NONE || d->sums[maker].level > latest))
            latest = d->sums[maker].level;
    }
    if (latest == NONE)
        return (spot){d->first_level, NONE};
    if (count_of_level(d, s, latest, &at) == 1 && d->sums[maker_of(d, d->operands[at])].after == NONE)
        return (spot){latest, at};
    return (spot){latest + 1, NONE};
}

static bool has_terms(const draft *d, uint32_t column)
{
    return d->terms && column < d->code->columns && d->terms->count[column] <= MOST_TERMS;
}

/* The sum from the message alone: of the first level. */
static spot take_terms(draft *d, uint32_t column)
{
    uint32_t count = d->terms->count[column];
    d->n_operands = d->sums[d->n_sums].first_operand;
    memcpy(d->operands + d->n_operands, d->terms->column + (size_t)column * MOST_TERMS,
           count * sizeof *d->operands);
    d->n_operands += count;
    return (spot){d->first_level, NONE};
}

static void end_sum(draft *d)
{
    sum *s = &d->sums[d->n_sums];
    spot at = spot_of(d);
    if (at.level > d->first_level + 1 && has_terms(d, s->target))
        at = take_terms(d, s->target);
    if (at.operand != NONE) {
        s->before = maker_of(d, d->operands[at.operand]);
        d->sums[s->before].after = d->n_sums;
        d->operands[at.operand] = d->operands[--d->n_operands];
    }
    s->level = at.level;
    s->operands = d->n_operands - s->first_operand;
    if (s->target < d->code->columns)
        d->made_by[s->target] = d->n_sums;
    if (s->level >= d->n_levels)
        d->n_levels = s->level + 1;
    d->n_sums++;
}

/* The sum of a check without its column `target`. */
static void add_check(draft *d, uint32_t check, uint32_t target)
{
    const ldpc_code *code = d->code;
    begin_sum(d, target);
    for (uint32_t e = code->row_start[check]; e < code->row_start[check + 1]; e++)
        if (code->row_columns[e] != target && !d->zero[code->row_columns[e]])
            d->operands[d->n_operands++] = code->row_columns[e];
    end_sum(d);
}

static void add_steps(draft *d, const ldpc_step *step, uint32_t steps)
{
    begin_stage(d);
    for (uint32_t i = 0; i < steps; i++)
        add_check(d, step[i].check, step[i].column);
}

static bool picked(const ldpc_encoder *encoder, uint32_t row, uint32_t i)
{
    return encoder->inverse[(size_t)(i / 8) * encoder->aside + row] >> i % 8 & 1;
}

/* The columns set aside: sums of the rest checks behind the columns of H, then the inverse. */
static void add_aside(draft *d)
{
    const ldpc_encoder *encoder = d->code->encoder;
    begin_stage(d);
    for (uint32_t i = 0; i < encoder->aside; i++)
        add_check(d, encoder->aside_check[i], d->code->columns + i);
    begin_stage(d);
    for (uint32_t row = 0; row < encoder->aside; row++) {
        begin_sum(d, encoder->aside_column[row]);
        for (uint32_t i = 0; i < encoder->aside; i++)
            if (picked(encoder, row, i))
                d->operands[d->n_operands++] = d->code->columns + i;
        end_sum(d);
    }
}

static void mark(draft *d, const uint32_t *columns, uint32_t count, bool zero)
{
    for (uint32_t i = 0; i < count; i++)
        d->zero[columns[i]] = zero;
}

static bool all_have_terms(const draft *d, const uint32_t *columns, uint32_t count)
{
    bool all = true;
    for (uint32_t i = 0; i < count; i++)
        all = all && has_terms(d, columns[i]);
    return all;
}

/* The columns set aside from the message. */
static void add_aside_terms(draft *d)
{
    const ldpc_encoder *encoder = d->code->encoder;
    begin_stage(d);
    for (uint32_t i = 0; i < encoder->aside; i++) {
        begin_sum(d, encoder->aside_column[i]);
        take_terms(d, encoder->aside_column[i]);
        end_sum(d);
    }
}

/* The columns set aside by steps; columns that are made on the way have values that do not stay. */
static void add_aside_steps(draft *d)
{
    const ldpc_encoder *encoder = d->code->encoder;
    const term_table *terms = d->terms;
    d->terms = NULL;
    mark(d, encoder->aside_column, encoder->aside, true);
    add_steps(d, encoder->early_step, encoder->early_steps);
    add_aside(d);
    mark(d, encoder->aside_column, encoder->aside, false);
    d->terms = terms;
}

static void find_sums(draft *d)
{
    const ldpc_encoder *encoder = d->code->encoder;
    mark(d, d->code->known_zero, d->code->shortened, true);
    if (all_have_terms(d, encoder->aside_column, encoder->aside))
        add_aside_terms(d);
    else
        add_aside_steps(d);
    add_steps(d, encoder->step, encoder->steps);
}

/* ---- the draft's memory */

static size_t ones_of(const ldpc_code *code, const ldpc_step *step, uint32_t steps)
{
    size_t ones = 0;
    for (uint32_t i = 0; i < steps; i++)
        ones += code->row_start[step[i].check + 1] - code->row_start[step[i].check];
    return ones;
}

static size_t most_operands(const ldpc_code *code)
{
    const ldpc_encoder *encoder = code->encoder;
    size_t most = ones_of(code, encoder->early_step, encoder->early_steps) +
                  ones_of(code, encoder->step, encoder->steps) + code->edges;
    for (uint32_t row = 0; row < encoder->aside; row++)
        for (uint32_t i = 0; i < encoder->aside; i++)
            most += picked(encoder, row, i);
    return most;
}

static void draft_close(draft *d)
{
    free(d->sums);
    free(d->operands);
    free(d->made_by);
    free(d->zero);
}

static bool draft_open(draft *d, const ldpc_code *code, const term_table *terms)
{
    const ldpc_encoder *encoder = code->encoder;
    size_t most = most_operands(code);
    *d = (draft){.code = code, .terms = terms};
    for (uint32_t v = 0; terms && v < code->columns; v++)
        most += terms->count[v] <= MOST_TERMS ? terms->count[v] : 0;
    if (most >= LDPC_ENCODING_HEAD)
        return false;
    d->sums = ldpc_allocate((size_t)encoder->early_steps + encoder->steps + 2 * (size_t)encoder->aside,
                            sizeof *d->sums);
    d->operands = ldpc_allocate(most, sizeof *d->operands);
    d->made_by = ldpc_allocate(code->columns, sizeof *d->made_by);
    d->zero = ldpc_allocate(code->columns, sizeof *d->zero);
    if (!d->sums || !d->operands || !d->made_by || !d->zero) {
        draft_close(d);
        return false;
    }
    for (uint32_t v = 0; v < code->columns; v++)
        d->made_by[v] = NONE;
    return true;
}

/* ---- the table */

/* Number of each sum in the order of the table: by levels, chains in one piece. order[] is theirs. */
static void put_in_order(const draft *d, const uint32_t *level_start, uint32_t *next, uint32_t *order)
{
    memcpy(next, level_start, d->n_levels * sizeof *next);
    for (uint32_t i = 0; i < d->n_sums; i++)
        for (uint32_t s = d->sums[i].before == NONE ? i : NONE; s != NONE; s = d->sums[s].after)
            order[next[d->sums[s].level]++] = s;
}

static void write_levels(const draft *d, const uint32_t *level_start, ldpc_encoding *encoding)
{
    uint32_t *level = encoding->table + LDPC_ENCODING_START;
    for (uint32_t l = 0; l < d->n_levels; l++, level += LDPC_ENCODING_LEVEL) {
        level[0] = level_start[l];
        level[1] = level_start[l + 1] - level_start[l];
        encoding->widest = level[1] > encoding->widest ? level[1] : encoding->widest;
    }
    for (uint32_t i = 0; i < d->n_sums; i++)
        if (d->sums[i].before != NONE)
            encoding->table[LDPC_ENCODING_START + LDPC_ENCODING_LEVEL * d->sums[i].level + 2] = 1;
}

static void write_sums(const draft *d, const uint32_t *order, uint32_t *table)
{
    uint32_t *target = table + table[1], *start = table + table[2], *operand = table + table[3], used = 0;
    for (uint32_t i = 0; i < d->n_sums; i++) {
        const sum *s = &d->sums[order[i]];
        target[i] = s->target | (s->before == NONE ? LDPC_ENCODING_HEAD : 0);
        start[i] = used;
        memcpy(operand + used, d->operands + s->first_operand, s->operands * sizeof *operand);
        used += s->operands;
    }
    start[d->n_sums] = used;
}

static bool write_table(const draft *d, ldpc_encoding *encoding)
{
    size_t head = LDPC_ENCODING_START + (size_t)LDPC_ENCODING_LEVEL * d->n_levels;
    encoding->words = head + 2 * (size_t)d->n_sums + 1 + d->n_operands;
    encoding->table = ldpc_allocate(encoding->words, sizeof *encoding->table);
    uint32_t *level_start = ldpc_allocate((size_t)d->n_levels + 1, sizeof *level_start);
    uint32_t *next = ldpc_allocate(d->n_levels, sizeof *next);
    uint32_t *order = ldpc_allocate(d->n_sums, sizeof *order);
    bool ok = encoding->table && level_start && next && order;
    if (ok) {
        for (uint32_t i = 0; i < d->n_sums; i++)
            level_start[d->sums[i].level + 1]++;
        for (uint32_t l = 0; l < d->n_levels; l++)
            level_start[l + 1] += level_start[l];
        put_in_order(d, level_start, next, order);
        encoding->table[0] = d->n_levels;
        encoding->table[1] = (uint32_t)head;
        encoding->table[2] = (uint32_t)head + d->n_sums;
        encoding->table[3] = (uint32_t)head + 2 * d->n_sums + 1;
        write_levels(d, level_start, encoding);
        write_sums(d, order, encoding->table);
    }
    free(level_start);
    free(next);
    free(order);
    return ok;
}

static bool make_with(const ldpc_code *code, const term_table *terms, ldpc_encoding *encoding)
{
    draft d;
    *encoding = (ldpc_encoding){.columns = code->columns + code->encoder->aside};
    if (!draft_open(&d, code, terms))
        return false;
    find_sums(&d);
    bool ok = write_table(&d, encoding);
    draft_close(&d);
    if (!ok)
        ldpc_encoding_free(encoding);
    return ok;
}

/* ---- columns as sums of the message */

/* What the codeword of the message whose only bit is number `bit` adds to the terms; most columns are zero.
 */
static void add_terms(const ldpc_code *code, uint32_t bit, const uint8_t *columns, term_table *terms)
{
    for (uint32_t first = 0; first < code->columns; first += 8) {
        uint32_t some = code->columns - first < 8 ? code->columns - first : 8;
        uint64_t eight = 0;
        memcpy(&eight, columns + first, some);
        for (uint32_t v = first; eight && v < first + some; v++) {
            if (!columns[v] || terms->count[v] > MOST_TERMS)
                continue;
            if (terms->count[v] < MOST_TERMS)
                terms->column[(size_t)v * MOST_TERMS + terms->count[v]] = code->message[bit];
            terms->count[v]++;
        }
    }
}

static bool too_many_terms(const ldpc_code *code, const term_table *terms)
{
    bool too_many = false;
    for (uint32_t i = 0; i < code->encoder->aside; i++)
        too_many |= terms->count[code->encoder->aside_column[i]] > MOST_TERMS;
    return too_many;
}

/* False when there is no memory, or when the terms are of no use. */
static bool find_terms(const ldpc_code *code, term_table *terms)
{
    uint8_t *message = ldpc_allocate(LANES, code->k), *columns = ldpc_allocate(LANES, code->columns);
    bool ok = message && columns;
    for (uint32_t first = 0; first < code->k && ok; first += LANES) {
        uint32_t words = code->k - first < LANES ? code->k - first : LANES;
        for (uint32_t w = 0; w < words; w++)
            message[(size_t)w * code->k + first + w] = 1;
        ok = !ldpc_encode_columns(code, message, words, columns);
        for (uint32_t w = 0; w < words; w++)
            message[(size_t)w * code->k + first + w] = 0;
        for (uint32_t w = 0; w < words && ok; w++)
            add_terms(code, first + w, columns + (size_t)w * code->columns, terms);
        ok = ok && !too_many_terms(code, terms);
    }
    free(message);
    free(columns);
    return ok;
}

/* A table of fewer levels in the place of the one that is there, if one is found. */
static void make_flatter(const ldpc_code *code, ldpc_encoding *encoding)
{
    ldpc_encoding flat = {0};
    term_table terms = {
        .count = ldpc_allocate(code->columns, sizeof *terms.count),
        .column = ldpc_allocate((size_t)code->columns * MOST_TERMS, sizeof *terms.column),
    };
    if (terms.count && terms.column && find_terms(code, &terms) && make_with(code, &terms, &flat) &&
        flat.table[0] < encoding->table[0]) {
        free(encoding->table);
        *encoding = flat;
    } else {
        free(flat.table);
    }
    free(terms.count);
    free(terms.column);
}

/* ---- larger fields: multiplying by an element is linear over bits too, so that each bit of a parity symbol
 * is a sum of bits of the message, and all of them are one level. Bit b of symbol v is column v * p + b. */

/* Does bit `from` of a symbol count for bit `to` of its product with `factor`? Bits as they are sent. */
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

/* Bit `bit` of parity symbol `i`. */
static void add_symbol_sum(draft *d, uint32_t i, uint32_t bit)
{
    const ldpc_nb *nb = d->code->nb;
    uint32_t p = nb->field.p;
    sum *s = &d->sums[d->n_sums++];
    *s = (sum){.target = nb->parity_columns[i] * p + bit,
               .first_operand = d->n_operands,
               .before = NONE,
               .after = NONE};
    for (uint32_t j = 0; j < d->code->k; j++)
        for (uint32_t from = 0; from < p; from++)
            if (counts_for(nb, nb->generator[(size_t)j * nb->parity + i], from, bit))
                d->operands[d->n_operands++] = d->code->message[j] * p + from;
    s->operands = d->n_operands - s->first_operand;
}

static ldpc_status make_symbols(const ldpc_code *code, ldpc_encoding *encoding)
{
    uint32_t p = code->nb->field.p;
    size_t operands = symbol_operands(code);
    *encoding = (ldpc_encoding){.columns = code->columns * p};
    if (operands > MOST_SYMBOL_OPERANDS)
        return LDPC_ERR_LIMIT;
    draft d = {.code = code, .n_levels = 1};
    d.sums = ldpc_allocate((size_t)code->nb->parity * p, sizeof *d.sums);
    d.operands = ldpc_allocate(operands, sizeof *d.operands);
    bool ok = d.sums && d.operands;
    for (uint32_t i = 0; ok && i < code->nb->parity; i++)
        for (uint32_t bit = 0; bit < p; bit++)
            add_symbol_sum(&d, i, bit);
    ok = ok && write_table(&d, encoding);
    draft_close(&d);
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
        make_flatter(code, encoding);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_encoding_free(ldpc_encoding *encoding)
{
    free(encoding->table);
    *encoding = (ldpc_encoding){0};
}
