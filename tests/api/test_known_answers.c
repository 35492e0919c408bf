/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests decoders with tiny codes. The expected posteriors of each check-node rule, schedule and limit are
 * computed by hand.
 *
 * The tiny code:  check 0: v0 v1 v3     check 1: v1 v2 v4     check 2: v0 v2 v5 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int8_t tiny_llr[6] = {5, -3, 4, 2, 6, 1};

static ldpc_decoder_params tiny_params(uint32_t iterations)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_MIN_SUM;
    params.max_iterations = iterations;
    params.early_stop = false;
    params.llr_limit = 127; /* with this magnitude, Q saturates */
    return params;
}

static ldpc_codeword_info decode_tiny(const ldpc_decoder_params *params, const int8_t *llr,
                                      int16_t *posterior)
{
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec = make_decoder(code, params);
    ldpc_codeword_info info;
    ldpc_batch batch = {.n_codewords = 1, .llr = llr, .posterior = posterior, .info = &info};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
    return info;
}

static void expect_tiny(ldpc_decoder_params params, const int16_t expected[6], uint32_t iterations,
                        uint32_t unsatisfied)
{
    int16_t posterior[6];
    ldpc_codeword_info info = decode_tiny(&params, tiny_llr, posterior);
    for (int i = 0; i < 6; i++)
        if (posterior[i] != expected[i])
            fail_msg("posterior %d is %d, expected %d", i, posterior[i], expected[i]);
    assert_int_equal(info.iterations, iterations);
    assert_int_equal(info.unsatisfied, unsatisfied);
    assert_int_equal(info.converged, unsatisfied == 0);
    assert_int_equal(info.decoded, 1);
}

/* Min-sum, layered, first iteration:
 *   check 0: Q = 5 -3 2, minima 2 and 3, signs odd: R' = -2 +2 -3, so v0 = 3, v1 = -1, v3 = -1
 *   check 1: Q = -1 4 6, minima 1 and 4, odd:       R' = +4 -1 -1, so v1 = 3, v2 = 3, v4 = 5
 *   check 2: Q = 3 3 1,  minima 1 and 3, even:      R' = +1 +1 +3, so v0 = 4, v2 = 4, v5 = 4
 * v3 is negative: check 0 fails. Second iteration:
 *   check 0: Q = 6 1 2,  minima 1 and 2, even:      R' = +1 +2 +1, so v0 = 7, v1 = 3, v3 = 3
 *   check 1: Q = -1 5 6, minima 1 and 5, odd:       R' = +5 -1 -1, so v1 = 4, v2 = 4, v4 = 5
 *   check 2: Q = 6 3 1,  minima 1 and 3, even:      R' = +1 +1 +3, so v0 = 7, v2 = 4, v5 = 4 */
static void test_layered_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_FLOAT; a++) {
        ldpc_decoder_params params = tiny_params(0);
        params.arithmetic = a;
        expect_tiny(params, (const int16_t[]){5, -3, 4, 2, 6, 1}, 0, 2);
        params.max_iterations = 1;
        expect_tiny(params, (const int16_t[]){4, 3, 4, -1, 5, 4}, 1, 1);
        params.max_iterations = 2;
        expect_tiny(params, (const int16_t[]){7, 4, 4, 3, 5, 4}, 2, 0);
        params.early_stop = true;
        params.max_iterations = 50;
        expect_tiny(params, (const int16_t[]){7, 4, 4, 3, 5, 4}, 2, 0);
    }
}

/* Flooding, first iteration, every Q is the channel LLR:
 *   check 0: R' = -2 +2 -3     check 1: Q = -3 4 6: R' = +4 -3 -3     check 2: Q = 5 4 1: R' = +1 +1 +4 */
static void test_flooding_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_FLOAT; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.arithmetic = a;
        params.schedule = LDPC_SCHEDULE_FLOODING;
        expect_tiny(params, (const int16_t[]){4, 3, 2, -1, 3, 5}, 1, 1);
    }
}

/* Offset 1, layered, first iteration:
 *   check 0: Q = 5 -3 2, R' = -1 +1 -2: v0 = 4, v1 = -2, v3 = 0
 *   check 1: Q = -2 4 6, minima 2 and 4: R' = +3 -1 -1: v1 = 1, v2 = 3, v4 = 5
 *   check 2: Q = 4 3 1, minima 1 and 3: R' = +0 +0 +2: v0 = 4, v2 = 3, v5 = 3 */
static void test_offset_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_FLOAT; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.arithmetic = a;
        params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
        params.offset = 1;
        expect_tiny(params, (const int16_t[]){4, 1, 3, 0, 5, 3}, 1, 0);
    }
}

/* Factor 8/16, layered, first iteration, products rounded down:
 *   check 0: Q = 5 -3 2, 2 -> 1, 3 -> 1: R' = -1 +1 -1: v0 = 4, v1 = -2, v3 = 1
 *   check 1: Q = -2 4 6, 2 -> 1, 4 -> 2: R' = +2 -1 -1: v1 = 0, v2 = 3, v4 = 5
 *   check 2: Q = 4 3 1,  1 -> 0, 3 -> 1: R' = +0 +0 +1: v0 = 4, v2 = 3, v5 = 2 */
static void test_factor_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.arithmetic = a;
        params.algorithm = LDPC_ALGORITHM_NORMALIZED_MIN_SUM;
        params.factor = 0.5f;
        expect_tiny(params, (const int16_t[]){4, 0, 3, 1, 5, 2}, 1, 0);
    }
}

/* Corrected min-sum at 3 steps per nat (offset 1, step 2 below a distance of 3), layered, first iteration:
 *   check 0: Q = 5 -3 2, u = 2, v = 3: msg_others = max(2-1-2, 1) = 1, msg_min = max(3-1, 2) = 2:
 *                                      v0 = 4, v1 = -2, v3 = 0
 *   check 1: Q = -2 4 6, u = 2, v = 4: msg_others = 1, msg_min = 3:
 *                                      v1 = 1, v2 = 3, v4 = 5
 *   check 2: Q = 4 3 1,  u = 1, v = 3: msg_others = max(1-1-2, 1) = 1, msg_min = 2:
 *                                      v0 = 5, v2 = 4, v5 = 3 */
static void test_corrected_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.llr_scale = 3;
        params.arithmetic = a;
        params.algorithm = LDPC_ALGORITHM_CORRECTED_MIN_SUM;
        expect_tiny(params, (const int16_t[]){5, 1, 4, 0, 5, 3}, 1, 0);
    }
}

/* The same with minima farther apart:
 *   check 0: Q = 20 -9 90, u = 9, v = 20: msg_others = max(9-1, 5) = 8, msg_min = 19:
 *                                         v0 = 12, v1 = 10, v3 = 82
 *   check 1: Q = 10 4 6,   u = 4, v = 6:  msg_others = max(4-3, 2) = 2, msg_min = 5:
 *                                         v1 = 12, v2 = 9, v4 = 8
 *   check 2: Q = 12 9 -40, u = 9, v = 12: msg_others = max(9-1, 5) = 8, msg_min = 11:
 *                                         v0 = 4, v2 = -2, v5 = -32
 * Messages are limited to 31: Q = -40 120 110: msg_others = min(39, 31) = 31.
 * Two edges may have the minimum 1: both get msg_min = 1-1 = 0, the third edge gets
 * msg_others = max(1-1-2, 1) = 1. */
static void test_corrected_far_apart(void **state)
{
    (void)state;
    ldpc_decoder_params params = tiny_params(1);
    params.llr_scale = 3;
    params.algorithm = LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    int16_t posterior[6];
    decode_tiny(&params, (const int8_t[]){20, -9, 4, 90, 6, -40}, posterior);
    const int16_t expected[6] = {4, 12, -2, 82, 8, -32};
    assert_memory_equal(posterior, expected, sizeof expected);
    decode_tiny(&params, (const int8_t[]){120, -40, 0, 110, 0, 0}, posterior);
    assert_int_equal(posterior[0], 120 - 31);
    assert_int_equal(posterior[3], 110 - 31);
    decode_tiny(&params, (const int8_t[]){1, 1, 0, 9, 0, 0}, posterior);
    assert_memory_equal(posterior, ((const int16_t[]){1, 1, 0, 10, 0, 0}), sizeof expected);
}

/* Three-min at 3 steps per nat subtracts
 *   from msg_others: the number of thresholds in {18, 10, 5} greater than (v - u) + (w - u)
 *   from msg_min:    the number of thresholds in {7, 3, 1} greater than w - v
 * Layered, first iteration:
 *   check 0: Q = 5 -3 2, u v w = 2 3 5: msg_others = max(2-3, 1) = 1, msg_min = 3-2 = 1:
 *                                       v0 = 4, v1 = -2, v3 = 1
 *   check 1: Q = -2 4 6, u v w = 2 4 6: msg_others = max(2-2, 1) = 1, msg_min = 4-2 = 2:
 *                                       v1 = 0, v2 = 3, v4 = 5
 *   check 2: Q = 4 3 1,  u v w = 1 3 4: msg_others = max(1-2, 1) = 1, msg_min = 3-2 = 1:
 *                                       v0 = 5, v2 = 4, v5 = 2 */
static void test_three_min_by_hand(void **state)
{
    (void)state;
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.llr_scale = 3;
        params.arithmetic = a;
        params.algorithm = LDPC_ALGORITHM_THREE_MIN;
        expect_tiny(params, (const int16_t[]){5, 0, 4, 1, 5, 2}, 1, 0);
    }
}

static void test_three_min_thresholds(void **state)
{
    static const int8_t u_v_w[][3] = {
        {20, 21, 23},
        {20, 21, 24},
        {20, 21, 28},
        {20, 21, 29},
        {20, 21, 36},
        {20, 21, 37},
        {20, 21, 21},
        {20, 21, 22},
        {20, 21, 27},
        {20, 29, 29},
    };
    static const int m1_m2[][2] = {
        {20 - 3, 21 - 2},
        {20 - 2, 21 - 1},
        {20 - 2, 21    },
        {20 - 1, 21    },
        {20 - 1, 21    },
        {20,     21    },
        {20 - 3, 21 - 3},
        {20 - 3, 21 - 2},
        {20 - 2, 21 - 1},
        {20,     29 - 3},
    };
    static const uint32_t checks[] = {0, 0, 0}, columns[] = {0, 1, 2};
    enum { CODEWORDS = sizeof u_v_w / sizeof u_v_w[0] };
    ldpc_code *code;
    (void)state;
    assert_int_equal(ldpc_code_create_edges(1, 3, checks, columns, 3, &code, NULL), LDPC_OK);
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.llr_scale = 3;
        params.arithmetic = a;
        params.algorithm = LDPC_ALGORITHM_THREE_MIN;
        ldpc_decoder *dec = make_decoder(code, &params);
        int16_t p[CODEWORDS][3];
        ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = u_v_w[0], .posterior = p[0]};
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        for (int i = 0; i < CODEWORDS; i++) {
            assert_int_equal(p[i][0], u_v_w[i][0] + m1_m2[i][1]);
            assert_int_equal(p[i][1], u_v_w[i][1] + m1_m2[i][0]);
            assert_int_equal(p[i][2], u_v_w[i][2] + m1_m2[i][0]);
        }
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

/* The same code as above with minima farther apart:
 *   check 0: Q = 20 -9 28, u v w = 9 20 28: msg_others = 9, msg_min = 20:
 *                                           v0 = 11, v1 = 11, v3 = 19
 *   check 1: Q = 11 4 6,   u v w = 4 6 11:  msg_others = 4-2 = 2, msg_min = 6-1 = 5:
 *                                           v1 = 13, v2 = 9, v4 = 8
 *   check 2: Q = 11 9 -40, u v w = 9 11 40: msg_others = 9, msg_min = 11:
 *                                           v0 = 2, v2 = -2, v5 = -31
 * Messages are limited: msg_others = min(40, 25) = 25 in i8, 31 in i16, msg_min = min(110, 31) = 31.
 * Two edges may have the minimum 1: both get msg_min = 1 (w - v = 8), the third edge gets
 * msg_others = max(1-2, 1) = 1. */
static void test_three_min_far_apart(void **state)
{
    (void)state;
    ldpc_decoder_params params = tiny_params(1);
    params.llr_scale = 3;
    params.algorithm = LDPC_ALGORITHM_THREE_MIN;
    int16_t posterior[6];
    decode_tiny(&params, (const int8_t[]){20, -9, 4, 28, 6, -40}, posterior);
    assert_memory_equal(posterior, ((const int16_t[]){2, 13, -2, 19, 8, -31}), sizeof posterior);
    decode_tiny(&params, (const int8_t[]){120, -40, 0, 110, 0, 0}, posterior);
    assert_int_equal(posterior[0], 120 - 25);
    assert_int_equal(posterior[1], -40 + 31);
    assert_int_equal(posterior[3], 110 - 25);
    params.arithmetic = LDPC_ARITHMETIC_I16;
    decode_tiny(&params, (const int8_t[]){120, -40, 0, 110, 0, 0}, posterior);
    assert_int_equal(posterior[0], 120 - 31);
    assert_int_equal(posterior[1], -40 + 31);
    params.arithmetic = LDPC_ARITHMETIC_I8;
    decode_tiny(&params, (const int8_t[]){1, 1, 0, 9, 0, 0}, posterior);
    assert_memory_equal(posterior, ((const int16_t[]){2, 2, 0, 10, 0, 0}), sizeof posterior);
}

/* LLRs in nats. The rule reduces msg_others by max(1/3, 0.8 - 0.4 (v - u)) and msg_min by max(0, 0.75 - 0.25
 * (w - v)). Inputs 2, 4, 5: msg_others = 2 - 1/3, msg_min = 4 - 1/2. Inputs 8, 8, 16: msg_others = 8 - 0.8,
 * msg_min = 8. In hundredths of a nat: */
static void test_three_min_float(void **state)
{
    (void)state;
    static const uint32_t checks[] = {0, 0, 0, 1, 1, 1}, columns[] = {0, 1, 2, 3, 4, 5};
    const float llr[6] = {2, -4, 5, 8, -8, -16};
    const int16_t expected[6] = {200 - 350, -400 + 167, 500 - 167, 800 + 800, -800 - 800, -1600 - 720};
    int16_t posterior[6];
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(2, 6, checks, columns, 6, &code, NULL), LDPC_OK);
    ldpc_decoder_params params = tiny_params(1);
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    params.algorithm = LDPC_ALGORITHM_THREE_MIN;
    params.llr_scale = 50; /* posteriors in fiftieths of a nat */
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_batch batch = {.n_codewords = 1, .llr_float = llr, .posterior = posterior};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    for (int i = 0; i < 6; i++)
        assert_in_range(2 * posterior[i] + 10000, expected[i] + 9999, expected[i] + 10001);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* A check of degree two sends to each bit the LLR of the other bit. Messages saturate. -128 is treated as
 * -127. */
static void test_saturation(void **state)
{
    (void)state;
    static const uint32_t checks[] = {0, 0}, columns[] = {0, 1};
    const int8_t llr[4] = {127, 120, -128, -127};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(1, 2, checks, columns, 2, &code, NULL), LDPC_OK);
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++) {
        ldpc_decoder_params params = tiny_params(1);
        params.arithmetic = a;
        ldpc_decoder *dec = make_decoder(code, &params);
        int16_t p[4];
        ldpc_batch batch = {.n_codewords = 2, .llr = llr, .posterior = p};
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        if (a == LDPC_ARITHMETIC_I8) {
            assert_int_equal(p[0], 127);
            assert_int_equal(p[1], 127);
            assert_int_equal(p[2], -128);
            assert_int_equal(p[3], -128);
        } else {
            assert_int_equal(p[0], 127 + 31); /* 31 is the largest message */
            assert_int_equal(p[1], 120 + 31);
            assert_int_equal(p[2], -127 - 31);
            assert_int_equal(p[3], -127 - 31);
        }
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

/* A check of degree one sends the largest message, with the sign of bit 0. A column without checks keeps its
 * channel LLR. */
static void test_degree_one(void **state)
{
    (void)state;
    static const uint32_t checks[] = {0, 1, 1}, columns[] = {0, 0, 1};
    const int8_t llr[3] = {-5, 7, -9};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(2, 3, checks, columns, 3, &code, NULL), LDPC_OK);
    for (ldpc_arithmetic a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_FLOAT; a++) {
        ldpc_decoder_params params = tiny_params(20);
        params.arithmetic = a;
        params.early_stop = true;
        ldpc_decoder *dec = make_decoder(code, &params);
        uint8_t bits[3];
        int16_t posterior[3];
        ldpc_codeword_info info;
        ldpc_batch batch = {
            .n_codewords = 1, .llr = llr, .codeword = bits, .posterior = posterior, .info = &info};
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        assert_int_equal(info.converged, 1);
        assert_int_equal(bits[0] + bits[1], 0);
        assert_int_equal(bits[2], 1);
        assert_int_equal(posterior[2], -9);
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

static void test_factor_setter(void **state)
{
    (void)state;
    int16_t expected[6], posterior[6];
    ldpc_decoder_params params = tiny_params(3);
    params.algorithm = LDPC_ALGORITHM_NORMALIZED_MIN_SUM;
    params.factor = 0.5f;
    decode_tiny(&params, tiny_llr, expected);
    params.factor = 0;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_code_destroy(code); /* the decoder owns a reference */
    assert_int_equal(ldpc_decoder_set_factor(dec, 0.5f), LDPC_OK);
    ldpc_batch batch = {.n_codewords = 1, .llr = tiny_llr, .posterior = posterior};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    assert_memory_equal(posterior, expected, sizeof expected);
    ldpc_decoder_destroy(dec);
}

/* In float arithmetic, int8 LLRs are in steps, and float LLRs in nats. NaN is an erasure. Infinite LLRs are
 * limited. */
static void test_float_input(void **state)
{
    (void)state;
    ldpc_decoder_params params = tiny_params(3);
    params.arithmetic = LDPC_ARITHMETIC_FLOAT;
    params.llr_scale = 2;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec = make_decoder(code, &params);
    int16_t from_steps[6], from_nat[6];
    float nat[6];
    for (int i = 0; i < 6; i++)
        nat[i] = tiny_llr[i] / 2.0f;
    assert_int_equal(
        ldpc_decode(dec, &(ldpc_batch){.n_codewords = 1, .llr = tiny_llr, .posterior = from_steps}), LDPC_OK);
    assert_int_equal(
        ldpc_decode(dec, &(ldpc_batch){.n_codewords = 1, .llr_float = nat, .posterior = from_nat}), LDPC_OK);
    assert_memory_equal(from_steps, from_nat, sizeof from_nat);

    const float odd[6] = {INFINITY, NAN, INFINITY, 1e30f, -0.0f, 3};
    uint8_t bits[6];
    ldpc_codeword_info info;
    assert_int_equal(
        ldpc_decode(dec, &(ldpc_batch){.n_codewords = 1, .llr_float = odd, .codeword = bits, .info = &info}),
        LDPC_OK);
    assert_int_equal(info.converged, 1);
    for (int i = 0; i < 6; i++)
        assert_int_equal(bits[i], 0);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layered_by_hand),     cmocka_unit_test(test_flooding_by_hand),
        cmocka_unit_test(test_offset_by_hand),      cmocka_unit_test(test_factor_by_hand),
        cmocka_unit_test(test_corrected_by_hand),   cmocka_unit_test(test_corrected_far_apart),
        cmocka_unit_test(test_three_min_by_hand),   cmocka_unit_test(test_three_min_thresholds),
        cmocka_unit_test(test_three_min_far_apart), cmocka_unit_test(test_three_min_float),
        cmocka_unit_test(test_saturation),          cmocka_unit_test(test_degree_one),
        cmocka_unit_test(test_factor_setter),       cmocka_unit_test(test_float_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
