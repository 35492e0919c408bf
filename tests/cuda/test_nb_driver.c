/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests a code over GF(64) with the driver in host memory.
 *
 * The kernel decides bits by the signs of LLRs and returns costs unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host_driver.h"
#include "ldpc/ldpc.h"

enum { CODEWORDS = 150, SYMBOLS = 88, P = 6, Q = 64, BITS = SYMBOLS * P };

static void launch(void *function, const ldpc_cuda_args *a, unsigned blocks, unsigned threads)
{
    const int8_t *llr = (const int8_t *)(uintptr_t)a->llr;
    uint8_t *codeword = (uint8_t *)(uintptr_t)a->codeword;
    int16_t *posterior = (int16_t *)(uintptr_t)a->posterior;
    (void)function, (void)blocks, (void)threads;
    assert_true(!a->llr != !a->costs);
    for (uint32_t w = 0; w < a->n_codewords; w++)
        ((ldpc_codeword_info *)(uintptr_t)a->info)[w] = (ldpc_codeword_info){a->max_iterations, 0, 1, 1};
    for (size_t i = 0; llr && i < (size_t)a->n_codewords * BITS; i++) {
        codeword[i / 8] = (uint8_t)(codeword[i / 8] << 1 | (llr[i] < 0)); /* BITS must be a multiple of 8 */
        posterior[i] = llr[i];
    }
    if (a->costs)
        memcpy((void *)(uintptr_t)a->symbols, (const void *)(uintptr_t)a->costs,
               (size_t)a->n_codewords * SYMBOLS * Q);
}

static int8_t llr[CODEWORDS * BITS];
static uint8_t costs[CODEWORDS * SYMBOLS * Q], symbols[CODEWORDS * SYMBOLS * Q], bits[CODEWORDS * BITS];
static int16_t posterior[CODEWORDS * BITS];
static ldpc_codeword_info info[CODEWORDS];

static void fill(void)
{
    for (size_t i = 0; i < sizeof llr; i++)
        llr[i] = (int8_t)(i * i % 251 % 200 - 99);
    for (size_t i = 0; i < sizeof costs; i++)
        costs[i] = (uint8_t)(i * i % 241);
}

static const ldpc_batch bits_in = {
    .n_codewords = CODEWORDS, .llr = llr, .codeword = bits, .posterior = posterior, .info = info};
static const ldpc_batch costs_in = {
    .n_codewords = CODEWORDS, .symbol_costs = costs, .symbol_posterior = symbols, .info = info};

static void check_bits(void)
{
    for (size_t i = 0; i < sizeof bits; i++) {
        assert_int_equal(bits[i], llr[i] < 0);
        assert_int_equal(posterior[i], llr[i]);
    }
}

static ldpc_decoder_params parameters(void)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.max_batch = CODEWORDS;
    params.streams = 2;
    return params;
}

/* Uses a decoder. Returns the first error. */
static ldpc_status live(const ldpc_code *code)
{
    ldpc_decoder_params params = parameters();
    ldpc_decoder *dec;
    ldpc_status status = ldpc_decoder_create(code, &params, &dec, NULL);
    if (status)
        return status;
    assert_string_equal(ldpc_decoder_kernel(dec), "pairs");
    memset(bits, 7, sizeof bits);
    memset(symbols, 0, sizeof symbols);
    status = ldpc_decode(dec, &bits_in);
    if (!status)
        check_bits();
    if (!status)
        status = ldpc_decode(dec, &costs_in);
    if (!status)
        assert_memory_equal(symbols, costs, sizeof costs);
    ldpc_decoder_destroy(dec);
    return status;
}

static void test_both_inputs(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_decoder *dec;
    ldpc_decoder_params params = parameters();
    assert_int_equal(ldpc_code_create("bds:b1c:88", &code, NULL), LDPC_OK);
    assert_int_equal(live(code), LDPC_OK);
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
    memset(bits, 7, sizeof bits);
    memset(symbols, 0, sizeof symbols);
    assert_int_equal(ldpc_submit(dec, &bits_in), LDPC_OK);
    assert_int_equal(ldpc_submit(dec, &costs_in), LDPC_OK);
    assert_int_equal(ldpc_submit(dec, &costs_in), LDPC_AGAIN);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    check_bits();
    assert_memory_equal(symbols, costs, sizeof costs);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
    assert_int_equal(host_driver.live, 0);
}

static void test_nothing_is_left_behind(void **state)
{
    (void)state;
    ldpc_code *code;
    int failures = 0;
    assert_int_equal(ldpc_code_create("bds:b1c:88", &code, NULL), LDPC_OK);
    host_driver.calls = 0;
    assert_int_equal(live(code), LDPC_OK);
    int total = host_driver.calls;
    for (int n = 1; n <= total; n++) {
        host_driver.calls = 0;
        host_driver.fail_at = n;
        host_driver.result = CU_OUT_OF_MEMORY;
        failures += live(code) != LDPC_OK;
        assert_int_equal(host_driver.live, 0);
    }
    host_driver.fail_at = 0;
    assert_true(failures > total / 3);
    ldpc_code_destroy(code);
}

/* The backend rejects features that only the CPU supports, and it rejects binary kernels. Error messages name
 * the feature or the kernel. */
static void test_refusals(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_decoder *dec;
    ldpc_error err;
    ldpc_decoder_params params = parameters();
    assert_int_equal(ldpc_code_create("bds:b1c:88", &code, NULL), LDPC_OK);
    params.algorithm = LDPC_ALGORITHM_EMS;
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, &err), LDPC_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "\"pairs\" cannot decode bds:b1c:88 with ems, float"));
    params.algorithm = LDPC_ALGORITHM_AUTO;
    params.kernel = "any";
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, &err), LDPC_ERR_UNSUPPORTED);
    ldpc_code_destroy(code);
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    params.kernel = "pairs";
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, &err), LDPC_ERR_UNSUPPORTED);
    ldpc_code_destroy(code);
    assert_int_equal(host_driver.live, 0);
}

int main(void)
{
    host_driver.launch = launch;
    fill();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_inputs),
        cmocka_unit_test(test_nothing_is_left_behind),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
