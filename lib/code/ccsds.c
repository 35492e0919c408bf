/* SPDX-License-Identifier: BSD-3-Clause */
/* CCSDS codes: telecommand (ccsds:tc:N), near-Earth telemetry C2 (ccsds:c2:N) and deep-space telemetry AR4JA
 * (ccsds:ar4ja:K:RATE). Sources: tables/ccsds_tables.c.
 *
 * Blocks of telecommand and C2 codes are sums of z x z circulants. An M x M permutation of AR4JA is 4 x 4
 * blocks of size M / 4, four of which are circulants, so z = M / 4. Row j (M / 4) + r of permutation k has
 * its one in column ((theta_k + j) mod 4) (M / 4) + (phi_k(j) + r) mod (M / 4). With theta = 1:
 *
 *     j   0  .   P0  .   .       Pj: identity of size M / 4, rotated by phi(j)
 *         1  .   .   P1  .
 *         2  .   .   .   P2
 *         3  P3  .   .   .
 *
 * The last M columns are punctured. */
#include <string.h>

#include "code/builder.h"
#include "code/families.h"
#include "code/tables/ccsds_tables.h"

typedef struct ccsds_code ccsds_code;

struct ccsds_code {
    const char *name, *standard;
    void (*describe)(const ccsds_code *ccsds, ldpc_code_builder *builder);
    uint32_t z, layers, groups;
    const ldpc_ccsds_circulant *table;
    size_t count;
};

static void describe_circulants(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    for (size_t i = 0; i < ccsds->count; i++)
        ldpc_code_builder_add(builder, ccsds->table[i].layer, ccsds->table[i].group, ccsds->table[i].shift);
}

/* H of C2 has rank 1020, so ccsds:c2:8176 has k = 7156. ccsds:c2:8160 is a subcode with k = 7136: the last
 * bit of each parity block is zero, 18 bits are shortened, and two zeros follow. */
static void describe_c2_transmitted(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    describe_circulants(ccsds, builder);
    ldpc_code_builder_set_role(builder, 0, 18, LDPC_ROLE_SHORTENED);
    ldpc_code_builder_set_role(builder, 15 * ccsds->z - 1, 1, LDPC_ROLE_TRANSMITTED_ZERO);
    ldpc_code_builder_set_role(builder, 16 * ccsds->z - 1, 1, LDPC_ROLE_TRANSMITTED_ZERO);
    builder->trailing_zeros = 2;
}

static void add_permutation(ldpc_code_builder *builder, uint32_t block_row, uint32_t block_column, uint32_t k)
{
    uint32_t size = 0; /* log2(M / 128) */
    while (UINT32_C(32) << size < builder->z)
        size++;
    for (uint32_t j = 0; j < 4; j++) {
        uint32_t group = k ? (ldpc_ar4ja_permutations[k - 1].theta + j) % 4 : j;
        uint32_t shift = k ? ldpc_ar4ja_permutations[k - 1].phi[j][size] : 0;
        ldpc_code_builder_add(builder, 4 * block_row + j, 4 * block_column + group, shift);
    }
}

static void describe_ar4ja(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    uint32_t block_columns = ccsds->groups / 4, m = 4 * ccsds->z;
    for (size_t i = 0; i < sizeof ldpc_ar4ja_blocks / sizeof *ldpc_ar4ja_blocks; i++)
        if (ldpc_ar4ja_blocks[i].from_end <= block_columns)
            add_permutation(builder, ldpc_ar4ja_blocks[i].row, block_columns - ldpc_ar4ja_blocks[i].from_end,
                            ldpc_ar4ja_blocks[i].permutation);
    ldpc_code_builder_set_role(builder, (block_columns - 1) * m, m, LDPC_ROLE_PUNCTURED);
}

static const char tc_book[] = "CCSDS 231.0-B, section 4", tc_experimental[] = "CCSDS 231.1-O-1, table 2-5";
static const char tm_book[] = "CCSDS 131.0-B, section 7";

#define TABLE(table) table, sizeof table / sizeof *table

/* clang-format off */
static const ccsds_code ccsds_codes[] = {
    {"ccsds:tc:128", tc_book, describe_circulants, 16, 4, 8, TABLE(ldpc_ccsds_tc_128)},
    {"ccsds:tc:256", tc_experimental, describe_circulants, 32, 4, 8, TABLE(ldpc_ccsds_tc_256)},
    {"ccsds:tc:512", tc_book, describe_circulants, 64, 4, 8, TABLE(ldpc_ccsds_tc_512)},
    {"ccsds:c2:8160", tm_book, describe_c2_transmitted, 511, 2, 16, TABLE(ldpc_ccsds_c2)},
    {"ccsds:c2:8176", tm_book, describe_circulants, 511, 2, 16, TABLE(ldpc_ccsds_c2)},
    {"ccsds:ar4ja:1024:1/2", tm_book, describe_ar4ja, 128, 12, 20, NULL, 0},
    {"ccsds:ar4ja:1024:2/3", tm_book, describe_ar4ja, 64, 12, 28, NULL, 0},
    {"ccsds:ar4ja:1024:4/5", tm_book, describe_ar4ja, 32, 12, 44, NULL, 0},
    {"ccsds:ar4ja:4096:1/2", tm_book, describe_ar4ja, 512, 12, 20, NULL, 0},
    {"ccsds:ar4ja:4096:2/3", tm_book, describe_ar4ja, 256, 12, 28, NULL, 0},
    {"ccsds:ar4ja:4096:4/5", tm_book, describe_ar4ja, 128, 12, 44, NULL, 0},
    {"ccsds:ar4ja:16384:1/2", tm_book, describe_ar4ja, 2048, 12, 20, NULL, 0},
    {"ccsds:ar4ja:16384:2/3", tm_book, describe_ar4ja, 1024, 12, 28, NULL, 0},
    {"ccsds:ar4ja:16384:4/5", tm_book, describe_ar4ja, 512, 12, 44, NULL, 0},
};
/* clang-format on */

static const char *ccsds_name(size_t i)
{
    return i < sizeof ccsds_codes / sizeof *ccsds_codes ? ccsds_codes[i].name : NULL;
}

static ldpc_status ccsds_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    for (size_t i = 0; i < sizeof ccsds_codes / sizeof *ccsds_codes; i++) {
        const ccsds_code *ccsds = &ccsds_codes[i];
        ldpc_code_builder builder;
        if (strcmp(name, ccsds->name))
            continue;
        if (ldpc_code_builder_open(&builder, ccsds->z, ccsds->layers, ccsds->groups, err))
            return LDPC_ERR_MEMORY;
        ccsds->describe(ccsds, &builder);
        return ldpc_code_builder_finish(&builder, name, ccsds->standard, code, err);
    }
    return ldpc_fail(err, LDPC_ERR_NAME, "CCSDS names are ccsds:tc:N, ccsds:c2:N and ccsds:ar4ja:K:RATE");
}

const ldpc_family ldpc_ccsds_family = {
    .prefix = "ccsds", .name = ccsds_name, .create = ccsds_create, .three_min = true};
