/* SPDX-License-Identifier: BSD-3-Clause */
/* The codewords of every binary code satisfy all checks. The encoder chooses the earliest possible message
 * columns. test_nb_code.c tests nonbinary codes. */
#include <stdlib.h>

#include "code/code_helpers.h"
#include "code/encoder.h"

/* Encodes random messages and checks all columns, transmitted or not. */
static void check_codewords(const ldpc_code *code, size_t codewords)
{
    uint32_t k = ldpc_code_k(code), n = ldpc_code_n(code), columns = ldpc_code_columns(code);
    uint64_t seed = 20 + columns;
    uint8_t *message = allocate(codewords * k), *transmitted = allocate(codewords * n),
            *all = allocate(codewords * columns);
    for (size_t i = 0; i < codewords * k; i++)
        message[i] = (uint8_t)(random_bits(&seed) >> 56); /* only bit 0 counts */
    transmitted[codewords * n] = 0xa5;
    assert_int_equal(ldpc_encode(code, message, codewords, transmitted), LDPC_OK);
    assert_int_equal(ldpc_encode_columns(code, message, codewords, all), LDPC_OK);
    assert_int_equal(transmitted[codewords * n], 0xa5);
    for (size_t w = 0; w < codewords; w++) {
        const uint8_t *codeword = all + w * columns;
        if (ldpc_syndrome_weight(code, codeword))
            fail_msg("%s: codeword %zu of %zu is no codeword", ldpc_code_name(code), w, codewords);
        for (uint32_t i = 0; i < k; i++)
            assert_int_equal(codeword[ldpc_code_message_columns(code)[i]], message[w * k + i] & 1);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t column = ldpc_code_transmitted_columns(code)[i];
            assert_int_equal(transmitted[w * n + i], column == UINT32_MAX ? 0 : codeword[column]);
        }
        for (uint32_t i = 0; i < ldpc_code_shortened(code); i++)
            assert_int_equal(codeword[code->known_zero[i]], 0);
    }
    free(message);
    free(transmitted);
    free(all);
}

static void test_every_name(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = ldpc_code_list(i)); i++) {
        ldpc_code *code = create(name);
        if (ldpc_code_order(code) == 2)
            check_codewords(code, 3);
        ldpc_code_destroy(code);
    }
}

/* Tests batch sizes near multiples of 64 (lanes) and of 8 (bits of a byte). */
static void test_batches(void **state)
{
    (void)state;
    const size_t codewords[] = {1, 2, 7, 8, 9, 63, 64, 65, 130};
    ldpc_code *code = create("wifi:648:3/4");
    for (size_t i = 0; i < sizeof codewords / sizeof *codewords; i++)
        check_codewords(code, codewords[i]);
    ldpc_code_destroy(code);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    uint8_t message[324] = {0}, codeword[648];
    ldpc_code *code = create("wifi:648:1/2");
    assert_int_equal(ldpc_encode(NULL, message, 1, codeword), LDPC_ERR_NULL);
    assert_int_equal(ldpc_encode(code, NULL, 1, codeword), LDPC_ERR_NULL);
    assert_int_equal(ldpc_encode(code, message, 1, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_encode(code, message, 0, codeword), LDPC_ERR_RANGE);
    ldpc_code_destroy(code);
}

static void test_no_message_bits(void **state)
{
    (void)state;
    const uint32_t checks[] = {0, 1, 2, 2}, columns[] = {0, 1, 0, 1};
    uint8_t message[1] = {0}, codeword[2];
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(3, 2, checks, columns, 4, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_code_k(code), 0);
    assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_ERR_PARAM);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_no_message_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
