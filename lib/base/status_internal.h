/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the library report failures through these. */
#ifndef LDPC_STATUS_INTERNAL_H
#define LDPC_STATUS_INTERNAL_H

#include "ldpc/status.h"

#if defined(__GNUC__)
#define LDPC_PRINTF(sentence, first) __attribute__((format(printf, sentence, first)))
#else
#define LDPC_PRINTF(sentence, first)
#endif

/* Write the sentence into err (may be NULL) and return status: `return ldpc_fail(err, LDPC_ERR_RANGE, ...)`.
 */
ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...) LDPC_PRINTF(3, 4);

/* A sentence may quote a name or a file: whatever that holds, the sentence stays one line of UTF-8, and a terminal that shows it
 * stays as it is. Control characters and bytes that are no UTF-8 become question marks. */
void ldpc_make_printable(char *sentence);

/* The error message of every failed allocation. */
ldpc_status ldpc_fail_memory(ldpc_error *err);

/* The failure of all calls on a decoder after ldpc_decoder_abandon(). */
ldpc_status ldpc_fail_abandoned(ldpc_error *err);

#endif
