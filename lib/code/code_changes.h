/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes with columns that are not transmitted, and with chosen message columns. */
#ifndef LDPC_CODE_CHANGES_H
#define LDPC_CODE_CHANGES_H

#include "base/text.h"
#include "code/builder.h"

/* Reads the lines "punctured COLUMNS", "shortened COLUMNS" and "message COLUMNS" up to the end of the
 * text. */
ldpc_status ldpc_code_changes_read(ldpc_text *text, ldpc_code_builder *builder);

/* Writes to `roles` [columns] the ldpc_role of each column of a code without constant zeros. */
void ldpc_code_roles(const ldpc_code *code, uint8_t *roles);

/* The first function returns the comma before the changes in a name, or NULL if the name has no changes. The
 * second function creates the code of a name with changes. */
const char *ldpc_code_changes_in(const char *name);
ldpc_status ldpc_code_create_with_changes(const char *name, const char *at, ldpc_code **code,
                                          ldpc_error *err);

#endif
