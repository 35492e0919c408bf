/* SPDX-License-Identifier: BSD-3-Clause */
/* Approximate triangulation of H over a set of unknown columns, for the encoder.
 *
 * A step solves one unknown column with a check that has no other unknown column. If no check has exactly one
 * unknown column, a column is set aside: it joins the gap, and is treated as known from then on. The result
 * divides the unknown columns and the checks into two parts each:
 *
 *                    step columns      set aside     others (message)
 *     step checks    triangular        any           any
 *     rest checks    any               any           any
 *
 * Given the message and the columns set aside, the steps compute all other columns.
 */
#ifndef LDPC_TRIANGULATION_H
#define LDPC_TRIANGULATION_H

#include <stdbool.h>

#include "code/encoder.h"

typedef struct ldpc_triangle {
    uint32_t steps, aside, rest;
    ldpc_step *step;        /* [steps] steps in the order in which they are solved */
    uint32_t *aside_column; /* [aside] columns that are set aside, in ascending order */
    /* [rest] checks without a step, in ascending order; a check without columns is not listed */
    uint32_t *rest_check;
} ldpc_triangle;

/* Lists the checks of each column: column v has the checks checks[start[v] .. start[v + 1]), in ascending
 * order. */
typedef struct ldpc_columns {
    uint32_t *start, *checks;
} ldpc_columns;

ldpc_status ldpc_columns_open(ldpc_columns *columns, const ldpc_code *code);
void ldpc_columns_close(ldpc_columns *columns);

/* Triangulates all columns with unknown[column] = true. If the result is LDPC_ERR_MEMORY, the caller must not
 * close `triangle`. */
ldpc_status ldpc_triangle_open(ldpc_triangle *triangle, const ldpc_code *code, const ldpc_columns *columns,
                               const bool *unknown);
void ldpc_triangle_close(ldpc_triangle *triangle);

#endif
