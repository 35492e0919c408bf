/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentence about a failure, for all of the library. */
#ifndef LDPC_ERROR_H
#define LDPC_ERROR_H

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Write the sentence (err may be NULL) and return the status:  return ldpc_fail(err, LDPC_ERR_NAME, "no code ...", ...); */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...);

/* The usual sentence when memory runs out; returns LDPC_ERR_MEMORY. */
ldpc_status ldpc_fail_memory(ldpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
