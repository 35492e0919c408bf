/* SPDX-License-Identifier: BSD-3-Clause */
/* Version of the library (semantic versioning), and what stays compatible.
 *
 * Compatibility. A program keeps working with every later library of the same major version without being compiled
 * again. Functions are never taken away and enumerators keep their numbers; a new function has a new symbol version
 * (cmake/ldpc.map, cmake/dvbt2.map). Structs are of three kinds:
 *
 *   - Those that begin with `size` may get further fields, behind the last one and never in the padding at the end; 0
 *     always stands for what the library did before. A size of 0 means the struct of version 1.0, so that
 *     `ldpc_batch batch = {.llr = llr}` stays right; to use a younger field set `.size = sizeof batch`. The init
 *     functions set it. A field that an older library does not know must be 0: else the call fails with LDPC_ERR_PARAM.
 *   - Those that only the library makes and hands out by address (dvbt2_l1_pre, dvbt2_l1_post, dvbt2_plp_signalling,
 *     dvbt2_field) may get further fields at their end: do not copy them into memory of another size.
 *   - All others never change: they stand in arrays or in other structs (ldpc_codeword_info, ldpc_sim_block ...).
 *
 * docs/abi.md says how this is tested, and how to add a field or a function.
 */
#ifndef LDPC_VERSION_H
#define LDPC_VERSION_H

#include "ldpc/status.h"

#define LDPC_VERSION_MAJOR  1
#define LDPC_VERSION_MINOR  0
#define LDPC_VERSION_PATCH  0
#define LDPC_VERSION_STRING "1.0.0"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the library that is loaded, e.g. "1.0.0"; compare it with LDPC_VERSION_STRING of the headers.
 */
LDPC_API const char *ldpc_version(void);

#ifdef __cplusplus
}
#endif
#endif
