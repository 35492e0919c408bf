/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles every run-time kernel for all families, several GPUs, both integer arithmetics, with and without
 * early stop. Needs NVRTC, but no GPU.
 *
 *     test_compile [STEP]        compiles for every STEP-th family, rule, GPU and float kernel; default 8 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/host/nvrtc.h"
#include "cuda/kernels/kernel.h"
#include "ldpc/ldpc.h"

static size_t step = 8;

static const ldpc_cuda_device hopper = {.capability = 90,
                                        .warps = true,
                                        .most_threads = 1024,
                                        .sms = 132,
                                        .shared_bytes = 232448,
                                        .shared_bytes_per_sm = 233472};

/* GPUs with less shared memory and fewer instructions. */
static const ldpc_cuda_device others[] = {
    {.capability = 75,
     .warps = true,
     .most_threads = 1024,
     .sms = 68,
     .shared_bytes = 65536,
     .shared_bytes_per_sm = 65536 },
    {.capability = 80,
     .warps = true,
     .most_threads = 1024,
     .sms = 108,
     .shared_bytes = 166912,
     .shared_bytes_per_sm = 167936},
    {.capability = 86,
     .warps = true,
     .most_threads = 1024,
     .sms = 84,
     .shared_bytes = 101376,
     .shared_bytes_per_sm = 102400},
    {.capability = 89,
     .warps = true,
     .most_threads = 1024,
     .sms = 128,
     .shared_bytes = 101376,
     .shared_bytes_per_sm = 102400},
    {.capability = 100,
     .warps = true,
     .most_threads = 1024,
     .sms = 148,
     .shared_bytes = 232448,
     .shared_bytes_per_sm = 233472},
    {.capability = 120,
     .warps = true,
     .most_threads = 1024,
     .sms = 170,
     .shared_bytes = 101376,
     .shared_bytes_per_sm = 102400},
};

/* NVRTC is slow in processes with sanitizers. These processes compile one program and only generate all other
 * sources. */
static bool compiles(void)
{
#ifdef __SANITIZE_ADDRESS__
    static unsigned programs;
    return programs++ == 0;
#else
    return true;
#endif
}

/* Generates and compiles one program, if the kernel supports the plan. */
static void compile_one(const ldpc_cuda_kernel *kernel, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_cuda_program program = {0};
    void *image;
    size_t bytes;
    ldpc_error err = {""};
    if (!ldpc_cuda_supports(kernel, plan, device))
        return;
    assert_int_equal(kernel->make(plan, device, &program), LDPC_OK);
    assert_true(program.threads >= 32 && program.threads <= 1024 && program.codewords > 0);
    assert_true(program.shared_bytes <= device->shared_bytes);
    if (program.source && compiles()) {
        const char *dump = getenv("LDPC_TEST_DUMP");
        FILE *file = dump ? fopen(dump, "w") : NULL;
        if (file) {
            fputs(program.source, file);
            fclose(file);
        }
        ldpc_status status = ldpc_cuda_compile(ldpc_nvrtc_open(), program.source, device->capability, NULL,
                                               &image, &bytes, &err);
        if (status)
            print_error("%s %s: %s\n", kernel->name, plan->code->name, err.message);
        assert_int_equal(status, LDPC_OK);
        assert_true(bytes > 1000);
        free(image);
    }
    ldpc_cuda_program_free(&program);
}

/* Compiles the last kernel that supports the plan, as a decoder does. */
static void compile_best(const char *name, const ldpc_decoder_params *params, const ldpc_cuda_device *device)
{
    ldpc_code *code;
    ldpc_plan plan;
    const ldpc_cuda_kernel *kernel, *best = NULL;
    assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_plan_init(&plan, code, params, LDPC_ARITHMETIC_I16, NULL), LDPC_OK);
    for (size_t i = 0; (kernel = ldpc_cuda_kernel_at(i)); i++)
        if (params->kernel ? strcmp(kernel->name, params->kernel) == 0
                           : !kernel->by_name && ldpc_cuda_supports(kernel, &plan, device))
            best = kernel;
    assert_non_null(best);
    compile_one(best, &plan, device);
    ldpc_plan_clear(&plan);
    ldpc_code_destroy(code);
}

static void compile_code(const char *name, ldpc_algorithm algorithm, ldpc_arithmetic arithmetic,
                         bool early_stop, const ldpc_cuda_device *device)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = algorithm;
    params.arithmetic = arithmetic;
    params.early_stop = early_stop;
    compile_best(name, &params, device);
}

/* Returns true if this NVRTC supports the architecture. */
static bool known(int capability)
{
    void *image;
    size_t bytes;
    bool ok = !ldpc_cuda_compile(ldpc_nvrtc_open(), "extern \"C\" __global__ void ldpc_decode() {}",
                                 capability, NULL, &image, &bytes, NULL);
    free(ok ? image : NULL);
    return ok;
}

static void skip_without_nvrtc(void)
{
    if (!ldpc_nvrtc_open()) {
        print_message("libnvrtc not found\n");
        skip();
    }
}

static void test_every_family(void **state)
{
    static const char *const names[] = {
        "wimax:2304:1/2",      "wimax:576:5/6",    "wifi:1944:1/2",        "wifi:648:5/6",
        "ethernet:2048",       "dvbs2:16200:8/9",  "dvbt2:16200:1/2",      "dvbs2:64800:9/10",
        "dvbt2:64800:1/2",     "nr:bg1:384:16896", "atsc3:64800:7/15",     "atsc3:16200:8/15",
        "dvbs2x:64800:90/180", "wigig:672:1/2",    "ccsds:ar4ja:1024:1/2", "ccsds:c2:8176"};
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < sizeof names / sizeof *names; i += step)
        compile_code(names[i], LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I16, i / step % 2, &hopper);
}

static void test_rules_and_arithmetics(void **state)
{
    (void)state;
    skip_without_nvrtc();
    for (int algorithm = LDPC_ALGORITHM_MIN_SUM; algorithm <= LDPC_ALGORITHM_CORRECTED_MIN_SUM;
         algorithm += (int)step)
        compile_code("wimax:576:1/2", (ldpc_algorithm)algorithm, LDPC_ARITHMETIC_I16, true, &hopper);
    compile_code("wimax:576:1/2", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I8, true, &hopper);
    compile_code("wifi:1944:1/2", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I8, true, &hopper);
    if (step > 1)
        return;
    compile_code("wimax:576:5/6", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I16, false, &hopper);
    compile_code("dvbs2x:32400:1/3", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I16, true, &hopper);
    compile_code("wimax:576:1/2", LDPC_ALGORITHM_THREE_MIN, LDPC_ARITHMETIC_I16, false, &others[0]);
    compile_code("wimax:2304:1/2", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I8, false, &hopper);
}

/* Tests larger fields for the newest and the oldest instruction set. */
static void test_larger_fields(void **state)
{
    (void)state;
    skip_without_nvrtc();
    compile_code("bds:b1c:88", LDPC_ALGORITHM_MIN_SUM, LDPC_ARITHMETIC_I8, true, &hopper);
    compile_code("bds:b1c:88", LDPC_ALGORITHM_MIN_MAX, LDPC_ARITHMETIC_I8, true, &others[0]);
}

/* Skips devices that this NVRTC does not support. */
static void test_other_devices(void **state)
{
    ldpc_decoder_params chip;
    (void)state;
    skip_without_nvrtc();
    ldpc_decoder_params_init(&chip);
    chip.kernel = "chip";
    for (size_t i = 0; i < sizeof others / sizeof *others; i += step) {
        if (!known(others[i].capability))
            continue;
        compile_code("wifi:648:5/6", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I16, i / step % 2, &others[i]);
        compile_code("ethernet:2048", LDPC_ALGORITHM_AUTO, LDPC_ARITHMETIC_I16, i / step % 2, &others[i]);
        compile_best("atsc3:16200:2/15", &chip, &others[i]);
    }
}

static void test_float(void **state)
{
    static const struct {
        const char *code;
        ldpc_algorithm algorithm;
        ldpc_schedule schedule;
        const char *kernel;
    } cases[] = {
        {"wimax:576:1/2",    LDPC_ALGORITHM_SUM_PRODUCT,        LDPC_SCHEDULE_LAYERED,  NULL      },
        {"wimax:576:1/2",    LDPC_ALGORITHM_CORRECTED_MIN_SUM,  LDPC_SCHEDULE_FLOODING, NULL      },
        {"dvbs2:64800:9/10", LDPC_ALGORITHM_SUM_PRODUCT,        LDPC_SCHEDULE_LAYERED,  NULL      },
        {"wimax:576:1/2",    LDPC_ALGORITHM_THREE_MIN,          LDPC_SCHEDULE_FLOODING, "wang2013"},
        {"nr:bg2:2:100",     LDPC_ALGORITHM_NORMALIZED_MIN_SUM, LDPC_SCHEDULE_LAYERED,  NULL      },
        {"wimax:576:1/2",    LDPC_ALGORITHM_THREE_MIN,          LDPC_SCHEDULE_LAYERED,  NULL      },
        {"wimax:576:1/2",    LDPC_ALGORITHM_SUM_PRODUCT,        LDPC_SCHEDULE_FLOODING, "wang2013"},
        {"wimax:576:1/2",    LDPC_ALGORITHM_OFFSET_MIN_SUM,     LDPC_SCHEDULE_FLOODING, "wang2013"},
        {"dvbs2:64800:1/2",  LDPC_ALGORITHM_MIN_SUM,            LDPC_SCHEDULE_FLOODING, NULL      },
    };
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += step) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.arithmetic = LDPC_ARITHMETIC_FLOAT;
        params.algorithm = cases[i].algorithm;
        params.schedule = cases[i].schedule;
        params.kernel = cases[i].kernel;
        compile_best(cases[i].code, &params, &hopper);
        if (known(others[0].capability))
            compile_best(cases[i].code, &params, &others[0]);
    }
}

/* Compiles "any" at run time for three-min. */
static void test_any(void **state)
{
    (void)state;
    skip_without_nvrtc();
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_THREE_MIN;
    params.schedule = LDPC_SCHEDULE_FLOODING;
    params.kernel = "any";
    compile_best("wimax:576:1/2", &params, &hopper);
}

static void test_smaller_layouts(void **state)
{
    static const char *const kernels[] = {"straight48", "straight99"};
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < 2; i += step) {
        ldpc_decoder_params params;
        ldpc_decoder_params_init(&params);
        params.kernel = kernels[i];
        compile_best("wifi:1944:5/6", &params, &hopper);
    }
}

/* Compiles the program of the simulation. */
static void test_simulation(void **state)
{
    (void)state;
    skip_without_nvrtc();
    char *source = ldpc_cuda_join(ldpc_cuda_text_channel_math, ldpc_cuda_text_simulate);
    assert_non_null(source);
    const int capabilities[] = {others[0].capability, hopper.capability};
    for (size_t i = 0; i < 2; i += step) {
        void *image;
        size_t bytes;
        ldpc_error err = {""};
        if (!known(capabilities[i]))
            continue;
        if (ldpc_cuda_compile(ldpc_nvrtc_open(), source, capabilities[i], NULL, &image, &bytes, &err))
            fail_msg("%s", err.message);
        assert_true(bytes > 1000);
        free(image);
    }
    free(source);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        step = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_family),  cmocka_unit_test(test_rules_and_arithmetics),
        cmocka_unit_test(test_larger_fields), cmocka_unit_test(test_other_devices),
        cmocka_unit_test(test_float),         cmocka_unit_test(test_smaller_layouts),
        cmocka_unit_test(test_simulation),    cmocka_unit_test(test_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
