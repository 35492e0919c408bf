/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/base_matrix.h"

ldpc_status ldpc_base_matrix_lift(const ldpc_base_matrix *base, uint32_t z, const char *name,
                                  const char *standard, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, z, base->layers, base->groups, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t layer = 0; layer < base->layers; layer++)
        for (uint32_t group = 0; group < base->groups; group++) {
            int shift = base->shifts[layer * base->groups + group];
            if (shift >= 0)
                ldpc_code_builder_add(&builder, layer, group,
                                      base->z0 ? (uint32_t)shift * z / base->z0 : (uint32_t)shift % z);
        }
    return ldpc_code_builder_finish(&builder, name, standard, code, err);
}
