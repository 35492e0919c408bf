/* SPDX-License-Identifier: BSD-3-Clause */
/* An LDPC code inside the library. lib/code makes it; it never changes afterwards.
 *
 * Every code has two views of its parity-check matrix H:
 *   rows    the columns of each check, ascending, checks numbered as in the standard;
 *   layers  what decoders process: a layer is z checks that are processed together. H consists of z x z
 *           blocks, z columns form a column group, and each nonzero block is a circulant.
 * A code without such a structure has z = 1: a layer is one check, a column group one column. Some of these
 * have a third view with larger blocks, `dyadic`, whose blocks are dyadic permutations (dyadic.h).
 */
#ifndef LDPC_CODE_INTERNAL_H
#define LDPC_CODE_INTERNAL_H

#ifdef __cplusplus
#include <atomic>
using std::atomic_uint; /* C's <stdatomic.h> is no C++ before C++23 */
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

/* A nonzero z x z block of H: the check in lane r of the layer has an edge to lane (r + shift) mod z of
 * column group `group`; in a dyadic view, to lane r ^ shift. The edge of lane `missing_lane` does not exist
 * (LDPC_NO_LANE: all exist): the first check of the DVB accumulator has no predecessor. */
typedef struct ldpc_block {
    uint32_t group;
    uint32_t shift; /* 0 .. z-1 */
    uint32_t missing_lane;
    uint32_t occurrence; /* earlier blocks of the layer in the same group (schedule.h) */
} ldpc_block;

typedef struct ldpc_encoder ldpc_encoder; /* encoder.h */

struct ldpc_code {
    atomic_uint references;
    char name[128];
    char standard[128];
    uint32_t order;   /* field order q, 2 = binary */
    uint32_t n;       /* transmitted symbols */
    uint32_t k;       /* information symbols */
    uint32_t checks;  /* rows of H */
    uint32_t columns; /* columns of H */
    size_t edges;
    uint32_t max_check_degree, max_variable_degree;

    /* rows: check c has columns row_columns[row_start[c] .. row_start[c+1]) */
    uint32_t *row_start;
    uint32_t *row_columns;
    uint16_t *row_coefficients; /* q > 2 only: the field element of each edge; NULL for binary codes */
    struct ldpc_nb *nb;         /* q > 2 only: field, graph and encoder (nonbinary.h) */

    /* layers: layer l has blocks[layer_start[l] .. layer_start[l+1]), in table order */
    uint32_t z, layers, groups; /* layers * z == checks, groups * z == columns */
    uint32_t *layer_start;
    ldpc_block *blocks;
    uint32_t max_occurrence; /* of a block in its layer; 0: no layer has a group twice */
    uint32_t *check_at;      /* [layer * z + lane] -> check number */
    uint32_t *column_at;     /* [group * z + lane] -> column number */

    bool is_dyadic;           /* this is a dyadic view: z is a power of two */
    struct ldpc_code *dyadic; /* the dyadic view of this code (dyadic.h), or NULL */

    uint32_t *transmitted; /* [n] column of each transmitted symbol, LDPC_NO_COLUMN for a constant zero */
    uint32_t *message;     /* [k] column of each message symbol */
    uint32_t *known_zero;  /* [shortened] columns that the receiver knows to be zero */
    uint32_t shortened, punctured; /* punctured: columns that are neither transmitted nor known */

    bool three_min; /* LDPC_ALGORITHM_AUTO is three-min: measured for its family (docs/measurements/error_rates.md) */

    ldpc_encoder *encoder; /* q = 2 only; NULL: the code is too large for one */
};

/* Keep a code alive; ldpc_code_destroy gives it back. */
ldpc_code *ldpc_code_retain(const ldpc_code *code);

#ifdef __cplusplus
}
#endif

#endif
