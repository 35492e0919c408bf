/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal struct of an LDPC code. Codes do not change after their creation.
 *
 * A code has two views of its parity-check matrix H:
 *   rows    the columns of each check in ascending order; checks are numbered as in the standard;
 *   layers  H as z x z blocks, each zero or a circulant. z checks form a layer, z columns a column group. A check or
 *           column is addressed by (layer or group, lane).
 *
 * Example: z = 4, layer l has the block {group g, shift 1}. Row = lane of the check, column = lane of the
 * group:
 *
 *           lane of group g
 *           0 1 2 3
 *   lane 0  . 1 . .      The check in lane r is check_at[l * z + r]; its edge goes to the column in lane
 *        1  . . 1 .      (r + 1) mod 4 of the group, which is column_at[g * z + (r + 1) % 4].
 *        2  . . . 1
 *        3  1 . . .
 *
 * Without this structure, z = 1: a layer is one check, a column group is one column. Some of these codes have
 * a third view, `dyadic`, with larger blocks (dyadic.h).
 */
#ifndef LDPC_CODE_INTERNAL_H
#define LDPC_CODE_INTERNAL_H

#ifdef __cplusplus
#include <atomic>
using std::atomic_uint; /* C++ has no <stdatomic.h> before C++23 */
#else
#include <stdatomic.h>
#endif

#include <stdbool.h>

#include "ldpc/code.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LDPC_NO_LANE   UINT32_MAX
#define LDPC_NO_COLUMN UINT32_MAX

/* A nonzero z x z block of H. The check in lane r has an edge to lane (r + shift) mod z of the group (dyadic
 * view: r ^ shift). The check in `missing_lane` has no edge. */
typedef struct ldpc_block {
    uint32_t group;
    uint32_t shift; /* 0 .. z-1 */
    uint32_t missing_lane;
    /* number of earlier blocks of the same layer and column group (schedule.h) */
    uint32_t occurrence;
} ldpc_block;

typedef struct ldpc_encoder ldpc_encoder; /* encoder.h */

struct ldpc_code {
    atomic_uint references;
    char name[128];
    char standard[128];
    uint32_t order;   /* field order q */
    uint32_t n;       /* number of transmitted symbols */
    uint32_t k;       /* number of information symbols */
    uint32_t checks;  /* number of rows of H */
    uint32_t columns; /* number of columns of H */
    size_t edges;
    uint32_t max_check_degree, max_variable_degree;

    /* check c has the columns row_columns[row_start[c] .. row_start[c+1]) */
    uint32_t *row_start;
    uint32_t *row_columns;
    uint16_t *row_coefficients; /* [edges] field elements; NULL if q = 2 */
    struct ldpc_nb *nb;         /* q > 2: field, graph and encoder (nonbinary.h) */

    /* layer l: blocks[layer_start[l] .. layer_start[l+1]) */
    uint32_t z, layers, groups; /* layers * z == checks, groups * z == columns */
    uint32_t *layer_start;
    ldpc_block *blocks;
    uint32_t max_occurrence; /* largest `occurrence`; 0 without repeated blocks */
    uint32_t *check_at;      /* [layer * z + lane] number of the check in this lane */
    uint32_t *column_at;     /* [group * z + lane] */

    bool is_dyadic;
    struct ldpc_code *dyadic; /* dyadic view (dyadic.h), or NULL */

    uint32_t *transmitted; /* [n] column of each symbol; LDPC_NO_COLUMN: constant zero */
    uint32_t *message;     /* [k] column of each message symbol */
    bool message_chosen;   /* by the caller or the file; never if k = 0 */
    uint32_t *known_zero;  /* [shortened] columns that are always zero, transmitted or not */
    uint32_t shortened, punctured;

    bool three_min;

    ldpc_encoder *encoder;
};

/* Adds a reference. ldpc_code_destroy releases it. */
ldpc_code *ldpc_code_retain(const ldpc_code *code);

#ifdef __cplusplus
}
#endif

#endif
