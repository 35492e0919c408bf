/* SPDX-License-Identifier: BSD-3-Clause */
/* Used by the readers of code files (edge_list.c, alist.c, qc.c). */
#ifndef LDPC_CODE_FILE_H
#define LDPC_CODE_FILE_H

#include "code/builder.h"
#include "base/text.h"

/* Returns LDPC_ERR_RANGE for a code without checks or columns, LDPC_ERR_LIMIT above a limit of builder.h. */
ldpc_status ldpc_code_size_check(uint64_t checks, uint64_t columns, uint64_t edges, ldpc_error *err);

typedef ldpc_status ldpc_text_reader(const char *text, size_t length, const char *name, ldpc_code **code,
                                     ldpc_error *err);

/* Creates the code "prefix:FILE" from FILE. */
ldpc_status ldpc_code_from_file(const char *name, ldpc_text_reader *reader, ldpc_code **code,
                                ldpc_error *err);

#endif
