/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes with chosen punctured, shortened or message columns. */
#ifndef LDPC_CODE_CHANGES_H
#define LDPC_CODE_CHANGES_H

#include "base/text.h"
#include "code/builder.h"

ldpc_status ldpc_code_changes_read(ldpc_text *text, ldpc_code_builder *builder);

/* The code must not transmit constant zeros. */
void ldpc_code_roles(const ldpc_code *code, uint8_t *roles);

const char *ldpc_code_changes_in(const char *name);
ldpc_status ldpc_code_create_with_changes(const char *name, const char *at, ldpc_code **code,
                                          ldpc_error *err);

#endif
