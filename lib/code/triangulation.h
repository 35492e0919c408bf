/* SPDX-License-Identifier: BSD-3-Clause */
/* Approximate triangulation of the checks over a set of unknown columns.
 *
 * Most unknown columns are solved one after the other, each by a check in which it is the only one not yet
 * known. Where that gets stuck, a column is set aside. So the unknown columns fall into two parts, and the
 * checks too:
 *
 *                    step columns      set aside     others (message)
 *     step checks    triangular        any           any
 *     rest checks    any               any           any
 *
 * Once the columns set aside are known, the steps give all others.
 */
#ifndef LDPC_TRIANGULATION_H
#define LDPC_TRIANGULATION_H

#include <stdbool.h>

#include "code/encoder.h"

typedef struct ldpc_triangle {
    uint32_t steps, aside, rest;
    ldpc_step *step;        /* [steps] in the order of solving */
    uint32_t *aside_column; /* [aside] ascending */
    uint32_t *rest_check;   /* [rest] ascending, without checks that have no ones */
} ldpc_triangle;

/* The ones of each column: the other view of a code's rows. */
typedef struct ldpc_columns {
    uint32_t *start, *checks;
} ldpc_columns;

ldpc_status ldpc_columns_open(ldpc_columns *columns, const ldpc_code *code);
void ldpc_columns_close(ldpc_columns *columns);

/* Triangulate the columns with unknown[column] = true. */
ldpc_status ldpc_triangle_open(ldpc_triangle *triangle, const ldpc_code *code, const ldpc_columns *columns,
                               const bool *unknown);
void ldpc_triangle_close(ldpc_triangle *triangle);

#endif
