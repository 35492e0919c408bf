/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests early stop of codewords that share a register. Finished codewords must not change. Every CPU kernel
 * must equal the reference, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "guarded.h"
#include "samples.h"

enum { ITERATIONS = 8 };

typedef struct outcome {
    guarded message, codeword, posterior, info;
    ldpc_batch batch;
} outcome;

static void make_outcome(outcome *o, const ldpc_code *code, const int8_t *llr, size_t n_codewords)
{
    size_t n = ldpc_code_n(code);
    o->batch = (ldpc_batch){
        .n_codewords = n_codewords,
        .llr = llr,
        .message = guarded_make(&o->message, n_codewords * row_bytes(ldpc_code_k(code), true)),
        .codeword = guarded_make(&o->codeword, n_codewords * row_bytes(n, true)),
        .posterior = guarded_make(&o->posterior, n_codewords * n * sizeof(int16_t)),
        .info = guarded_make(&o->info, n_codewords * sizeof(ldpc_codeword_info)),
    };
    memset(o->batch.info, 0, n_codewords * sizeof(ldpc_codeword_info)); /* padding */
}

static void free_outcome(outcome *o)
{
    free(o->message.memory);
    free(o->codeword.memory);
    free(o->posterior.memory);
    free(o->info.memory);
}

static void assert_same(const guarded *a, const guarded *b)
{
    assert_true(guarded_intact(a) && guarded_intact(b));
    assert_memory_equal(a->memory, b->memory, a->bytes + 2 * GUARD);
}

/* Returns NULL if the kernel does not support the code. */
static ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params,
                                  const char *kernel)
{
    ldpc_decoder_params with = *params;
    ldpc_decoder *dec;
    with.kernel = kernel;
    ldpc_status status = ldpc_decoder_create(code, &with, &dec, NULL);
    assert_true(status == LDPC_OK || status == LDPC_ERR_UNSUPPORTED);
    return dec;
}

/* Some codewords converge at once, some converge later, and some never. */
static void assert_varied(const ldpc_batch *batch)
{
    unsigned at_once = 0, later = 0, never = 0, different = 0;
    for (size_t w = 0; w < batch->n_codewords; w++) {
        const ldpc_codeword_info *info = &batch->info[w];
        at_once += info->iterations == 0;
        later += info->iterations > 0 && info->converged;
        never += info->iterations == ITERATIONS && !info->converged;
        different += w && info->iterations != info[-1].iterations;
    }
    assert_true(at_once && later && never);
    assert_in_range(different, 4, batch->n_codewords);
}

static void compare(ldpc_decoder *dec, ldpc_decoder *ref, const int8_t *llr, size_t n_codewords, bool varied)
{
    const ldpc_code *code = ldpc_decoder_code(dec);
    outcome got, expected;
    make_outcome(&got, code, llr, n_codewords);
    make_outcome(&expected, code, llr, n_codewords);
    assert_int_equal(ldpc_decode(dec, &got.batch), LDPC_OK);
    assert_int_equal(ldpc_decode(ref, &expected.batch), LDPC_OK);
    assert_same(&got.info, &expected.info);
    assert_same(&got.message, &expected.message);
    assert_same(&got.codeword, &expected.codeword);
    assert_same(&got.posterior, &expected.posterior);
    if (varied)
        assert_varied(&expected.batch);
    free_outcome(&got);
    free_outcome(&expected);
}

/* Tests batches with more codewords than lanes, in which new codewords replace finished codewords. Then tests
 * smaller batches. */
static void compare_samples(ldpc_decoder *dec, ldpc_decoder *ref, uint64_t seed)
{
    const ldpc_code *code = ldpc_decoder_code(dec);
    const size_t n = ldpc_code_n(code), lanes = ldpc_decoder_lanes(dec);
    const size_t n_codewords = 3 * lanes + 37;
    random_state random = {seed};
    guarded memory;
    int8_t *llr = guarded_make(&memory, n_codewords * n);
    for (size_t w = 0; w < n_codewords; w++)
        sample_codeword(&random, code, llr + w * n);
    compare(dec, ref, llr, n_codewords, true);
    free(memory.memory);
}

static void run_code(const char *name, ldpc_arithmetic arithmetic, ldpc_schedule schedule)
{
    ldpc_code *code = sample_code_create(name);
    ldpc_decoder_params params;
    const char *kernel;
    unsigned compared = 0;
    assert_non_null(code);
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.arithmetic = arithmetic;
    params.schedule = schedule;
    params.max_iterations = ITERATIONS;
    params.packed = true;
    ldpc_decoder *ref = make_decoder(code, &params, "ref");
    assert_non_null(ref);
    for (size_t i = 1; (kernel = ldpc_kernel_list("cpu", i)); i++) {
        ldpc_decoder *dec = make_decoder(code, &params, kernel);
        if (dec)
            compare_samples(dec, ref, i);
        compared += dec != NULL;
        ldpc_decoder_destroy(dec);
    }
    assert_true(compared > 0);
    ldpc_decoder_destroy(ref);
    ldpc_code_destroy(code);
}

static const char *const codes[] = {"wimax:576:1/2", "wimax:2304:5/6", "wifi:1944:1/2", "nr:bg2:52:2600",
                                    "ccsds:tc:128",  "ccsds:tc:512",   "random",        "folded"};

static void test_layered(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++)
        for (int arithmetic = LDPC_ARITHMETIC_I8; arithmetic <= LDPC_ARITHMETIC_FLOAT; arithmetic++)
            run_code(codes[c], (ldpc_arithmetic)arithmetic, LDPC_SCHEDULE_LAYERED);
}

static void test_long_code(void **state)
{
    (void)state;
    run_code("dvbt2:16200:1/2", LDPC_ARITHMETIC_I8, LDPC_SCHEDULE_LAYERED);
}

static void test_flooding(void **state)
{
    (void)state;
    run_code("wimax:576:1/2", LDPC_ARITHMETIC_I8, LDPC_SCHEDULE_FLOODING);
    run_code("wifi:1944:1/2", LDPC_ARITHMETIC_I16, LDPC_SCHEDULE_FLOODING);
}

/* Decodes smaller batches after a full batch. Unused lanes then hold old messages. */
static void compare_partial_batches(ldpc_decoder *dec, ldpc_decoder *ref)
{
    const ldpc_code *code = ldpc_decoder_code(dec);
    const size_t n = ldpc_code_n(code), lanes = ldpc_decoder_lanes(dec);
    random_state random = {lanes};
    guarded memory;
    int8_t *llr = guarded_make(&memory, lanes * n);
    for (size_t w = 0; w < lanes; w++)
        sample_codeword(&random, code, llr + w * n);
    for (size_t n_codewords = lanes; n_codewords > 0; n_codewords--) {
        compare(dec, ref, llr, lanes, false);
        compare(dec, ref, llr, n_codewords, false);
    }
    free(memory.memory);
}

/* Seven codewords share rows of several registers. The masks of finished codewords then differ between
 * registers. */
static void test_no_power_of_two(void **state)
{
    (void)state;
    ldpc_code *code = sample_code_create("sevens");
    ldpc_decoder_params params;
    const char *kernel;
    assert_non_null(code);
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.arithmetic = LDPC_ARITHMETIC_I8;
    params.max_iterations = ITERATIONS;
    params.packed = true;
    for (int early_stop = 0; early_stop < 2; early_stop++) {
        params.early_stop = early_stop;
        ldpc_decoder *ref = make_decoder(code, &params, "ref");
        for (size_t i = 1; (kernel = ldpc_kernel_list("cpu", i)); i++) {
            ldpc_decoder *dec = make_decoder(code, &params, kernel);
            const size_t lanes = dec ? ldpc_decoder_lanes(dec) : 1;
            if (strcmp(kernel, "avx512") == 0)
                assert_int_equal(lanes, 7);
            if (lanes > 1)
                compare_partial_batches(dec, ref);
            ldpc_decoder_destroy(dec);
        }
        ldpc_decoder_destroy(ref);
    }
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layered),
        cmocka_unit_test(test_long_code),
        cmocka_unit_test(test_flooding),
        cmocka_unit_test(test_no_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
