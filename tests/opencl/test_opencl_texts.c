/* SPDX-License-Identifier: BSD-3-Clause */
/* clang must accept every kernel's OpenCL C without warnings, with and without cl_khr_fp16. PoCL on a CPU
 * does not support cl_khr_fp16. Skipped without clang. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/kernels/kernel.h"
#include "ldpc/ldpc.h"

/* A GPU of another vendor. */
static const ldpc_cuda_device device = {
    .sms = 32, .most_threads = 256, .shared_bytes = 65536, .shared_bytes_per_sm = 65536, .opencl = true};

static void check_text(const char *text, unsigned threads, const char *extension)
{
    char path[] = "/tmp/ldpc_text_XXXXXX", command[400];
    int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             "clang -x cl -cl-std=CL1.2 -target spir64 -nostdlibinc -Xclang -finclude-default-header "
             "-Xclang -cl-ext=%scl_khr_fp16 -D__OPENCL_VERSION__=120 -DLDPC_THREADS=%u -fsyntax-only "
             "-Wall -Wextra -Wno-unused -Wno-unused-parameter -Wno-constant-logical-operand -Werror %s",
             extension, threads, path);
    int result = system(command);
    remove(path);
    assert_int_equal(result, 0);
}

static void check_plan(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan)
{
    ldpc_cuda_program program = {0};
    assert_int_equal(kernel->make(plan, &device, &program), LDPC_OK);
    check_text(program.source, program.threads, "+");
    check_text(program.source, program.threads, "-");
    ldpc_cuda_program_free(&program);
}

/* Tests all kernels for the code and the rule. Returns the number of kernels. */
static size_t check(const char *name, ldpc_algorithm algorithm, ldpc_arithmetic arithmetic, bool early_stop)
{
    ldpc_decoder_params params;
    ldpc_code *code;
    ldpc_plan plan;
    const ldpc_cuda_kernel *kernel;
    size_t checked = 0;
    ldpc_decoder_params_init(&params);
    params.algorithm = algorithm;
    params.arithmetic = arithmetic;
    params.early_stop = early_stop;
    assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_plan_init(&plan, code, &params, LDPC_ARITHMETIC_I16, NULL), LDPC_OK);
    for (size_t i = 0; (kernel = ldpc_cuda_kernel_at(i)); i++)
        if (kernel->opencl && ldpc_cuda_supports(kernel, &plan, &device)) {
            check_plan(kernel, &plan);
            checked++;
        }
    ldpc_plan_clear(&plan);
    ldpc_code_destroy(code);
    return checked;
}

static void test_integers(void **state)
{
    (void)state;
    for (int algorithm = LDPC_ALGORITHM_MIN_SUM; algorithm <= LDPC_ALGORITHM_CORRECTED_MIN_SUM; algorithm++)
        assert_int_equal(check("wimax:576:1/2", (ldpc_algorithm)algorithm, LDPC_ARITHMETIC_I16, true), 2);
    assert_int_equal(check("wifi:648:5/6", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I16, false), 2);
    assert_int_equal(check("wifi:648:5/6", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I8, true), 2);
    assert_int_equal(check("nr:bg2:64:3200", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I8, false), 2);
    assert_int_equal(check("nr:bg1:384:16896", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I16, true), 1);
}

static void test_float(void **state)
{
    static const ldpc_algorithm rules[] = {LDPC_ALGORITHM_CORRECTED_MIN_SUM, LDPC_ALGORITHM_THREE_MIN,
                                           LDPC_ALGORITHM_SUM_PRODUCT};
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_int_equal(check("wimax:576:1/2", rules[i], LDPC_ARITHMETIC_FLOAT, i % 2), 1);
}

static void test_larger_fields(void **state)
{
    (void)state;
    assert_int_equal(check("bds:b1c:88", LDPC_ALGORITHM_MIN_MAX, LDPC_ARITHMETIC_I8, true), 1);
    assert_int_equal(check("ccsds:nb:cnbpb:128", LDPC_ALGORITHM_MIN_SUM, LDPC_ARITHMETIC_I8, false), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_larger_fields),
    };
    if (system("command -v clang >/dev/null")) {
        puts("clang not found");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
