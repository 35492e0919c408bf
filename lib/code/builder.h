/* SPDX-License-Identifier: BSD-3-Clause */
/* A code while it is being described. A family or a file reader fills a builder; ldpc_code_builder_finish
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
    LDPC_ROLE_PUNCTURED,        /* not sent, unknown */
    LDPC_ROLE_SHORTENED,        /* not sent, known to be zero */
    LDPC_ROLE_TRANSMITTED_ZERO, /* sent, but always zero: the receiver takes it as known */
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
    uint8_t *role;           /* [groups * z] ldpc_role of each column, sent at first */
    uint32_t trailing_zeros; /* constant zeros sent after the last column */
    bool out_of_memory;      /* remembered until finish */
} ldpc_code_builder;

/* Start a builder without circulants. After a failure there is nothing to close. */
ldpc_status ldpc_code_builder_open(ldpc_code_builder *builder, uint32_t z, uint32_t layers, uint32_t groups,
                                   ldpc_error *err);

/* Add one circulant; the second form names a lane whose edge is missing. Running out of memory shows in
 * ldpc_code_builder_finish. */
void ldpc_code_builder_add(ldpc_code_builder *builder, uint32_t layer, uint32_t group, uint32_t shift);
void ldpc_code_builder_add_incomplete(ldpc_code_builder *builder, uint32_t layer, uint32_t group,
                                      uint32_t shift, uint32_t missing_lane);

/* Set the role of columns first .. first + count - 1. */
void ldpc_code_builder_set_role(ldpc_code_builder *builder, uint32_t first, uint32_t count, ldpc_role role);

/* Make the code and close the builder, whatever happens. A position that is set twice is LDPC_ERR_PARAM. */
ldpc_status ldpc_code_builder_finish(ldpc_code_builder *builder, const char *name, const char *standard,
                                     ldpc_code **code, ldpc_error *err);

/* The same without coefficients and encoder: for codes over larger fields (lib/nb), which add theirs. */
ldpc_status ldpc_code_builder_finish_graph(ldpc_code_builder *builder, const char *name, const char *standard,
                                           ldpc_code **code, ldpc_error *err);

/* Close a builder that will not be finished. */
void ldpc_code_builder_close(ldpc_code_builder *builder);

#endif
