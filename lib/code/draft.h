/* SPDX-License-Identifier: BSD-3-Clause */
/* A code while it is being described. A family or a file reader fills a draft; ldpc_draft_finish makes the
 * code.
 *
 *     ldpc_draft draft;
 *     if (ldpc_draft_open(&draft, z, layers, groups, err))
 *         return LDPC_ERR_MEMORY;
 *     for (...)
 *         ldpc_draft_add(&draft, layer, group, shift);
 *     return ldpc_draft_finish(&draft, name, standard, code, err);
 */
#ifndef LDPC_DRAFT_H
#define LDPC_DRAFT_H

#include <stdbool.h>

#include "code/code_internal.h"
#include "code/status_internal.h"

/* Limits of every code (docs/formats.md). */
#define LDPC_MAX_COLUMNS (UINT32_C(1) << 20)
#define LDPC_MAX_CHECKS  (UINT32_C(1) << 20)
#define LDPC_MAX_EDGES   (UINT32_C(1) << 24)

/* What the transmitter does with a column of H. */
typedef enum ldpc_role {
    LDPC_ROLE_SENT,      /* an ordinary transmitted bit */
    LDPC_ROLE_PUNCTURED, /* not sent, unknown */
    LDPC_ROLE_SHORTENED, /* not sent, known to be zero */
    LDPC_ROLE_SENT_ZERO, /* sent, but always zero: the receiver takes it as known */
} ldpc_role;

typedef struct ldpc_circulant {
    uint32_t layer;
    ldpc_block block;
} ldpc_circulant;

typedef struct ldpc_draft {
    uint32_t z, layers, groups;
    ldpc_circulant *circulants; /* in table order within each layer */
    size_t count, capacity;
    uint32_t *check_at;  /* [layers * z], natural order at first */
    uint32_t *column_at; /* [groups * z], natural order at first */
    uint8_t *role;       /* [groups * z] ldpc_role of each column, sent at first */
    uint32_t fill_zeros; /* constant zeros sent after the last column */
    bool out_of_memory;  /* remembered until finish */
} ldpc_draft;

/* Start a draft without circulants. After a failure there is nothing to close. */
ldpc_status ldpc_draft_open(ldpc_draft *draft, uint32_t z, uint32_t layers, uint32_t groups, ldpc_error *err);

/* Add one circulant; the second form gives the lane without a one. Running out of memory shows in
 * ldpc_draft_finish. */
void ldpc_draft_add(ldpc_draft *draft, uint32_t layer, uint32_t group, uint32_t shift);
void ldpc_draft_add_absent(ldpc_draft *draft, uint32_t layer, uint32_t group, uint32_t shift,
                           uint32_t absent);

/* Set the role of columns first .. first + count - 1. */
void ldpc_draft_set_role(ldpc_draft *draft, uint32_t first, uint32_t count, ldpc_role role);

/* Make the code and close the draft, whatever happens. A position that is set twice is LDPC_ERR_PARAM. */
ldpc_status ldpc_draft_finish(ldpc_draft *draft, const char *name, const char *standard, ldpc_code **code,
                              ldpc_error *err);

/* The same without coefficients and encoder: for codes over larger fields (lib/nb), which add theirs. */
ldpc_status ldpc_draft_finish_graph(ldpc_draft *draft, const char *name, const char *standard,
                                    ldpc_code **code, ldpc_error *err);

/* Close a draft that will not be finished. */
void ldpc_draft_close(ldpc_draft *draft);

#endif
