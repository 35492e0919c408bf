/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes from a list of edges. A layer is one check. */
#include <inttypes.h>

#include "code/code_file.h"

ldpc_status ldpc_code_create_edges(uint32_t m, uint32_t n, const uint32_t *checks, const uint32_t *variables,
                                   size_t edges, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!code || (edges && (!checks || !variables)))
        return ldpc_fail(err, LDPC_ERR_NULL, "checks, variables and code must not be NULL");
    ldpc_status status = ldpc_code_size_check(m, n, edges, err);
    if (status)
        return status;
    for (size_t e = 0; e < edges; e++)
        if (checks[e] >= m || variables[e] >= n)
            return ldpc_fail(err, LDPC_ERR_RANGE,
                             "edge %zu is at check %" PRIu32 ", column %" PRIu32
                             ": expected numbers below %" PRIu32 " and %" PRIu32,
                             e, checks[e], variables[e], m, n);
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, m, n, err))
        return LDPC_ERR_MEMORY;
    for (size_t e = 0; e < edges; e++)
        ldpc_code_builder_add(&builder, checks[e], variables[e], 0);
    return ldpc_code_builder_finish(&builder, "edges", "", code, err);
}
