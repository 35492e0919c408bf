/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "code/gf2_system.h"
#include "base/memory.h"

ldpc_status ldpc_gf2_open(ldpc_gf2_system *system, uint32_t rows, uint32_t columns)
{
    *system = (ldpc_gf2_system){.rows = rows, .columns = columns, .words = ((size_t)columns + 63) / 64};
    system->bits = ldpc_allocate(rows * system->words, sizeof *system->bits);
    system->column_of = ldpc_allocate(rows, sizeof *system->column_of);
    system->row_of = ldpc_allocate(columns, sizeof *system->row_of);
    if (!system->bits || !system->column_of || !system->row_of) {
        ldpc_gf2_close(system);
        return LDPC_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < rows; i++)
        system->column_of[i] = LDPC_NOT_EXCHANGED;
    for (uint32_t j = 0; j < columns; j++)
        system->row_of[j] = LDPC_NOT_EXCHANGED;
    return LDPC_OK;
}

void ldpc_gf2_close(ldpc_gf2_system *system)
{
    free(system->bits);
    free(system->column_of);
    free(system->row_of);
    *system = (ldpc_gf2_system){0};
}

bool ldpc_gf2_get(const ldpc_gf2_system *system, uint32_t row, uint32_t column)
{
    return system->bits[row * system->words + column / 64] >> column % 64 & 1;
}

void ldpc_gf2_set(ldpc_gf2_system *system, uint32_t row, uint32_t column)
{
    system->bits[row * system->words + column / 64] |= UINT64_C(1) << column % 64;
}

/* ---- exchanges, eight columns at a time (the method of four Russians)
 *
 * To exchange pivot row p with column c, an addend (row p without bit c) is added to each row with a one in
 * column c. In a block of eight columns, this is done at once. Outside the block, each row gets the sum of
 * its addends from a table of 256 sums, after eight exchanges. */

enum { BLOCK = 8, SUMS = 1 << BLOCK };

typedef struct block {
    ldpc_gf2_system *system;
    uint32_t first; /* first column */
    uint32_t count; /* number of columns */
    uint8_t *bits;
    uint8_t *missing;
    uint64_t *sums;
    uint8_t pivots;
} block;

static uint64_t *row_of(const block *b, uint32_t row)
{
    return b->system->bits + row * b->system->words;
}

static uint64_t *sum_of(const block *b, uint32_t addends)
{
    return b->sums + addends * b->system->words;
}

static void add_row(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t w = 0; w < words; w++)
        to[w] ^= from[w];
}

static void load_block(block *b, uint32_t first)
{
    const ldpc_gf2_system *system = b->system;
    b->first = first;
    b->count = system->columns - first < BLOCK ? system->columns - first : BLOCK;
    b->pivots = 0;
    for (uint32_t i = 0; i < system->rows; i++)
        b->bits[i] = (uint8_t)(row_of(b, i)[first / 64] >> first % 64);
    memset(b->missing, 0, system->rows);
}

static uint32_t find_pivot(const block *b, uint32_t j)
{
    for (uint32_t i = 0; i < b->system->rows; i++)
        if (b->bits[i] >> j & 1 && b->system->column_of[i] == LDPC_NOT_EXCHANGED)
            return i;
    return LDPC_NOT_EXCHANGED;
}

static void make_addend(block *b, uint32_t pivot, uint32_t j)
{
    const size_t words = b->system->words;
    for (uint32_t l = 0; l < j; l++)
        if (b->missing[pivot] >> l & 1)
            add_row(row_of(b, pivot), sum_of(b, 1u << l), words);
    b->missing[pivot] = 0;
    memcpy(sum_of(b, 1u << j), row_of(b, pivot), words * sizeof(uint64_t));
    sum_of(b, 1u << j)[b->first / 64] &= ~(UINT64_C(0xff) << b->first % 64);
}

static void exchange(block *b, uint32_t pivot, uint32_t j)
{
    ldpc_gf2_system *system = b->system;
    const uint8_t addend = b->bits[pivot] & (uint8_t) ~(1u << j);
    make_addend(b, pivot, j);
    for (uint32_t i = 0; i < system->rows; i++)
        if (i != pivot && b->bits[i] >> j & 1) {
            b->bits[i] ^= addend;
            b->missing[i] |= (uint8_t)(1u << j);
        }
    system->column_of[pivot] = b->first + j;
    system->row_of[b->first + j] = pivot;
    system->rank++;
    b->pivots |= (uint8_t)(1u << j);
}

static void store_block(block *b)
{
    const ldpc_gf2_system *system = b->system;
    if (!b->pivots)
        return;
    for (uint32_t sum = 1; sum < SUMS; sum++) {
        const uint32_t low = sum & (0 - sum);
        if (sum != low && !(sum & ~(uint32_t)b->pivots)) {
            memcpy(sum_of(b, sum), sum_of(b, sum ^ low), system->words * sizeof(uint64_t));
            add_row(sum_of(b, sum), sum_of(b, low), system->words);
        }
    }
    for (uint32_t i = 0; i < system->rows; i++) {
        uint64_t *row = row_of(b, i), *word = &row[b->first / 64];
        if (b->missing[i])
            add_row(row, sum_of(b, b->missing[i]), system->words);
        *word = (*word & ~(UINT64_C(0xff) << b->first % 64)) | (uint64_t)b->bits[i] << b->first % 64;
    }
}

ldpc_status ldpc_gf2_solve(ldpc_gf2_system *system)
{
    block b = {
        .system = system,
        .bits = ldpc_allocate(system->rows, 1),
        .missing = ldpc_allocate(system->rows, 1),
        .sums = ldpc_allocate(SUMS * system->words, sizeof *b.sums),
    };
    const bool enough = b.bits && b.missing && b.sums;
    for (uint32_t first = 0; enough && first < system->columns && system->rank < system->rows;
         first += BLOCK) {
        load_block(&b, first);
        for (uint32_t j = 0; j < b.count && system->rank < system->rows; j++) {
            const uint32_t pivot = find_pivot(&b, j);
            if (pivot != LDPC_NOT_EXCHANGED)
                exchange(&b, pivot, j);
        }
        store_block(&b);
    }
    free(b.bits);
    free(b.missing);
    free(b.sums);
    return enough ? LDPC_OK : LDPC_ERR_MEMORY;
}
