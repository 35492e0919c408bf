/* SPDX-License-Identifier: BSD-3-Clause */
/* A code under construction. A family or a file reader adds circulants to a builder; ldpc_code_builder_finish
 * makes the code.
 *
 *     ldpc_code_builder builder;
 *     if (ldpc_code_builder_open(&builder, z, layers, groups, err))
 *         return LDPC_ERR_MEMORY;
 *     for (...)
 *         ldpc_code_builder_add(&builder, layer, group, shift);
 *     return ldpc_code_builder_finish(&builder, name, standard, code, err);
 */
#ifndef LDPC_CODE_BUILDER_H
#define LDPC_CODE_BUILDER_H

#include <stdbool.h>

#include "code/code_internal.h"
#include "base/status_internal.h"

/* Limits of every code (docs/formats.md). */
#define LDPC_MAX_COLUMNS (UINT32_C(1) << 20)
#define LDPC_MAX_CHECKS  (UINT32_C(1) << 20)
#define LDPC_MAX_EDGES   (UINT32_C(1) << 24)

/* What the transmitter does with a column of H. */
typedef enum ldpc_role {
    LDPC_ROLE_TRANSMITTED,      /* an ordinary transmitted bit */
    LDPC_ROLE_PUNCTURED,        /* not transmitted, unknown to the receiver */
    LDPC_ROLE_SHORTENED,        /* not transmitted, known to be zero */
    LDPC_ROLE_TRANSMITTED_ZERO, /* transmitted, but always zero: the receiver knows it */
} ldpc_role;

typedef struct ldpc_circulant {
    uint32_t layer;
    ldpc_block block;
} ldpc_circulant;

typedef struct ldpc_code_builder {
    uint32_t z, layers, groups;
    ldpc_circulant *circulants; /* in table order within each layer */
    size_t count, capacity;
    uint32_t *check_at;      /* [layers * z], natural order at first */
    uint32_t *column_at;     /* [groups * z], natural order at first */
    uint8_t *role;           /* [groups * z] ldpc_role of each column, transmitted at first */
    uint32_t trailing_zeros; /* constant zeros transmitted after the last column */
    bool out_of_memory;      /* reported by finish */
} ldpc_code_builder;

/* Starts a builder without circulants. After a failure there is nothing to close. */
ldpc_status ldpc_code_builder_open(ldpc_code_builder *builder, uint32_t z, uint32_t layers, uint32_t groups,
                                   ldpc_error *err);

/* Adds one circulant; the second form names a lane whose edge is missing. ldpc_code_builder_finish reports a
 * lack of memory. */
void ldpc_code_builder_add(ldpc_code_builder *builder, uint32_t layer, uint32_t group, uint32_t shift);
void ldpc_code_builder_add_incomplete(ldpc_code_builder *builder, uint32_t layer, uint32_t group,
                                      uint32_t shift, uint32_t missing_lane);

/* Sets the role of columns first .. first + count - 1. */
void ldpc_code_builder_set_role(ldpc_code_builder *builder, uint32_t first, uint32_t count, ldpc_role role);

/* Makes the code and closes the builder, also after a failure. LDPC_ERR_PARAM if an edge is given twice. */
ldpc_status ldpc_code_builder_finish(ldpc_code_builder *builder, const char *name, const char *standard,
                                     ldpc_code **code, ldpc_error *err);

/* The same without coefficients and encoder: nonbinary_code.c adds those of codes over GF(q). */
ldpc_status ldpc_code_builder_finish_graph(ldpc_code_builder *builder, const char *name, const char *standard,
                                           ldpc_code **code, ldpc_error *err);

/* Closes a builder that will not be finished. */
void ldpc_code_builder_close(ldpc_code_builder *builder);

#endif
