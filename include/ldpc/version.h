/* SPDX-License-Identifier: BSD-3-Clause */
/* Version of the library (semantic versioning) and what this build contains. */
#ifndef LDPC_VERSION_H
#define LDPC_VERSION_H

#include "ldpc/status.h"

#define LDPC_VERSION_MAJOR  0
#define LDPC_VERSION_MINOR  1
#define LDPC_VERSION_PATCH  0
#define LDPC_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the library that is loaded, e.g. "0.1.0"; compare it with LDPC_VERSION_STRING of the headers.
 */
LDPC_API const char *ldpc_version(void);

#ifdef __cplusplus
}
#endif
#endif
