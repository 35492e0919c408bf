/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_STATUS_INTERNAL_H
#define LDPC_STATUS_INTERNAL_H

#include "ldpc/status.h"

#if defined(__GNUC__)
#define LDPC_PRINTF(sentence, first) __attribute__((format(printf, sentence, first)))
#else
#define LDPC_PRINTF(sentence, first)
#endif

/* Writes a message to `err`, which may be NULL. Returns `status`. */
ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...) LDPC_PRINTF(3, 4);

/* Replaces control characters and invalid UTF-8 with question marks. */
void ldpc_make_printable(char *sentence);

/* Reports "out of memory". */
ldpc_status ldpc_fail_memory(ldpc_error *err);

/* Writes the error of every call after ldpc_decoder_abandon(). */
ldpc_status ldpc_fail_abandoned(ldpc_error *err);

#endif
