/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes with columns that are not transmitted, and with chosen columns of the message. */
#ifndef LDPC_CODE_CHANGES_H
#define LDPC_CODE_CHANGES_H

#include "base/text.h"
#include "code/builder.h"

/* Reads the lines "punctured COLUMNS", "shortened COLUMNS" and "message COLUMNS" up to the end of the text. */
ldpc_status ldpc_code_changes_read(ldpc_text *text, ldpc_code_builder *builder);

/* Sets roles [columns] to the ldpc_role of each column of a code without constant zeros. */
void ldpc_code_roles(const ldpc_code *code, uint8_t *roles);

/* The comma before the changes in a name, NULL if it has none; and the code of such a name. */
const char *ldpc_code_changes_in(const char *name);
ldpc_status ldpc_code_create_with_changes(const char *name, const char *at, ldpc_code **code,
                                          ldpc_error *err);

#endif
