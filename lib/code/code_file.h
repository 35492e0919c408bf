/* SPDX-License-Identifier: BSD-3-Clause */
/* What the readers of one's own codes share (edges.c, alist.c, qc.c). */
#ifndef LDPC_CODE_FILE_H
#define LDPC_CODE_FILE_H

#include "code/builder.h"
#include "base/text.h"

/* LDPC_ERR_RANGE or LDPC_ERR_LIMIT when a code is empty or too large. */
ldpc_status ldpc_code_size_check(uint64_t checks, uint64_t columns, uint64_t edges, ldpc_error *err);

typedef ldpc_status ldpc_text_reader(const char *text, size_t length, const char *name, ldpc_code **code,
                                     ldpc_error *err);

/* Make the code of the name "prefix:FILE" with a reader of texts. */
ldpc_status ldpc_code_from_file(const char *name, ldpc_text_reader *reader, ldpc_code **code,
                                ldpc_error *err);

#endif
