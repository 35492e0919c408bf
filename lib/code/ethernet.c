/* SPDX-License-Identifier: BSD-3-Clause */
/* 10GBASE-T Ethernet: IEEE 802.3an-2006, clause 55, the (2048,1723) code. H has 384 checks and rank 325.
 *
 * The checks form six bands of 64. Each column has one check in every band. The code comes from a
 * Reed-Solomon code over GF(64): check 0 of a band is element 0, check i is a^i, a^6 = a + 1. The columns
 * form 32 cosets of 64: two columns of a coset differ by the same element in all bands. Blocks are therefore
 * dyadic permutations (dyadic.h).
 */
#include <string.h>

#include "code/builder.h"
#include "code/families.h"
#include "code/dyadic.h"
#include "code/tables/ethernet_table.h"

enum { COLUMNS = LDPC_ETHERNET_COLUMNS, BANDS = LDPC_ETHERNET_BANDS, BAND = 64 };

static const char *ethernet_name(size_t i)
{
    return i == 0 ? "ethernet:2048" : NULL;
}

static void number_elements(uint32_t element[BAND])
{
    element[0] = 0;
    element[BAND - 1] = 1; /* a^63 */
    for (uint32_t i = 1, e = 2; i + 1 < BAND; i++, e = e & BAND / 2 ? (2 * e) ^ (BAND + 3) : 2 * e)
        element[i] = e;
}

static ldpc_status add_dyadic_view(ldpc_code *code, ldpc_error *err)
{
    uint32_t element[BAND], coset_of[BAND], cosets = 0;
    uint32_t check_at[BANDS * BAND], column_at[COLUMNS];
    number_elements(element);
    for (uint32_t c = 0; c < BANDS * BAND; c++)
        check_at[c / BAND * BAND + element[c % BAND]] = c;
    memset(coset_of, 0xff, sizeof coset_of);
    for (uint32_t column = 0; column < COLUMNS; column++) {
        const uint8_t *checks = &ldpc_ethernet_checks[BANDS * column];
        uint32_t lane = element[checks[0]], base = lane ^ element[checks[1]];
        if (coset_of[base] == UINT32_MAX)
            coset_of[base] = cosets++;
        column_at[coset_of[base] * BAND + lane] = column;
    }
    return ldpc_code_add_dyadic_view(code, BAND, check_at, column_at, err);
}

static ldpc_status ethernet_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    if (strcmp(name, ethernet_name(0)))
        return ldpc_fail(err, LDPC_ERR_NAME, "expected ethernet:2048, the only Ethernet code");
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, BANDS * BAND, COLUMNS, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t column = 0; column < COLUMNS; column++)
        for (uint32_t band = 0; band < BANDS; band++)
            ldpc_code_builder_add(&builder, BAND * band + ldpc_ethernet_checks[BANDS * column + band], column,
                                  0);
    ldpc_status status = ldpc_code_builder_finish(&builder, name, "IEEE 802.3an, clause 55", code, err);
    if (!status)
        status = add_dyadic_view(*code, err);
    if (status) {
        ldpc_code_destroy(*code);
        *code = NULL;
    }
    return status;
}

const ldpc_family ldpc_ethernet_family = {
    .prefix = "ethernet", .name = ethernet_name, .create = ethernet_create, .three_min = true};
