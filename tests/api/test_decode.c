/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that need no reference decoder: output formats, setters, properties. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint8_t packed_bit(const uint8_t *packed, size_t i)
{
    return packed[i / 8] >> (7 - i % 8) & 1;
}

/* A code without message columns can only return codewords. */
static void test_no_message_bits(void **state)
{
    (void)state;
    const uint32_t checks[] = {0, 1, 2, 2}, columns[] = {0, 1, 0, 1};
    const int8_t llr[2] = {20, 20};
    uint8_t bits[2] = {9, 9};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(3, 2, checks, columns, 4, &code, NULL), LDPC_OK);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_batch batch = {.n_codewords = 1, .llr = llr, .message = bits};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
    assert_non_null(
        strstr(ldpc_decoder_message(dec), "no message bits (k = 0): is its parity-check matrix of 3 rows"));
    batch = (ldpc_batch){.n_codewords = 1, .llr = llr, .codeword = bits};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    assert_int_equal(bits[0] | bits[1], 0);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_packed_equals_unpacked(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:5/6"); /* k = 540 is not a multiple of 8 */
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code), words_count = 5;
    codewords w = make_codewords(code, 3, 0, words_count);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_batch batch = batch_of(&w);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);

    params.packed = true;
    dec = make_decoder(code, &params);
    size_t k_bytes = (k + 7) / 8, n_bytes = (n + 7) / 8;
    uint8_t *message = malloc(words_count * k_bytes + 1), *codeword = malloc(words_count * n_bytes + 1);
    memset(message, 0xa5, words_count * k_bytes + 1);
    memset(codeword, 0xa5, words_count * n_bytes + 1);
    batch = (ldpc_batch){.n_codewords = words_count, .llr = w.llr, .message = message, .codeword = codeword};
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    for (size_t i = 0; i < words_count; i++) {
        for (size_t j = 0; j < 8 * k_bytes; j++)
            assert_int_equal(packed_bit(message + i * k_bytes, j), j < k ? w.message[i * k + j] : 0);
        for (size_t j = 0; j < 8 * n_bytes; j++)
            assert_int_equal(packed_bit(codeword + i * n_bytes, j), j < n ? w.codeword[i * n + j] : 0);
    }
    assert_int_equal(message[words_count * k_bytes], 0xa5);
    assert_int_equal(codeword[words_count * n_bytes], 0xa5);
    free(message);
    free(codeword);
    ldpc_decoder_destroy(dec);
    free_codewords(&w);
    ldpc_code_destroy(code);
}

static void test_outputs_agree(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:3/4A");
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    codewords w = make_codewords(code, 1, 0, 9); /* some converge */
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 5;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_batch batch = batch_of(&w);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    const uint32_t *transmitted = ldpc_code_transmitted_columns(code),
                   *of_message = ldpc_code_message_columns(code);
    uint8_t *columns = calloc(ldpc_code_columns(code), 1);
    size_t failed = 0;
    for (size_t i = 0; i < w.count; i++) {
        for (size_t j = 0; j < n; j++) {
            assert_int_equal(w.codeword[i * n + j], w.posterior[i * n + j] < 0);
            columns[transmitted[j]] = w.codeword[i * n + j];
        }
        for (size_t j = 0; j < k; j++)
            assert_int_equal(w.message[i * k + j], columns[of_message[j]]);
        assert_int_equal(w.info[i].unsatisfied, ldpc_syndrome_weight(code, columns));
        assert_int_equal(w.info[i].converged, w.info[i].unsatisfied == 0);
        failed += !w.info[i].converged;
        assert_int_equal(w.info[i].iterations < 5, w.info[i].converged && w.info[i].iterations < 5);
    }
    assert_in_range(failed, 1, w.count); /* some codewords must fail */
    free(columns);
    ldpc_decoder_destroy(dec);
    free_codewords(&w);
    ldpc_code_destroy(code);
}

/* The result of a codeword must not depend on its batch or on the number of threads. A batch of 7 codewords
 * must give the results of 7 batches with one codeword. */
static void test_batch_of_seven_equals_seven_of_one(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    codewords together = make_codewords(code, 1, 0, 7), alone = make_codewords(code, 1, 0, 7);
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.threads = threads;
        ldpc_decoder *dec = make_decoder(code, &params);
        ldpc_batch batch = batch_of(&together);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        for (size_t i = 0; i < 7; i++) {
            batch = (ldpc_batch){.n_codewords = 1,
                                 .llr = alone.llr + i * n,
                                 .message = alone.message + i * k,
                                 .codeword = alone.codeword + i * n,
                                 .posterior = alone.posterior + i * n,
                                 .info = alone.info + i};
            assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        }
        assert_same_codewords(code, &together, &alone);
        ldpc_decoder_destroy(dec);
    }
    free_codewords(&together);
    free_codewords(&alone);
    ldpc_code_destroy(code);
}

static void test_strong_codeword_stays(void **state)
{
    (void)state;
    ldpc_code *code = make_code("dvbt2:16200:3/5");
    codewords w = make_codewords(code, 40, 0, 2);
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    for (int early = 0; early < 2; early++) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.early_stop = early;
        params.max_iterations = 20;
        ldpc_decoder *dec = make_decoder(code, &params);
        ldpc_batch batch = batch_of(&w);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        assert_memory_equal(w.message, w.transmitted, w.count * k);
        for (size_t i = 0; i < w.count * n; i++)
            assert_int_equal(w.codeword[i], w.llr[i] < 0);
        for (size_t i = 0; i < w.count; i++) {
            assert_int_equal(w.info[i].converged, 1);
            assert_int_equal(w.info[i].iterations, early ? 0 : 20);
        }
        ldpc_decoder_destroy(dec);
    }
    free_codewords(&w);
    ldpc_code_destroy(code);
}

static codewords make_hard_codewords(const ldpc_code *code, size_t count, size_t wrong)
{
    codewords w = make_codewords(code, 40, 0, count);
    const size_t n = ldpc_code_n(code);
    for (size_t i = 0; i < count * n; i++)
        w.llr[i] = w.llr[i] < 0 ? -128 : 127;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < wrong; j++) {
            int8_t *llr = w.llr + i * n + (37 * i + j * (n / wrong)) % n;
            *llr = (int8_t)(-1 - *llr);
        }
    return w;
}

static size_t count_wrong_messages(const ldpc_code *code, const codewords *w,
                                   const ldpc_decoder_params *params)
{
    const size_t k = ldpc_code_k(code);
    ldpc_decoder *dec = make_decoder(code, params);
    const ldpc_batch batch = batch_of(w);
    size_t wrong = 0;
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    for (size_t i = 0; i < w->count; i++)
        wrong += memcmp(w->message + i * k, w->transmitted + i * k, k) != 0;
    ldpc_decoder_destroy(dec);
    return wrong;
}

/* If channel LLRs are limited, messages can correct wrong bits whose LLRs have maximum magnitude. */
static void test_large_wrong_llrs(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t wrong; /* bits of a codeword */
    } cases[] = {
        {"wifi:648:1/2",         17 },
        {"wimax:576:1/2",        12 },
        {"wigig:672:3/4",        5  },
        {"dvbt2:16200:1/2",      300},
        {"dvbs2x:16200:11/45",   300},
        {"nr:bg2:64:1280",       20 },
        {"ccsds:ar4ja:1024:1/2", 40 },
        {"atsc3:16200:8/15",     150},
        {"ethernet:2048",        8  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ldpc_code *code = make_code(cases[i].code);
        codewords w = make_hard_codewords(code, 20, cases[i].wrong);
        size_t without_limit = 0;
        for (int a = LDPC_ARITHMETIC_I8; a <= LDPC_ARITHMETIC_I16; a++)
            for (int s = LDPC_SCHEDULE_LAYERED; s <= LDPC_SCHEDULE_FLOODING; s++) {
                ldpc_decoder_params params;
                ldpc_decoder_params_init(&params);
                params.arithmetic = (ldpc_arithmetic)a;
                params.schedule = (ldpc_schedule)s;
                const size_t wrong = count_wrong_messages(code, &w, &params);
                if (wrong)
                    fail_msg("%s, %s, %s: %zu of %zu messages wrong", cases[i].code,
                             ldpc_arithmetic_name(params.arithmetic), ldpc_schedule_name(params.schedule),
                             wrong, w.count);
                params.llr_limit = 127;
                without_limit += count_wrong_messages(code, &w, &params);
            }
        assert_true(without_limit > 0); /* otherwise the test proves nothing */
        free_codewords(&w);
        ldpc_code_destroy(code);
    }
}

/* If the LLRs are negated where a codeword has ones, the posteriors at these positions are negated, too. This
 * holds in i16 without early stop, except for zeros and saturated values. */
static void test_linearity(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    codewords w = make_codewords(code, 2, 100, 1), flipped = make_codewords(code, 2, 100, 1);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.arithmetic = LDPC_ARITHMETIC_FLOAT; /* excludes ties and zeros */
    params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
    params.early_stop = false;
    params.max_iterations = 4;
    ldpc_decoder *dec = make_decoder(code, &params);
    uint8_t *message = malloc(k), *codeword = malloc(n);
    for (size_t i = 0; i < k; i++)
        message[i] = i % 3 == 1;
    assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
    for (size_t i = 0; i < n; i++) {
        w.llr[i] = (int8_t)(w.llr[i] == 0 ? 1 : w.llr[i] == -128 ? -127 : w.llr[i]);
        flipped.llr[i] = (int8_t)(codeword[i] ? -w.llr[i] : w.llr[i]);
    }
    ldpc_batch a = batch_of(&w), b = batch_of(&flipped);
    assert_int_equal(ldpc_decode(dec, &a), LDPC_OK);
    assert_int_equal(ldpc_decode(dec, &b), LDPC_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(flipped.posterior[i], codeword[i] ? -w.posterior[i] : w.posterior[i]);
    free(message);
    free(codeword);
    ldpc_decoder_destroy(dec);
    free_codewords(&w);
    free_codewords(&flipped);
    ldpc_code_destroy(code);
}

/* After a setter, the results are those of a decoder that was created with the new value. */
static void test_setters(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:2/3A");
    codewords set = make_codewords(code, 2, 0, 3), made = make_codewords(code, 2, 0, 3);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    ldpc_decoder *dec = make_decoder(code, &params);
    assert_int_equal(ldpc_decoder_set_offset(dec, 3), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 3), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK);
    /* a rejected value changes nothing */
    assert_int_equal(ldpc_decoder_set_offset(dec, 0.25f), LDPC_ERR_PARAM);
    assert_non_null(strstr(ldpc_decoder_message(dec), "an integer number of LLR steps"));
    assert_int_equal(ldpc_decoder_set_factor(dec, 0.5f), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, UINT32_MAX), LDPC_ERR_PARAM);
    ldpc_batch batch = batch_of(&set);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);

    params.offset = 3;
    params.max_iterations = 3;
    params.early_stop = false;
    dec = make_decoder(code, &params);
    batch = batch_of(&made);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);
    assert_same_codewords(code, &set, &made);
    assert_int_equal(set.info[0].iterations, 3);
    free_codewords(&set);
    free_codewords(&made);
    ldpc_code_destroy(code);
}

/* early_stop does not change the lane count of an existing decoder. */
static void check_late_setters(const ldpc_code *code, const char *kernel, bool early_stop)
{
    enum { CODEWORDS = 65 };
    codewords set = make_codewords(code, 2, 0, CODEWORDS), made = make_codewords(code, 2, 0, CODEWORDS);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.max_iterations = 3;
    params.backend = "cpu";
    params.kernel = kernel;
    params.early_stop = early_stop;
    ldpc_decoder *dec = make_decoder(code, &params);
    const size_t lanes = ldpc_decoder_lanes(dec);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, !early_stop), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_offset(dec, 3), LDPC_OK);
    assert_int_equal(ldpc_decoder_lanes(dec), lanes);
    ldpc_batch batch = batch_of(&set);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);

    params.offset = 3;
    params.early_stop = !early_stop;
    params.kernel = "ref";
    dec = make_decoder(code, &params);
    batch = batch_of(&made);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);
    assert_same_codewords(code, &set, &made);
    free_codewords(&set);
    free_codewords(&made);
}

/* Kernels for nonbinary codes do not support binary codes. */
static bool supports(const ldpc_code *code, const char *kernel)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_decoder_params_init(&params);
    params.kernel = kernel;
    params.backend = "cpu";
    ldpc_status status = ldpc_decoder_create(code, &params, &dec, NULL);
    ldpc_decoder_destroy(dec);
    assert_true(status == LDPC_OK || status == LDPC_ERR_UNSUPPORTED);
    return status == LDPC_OK;
}

static void test_late_setters(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2"); /* AVX2 decodes 16 or 32 codewords at once */
    const char *kernel;
    int supported = 0;
    for (size_t i = 0; (kernel = ldpc_kernel_list("cpu", i)); i++) {
        if (!supports(code, kernel))
            continue;
        supported++;
        check_late_setters(code, kernel, true);
        check_late_setters(code, kernel, false);
    }
    assert_true(supported >= 2); /* the reference and plain C */
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_message_bits),
        cmocka_unit_test(test_packed_equals_unpacked),
        cmocka_unit_test(test_outputs_agree),
        cmocka_unit_test(test_batch_of_seven_equals_seven_of_one),
        cmocka_unit_test(test_strong_codeword_stays),
        cmocka_unit_test(test_large_wrong_llrs),
        cmocka_unit_test(test_linearity),
        cmocka_unit_test(test_setters),
        cmocka_unit_test(test_late_setters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
