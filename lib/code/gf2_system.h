/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense linear systems over GF(2), one bit per entry.
 *
 * A tableau represents s = A x. To exchange row r with column p, where A has a one, solve row r for x[p] and
 * substitute the result in all other rows. Row r is then x[p], and column p is s[r]. At the end, the tableau
 * holds the inverse of A or, if A is singular, both null spaces:
 *
 *                        columns exchanged             columns left
 *     rows exchanged     x = [inverse] s               + [right null space] x
 *     rows left          s = [left null space] s       + 0 x
 */
#ifndef LDPC_GF2_SYSTEM_H
#define LDPC_GF2_SYSTEM_H

#include <stdbool.h>

#include "ldpc/code.h"

#define LDPC_NOT_EXCHANGED UINT32_MAX

typedef struct ldpc_gf2_system {
    uint32_t rows, columns;
    size_t words;        /* uint64_t words per row */
    uint64_t *bits;      /* [rows * words] column j is bit j % 64 of word j / 64 */
    uint32_t *column_of; /* [rows] column exchanged with the row, or LDPC_NOT_EXCHANGED */
    uint32_t *row_of;    /* [columns] row exchanged with the column, or LDPC_NOT_EXCHANGED */
    uint32_t rank;       /* number of exchanged rows */
} ldpc_gf2_system;

/* Opens an all-zero system. On LDPC_ERR_MEMORY, the system must not be closed. */
ldpc_status ldpc_gf2_open(ldpc_gf2_system *system, uint32_t rows, uint32_t columns);
void ldpc_gf2_close(ldpc_gf2_system *system);

bool ldpc_gf2_get(const ldpc_gf2_system *system, uint32_t row, uint32_t column);
void ldpc_gf2_set(ldpc_gf2_system *system, uint32_t row, uint32_t column);

/* Exchanges as many rows as possible. The exchanged columns are the first basis of the column space. */
ldpc_status ldpc_gf2_solve(ldpc_gf2_system *system);

#endif
