/* SPDX-License-Identifier: BSD-3-Clause */
/* A code under construction.
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

/* How a column of H is transmitted. */
typedef enum ldpc_role {
    LDPC_ROLE_TRANSMITTED, /* an ordinary transmitted bit */
    LDPC_ROLE_PUNCTURED,   /* initial LLR 0 */
    LDPC_ROLE_SHORTENED,   /* not transmitted; always zero */
    LDPC_ROLE_TRANSMITTED_ZERO,
} ldpc_role;

typedef struct ldpc_circulant {
    uint32_t layer;
    ldpc_block block;
} ldpc_circulant;

typedef struct ldpc_code_builder {
    uint32_t z, layers, groups;
    ldpc_circulant *circulants;
    size_t count, capacity;
    uint32_t *check_at;  /* [layers * z] check of each lane; initially 0, 1, 2 ... */
    uint32_t *column_at; /* [groups * z] column of each lane; initially 0, 1, 2 ... */
    uint8_t *role;       /* [groups * z] ldpc_role, initially LDPC_ROLE_TRANSMITTED */
    /* [columns] order of the columns; NULL: by number. The message is the earliest columns that can carry
     * information. Message bits have the order of the first message_count columns, or ascending order if
     * message_count is 0 */
    uint32_t *message_order, message_count;
    /* number of the text line with the message columns; 0: the order is only a preference */
    uint32_t message_line;
    uint32_t trailing_zeros;
    bool out_of_memory;
} ldpc_code_builder;

/* Opens an empty builder. On failure, the builder must not be closed. */
ldpc_status ldpc_code_builder_open(ldpc_code_builder *builder, uint32_t z, uint32_t layers, uint32_t groups,
                                   ldpc_error *err);

void ldpc_code_builder_add(ldpc_code_builder *builder, uint32_t layer, uint32_t group, uint32_t shift);
void ldpc_code_builder_add_incomplete(ldpc_code_builder *builder, uint32_t layer, uint32_t group,
                                      uint32_t shift, uint32_t missing_lane);

void ldpc_code_builder_set_role(ldpc_code_builder *builder, uint32_t first, uint32_t count, ldpc_role role);

/* Closes the builder, also on failure. Returns LDPC_ERR_PARAM for a repeated edge. */
ldpc_status ldpc_code_builder_finish(ldpc_code_builder *builder, const char *name, const char *standard,
                                     ldpc_code **code, ldpc_error *err);

ldpc_status ldpc_code_builder_finish_graph(ldpc_code_builder *builder, const char *name, const char *standard,
                                           ldpc_code **code, ldpc_error *err);

void ldpc_code_builder_close(ldpc_code_builder *builder);

#endif
