/* SPDX-License-Identifier: BSD-3-Clause */
/* CCSDS codes.
 *
 *     ccsds:tc:N             telecommand, 231.0-B and 231.1-O-1 (N = 256 only in the latter), tables 2-4 ..
 * 2-6 ccsds:c2:N             near-Earth telemetry, 131.0-B section 7, 131.1-O-2 table 2-1 ccsds:ar4ja:K:RATE
 * deep-space telemetry, 131.0-B section 7, 131.1-O-2 tables 3-1 .. 3-4
 *
 * The first two are z x z circulants, several in a block. AR4JA permutations of size M are four by four
 * circulants of size M / 4: row j (M / 4) + r of permutation k has its one in column ((theta_k + j) mod 4) (M
 * / 4) + (phi_k(j) + r) mod (M / 4). So a layer has z = M / 4 checks. The last M columns are never sent.
 */
#include <string.h>

#include "code/builder.h"
#include "code/families.h"

typedef struct circulant_entry {
    uint8_t layer, group;
    uint16_t shift;
} circulant_entry;

/* clang-format off */
static const circulant_entry tc_128[] = {
    {0, 0, 0}, {0, 0, 7}, {0, 1, 2}, {0, 2, 14}, {0, 3, 6}, {0, 5, 0}, {0, 6, 13}, {0, 7, 0}, {1, 0, 6},
    {1, 1, 0}, {1, 1, 15}, {1, 2, 0}, {1, 3, 1}, {1, 4, 0}, {1, 6, 0}, {1, 7, 7}, {2, 0, 4}, {2, 1, 1},
    {2, 2, 0}, {2, 2, 15}, {2, 3, 14}, {2, 4, 11}, {2, 5, 0}, {2, 7, 3}, {3, 0, 0}, {3, 1, 1}, {3, 2, 9},
    {3, 3, 0}, {3, 3, 13}, {3, 4, 14}, {3, 5, 1}, {3, 6, 0},
};

static const circulant_entry tc_256[] = {
    {0, 0, 0}, {0, 0, 31}, {0, 1, 15}, {0, 2, 25}, {0, 3, 0}, {0, 5, 20}, {0, 6, 12}, {0, 7, 0}, {1, 0, 28},
    {1, 1, 0}, {1, 1, 30}, {1, 2, 29}, {1, 3, 24}, {1, 4, 0}, {1, 6, 1}, {1, 7, 20}, {2, 0, 8}, {2, 1, 0},
    {2, 2, 0}, {2, 2, 28}, {2, 3, 1}, {2, 4, 29}, {2, 5, 0}, {2, 7, 21}, {3, 0, 18}, {3, 1, 30}, {3, 2, 0},
    {3, 3, 0}, {3, 3, 30}, {3, 4, 25}, {3, 5, 26}, {3, 6, 0},
};

static const circulant_entry tc_512[] = {
    {0, 0, 0}, {0, 0, 63}, {0, 1, 30}, {0, 2, 50}, {0, 3, 25}, {0, 5, 43}, {0, 6, 62}, {0, 7, 0}, {1, 0, 56},
    {1, 1, 0}, {1, 1, 61}, {1, 2, 50}, {1, 3, 23}, {1, 4, 0}, {1, 6, 37}, {1, 7, 26}, {2, 0, 16}, {2, 1, 0},
    {2, 2, 0}, {2, 2, 55}, {2, 3, 27}, {2, 4, 56}, {2, 5, 0}, {2, 7, 43}, {3, 0, 35}, {3, 1, 56}, {3, 2, 62},
    {3, 3, 0}, {3, 3, 11}, {3, 4, 58}, {3, 5, 3}, {3, 6, 0},
};

static const circulant_entry c2[] = {
    {0, 0, 0}, {0, 0, 176}, {0, 1, 12}, {0, 1, 239}, {0, 2, 0}, {0, 2, 352}, {0, 3, 24}, {0, 3, 431},
    {0, 4, 0}, {0, 4, 392}, {0, 5, 151}, {0, 5, 409}, {0, 6, 0}, {0, 6, 351}, {0, 7, 9}, {0, 7, 359},
    {0, 8, 0}, {0, 8, 307}, {0, 9, 53}, {0, 9, 329}, {0, 10, 0}, {0, 10, 207}, {0, 11, 18}, {0, 11, 281},
    {0, 12, 0}, {0, 12, 399}, {0, 13, 202}, {0, 13, 457}, {0, 14, 0}, {0, 14, 247}, {0, 15, 36},
    {0, 15, 261}, {1, 0, 99}, {1, 0, 471}, {1, 1, 130}, {1, 1, 473}, {1, 2, 198}, {1, 2, 435}, {1, 3, 260},
    {1, 3, 478}, {1, 4, 215}, {1, 4, 420}, {1, 5, 282}, {1, 5, 481}, {1, 6, 48}, {1, 6, 396}, {1, 7, 193},
    {1, 7, 445}, {1, 8, 273}, {1, 8, 430}, {1, 9, 302}, {1, 9, 451}, {1, 10, 96}, {1, 10, 379}, {1, 11, 191},
    {1, 11, 386}, {1, 12, 244}, {1, 12, 467}, {1, 13, 364}, {1, 13, 470}, {1, 14, 51}, {1, 14, 382},
    {1, 15, 192}, {1, 15, 414},
};

/* AR4JA of rate 4/5: block row, block column counted from the end (1 = last), permutation (0 = identity). The codes of
 * rate 2/3 and 1/2 are its last 7 and 5 block columns. */
static const struct ar4ja_entry {
    uint8_t row, from_end, permutation;
} ar4ja[] = {
    {0, 3, 0}, {0, 1, 0}, {0, 1, 1}, {1, 11, 21}, {1, 11, 22}, {1, 11, 23}, {1, 10, 0}, {1, 9, 15},
    {1, 9, 16}, {1, 9, 17}, {1, 8, 0}, {1, 7, 9}, {1, 7, 10}, {1, 7, 11}, {1, 6, 0}, {1, 5, 0}, {1, 4, 0},
    {1, 2, 0}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}, {2, 11, 0}, {2, 10, 24}, {2, 10, 25}, {2, 10, 26}, {2, 9, 0},
    {2, 8, 18}, {2, 8, 19}, {2, 8, 20}, {2, 7, 0}, {2, 6, 12}, {2, 6, 13}, {2, 6, 14}, {2, 5, 0}, {2, 4, 5},
    {2, 4, 6}, {2, 2, 7}, {2, 2, 8}, {2, 1, 0},
};

/* theta_k, and phi_k(j) for j = 0 .. 3, each for M = 128, 256 .. 8192; k = 1 .. 26. */
static const struct ar4ja_permutation {
    uint8_t theta;
    uint16_t phi[4][7];
} permutations[] = {
    {3, {{1, 59, 16, 160, 108, 226, 1148}, {0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}}},
    {0, {{22, 18, 103, 241, 126, 618, 2032}, {27, 32, 53, 182, 375, 767, 1822}, {12, 46, 8, 35, 219, 254, 318}, {13, 44, 35, 162, 312, 285, 1189}}},
    {1, {{0, 52, 105, 185, 238, 404, 249}, {30, 21, 74, 249, 436, 227, 203}, {30, 45, 119, 167, 16, 790, 494}, {19, 51, 97, 7, 503, 554, 458}}},
    {2, {{26, 23, 0, 251, 481, 32, 1807}, {28, 36, 45, 65, 350, 247, 882}, {18, 27, 89, 214, 263, 642, 1467}, {14, 12, 112, 31, 388, 809, 460}}},
    {2, {{0, 11, 50, 209, 96, 912, 485}, {7, 30, 47, 70, 260, 284, 1989}, {10, 48, 31, 84, 415, 248, 757}, {15, 15, 64, 164, 48, 185, 1039}}},
    {3, {{10, 7, 29, 103, 28, 950, 1044}, {1, 29, 0, 141, 84, 370, 957}, {16, 37, 122, 206, 403, 899, 1085}, {20, 12, 93, 11, 7, 49, 1000}}},
    {0, {{5, 22, 115, 90, 59, 534, 717}, {8, 44, 59, 237, 318, 482, 1705}, {13, 41, 1, 122, 184, 328, 1630}, {17, 4, 99, 237, 185, 101, 1265}}},
    {1, {{18, 25, 30, 184, 225, 63, 873}, {20, 29, 102, 77, 382, 273, 1083}, {9, 13, 69, 67, 279, 518, 64}, {4, 7, 94, 125, 328, 82, 1223}}},
    {0, {{3, 27, 92, 248, 323, 971, 364}, {26, 39, 25, 55, 169, 886, 1072}, {7, 9, 92, 147, 198, 477, 689}, {4, 2, 103, 133, 254, 898, 874}}},
    {1, {{22, 30, 78, 12, 28, 304, 1926}, {24, 14, 3, 12, 213, 634, 354}, {15, 49, 47, 54, 307, 404, 1300}, {11, 30, 91, 99, 202, 627, 1292}}},
    {2, {{3, 43, 70, 111, 386, 409, 1241}, {4, 22, 88, 227, 67, 762, 1942}, {16, 36, 11, 23, 432, 698, 148}, {17, 53, 3, 105, 285, 154, 1491}}},
    {0, {{8, 14, 66, 66, 305, 708, 1769}, {12, 15, 65, 42, 313, 184, 446}, {18, 10, 31, 93, 240, 160, 777}, {20, 23, 6, 17, 11, 65, 631}}},
    {2, {{25, 46, 39, 173, 34, 719, 532}, {23, 48, 62, 52, 242, 696, 1456}, {4, 11, 19, 20, 454, 497, 1431}, {8, 29, 39, 97, 168, 81, 464}}},
    {3, {{25, 62, 84, 42, 510, 176, 768}, {15, 55, 68, 243, 188, 413, 1940}, {23, 18, 66, 197, 294, 100, 659}, {22, 37, 113, 91, 127, 823, 461}}},
    {0, {{2, 44, 79, 157, 147, 743, 1138}, {15, 39, 91, 179, 1, 854, 1660}, {5, 54, 49, 46, 479, 518, 352}, {19, 42, 92, 211, 8, 50, 844}}},
    {1, {{27, 12, 70, 174, 199, 759, 965}, {22, 11, 70, 250, 306, 544, 1661}, {3, 40, 81, 162, 289, 92, 1177}, {15, 48, 119, 128, 437, 413, 392}}},
    {2, {{7, 38, 29, 104, 347, 674, 141}, {31, 1, 115, 247, 397, 864, 587}, {29, 27, 96, 101, 373, 464, 836}, {5, 4, 74, 82, 475, 462, 922}}},
    {0, {{7, 47, 32, 144, 391, 958, 1527}, {3, 50, 31, 164, 80, 82, 708}, {11, 35, 38, 76, 104, 592, 1572}, {21, 10, 73, 115, 85, 175, 256}}},
    {1, {{15, 1, 45, 43, 165, 984, 505}, {29, 40, 121, 17, 33, 1009, 1466}, {4, 25, 83, 78, 141, 198, 348}, {17, 18, 116, 248, 419, 715, 1986}}},
    {2, {{10, 52, 113, 181, 414, 11, 1312}, {21, 62, 45, 31, 7, 437, 433}, {8, 46, 42, 253, 270, 856, 1040}, {9, 56, 31, 62, 459, 537, 19}}},
    {0, {{4, 61, 86, 250, 97, 413, 1840}, {2, 27, 56, 149, 447, 36, 1345}, {2, 24, 58, 124, 439, 235, 779}, {20, 9, 127, 26, 468, 722, 266}}},
    {1, {{19, 10, 1, 202, 158, 925, 709}, {5, 38, 54, 105, 336, 562, 867}, {11, 33, 24, 143, 333, 134, 476}, {18, 11, 98, 140, 209, 37, 471}}},
    {2, {{7, 55, 42, 68, 86, 687, 1427}, {11, 40, 108, 183, 424, 816, 1551}, {11, 18, 25, 63, 399, 542, 191}, {31, 23, 23, 121, 311, 488, 1166}}},
    {1, {{9, 7, 118, 177, 168, 752, 989}, {26, 15, 14, 153, 134, 452, 2041}, {3, 37, 92, 41, 14, 545, 1393}, {13, 8, 38, 12, 211, 179, 1300}}},
    {2, {{26, 12, 33, 170, 506, 867, 1925}, {9, 11, 30, 177, 152, 290, 1383}, {15, 35, 38, 214, 277, 777, 1752}, {2, 7, 18, 41, 510, 430, 1033}}},
    {3, {{17, 2, 126, 89, 489, 323, 270}, {17, 18, 116, 19, 492, 778, 1790}, {13, 21, 120, 70, 412, 483, 1627}, {18, 24, 62, 249, 320, 264, 1606}}},
};
/* clang-format on */

typedef struct ccsds_code ccsds_code;

struct ccsds_code {
    const char *name, *standard;
    void (*describe)(const ccsds_code *ccsds, ldpc_code_builder *builder);
    uint32_t z, layers, groups;
    const circulant_entry *table; /* not for AR4JA */
    size_t count;
};

static void describe_circulants(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    for (size_t i = 0; i < ccsds->count; i++)
        ldpc_code_builder_add(builder, ccsds->table[i].layer, ccsds->table[i].group, ccsds->table[i].shift);
}

/* H of C2 has rank 1020, so 8176 is the code with k = 7156. What is sent is a subcode, k = 7136: the last bit
 * of both parity blocks is zero, 18 zeros in front are not sent, two zeros are sent behind. */
static void describe_c2_sent(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    describe_circulants(ccsds, builder);
    ldpc_code_builder_set_role(builder, 0, 18, LDPC_ROLE_SHORTENED);
    ldpc_code_builder_set_role(builder, 15 * ccsds->z - 1, 1, LDPC_ROLE_SENT_ZERO);
    ldpc_code_builder_set_role(builder, 16 * ccsds->z - 1, 1, LDPC_ROLE_SENT_ZERO);
    builder->fill_zeros = 2;
}

static void add_permutation(ldpc_code_builder *builder, uint32_t block_row, uint32_t block_column, uint32_t k)
{
    uint32_t size = 0; /* 0 for M = 128, 1 for M = 256 ... */
    while (UINT32_C(32) << size < builder->z)
        size++;
    for (uint32_t j = 0; j < 4; j++) {
        uint32_t group = k ? (permutations[k - 1].theta + j) % 4 : j;
        uint32_t shift = k ? permutations[k - 1].phi[j][size] : 0;
        ldpc_code_builder_add(builder, 4 * block_row + j, 4 * block_column + group, shift);
    }
}

static void describe_ar4ja(const ccsds_code *ccsds, ldpc_code_builder *builder)
{
    uint32_t block_columns = ccsds->groups / 4, m = 4 * ccsds->z;
    for (size_t i = 0; i < sizeof ar4ja / sizeof *ar4ja; i++)
        if (ar4ja[i].from_end <= block_columns)
            add_permutation(builder, ar4ja[i].row, block_columns - ar4ja[i].from_end, ar4ja[i].permutation);
    ldpc_code_builder_set_role(builder, (block_columns - 1) * m, m, LDPC_ROLE_PUNCTURED);
}

#define COUNT(table) (sizeof table / sizeof *table)

static const char tc_book[] = "CCSDS 231.0-B, section 4", tc_experimental[] = "CCSDS 231.1-O-1, table 2-5";
static const char tm_book[] = "CCSDS 131.0-B, section 7";

static const ccsds_code ccsds_codes[] = {
    {"ccsds:tc:128",          tc_book,         describe_circulants, 16,   4,  8,  tc_128, COUNT(tc_128)},
    {"ccsds:tc:256",          tc_experimental, describe_circulants, 32,   4,  8,  tc_256, COUNT(tc_256)},
    {"ccsds:tc:512",          tc_book,         describe_circulants, 64,   4,  8,  tc_512, COUNT(tc_512)},
    {"ccsds:c2:8160",         tm_book,         describe_c2_sent,    511,  2,  16, c2,     COUNT(c2)    },
    {"ccsds:c2:8176",         tm_book,         describe_circulants, 511,  2,  16, c2,     COUNT(c2)    },
    {"ccsds:ar4ja:1024:1/2",  tm_book,         describe_ar4ja,      128,  12, 20, NULL,   0            },
    {"ccsds:ar4ja:1024:2/3",  tm_book,         describe_ar4ja,      64,   12, 28, NULL,   0            },
    {"ccsds:ar4ja:1024:4/5",  tm_book,         describe_ar4ja,      32,   12, 44, NULL,   0            },
    {"ccsds:ar4ja:4096:1/2",  tm_book,         describe_ar4ja,      512,  12, 20, NULL,   0            },
    {"ccsds:ar4ja:4096:2/3",  tm_book,         describe_ar4ja,      256,  12, 28, NULL,   0            },
    {"ccsds:ar4ja:4096:4/5",  tm_book,         describe_ar4ja,      128,  12, 44, NULL,   0            },
    {"ccsds:ar4ja:16384:1/2", tm_book,         describe_ar4ja,      2048, 12, 20, NULL,   0            },
    {"ccsds:ar4ja:16384:2/3", tm_book,         describe_ar4ja,      1024, 12, 28, NULL,   0            },
    {"ccsds:ar4ja:16384:4/5", tm_book,         describe_ar4ja,      512,  12, 44, NULL,   0            },
};

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

const ldpc_family ldpc_ccsds_family = {"ccsds", ccsds_name, ccsds_create};
