/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal struct of an LDPC code. lib/code creates codes; afterwards they do not change.
 *
 * A code has two views of its parity-check matrix H:
 *   rows    the columns of each check in ascending order; checks are numbered as in the standard;
 *   layers  H as z x z blocks, each of which is zero or a circulant. z checks form a layer, which a decoder
 *           processes at once; z columns form a column group. A check or column is addressed by (layer or
 *           group, lane).
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
 * A code without this structure has z = 1: a layer is one check, and a column group is one column. Some of
 * these codes have a third view, `dyadic`, with larger blocks, which are dyadic permutations (dyadic.h).
 */
#ifndef LDPC_CODE_INTERNAL_H
#define LDPC_CODE_INTERNAL_H

#ifdef __cplusplus
#include <atomic>
using std::atomic_uint; /* <stdatomic.h> is not available in C++ before C++23 */
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

/* A nonzero z x z block of H. The check in lane r of the layer has an edge to lane (r + shift) mod z of
 * column group `group`; in a dyadic view, to lane r ^ shift. The check in lane `missing_lane` has no edge in
 * this block. DVB codes need this, because the first parity bit of the accumulator has no predecessor. With
 * LDPC_NO_LANE, all checks have an edge. */
typedef struct ldpc_block {
    uint32_t group;
    uint32_t shift; /* 0 .. z-1 */
    uint32_t missing_lane;
    uint32_t occurrence; /* number of earlier blocks in the same layer and the same group (schedule.h) */
} ldpc_block;

typedef struct ldpc_encoder ldpc_encoder; /* encoder.h */

struct ldpc_code {
    atomic_uint references;
    char name[128];
    char standard[128];
    uint32_t order;   /* field order q; 2 for binary codes */
    uint32_t n;       /* number of transmitted symbols */
    uint32_t k;       /* number of information symbols */
    uint32_t checks;  /* number of rows of H */
    uint32_t columns; /* number of columns of H */
    size_t edges;
    uint32_t max_check_degree, max_variable_degree;

    /* H by rows: check c has the columns row_columns[row_start[c] .. row_start[c+1]) */
    uint32_t *row_start;
    uint32_t *row_columns;
    uint16_t *row_coefficients; /* [edges] field element of each edge; NULL if q = 2 */
    struct ldpc_nb *nb;         /* code with q > 2: its field, graph and encoder (nonbinary.h) */

    /* H by layers: layer l has the blocks blocks[layer_start[l] .. layer_start[l+1]), in table order */
    uint32_t z, layers, groups; /* layers * z == checks and groups * z == columns */
    uint32_t *layer_start;
    ldpc_block *blocks;
    uint32_t max_occurrence; /* largest `occurrence` of all blocks; 0 if no layer has two blocks in one
                              * group */
    uint32_t *check_at;      /* at index layer * z + lane: number of the check in this lane */
    uint32_t *column_at;     /* at index group * z + lane: number of the column in this lane */

    bool is_dyadic;           /* true: this struct is a dyadic view, and z is a power of two */
    struct ldpc_code *dyadic; /* dyadic view of this code (dyadic.h), or NULL */

    uint32_t *transmitted; /* [n] for each transmitted symbol, its column; LDPC_NO_COLUMN for a constant
                            * zero */
    uint32_t *message;     /* [k] for each message symbol, its column */
    bool message_chosen;   /* true: the columns of the message were given, or are the last columns */
    uint32_t *known_zero;  /* [shortened] columns that are always zero, whether they are transmitted or not */
    /* number of columns that are always zero; number of punctured columns */
    uint32_t shortened, punctured;

    /* true: LDPC_ALGORITHM_AUTO selects three-min for this code (docs/measurements/error_rates.md) */
    bool three_min;

    ldpc_encoder *encoder; /* encoder; NULL if q > 2 or no encoder was found within the limits of encoder.h */
};

/* Adds a reference to a code. ldpc_code_destroy releases it. */
ldpc_code *ldpc_code_retain(const ldpc_code *code);

#ifdef __cplusplus
}
#endif

#endif
