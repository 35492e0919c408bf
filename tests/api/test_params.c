/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests status and error message for invalid parameters and batches. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ldpc_decoder_params defaults(void)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    return params;
}

static void refuses(ldpc_decoder_params params, ldpc_status expected, const char *part)
{
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec = (ldpc_decoder *)code;
    ldpc_error err = {""};
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, &err), expected);
    assert_null(dec);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not contain \"%s\"", err.message, part);
    /* error details are optional */
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), expected);
    ldpc_code_destroy(code);
}

#define REFUSES(field, value, status, part)                                                                  \
    do {                                                                                                     \
        ldpc_decoder_params changed = defaults();                                                            \
        changed.field = value;                                                                               \
        refuses(changed, status, part);                                                                      \
    } while (0)

static void test_single_fields(void **state)
{
    (void)state;
    REFUSES(algorithm, (ldpc_algorithm)77, LDPC_ERR_PARAM, "algorithm 77");
    REFUSES(arithmetic, (ldpc_arithmetic)-1, LDPC_ERR_PARAM, "arithmetic");
    REFUSES(schedule, (ldpc_schedule)3, LDPC_ERR_PARAM, "schedule 3");
    REFUSES(max_iterations, 10001, LDPC_ERR_PARAM, "0 .. 10000");
    REFUSES(llr_scale, 0, LDPC_ERR_PARAM, "0.25 .. 64");
    REFUSES(llr_scale, 65, LDPC_ERR_PARAM, "0.25 .. 64");
    REFUSES(llr_scale, NAN, LDPC_ERR_PARAM, "0.25 .. 64");
    REFUSES(llr_scale, INFINITY, LDPC_ERR_PARAM, "0.25 .. 64");
    REFUSES(llr_limit, 128, LDPC_ERR_PARAM, "1 .. 127");
    REFUSES(llr_limit, UINT32_MAX, LDPC_ERR_PARAM, "1 .. 127");
    REFUSES(threads, 100000, LDPC_ERR_PARAM, "threads");
    REFUSES(max_batch, SIZE_MAX, LDPC_ERR_PARAM, "max_batch");
    REFUSES(backend, "auto", LDPC_ERR_PARAM, "no backend \"auto\": expected cpu, gpu, cuda or opencl");
    REFUSES(backend, "", LDPC_ERR_PARAM, "no backend \"\": expected cpu, ");
    REFUSES(kept, 5, LDPC_ERR_PARAM, "ems");
    REFUSES(kernel, "foo", LDPC_ERR_PARAM, "foo");
    REFUSES(kernel, "a-kernel-name-that-is-much-longer-than-any", LDPC_ERR_PARAM, "42 characters");
}

/* These values must equal those of python/libldpc/test_python_decoder.py. */
static void test_quantize(void **state)
{
    (void)state;
    const float nat[] = {-INFINITY, -2, 0.5f, 1.5f, 40}, not_a_number[] = {1, NAN};
    int8_t steps[5];
    assert_int_equal(ldpc_quantize(nat, 5, 1, steps), LDPC_OK);
    assert_memory_equal(steps, ((const int8_t[]){-127, -2, 0, 2, 40}), 5);
    assert_int_equal(ldpc_quantize(nat, 5, 64, steps), LDPC_OK);
    assert_memory_equal(steps, ((const int8_t[]){-127, -127, 32, 96, 127}), 5);
    assert_int_equal(ldpc_quantize(NULL, 5, 1, steps), LDPC_ERR_NULL);
    assert_int_equal(ldpc_quantize(nat, 5, 1, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_quantize(nat, 5, 0.2f, steps), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_quantize(nat, 5, 65, steps), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_quantize(nat, 5, NAN, steps), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_quantize(not_a_number, 2, 1, steps), LDPC_ERR_PARAM);
}

static void test_combinations(void **state)
{
    (void)state;
    ldpc_decoder_params params = defaults();
    params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
    params.arithmetic = LDPC_ARITHMETIC_I8;
    refuses(params, LDPC_ERR_PARAM, "sum-product: expected float arithmetic");

    REFUSES(offset, 1, LDPC_ERR_PARAM, "offset: expected a decoder with algorithm \"offset\"");
    REFUSES(factor, 0.75f, LDPC_ERR_PARAM, "factor: expected a decoder with algorithm \"normalized\"");

    params = defaults();
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.offset = 0.5f;
    refuses(params, LDPC_ERR_PARAM, "an integer number of LLR steps");
    params.offset = 1e9f;
    refuses(params, LDPC_ERR_PARAM, "0 .. ");
    params.offset = NAN;
    refuses(params, LDPC_ERR_PARAM, "0 .. ");

    params = defaults();
    params.algorithm = LDPC_ALGORITHM_NORMALIZED_MIN_SUM;
    params.factor = 2;
    refuses(params, LDPC_ERR_PARAM, "1/16 .. 1");
    params.factor = -1;
    refuses(params, LDPC_ERR_PARAM, "1/16 .. 1");
    params.factor = NAN;
    refuses(params, LDPC_ERR_PARAM, "1/16 .. 1");
    params.factor = 0.8f;
    refuses(params, LDPC_ERR_PARAM, "multiple of 1/16");
}

static void test_null_arguments(void **state)
{
    (void)state;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec;
    ldpc_error err = {""};
    assert_int_equal(ldpc_decoder_create(NULL, NULL, &dec, &err), LDPC_ERR_NULL);
    assert_string_equal(err.message, "code must not be NULL");
    assert_int_equal(ldpc_decoder_create(code, NULL, NULL, &err), LDPC_ERR_NULL);
    assert_string_equal(err.message, "dec must not be NULL");
    assert_int_equal(ldpc_decode(NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_submit(NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_collect(NULL, 0, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_set_early_stop(NULL, true), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_set_max_iterations(NULL, 1), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_set_offset(NULL, 1), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_set_factor(NULL, 1), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_set_notify(NULL, NULL, NULL), LDPC_ERR_NULL);
    ldpc_decoder_destroy(NULL);
    ldpc_decoder_params_init(NULL);
    ldpc_code_destroy(code);
}

static void refuses_batch(ldpc_decoder *dec, ldpc_batch batch, ldpc_status expected, const char *part)
{
    assert_int_equal(ldpc_decode(dec, &batch), expected);
    if (!strstr(ldpc_decoder_message(dec), part))
        fail_msg("\"%s\" does not contain \"%s\"", ldpc_decoder_message(dec), part);
    assert_int_equal(ldpc_submit(dec, &batch), expected);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_EMPTY);
}

/* Getters return 0, NULL or "" for a NULL handle. */
static void test_null_handles(void **state)
{
    (void)state;
    uint32_t degree = 7;
    assert_string_equal(ldpc_code_name(NULL), "");
    assert_string_equal(ldpc_code_standard(NULL), "");
    uint32_t (*const numbers[])(const ldpc_code *) = {
        ldpc_code_n,          ldpc_code_k,           ldpc_code_checks, ldpc_code_columns,
        ldpc_code_punctured,  ldpc_code_shortened,   ldpc_code_order,  ldpc_code_symbol_bits,
        ldpc_code_polynomial, ldpc_code_lifting_size};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_int_equal(numbers[i](NULL), 0);
    assert_int_equal(ldpc_code_edges(NULL), 0);
    assert_null(ldpc_code_check(NULL, 0, &degree));
    assert_int_equal(degree, 0);
    assert_null(ldpc_code_check_values(NULL, 0));
    assert_null(ldpc_code_transmitted_columns(NULL));
    assert_null(ldpc_code_message_columns(NULL));
    assert_int_equal(ldpc_code_girth(NULL, 8), 0);
    assert_true(ldpc_syndrome_weight(NULL, NULL) == UINT32_MAX);

    assert_null(ldpc_decoder_code(NULL));
    assert_string_equal(ldpc_decoder_backend(NULL), "");
    assert_string_equal(ldpc_decoder_kernel(NULL), "");
    assert_string_equal(ldpc_decoder_message(NULL), "");
    assert_int_equal(ldpc_decoder_algorithm(NULL), LDPC_ALGORITHM_AUTO);
    assert_int_equal(ldpc_decoder_arithmetic(NULL), LDPC_ARITHMETIC_AUTO);
    assert_int_equal(ldpc_decoder_schedule(NULL), LDPC_SCHEDULE_AUTO);
    assert_true(ldpc_decoder_llr_scale(NULL) == 0);
    assert_int_equal(ldpc_decoder_llr_limit(NULL), 0);
    assert_int_equal(ldpc_decoder_max_batch(NULL), 0);
    assert_int_equal(ldpc_decoder_good_batch(NULL), 0);
    assert_int_equal(ldpc_decoder_depth(NULL), 0);
    assert_null(ldpc_decoder_alloc(NULL, 1));
    ldpc_decoder_free(NULL, NULL);
    assert_int_equal(ldpc_decoder_register(NULL, &degree, 1), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_unregister(NULL, &degree), LDPC_ERR_NULL);
}

/* After success the message is empty, even if some kernels did not support the code. */
static void test_success_says_nothing(void **state)
{
    (void)state;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec;
    ldpc_error err = {"from an earlier call"};
    assert_int_equal(ldpc_decoder_create(code, NULL, &dec, &err), LDPC_OK);
    assert_string_equal(err.message, "");
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_batches(void **state)
{
    (void)state;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder_params params = defaults();
    params.max_batch = 4;
    ldpc_decoder *dec = make_decoder(code, &params);
    assert_string_equal(ldpc_decoder_message(dec), "");
    int8_t llr[24] = {0};
    float llr_float[24] = {0};
    uint8_t message[12];
    assert_int_equal(ldpc_decode(dec, NULL), LDPC_ERR_NULL);
    refuses_batch(dec, (ldpc_batch){.n_codewords = 0, .llr = llr, .message = message}, LDPC_ERR_RANGE,
                  "1 .. 4");
    refuses_batch(dec, (ldpc_batch){.n_codewords = 5, .llr = llr, .message = message}, LDPC_ERR_RANGE,
                  "1 .. 4");
    refuses_batch(dec, (ldpc_batch){.n_codewords = 1, .message = message}, LDPC_ERR_NULL, "no input");
    refuses_batch(dec, (ldpc_batch){.n_codewords = 1, .llr_float = llr_float}, LDPC_ERR_PARAM,
                  "float arithmetic");
    refuses_batch(dec, (ldpc_batch){.n_codewords = 1, .llr = llr, .llr_float = llr_float}, LDPC_ERR_PARAM,
                  "several inputs");
    /* all outputs are optional */
    assert_int_equal(ldpc_decode(dec, &(ldpc_batch){.n_codewords = 4, .llr = llr}), LDPC_OK);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* Rule that "auto" selects for each family (docs/measurements/error_rates.md). */
static void test_rule_of_a_family(void **state)
{
    static const struct {
        const char *name;
        ldpc_algorithm rule;
    } cases[] = {
        {"nr:bg1:32:2112",     LDPC_ALGORITHM_THREE_MIN        },
        {"nr:bg2:52:2600",     LDPC_ALGORITHM_THREE_MIN        },
        {"ccsds:tc:512",       LDPC_ALGORITHM_THREE_MIN        },
        {"ethernet:2048",      LDPC_ALGORITHM_THREE_MIN        },
        {"dvbs2x:16200:8/15",  LDPC_ALGORITHM_THREE_MIN        },
        {"atsc3:16200:8/15",   LDPC_ALGORITHM_THREE_MIN        },
        {"wimax:576:1/2",      LDPC_ALGORITHM_CORRECTED_MIN_SUM},
        {"dvbt2:16200:1/2",    LDPC_ALGORITHM_CORRECTED_MIN_SUM},
        {"ccsds:nb:cnbpb:128", LDPC_ALGORITHM_MIN_SUM          },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ldpc_code *code;
        ldpc_decoder *dec;
        assert_int_equal(ldpc_code_create(cases[i].name, &code, NULL), LDPC_OK);
        assert_int_equal(ldpc_decoder_create(code, NULL, &dec, NULL), LDPC_OK);
        assert_int_equal(ldpc_decoder_algorithm(dec), cases[i].rule);
        ldpc_decoder_destroy(dec);
        ldpc_code_destroy(code);
    }
}

static void test_getters_resolve_auto(void **state)
{
    (void)state;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder_params params = defaults();
    params.backend = "cpu";
    ldpc_decoder *dec = make_decoder(code, &params);
    assert_ptr_equal(ldpc_decoder_code(dec), code);
    assert_string_equal(ldpc_decoder_backend(dec), "cpu");
    assert_int_equal(ldpc_decoder_algorithm(dec), LDPC_ALGORITHM_CORRECTED_MIN_SUM);
    assert_int_equal(ldpc_decoder_arithmetic(dec), LDPC_ARITHMETIC_I8);
    assert_int_equal(ldpc_decoder_schedule(dec), LDPC_SCHEDULE_LAYERED);
    assert_true(ldpc_decoder_llr_scale(dec) == LDPC_DEFAULT_LLR_SCALE);
    assert_int_equal(ldpc_decoder_llr_limit(dec), LDPC_DEFAULT_LLR_LIMIT);
    assert_in_range(ldpc_decoder_good_batch(dec), 1, ldpc_decoder_max_batch(dec));
    assert_true(ldpc_decoder_depth(dec) >= 2);
    ldpc_decoder_destroy(dec);

    params.algorithm = LDPC_ALGORITHM_SUM_PRODUCT;
    params.max_batch = 3;
    params.threads = 0;
    params.llr_limit = 20;
    dec = make_decoder(code, &params);
    assert_int_equal(ldpc_decoder_arithmetic(dec), LDPC_ARITHMETIC_FLOAT);
    assert_int_equal(ldpc_decoder_llr_limit(dec), 127);
    assert_int_equal(ldpc_decoder_max_batch(dec), 3);
    assert_in_range(ldpc_decoder_good_batch(dec), 1, 3);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_lists(void **state)
{
    (void)state;
    const char *reason = NULL;
    bool cpu = false;
    for (size_t i = 0; ldpc_backend_list(i, &reason); i++) {
        assert_non_null(reason);
        cpu |= strcmp(ldpc_backend_list(i, NULL), "cpu") == 0 && reason[0] == 0;
    }
    assert_true(cpu);
    assert_string_equal(ldpc_kernel_list("cpu", 0), "ref");
    assert_null(ldpc_kernel_list("cpu", 1000));
    assert_null(ldpc_kernel_list("fpga", 0));
    assert_null(ldpc_kernel_list(NULL, 0));
    assert_null(ldpc_device_list("cpu", 0));
    assert_null(ldpc_device_list("fpga", 0));
}

static void check_fallback(ldpc_decoder_params params)
{
    const char *chosen = "";
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_error err = {""};
    assert_int_equal(ldpc_backend_choose(params.backend, false, &chosen, &err), LDPC_ERR_BACKEND);
    assert_null(chosen);
    assert_non_null(strstr(err.message, params.backend));
    assert_non_null(strstr(err.message, "; with fallback the CPU decodes"));
    refuses(params, LDPC_ERR_BACKEND, err.message);

    params.fallback = true;
    assert_int_equal(ldpc_backend_choose(params.backend, true, &chosen, &err), LDPC_OK);
    assert_string_equal(chosen, "cpu");
    assert_non_null(strstr(err.message, "; the CPU decodes instead"));
    ldpc_decoder *dec = make_decoder(code, &params);
    assert_string_equal(ldpc_decoder_backend(dec), "cpu");
    assert_string_equal(ldpc_decoder_message(dec), err.message);
    assert_true(ldpc_decoder_max_batch(dec) >= params.max_batch);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_where_to_decode(void **state)
{
    static const char *const gpus[] = {"gpu", "cuda", "opencl"};
    const char *chosen = "";
    ldpc_error err = {"before"};
    ldpc_decoder_params params = defaults();
    (void)state;
    assert_string_equal(params.backend, "cpu");
    assert_int_equal(ldpc_backend_choose("cpu", false, &chosen, &err), LDPC_OK);
    assert_string_equal(chosen, "cpu");
    assert_string_equal(err.message, "");
    assert_int_equal(ldpc_backend_choose("auto", true, &chosen, &err), LDPC_ERR_PARAM);
    assert_null(chosen);
    assert_int_equal(ldpc_backend_choose(NULL, true, &chosen, NULL), LDPC_OK);
    assert_string_equal(chosen, "cpu");
    assert_int_equal(ldpc_backend_choose("cpu", true, NULL, NULL), LDPC_ERR_NULL);
    params.kernel = "straight"; /* ignored by the CPU */
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        params.backend = gpus[i];
        params.max_batch = i ? 10000 : 3;
        if (ldpc_backend_choose(gpus[i], false, &chosen, NULL))
            check_fallback(params);
        else
            assert_string_not_equal(chosen, "cpu");
    }
    params.backend = "gpu";
    params.fallback = true;
    params.max_iterations = 10001; /* the caller's mistake */
    refuses(params, ldpc_backend_choose("gpu", false, &chosen, NULL) ? LDPC_ERR_BACKEND : LDPC_ERR_PARAM, "");
}

static void test_every_listed_kernel_can_be_forced(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_decoder_params params = defaults();
    params.backend = "cpu";
    for (size_t i = 0; (params.kernel = ldpc_kernel_list("cpu", i)); i++) {
        ldpc_decoder *dec;
        ldpc_status status = ldpc_decoder_create(code, &params, &dec, NULL);
        assert_true(status == LDPC_OK || status == LDPC_ERR_UNSUPPORTED);
        if (!status)
            assert_string_equal(ldpc_decoder_kernel(dec), params.kernel);
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

static void test_algorithm_by_text(void **state)
{
    static const char *const wrong[][2] = {
        {"turbo",                           "expected auto, min-sum"    },
        {"turbo:1",                         "found \"turbo:1\""         },
        {"",                                "found \"\""                },
        {"min-sum:1",                       "only offset and normalized"},
        {"offset:",                         "a number of 0 .. 63"       },
        {"offset:-1",                       "a number of 0 .. 63"       },
        {"normalized:0,75",                 "0.0625 .. 1"               },
        {"normalized:0.7.5",                "0.0625 .. 1"               },
        {"normalized:0",                    "0.0625 .. 1"               },
        {"normalized:nan",                  "0.0625 .. 1"               },
        {"offset:1 ",                       "a number"                  },
        {"offset-and-more-than-any-name:1", "expected auto"             },
    };
    (void)state;
    ldpc_decoder_params params = defaults();
    ldpc_error err;
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, "three-min", &err), LDPC_OK);
    assert_int_equal(params.algorithm, LDPC_ALGORITHM_THREE_MIN);
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, "offset:2", &err), LDPC_OK);
    assert_int_equal(params.algorithm, LDPC_ALGORITHM_OFFSET_MIN_SUM);
    assert_true(params.offset == 2);
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, "offset:1", &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "the offset is given twice"));
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, "normalized:0.75", NULL), LDPC_OK);
    assert_true(params.factor == 0.75f && params.offset == 2);
    const ldpc_decoder_params before = params = defaults();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ldpc_decoder_params_set_algorithm(&params, wrong[i][0], &err), LDPC_ERR_PARAM);
        assert_non_null(strstr(err.message, wrong[i][1]));
        assert_memory_equal(&params, &before, sizeof params);
    }
    char digits[600] = "offset:";
    memset(digits + 7, '9', sizeof digits - 8);
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, digits, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_decoder_params_set_algorithm(NULL, "auto", NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_params_set_algorithm(&params, NULL, NULL), LDPC_ERR_NULL);
}

static void test_names(void **state)
{
    (void)state;
    int algorithms = LDPC_ALGORITHM_AUTO;
    for (int i = algorithms; strcmp(ldpc_algorithm_name((ldpc_algorithm)i), "unknown"); algorithms = ++i) {
        ldpc_algorithm back;
        assert_int_equal(ldpc_algorithm_parse(ldpc_algorithm_name((ldpc_algorithm)i), &back), LDPC_OK);
        assert_int_equal(back, i);
    }
    assert_true(algorithms > LDPC_ALGORITHM_THREE_MIN);
    for (int i = LDPC_ARITHMETIC_AUTO; i <= LDPC_ARITHMETIC_FLOAT; i++) {
        ldpc_arithmetic back;
        assert_int_equal(ldpc_arithmetic_parse(ldpc_arithmetic_name((ldpc_arithmetic)i), &back), LDPC_OK);
        assert_int_equal(back, i);
    }
    for (int i = LDPC_SCHEDULE_AUTO; i <= LDPC_SCHEDULE_FLOODING; i++) {
        ldpc_schedule back;
        assert_int_equal(ldpc_schedule_parse(ldpc_schedule_name((ldpc_schedule)i), &back), LDPC_OK);
        assert_int_equal(back, i);
    }
    ldpc_algorithm algorithm = LDPC_ALGORITHM_MIN_SUM;
    assert_int_equal(ldpc_algorithm_parse("turbo", &algorithm), LDPC_ERR_PARAM);
    assert_int_equal(algorithm, LDPC_ALGORITHM_MIN_SUM);
    assert_int_equal(ldpc_algorithm_parse(NULL, &algorithm), LDPC_ERR_NULL);
    assert_int_equal(ldpc_schedule_parse("layered", NULL), LDPC_ERR_NULL);
    assert_string_equal(ldpc_algorithm_name((ldpc_algorithm)-1), "unknown");
    assert_string_equal(ldpc_status_string(LDPC_ERR_THREAD), "LDPC_ERR_THREAD");
    assert_non_null(ldpc_status_string((ldpc_status)12345));
    assert_string_equal(ldpc_version(), LDPC_VERSION_STRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_of_a_family),
        cmocka_unit_test(test_single_fields),
        cmocka_unit_test(test_quantize),
        cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_null_handles),
        cmocka_unit_test(test_success_says_nothing),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_getters_resolve_auto),
        cmocka_unit_test(test_where_to_decode),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_every_listed_kernel_can_be_forced),
        cmocka_unit_test(test_algorithm_by_text),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
