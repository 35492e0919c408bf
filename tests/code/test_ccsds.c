/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the encoder with the generator matrices of the CCSDS books. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"

enum { LONGEST_LINE = 512 };

static uint8_t hex_bit(const char *hex, size_t i)
{
    const char digit[2] = {hex[i / 4], '\0'};
    return (uint8_t)(strtoul(digit, NULL, 16) >> (3 - i % 4) & 1);
}

static void check_line(const char *line)
{
    char name[64], hex[LONGEST_LINE];
    unsigned bit;
    assert_int_equal(sscanf(line, "%63s %u %511s", name, &bit, hex), 3);
    ldpc_code *code = create(name);
    uint32_t k = ldpc_code_k(code), n = ldpc_code_n(code);
    assert_true(bit < k && k + 4 * strlen(hex) <= n);
    uint8_t *message = allocate(k), *codeword = allocate(n);
    memset(message, 0, k);
    message[bit] = 1;
    assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
    assert_memory_equal(codeword, message, k);
    for (size_t i = 0; i < 4 * strlen(hex); i++)
        if (codeword[k + i] != hex_bit(hex, i))
            fail_msg("%s: message bit %u, parity bit %zu", name, bit, i);
    free(message);
    free(codeword);
    ldpc_code_destroy(code);
}

static void test_generators(void **state)
{
    (void)state;
    char line[LONGEST_LINE];
    size_t lines = 0;
    FILE *file = fopen(LDPC_TESTS_DIR "/code/ccsds_generators.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (*line != '#') {
            check_line(line);
            lines++;
        }
    fclose(file);
    assert_int_equal(lines, 3 * 4 + 13 + 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
