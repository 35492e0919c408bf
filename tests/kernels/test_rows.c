/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests each row of the CPU kernel table. Float min-sum is compared byte for byte, because all rows use the
 * same order of operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_kernel.h"
#include "plan/batch.h"
#include "plan/algorithms.h"
#include "samples.h"

enum { CODEWORDS = 5 };

typedef struct outcome {
    uint8_t *codewords;
    int16_t *posteriors;
    ldpc_codeword_info info[CODEWORDS];
} outcome;

static void decode(const ldpc_cpu_kernel *kernel, const ldpc_plan *plan, const int8_t *llr, outcome *out)
{
    ldpc_cpu_tables *tables;
    size_t n = plan->code->n;
    out->codewords = calloc(CODEWORDS, n);
    out->posteriors = calloc(CODEWORDS * n, sizeof *out->posteriors);
    assert_int_equal(kernel->create(plan, &tables), LDPC_OK);
    size_t bytes = (tables->scratch_bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
    void *scratch = aligned_alloc(LDPC_CPU_ALIGN, bytes);
    assert_true(out->codewords && out->posteriors && scratch);
    memset(scratch, 0, bytes);
    ldpc_batch batch = {
        .n_codewords = CODEWORDS,
        .llr = llr,
        .codeword = out->codewords,
        .posterior = out->posteriors,
        .info = out->info,
    };
    for (size_t w = 0; w < CODEWORDS; w += tables->codewords) {
        size_t count = CODEWORDS - w < tables->codewords ? CODEWORDS - w : tables->codewords;
        ldpc_batch part = ldpc_batch_slice(plan, &batch, w, count);
        kernel->decode(tables, scratch, &part);
    }
    kernel->destroy(tables);
    free(scratch);
}

static void assert_same(const ldpc_cpu_kernel *kernel, const ldpc_plan *plan, const int8_t *llr)
{
    outcome got, expected;
    size_t n = plan->code->n;
    decode(kernel, plan, llr, &got);
    decode(&ldpc_cpu_ref, plan, llr, &expected);
    for (size_t w = 0; w < CODEWORDS; w++) {
        assert_int_equal(got.info[w].iterations, expected.info[w].iterations);
        assert_int_equal(got.info[w].unsatisfied, expected.info[w].unsatisfied);
    }
    assert_memory_equal(got.codewords, expected.codewords, CODEWORDS * n);
    assert_memory_equal(got.posteriors, expected.posteriors, CODEWORDS * n * sizeof(int16_t));
    free(got.codewords);
    free(got.posteriors);
    free(expected.codewords);
    free(expected.posteriors);
}

static void run_code(const ldpc_cpu_kernel *kernel, const ldpc_code *code, ldpc_algorithm algorithm,
                     const int8_t *llr)
{
    random_state random = {code->n};
    for (int arithmetic = LDPC_ARITHMETIC_I8; arithmetic <= LDPC_ARITHMETIC_FLOAT; arithmetic++)
        for (int schedule = LDPC_SCHEDULE_LAYERED; schedule <= LDPC_SCHEDULE_FLOODING; schedule++)
            for (int early_stop = 0; early_stop < 2; early_stop++) {
                ldpc_decoder_params params;
                ldpc_plan plan;
                ldpc_decoder_params_init(&params);
                params.algorithm = algorithm;
                params.arithmetic = (ldpc_arithmetic)arithmetic;
                params.schedule = (ldpc_schedule)schedule;
                params.early_stop = early_stop;
                params.max_iterations = early_stop ? 7 : 2;
                params.llr_limit = early_stop ? sample_llr_limit(&random) : 127;
                assert_int_equal(ldpc_plan_init(&plan, code, &params, LDPC_ARITHMETIC_I8, NULL), LDPC_OK);
                if (!kernel->supports(&plan))
                    fail_msg("%s does not support %s in %s", kernel->name, ldpc_algorithm_name(algorithm),
                             ldpc_arithmetic_name(params.arithmetic));
                assert_same(kernel, &plan, llr);
                ldpc_plan_clear(&plan);
            }
}

/* Each row of the kernel table rounds the logarithms of sum-product differently. */
static bool compared(ldpc_algorithm algorithm)
{
    return algorithm != LDPC_ALGORITHM_SUM_PRODUCT && !ldpc_algorithm_only_nonbinary(algorithm);
}

static void run_row(const ldpc_cpu_kernel *kernel, const ldpc_code *code, const int8_t *llr)
{
    const unsigned preferences = LDPC_CPU_BLEND; /* a preference without instructions */
    if (kernel->nonbinary || (kernel->features & ~(ldpc_cpu_features() | preferences)))
        return;
    for (int algorithm = LDPC_ALGORITHM_MIN_SUM; algorithm <= LDPC_LAST_ALGORITHM; algorithm++)
        if (compared((ldpc_algorithm)algorithm))
            run_code(kernel, code, (ldpc_algorithm)algorithm, llr);
}

static void test_rows(void **state)
{
    static const char *const codes[] = {"tiny",   "irregular", "folded",       "alone",          "wide",
                                        "dyadic", "random",    "wifi:648:1/2", "dvbt2:16200:2/3"};
    const ldpc_cpu_kernel *kernel;
    (void)state;
    for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
        ldpc_code *code = sample_code_create(codes[c]);
        assert_non_null(code);
        int8_t *llr = malloc((size_t)CODEWORDS * ldpc_code_n(code));
        assert_non_null(llr);
        random_state random = {c + 1};
        for (size_t w = 0; w < CODEWORDS; w++)
            sample_codeword(&random, code, llr + w * ldpc_code_n(code));
        memset(llr, -127, ldpc_code_n(code));
        for (size_t i = 1; (kernel = ldpc_cpu_kernel_at(i)); i++)
            run_row(kernel, code, llr);
        free(llr);
        ldpc_code_destroy(code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
