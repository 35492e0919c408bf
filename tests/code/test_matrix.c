/* SPDX-License-Identifier: BSD-3-Clause */
/* Expands every listed code by checks and by columns. Both expansions must have the expected digest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/code_internal.h"
#include "code/sha256.h"

/* Returns a key that sorts positions by check, then by column. */
static uint64_t one_at(uint32_t check, uint32_t column)
{
    return (uint64_t)check << 32 | column;
}

static int compare_ones(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t ones_of_rows(const ldpc_code *code, uint64_t *ones)
{
    size_t count = 0;
    for (uint32_t c = 0; c < ldpc_code_checks(code); c++) {
        uint32_t degree;
        const uint32_t *columns = ldpc_code_check(code, c, &degree);
        for (uint32_t i = 0; i < degree; i++)
            ones[count++] = one_at(c, columns[i]);
    }
    return count;
}

static size_t ones_of_layers(const ldpc_code *code, uint64_t *ones)
{
    size_t count = 0;
    for (uint32_t layer = 0; layer < code->layers; layer++)
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++) {
            ldpc_block block = code->blocks[b];
            assert_true(block.group < code->groups && block.shift < code->z);
            for (uint32_t r = 0; r < code->z; r++)
                if (r != block.missing_lane)
                    ones[count++] =
                        one_at(code->check_at[layer * code->z + r],
                               code->column_at[block.group * code->z + (r + block.shift) % code->z]);
        }
    return count;
}

static void digest_ones(const uint64_t *ones, size_t count, char hex[65])
{
    uint8_t *bytes = malloc(8 * count);
    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < 4; b++) {
            bytes[8 * i + b] = (uint8_t)(ones[i] >> (32 + 8 * b));
            bytes[8 * i + 4 + b] = (uint8_t)(ones[i] >> 8 * b);
        }
    sha256(bytes, 8 * count, hex);
    free(bytes);
}

static void check_line(const char *line)
{
    char name[64], want[65], got[65];
    unsigned n, k, checks, columns;
    size_t edges;
    assert_int_equal(sscanf(line, "%63s %u %u %u %u %zu %64s", name, &n, &k, &checks, &columns, &edges, want),
                     7);
    ldpc_code *code = create(name);
    assert_string_equal(ldpc_code_name(code), name);
    assert_int_equal(ldpc_code_n(code), n);
    assert_int_equal(ldpc_code_k(code), k);
    assert_int_equal(ldpc_code_checks(code), checks);
    assert_int_equal(ldpc_code_columns(code), columns);
    assert_int_equal(ldpc_code_edges(code), edges);

    uint64_t *ones = malloc((edges + 1) * sizeof *ones);
    assert_non_null(ones);
    assert_int_equal(ones_of_rows(code, ones), edges);
    digest_ones(ones, edges, got); /* ascending, no sorting */
    if (strcmp(want, got))
        fail_msg("%s: the rows do not give the digest", name);
    assert_int_equal(ones_of_layers(code, ones), edges);
    qsort(ones, edges, sizeof *ones, compare_ones);
    digest_ones(ones, edges, got);
    if (strcmp(want, got))
        fail_msg("%s: the layers do not give the digest", name);
    free(ones);
    ldpc_code_destroy(code);
}

static FILE *open_digests(void)
{
    FILE *file = fopen(LDPC_TESTS_DIR "/code/digests.txt", "r");
    assert_non_null(file);
    return file;
}

static void test_digests(void **state)
{
    (void)state;
    char line[256];
    size_t lines = 0;
    FILE *file = open_digests();
    while (fgets(line, sizeof line, file))
        if (*line != '#') {
            check_line(line);
            lines++;
        }
    fclose(file);
    assert_true(lines > 0);
}

static void test_every_name_has_a_digest(void **state)
{
    (void)state;
    char line[256], name[64];
    size_t i = 0;
    FILE *file = open_digests();
    while (fgets(line, sizeof line, file))
        if (*line != '#') {
            sscanf(line, "%63s", name);
            assert_non_null(ldpc_code_list(i));
            assert_string_equal(ldpc_code_list(i), name);
            i++;
        }
    fclose(file);
    assert_null(ldpc_code_list(i));
}

static void test_sha256_known_answers(void **state)
{
    (void)state;
    char hex[65];
    sha256((const uint8_t *)"", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256((const uint8_t *)"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha256_known_answers),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_every_name_has_a_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
