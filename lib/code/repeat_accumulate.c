/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/repeat_accumulate.h"

#include <string.h>

void ldpc_ra_add_address(ldpc_code_builder *builder, uint32_t first_layer, uint32_t q, uint32_t group,
                         uint32_t x)
{
    ldpc_code_builder_add(builder, first_layer + x % q, group, (LDPC_RA_GROUP - x / q) % LDPC_RA_GROUP);
}

void ldpc_ra_add_accumulator(ldpc_code_builder *builder, uint32_t first_group, uint32_t q)
{
    ldpc_code_builder_add(builder, 0, first_group, 0);
    ldpc_code_builder_add_incomplete(builder, 0, first_group + q - 1, LDPC_RA_GROUP - 1, 0);
    for (uint32_t layer = 1; layer < q; layer++) {
        ldpc_code_builder_add(builder, layer, first_group + layer - 1, 0);
        ldpc_code_builder_add(builder, layer, first_group + layer, 0);
    }
}

void ldpc_ra_interleave(uint32_t *order, uint32_t first, uint32_t q)
{
    for (uint32_t j = 0; j < q; j++)
        for (uint32_t lane = 0; lane < LDPC_RA_GROUP; lane++)
            *order++ = first + j + q * lane;
}

ldpc_status ldpc_ra_make(const ldpc_ra_code *ra, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    uint32_t q = (ra->n - ra->k) / LDPC_RA_GROUP, groups = ra->k / LDPC_RA_GROUP;
    const uint16_t *next = ra->addresses;
    if (ldpc_code_builder_open(&builder, LDPC_RA_GROUP, q, groups + q, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t count = *next++; count > 0; count--)
            ldpc_ra_add_address(&builder, 0, q, group, *next++);
    ldpc_ra_add_accumulator(&builder, groups, q);
    ldpc_ra_interleave(builder.check_at, 0, q);
    ldpc_ra_interleave(builder.column_at + ra->k, ra->k, q);
    ldpc_code_builder_set_role(&builder, 0, ra->shortened, LDPC_ROLE_SHORTENED);
    for (uint32_t i = 0; i < ra->punctured; i++)
        ldpc_code_builder_set_role(&builder, ra->k + i * ra->step, 1, LDPC_ROLE_PUNCTURED);
    return ldpc_code_builder_finish(&builder, ra->name, ra->standard, code, err);
}

ldpc_status ldpc_ra_create(const ldpc_ra_code *table, size_t count, const char *name, ldpc_code **code,
                           ldpc_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, table[i].name))
            return ldpc_ra_make(&table[i], code, err);
    return ldpc_fail(err, LDPC_ERR_NAME, "this family has no code of this length and rate");
}
