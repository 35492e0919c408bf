/* SPDX-License-Identifier: BSD-3-Clause */
/* A code under construction. A code family or a file reader adds circulants, and ldpc_code_builder_finish
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

/* Limits that every code must respect (docs/formats.md). */
#define LDPC_MAX_COLUMNS (UINT32_C(1) << 20)
#define LDPC_MAX_CHECKS  (UINT32_C(1) << 20)
#define LDPC_MAX_EDGES   (UINT32_C(1) << 24)

/* How a column of H is transmitted. */
typedef enum ldpc_role {
    LDPC_ROLE_TRANSMITTED,      /* an ordinary transmitted bit */
    LDPC_ROLE_PUNCTURED,        /* not transmitted; the decoder starts with LLR 0 */
    LDPC_ROLE_SHORTENED,        /* not transmitted; always zero */
    LDPC_ROLE_TRANSMITTED_ZERO, /* transmitted; always zero, and the decoder ignores the received LLR */
} ldpc_role;

typedef struct ldpc_circulant {
    uint32_t layer;
    ldpc_block block;
} ldpc_circulant;

typedef struct ldpc_code_builder {
    uint32_t z, layers, groups;
    ldpc_circulant *circulants; /* circulants, in table order within each layer */
    size_t count, capacity;
    uint32_t *check_at;  /* [layers * z] for each lane of each layer, the number of its check; initially 0, 1,
                          * 2 ... */
    uint32_t *column_at; /* [groups * z] for each lane of each group, the number of its column; initially 0,
                          * 1, 2 ... */
    uint8_t *role;       /* [groups * z] ldpc_role of each column; initially LDPC_ROLE_TRANSMITTED */
    /* [columns] order of the columns; NULL: by column number. The message consists of the earliest columns in
     * this order that can carry information. If message_count is 0, the message bits are in ascending order
     * of their columns; otherwise they are in the order of the first message_count columns. */
    uint32_t *message_order, message_count;
    /* number of the text line that lists the message columns; if 0, the order is only a preference */
    uint32_t message_line;
    uint32_t trailing_zeros; /* number of constant zeros that are transmitted after the last column */
    /* true: a function that adds circulants ran out of memory; ldpc_code_builder_finish reports this */
    bool out_of_memory;
} ldpc_code_builder;

/* Opens an empty builder. If this function fails, the caller must not close the builder. */
ldpc_status ldpc_code_builder_open(ldpc_code_builder *builder, uint32_t z, uint32_t layers, uint32_t groups,
                                   ldpc_error *err);

/* Add one circulant; the second function omits the edge of one lane. If they run out of memory,
 * ldpc_code_builder_finish reports this. */
void ldpc_code_builder_add(ldpc_code_builder *builder, uint32_t layer, uint32_t group, uint32_t shift);
void ldpc_code_builder_add_incomplete(ldpc_code_builder *builder, uint32_t layer, uint32_t group,
                                      uint32_t shift, uint32_t missing_lane);

/* Sets the role of columns first .. first + count - 1. */
void ldpc_code_builder_set_role(ldpc_code_builder *builder, uint32_t first, uint32_t count, ldpc_role role);

/* Creates the code and closes the builder. Also closes it on failure. Returns LDPC_ERR_PARAM if an edge was
 * added twice. */
ldpc_status ldpc_code_builder_finish(ldpc_code_builder *builder, const char *name, const char *standard,
                                     ldpc_code **code, ldpc_error *err);

/* Does the same as ldpc_code_builder_finish, but creates neither coefficients nor encoder. Over GF(q),
 * nonbinary_code.c adds both. */
ldpc_status ldpc_code_builder_finish_graph(ldpc_code_builder *builder, const char *name, const char *standard,
                                           ldpc_code **code, ldpc_error *err);

/* Closes a builder without creating a code. */
void ldpc_code_builder_close(ldpc_code_builder *builder);

#endif
