/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the reference with columns that occur several times in a layer. The expected values are computed by hand.
 *
 * One layer of two checks (z = 2) on column groups g0 = (v0, v2) and g1 = (v1, v3):
 *
 *   block 0: g0 shift 0     check 0 - v0     check 1 - v2
 *   block 1: g0 shift 1     check 0 - v2     check 1 - v0
 *   block 2: g1 shift 0     check 0 - v1     check 1 - v3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"

static const int8_t llr[4] = {4, 3, -2, 5};

/* Compares posteriors after min-sum decoding. Block 1 has no edge in lane `missing`. */
static void expect(uint32_t missing, ldpc_schedule schedule, uint32_t iterations, const int16_t expected[4])
{
    const uint32_t degrees[] = {3};
    const ldpc_block blocks[] = {
        {.group = 0, .shift = 0, .missing_lane = LDPC_NO_LANE},
        {.group = 0, .shift = 1, .missing_lane = missing     },
        {.group = 1, .shift = 0, .missing_lane = LDPC_NO_LANE},
    };
    ldpc_code *code = layers_create(2, 2, 1, degrees, blocks);
    assert_non_null(code);
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_FLOAT; a++) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.backend = "cpu";
        params.kernel = "ref";
        params.algorithm = LDPC_ALGORITHM_MIN_SUM;
        params.arithmetic = a;
        params.schedule = schedule;
        params.early_stop = false;
        params.max_iterations = iterations;
        ldpc_decoder *dec;
        int16_t posterior[4];
        assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
        ldpc_batch batch = {.n_codewords = 1, .llr = llr, .posterior = posterior};
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        assert_memory_equal(posterior, expected, sizeof posterior);
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

/* Iteration 1, every Q from the start:
 *   check 0: v0 4, v2 -2, v1 3: minima 2 and 3, odd:  R' = -2, +3, -2
 *   check 1: v2 -2, v0 4, v3 5: minima 2 and 4, odd:  R' = +4, -2, -2
 *   block 0 writes Q + R':       v0 = 4 - 2 = 2,  v2 = -2 + 4 = 2
 *   block 1 adds new - old:      v2 = 2 + 3 = 5,  v0 = 2 - 2 = 0
 *   block 2 writes Q + R':       v1 = 3 - 2 = 1,  v3 = 5 - 2 = 3
 * Iteration 2:
 *   check 0: v0 0+2 = 2, v2 5-3 = 2, v1 1+2 = 3: minima 2 and 2, even: R' = +2, +2, +2
 *   check 1: v2 5-4 = 1, v0 0+2 = 2, v3 3+2 = 5: minima 1 and 2, even: R' = +2, +1, +1
 *   block 0: v0 = 2 + 2 = 4,  v2 = 1 + 2 = 3
 *   block 1: v2 = 3 + (2 - 3) = 2,  v0 = 4 + (1 + 2) = 7
 *   block 2: v1 = 3 + 2 = 5,  v3 = 5 + 1 = 6 */
static void test_column_twice_in_a_layer(void **state)
{
    (void)state;
    expect(LDPC_NO_LANE, LDPC_SCHEDULE_LAYERED, 1, (const int16_t[]){0, 1, 5, 3});
    expect(LDPC_NO_LANE, LDPC_SCHEDULE_LAYERED, 2, (const int16_t[]){7, 5, 2, 6});
}

/* Check 0 has no edge in block 1:
 *   check 0: v0 4, v1 3: R' = +3, +4      check 1 as above: R' = +4, -2, -2
 *   block 0: v0 = 7, v2 = 2;  block 1: v0 = 7 - 2 = 5;  block 2: v1 = 7, v3 = 3 */
static void test_missing_edge(void **state)
{
    (void)state;
    expect(0, LDPC_SCHEDULE_LAYERED, 1, (const int16_t[]){5, 7, 2, 3});
}

/* First iteration: v0 = 4-2-2, v1 = 3-2, v2 = -2+4+3, v3 = 5-2.
 * Second iteration: v0 = 4+2+1, v1 = 3+2, v2 = -2+2+2, v3 = 5+1. */
static void test_flooding(void **state)
{
    (void)state;
    expect(LDPC_NO_LANE, LDPC_SCHEDULE_FLOODING, 1, (const int16_t[]){0, 1, 5, 3});
    expect(LDPC_NO_LANE, LDPC_SCHEDULE_FLOODING, 2, (const int16_t[]){7, 5, 2, 6});
}

/* LLRs start at 0 for punctured columns, and at +127 for known zeros. A constant zero is output as 0. */
static void test_columns_not_sent(void **state)
{
    (void)state;
    ldpc_code *code = sample_code_create("folded");
    assert_non_null(code);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.kernel = "ref";
    params.max_iterations = 0;
    params.early_stop = false;
    ldpc_decoder *dec;
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
    enum { N = 28 };
    assert_int_equal(ldpc_code_n(code), N);
    int8_t in[N];
    uint8_t message[9], codeword[N];
    int16_t posterior[N];
    for (int i = 0; i < N; i++)
        in[i] = (int8_t)(-1 - i);
    ldpc_batch batch = {
        .n_codewords = 1, .llr = in, .message = message, .codeword = codeword, .posterior = posterior};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    for (int i = 0; i < 9; i++) /* columns 0 and 1 are punctured, column 2 is shortened */
        assert_int_equal(message[i], i >= 3);
    for (int i = 0; i < N; i++) {
        assert_int_equal(posterior[i], i == N - 1 ? 127 : -1 - i);
        assert_int_equal(codeword[i], i != N - 1);
    }
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* The first of two columns is known, so its posterior stays +127. It sends a message of 31 to the second
 * column. The channel LLR of the second column is limited. Flooding limits each message. Float arithmetic has
 * no limit, so there the message is 127 steps. */
static void expect_limited(ldpc_arithmetic arithmetic, ldpc_schedule schedule, uint32_t limit, int8_t channel,
                           int16_t expected)
{
    static const ldpc_block blocks[] = {
        {.group = 0, .shift = 0, .missing_lane = LDPC_NO_LANE},
        {.group = 1, .shift = 0, .missing_lane = LDPC_NO_LANE}
    };
    const uint32_t degree[] = {2};
    ldpc_code *code = layers_create(1, 2, 1, degree, blocks);
    assert_non_null(code);
    code->shortened = code->n = code->k = 1;
    code->known_zero[0] = 0;
    code->transmitted[0] = code->message[0] = 1;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.kernel = "ref";
    params.algorithm = LDPC_ALGORITHM_MIN_SUM;
    params.arithmetic = arithmetic;
    params.schedule = schedule;
    params.early_stop = false;
    params.max_iterations = 2;
    params.llr_limit = limit;
    ldpc_decoder *dec;
    int16_t posterior;
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
    ldpc_batch batch = {.n_codewords = 1, .llr = &channel, .posterior = &posterior};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    assert_int_equal(posterior, expected);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_llr_limit(void **state)
{
    (void)state;
    for (ldpc_schedule s = LDPC_SCHEDULE_LAYERED; s <= LDPC_SCHEDULE_FLOODING; s++) {
        for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
            expect_limited(a, s, 3, 127, 3 + 31);
            expect_limited(a, s, 3, 3, 3 + 31);
            expect_limited(a, s, 3, 2, 2 + 31);
            expect_limited(a, s, 3, -2, -2 + 31);
            expect_limited(a, s, 3, -128, -3 + 31);
            expect_limited(a, s, 1, -77, -1 + 31);
            expect_limited(a, s, 127, -128, -127 + 31);
            expect_limited(a, s, 0, -100, -LDPC_DEFAULT_LLR_LIMIT + 31);
        }
        expect_limited(LDPC_ARITHMETIC_FLOAT, s, 3, -128, -127 + 127);
        expect_limited(LDPC_ARITHMETIC_FLOAT, s, 3, 50, 50 + 127);
    }
}

/* In sum-product, a check of degree one sends the limit of 256 nats. With steps of 1/4 nat and a channel LLR
 * of 1 nat, the posterior is 4 * (1 + 256). */
static void test_degree_one_sum_product(void **state)
{
    (void)state;
    static const ldpc_block block[] = {
        {.group = 0, .shift = 0, .missing_lane = LDPC_NO_LANE}
    };
    static const char *const kernels[] = {"ref", "scalar", NULL};
    const uint32_t degree[] = {1};
    ldpc_code *code = layers_create(1, 1, 1, degree, block);
    assert_non_null(code);
    for (size_t i = 0; i < 2 * sizeof kernels / sizeof *kernels; i++) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.backend = "cpu";
        params.kernel = kernels[i / 2];
        params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
        params.arithmetic = LDPC_ARITHMETIC_FLOAT;
        params.schedule = i % 2 ? LDPC_SCHEDULE_FLOODING : LDPC_SCHEDULE_LAYERED;
        params.llr_scale = 4;
        params.early_stop = false;
        params.max_iterations = 1;
        ldpc_decoder *dec;
        const float one_nat = 1;
        int16_t posterior;
        assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
        ldpc_batch batch = {.n_codewords = 1, .llr_float = &one_nat, .posterior = &posterior};
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        assert_int_equal(posterior, 4 * (1 + 256));
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column_twice_in_a_layer),
        cmocka_unit_test(test_missing_edge),
        cmocka_unit_test(test_flooding),
        cmocka_unit_test(test_columns_not_sent),
        cmocka_unit_test(test_llr_limit),
        cmocka_unit_test(test_degree_one_sum_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
