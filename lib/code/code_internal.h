/* SPDX-License-Identifier: BSD-3-Clause */
/* What a code is inside the library. Built once by lib/code, read by everybody, never changed.
 *
 * Every code has two views of one matrix H:
 *   rows    the ones of each check, columns ascending, as the standard numbers them;
 *   layers  what decoders walk: a layer is z checks that are processed together, its entries are z x z
 * circulants. A code without structure has z = 1: a layer is one check. Some of these have a third view,
 * `translated`, whose blocks are no circulants either but follow a rule of their own.
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

/* One circulant of a layer: check lane r meets the variable at lane (r + shift) mod z of column group
 * `group`, except lane `absent` (LDPC_NO_LANE for none: only the first check of the DVB accumulator lacks its
 * one). In a translated view it meets lane r ^ shift. */
typedef struct ldpc_block {
    uint32_t group;
    uint32_t shift; /* 0 .. z-1 */
    uint32_t absent;
} ldpc_block;

typedef struct ldpc_encoder ldpc_encoder; /* lib/code/encode.c */

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
    uint16_t *row_coefficients; /* q > 2 only: the field element of each one; NULL for binary codes */
    struct ldpc_nb *nb;         /* q > 2 only: field, graph and encoder (lib/code/nonbinary.h) */

    /* layers: layer l has blocks[layer_start[l] .. layer_start[l+1]), in table order */
    uint32_t z, layers, groups; /* layers * z == checks, groups * z == columns */
    uint32_t *layer_start;
    ldpc_block *blocks;
    uint32_t *check_at;  /* [layer * z + lane] -> check number */
    uint32_t *column_at; /* [group * z + lane] -> column number */

    bool by_translation; /* is this a view whose blocks are translations? z is a power of two then */
    struct ldpc_code
        *translated; /* such a view of the same code, where one is known (translate.h), or NULL */

    uint32_t *transmitted; /* [n] column of each transmitted symbol, LDPC_NO_COLUMN for a constant zero */
    uint32_t *message;     /* [k] column of each message symbol */
    uint32_t *known_zero;  /* [shortened] columns known to be zero and not sent */
    uint32_t shortened, punctured;

    ldpc_encoder *encoder; /* q = 2 only; NULL: the code is too large for one */
};

/* Keep a code alive; ldpc_code_destroy gives it back. */
ldpc_code *ldpc_code_retain(const ldpc_code *code);

#ifdef __cplusplus
}
#endif

#endif
