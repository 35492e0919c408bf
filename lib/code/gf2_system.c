/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

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

static uint32_t find_pivot(const ldpc_gf2_system *system, uint32_t column)
{
    for (uint32_t i = 0; i < system->rows; i++)
        if (system->column_of[i] == LDPC_NOT_EXCHANGED && ldpc_gf2_get(system, i, column))
            return i;
    return LDPC_NOT_EXCHANGED;
}

static void exchange(ldpc_gf2_system *system, uint32_t pivot, uint32_t column)
{
    const uint64_t *from = system->bits + pivot * system->words;
    for (uint32_t i = 0; i < system->rows; i++) {
        if (i == pivot || !ldpc_gf2_get(system, i, column))
            continue;
        uint64_t *to = system->bits + i * system->words;
        for (size_t w = 0; w < system->words; w++)
            to[w] ^= from[w];
        ldpc_gf2_set(system, i, column); /* now the coefficient of s[pivot] */
    }
    system->column_of[pivot] = column;
    system->row_of[column] = pivot;
    system->rank++;
}

void ldpc_gf2_solve(ldpc_gf2_system *system)
{
    for (uint32_t column = 0; column < system->columns && system->rank < system->rows; column++) {
        uint32_t pivot = find_pivot(system, column);
        if (pivot != LDPC_NOT_EXCHANGED)
            exchange(system, pivot, column);
    }
}
