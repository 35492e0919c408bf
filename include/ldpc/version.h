/* SPDX-License-Identifier: BSD-3-Clause */
/* Version of the library (semantic versioning), and its compatibility rules.
 *
 * Compatibility. A compiled program works with every later library of the same major version. Functions are
 * never removed, enumerators keep their values (only DVBT2_LOSSES and DVBS2_LOSSES, which count the reasons
 * of a loss, may grow), new functions have new symbol versions (cmake/ldpc.map,
 * cmake/dvbt2.map, cmake/dvbs2.map). There are three kinds of structs:
 *
 *   - Structs that begin with `size` may gain fields at their end, never in the padding. The value 0 of a
 *     new field selects the previous behaviour. The init functions set `size`. Size 0 means the struct of
 *     version 1.0, so `ldpc_batch batch = {.llr = llr}` remains valid; newer fields need
 *     `.size = sizeof batch`. A field that an older library does not have must be 0; otherwise the call
 *     fails with LDPC_ERR_PARAM.
 *   - Structs that only the library creates and returns by address (dvbt2_l1_pre, dvbt2_l1_post,
 *     dvbt2_plp_signalling, dvbt2_field, dvbs2_frame, dvbs2_survey_carrier) may gain fields at their end.
 *     Do not copy them.
 *   - All other structs never change, because they are elements of arrays or of structs
 *     (ldpc_codeword_info, ldpc_sim_block ...).
 *
 * docs/abi.md describes the tests of these rules, and how to add a field or a function.
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

/** Version of the loaded library, e.g. "1.0.0". LDPC_VERSION_STRING is the version of the headers. */
LDPC_API const char *ldpc_version(void);

#ifdef __cplusplus
}
#endif
#endif
