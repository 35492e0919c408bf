/* SPDX-License-Identifier: BSD-3-Clause */
/* Approximate triangulation of H over a set of unknown columns, for the encoder.
 *
 * A step solves the only unknown column of a check. If there is no such check, a column is set aside: it
 * joins the gap and counts as known. The result:
 *
 *                    step columns      set aside     others (message)
 *     step checks    triangular        any           any
 *     rest checks    any               any           any
 */
#ifndef LDPC_TRIANGULATION_H
#define LDPC_TRIANGULATION_H

#include <stdbool.h>

#include "code/encoder.h"

typedef struct ldpc_triangle {
    uint32_t steps, aside, rest;
    ldpc_step *step;        /* [steps] in order */
    uint32_t *aside_column; /* [aside] ascending */
    /* [rest] checks without a step, ascending */
    uint32_t *rest_check;
} ldpc_triangle;

/* Column v has the checks checks[start[v] .. start[v + 1]), ascending. */
typedef struct ldpc_columns {
    uint32_t *start, *checks;
} ldpc_columns;

ldpc_status ldpc_columns_open(ldpc_columns *columns, const ldpc_code *code);
void ldpc_columns_close(ldpc_columns *columns);

/* Triangulates each column c for which unknown[c] is true. After LDPC_ERR_MEMORY, `triangle` must not be
 * closed. */
ldpc_status ldpc_triangle_open(ldpc_triangle *triangle, const ldpc_code *code, const ldpc_columns *columns,
                               const bool *unknown);
void ldpc_triangle_close(ldpc_triangle *triangle);

#endif
