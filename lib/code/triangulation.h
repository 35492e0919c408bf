/* SPDX-License-Identifier: BSD-3-Clause */
/* Approximate triangulation of H over a set of unknown columns, for the encoder.
 *
 * Most unknown columns are solved one after the other, each by a check of which it is the only unknown column
 * left (a step). Where no check has a single unknown column, one is set aside and counts as known. That
 * divides unknown columns and checks into two parts each:
 *
 *                    step columns      set aside     others (message)
 *     step checks    triangular        any           any
 *     rest checks    any               any           any
 *
 * Once the columns set aside are known, the steps give the others.
 */
#ifndef LDPC_TRIANGULATION_H
#define LDPC_TRIANGULATION_H

#include <stdbool.h>

#include "code/encoder.h"

typedef struct ldpc_triangle {
    uint32_t steps, aside, rest;
    ldpc_step *step;        /* [steps] in the order of solving */
    uint32_t *aside_column; /* [aside] ascending */
    uint32_t *rest_check;   /* [rest] ascending, without empty checks */
} ldpc_triangle;

/* The checks of each column: column v has checks[start[v] .. start[v + 1]), ascending. */
typedef struct ldpc_columns {
    uint32_t *start, *checks;
} ldpc_columns;

ldpc_status ldpc_columns_open(ldpc_columns *columns, const ldpc_code *code);
void ldpc_columns_close(ldpc_columns *columns);

/* Triangulates the columns with unknown[column] = true. LDPC_ERR_MEMORY: nothing to close. */
ldpc_status ldpc_triangle_open(ldpc_triangle *triangle, const ldpc_code *code, const ldpc_columns *columns,
                               const bool *unknown);
void ldpc_triangle_close(ldpc_triangle *triangle);

#endif
