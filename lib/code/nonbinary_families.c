/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonbinary codes with names. */
#include "code/nonbinary.h"

#include <stdlib.h>
#include <string.h>

#include "code/families.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "code/tables/nonbinary_tables.h"

typedef struct nb_standard nb_standard;

struct nb_standard {
    const char *name, *standard;
    uint32_t bits;
    uint32_t n, k;
    uint32_t degree; /* degree of every check */
    const uint8_t *table;
    /* writes the entries of H */
    void (*fill)(const nb_standard *, const ldpc_field *, ldpc_nb_entry *);
    bool powers;
};

static void fill_table(const nb_standard *f, const ldpc_field *field, ldpc_nb_entry *entry)
{
    const uint8_t *number = f->table;
    for (uint32_t c = 0; c < f->n - f->k; c++)
        for (uint32_t e = 0; e < f->degree; e++, number += 2)
            *entry++ = (ldpc_nb_entry){c, number[0], f->powers ? field->exp[number[1]] : number[1]};
}

/* C-NBPB (CCSDS 231.1-O-1, 3.3): a 2 x 4 protograph of powers of alpha, lifted by circulants. Row r of a
 * block has its element in column (r + shift) mod size. */
static void fill_cnbpb(const nb_standard *f, const ldpc_field *field, ldpc_nb_entry *entry)
{
    static const uint8_t power[2][4] = {
        {0,  80, 88, 8 },
        {89, 9,  0,  81}
    };
    static const uint8_t shifts[3][2][4] = {
        {{0, 1, 3, 2},  {0, 0, 0, 0}},
        {{0, 3, 6, 4},  {1, 0, 0, 0}},
        {{0, 7, 12, 8}, {2, 0, 0, 0}}
    };
    uint32_t size = f->n / 4;
    const uint8_t(*shift)[4] = shifts[size / 8];
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t r = 0; r < size; r++)
            for (uint32_t j = 0; j < 4; j++)
                *entry++ = (ldpc_nb_entry){i * size + r, j * size + (r + shift[i][j]) % size,
                                           field->exp[power[i][j]]};
}

/* A substitute for the (620,310) code of Lin, Sha, Wang and Li (TCAS-I 2010), whose matrix is not public. 10
 * x 20 blocks of size 31 x 31, the dispersion of alpha^(j-i) - 1 = alpha^e: row r of a block has alpha^(e+r)
 * in column (e+r) mod 31. A mask keeps three blocks per column. */
static void fill_standin(const nb_standard *f, const ldpc_field *field, ldpc_nb_entry *entry)
{
    static const uint32_t mask[2][3] = {
        {0, 4, 5},
        {0, 4, 6}
    };
    uint32_t size = field->q - 1;
    for (uint32_t column = 0; column < f->n / size; column++)
        for (uint32_t b = 0; b < 3; b++) {
            uint32_t row = (column + mask[column / 10][b]) % 10;
            uint32_t e = field->log[field->exp[(column + 10 - row) % size] ^ 1];
            for (uint32_t r = 0; r < size; r++)
                *entry++ = (ldpc_nb_entry){row * size + r, column * size + (e + r) % size,
                                           field->exp[(e + r) % size]};
        }
}

/* clang-format off */
static const nb_standard codes[] = {
    {"bds:b1c:200", "BDS-SIS-ICD-B1C-1.0 6.2.2.2 (B-CNAV1 subframe 2)", 6, 200, 100, 4, ldpc_bds_b1c_200[0], fill_table, false},
    {"bds:b1c:88", "BDS-SIS-ICD-B1C-1.0 6.2.2.3 (B-CNAV1 subframe 3)", 6, 88, 44, 4, ldpc_bds_b1c_88[0], fill_table, false},
    {"bds:b2a:96", "BDS-SIS-ICD-B2a-1.0 6.2.2 (B-CNAV2)", 6, 96, 48, 4, ldpc_bds_b2a_96[0], fill_table, false},
    {"bds:b2b:162", "BDS-SIS-ICD-B2b-1.0 6.2.2 (B-CNAV3)", 6, 162, 81, 4, ldpc_bds_b2b_162[0], fill_table, false},
    {"ccsds:nb:liva:128", "CCSDS 231.1-O-1 3.2", 8, 16, 8, 4, ldpc_ccsds_liva[0], fill_table, true},
    {"ccsds:nb:unbpb:128", "CCSDS 231.1-O-1 3.3, U-NBPB", 8, 16, 8, 4, ldpc_ccsds_unbpb[0], fill_table, true},
    {"ccsds:nb:cnbpb:128", "CCSDS 231.1-O-1 3.3, C-NBPB", 8, 16, 8, 4, NULL, fill_cnbpb, false},
    {"ccsds:nb:cnbpb:256", "CCSDS 231.1-O-1 3.3, C-NBPB", 8, 32, 16, 4, NULL, fill_cnbpb, false},
    {"ccsds:nb:cnbpb:512", "CCSDS 231.1-O-1 3.3, C-NBPB", 8, 64, 32, 4, NULL, fill_cnbpb, false},
    {"standin:gf32:620", "none: stand-in for the (620,310) code of Lin, Sha, Wang, Li 2010", 5, 620, 310, 6, NULL, fill_standin, false},
};
/* clang-format on */
enum { CODES = sizeof codes / sizeof *codes };

static const char *name_with(const char *prefix, size_t i)
{
    for (size_t f = 0; f < CODES; f++)
        if (!strncmp(codes[f].name, prefix, strlen(prefix)) && i-- == 0)
            return codes[f].name;
    return NULL;
}

static ldpc_status create(const char *name, ldpc_code **code, ldpc_error *err)
{
    const nb_standard *s = codes;
    while (s < codes + CODES && strcmp(s->name, name) != 0)
        s++;
    if (s == codes + CODES)
        return ldpc_fail(err, LDPC_ERR_NAME, "this family has no such code");
    ldpc_field field;
    ldpc_status status = ldpc_field_init(&field, s->bits, 0, err);
    if (status)
        return status;
    size_t count = (size_t)(s->n - s->k) * s->degree;
    ldpc_nb_entry *entries = ldpc_allocate(count, sizeof *entries);
    if (!entries)
        return ldpc_fail_memory(err);
    s->fill(s, &field, entries);
    status = ldpc_nb_code_create(s->n - s->k, s->n, &field, entries, count, s->name, s->standard, code, err);
    free(entries);
    return status;
}

static const char *bds_name(size_t i)
{
    return name_with("bds:", i);
}

static const char *ccsds_nb_name(size_t i)
{
    return name_with("ccsds:nb:", i);
}

static const char *standin_name(size_t i)
{
    return name_with("standin:", i);
}

const ldpc_family ldpc_bds_family = {.prefix = "bds", .name = bds_name, .create = create};
const ldpc_family ldpc_ccsds_nb_family = {.prefix = "ccsds:nb", .name = ccsds_nb_name, .create = create};
const ldpc_family ldpc_standin_family = {.prefix = "standin", .name = standin_name, .create = create};
