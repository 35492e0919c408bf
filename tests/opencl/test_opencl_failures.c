/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests OpenCL in host memory. Each call fails once. No wrong codeword may be marked as decoded. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_opencl.h"
#include "ldpc/ldpc.h"

enum { CODEWORDS = 5, LOST = -9999, N = 648 };

static int8_t llr[CODEWORDS * N];
static uint8_t codeword[CODEWORDS * N];
static ldpc_codeword_info info[CODEWORDS];

static ldpc_code *prepare(void)
{
    ldpc_code *code;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    for (size_t i = 0; i < sizeof llr; i++)
        llr[i] = (int8_t)(i * i % 251 % 200 - 99);
    fake_opencl.calls = fake_opencl.fail_at = 0;
    fake_opencl.for_ever = false;
    return code;
}

static ldpc_status create(const ldpc_code *code, ldpc_decoder **dec, ldpc_error *err)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "opencl";
    params.kernel = "any";
    params.max_batch = CODEWORDS;
    *dec = NULL;
    return ldpc_decoder_create(code, &params, dec, err);
}

static void check_sentence(const char *text)
{
    assert_true(strlen(text) > 10);
    assert_null(strchr(text, '\n'));
}

/* Returns true if all codewords were decoded. */
static bool check_codewords(void)
{
    size_t decoded = 0;
    for (size_t w = 0; w < CODEWORDS; w++) {
        for (size_t i = 0; info[w].decoded && i < N; i++)
            assert_int_equal(codeword[w * N + i], llr[w * N + i] < 0);
        decoded += info[w].decoded;
    }
    return decoded == CODEWORDS;
}

/* Creates, uses and destroys a decoder. Returns true after success. */
static bool run(const ldpc_code *code)
{
    ldpc_decoder *dec;
    ldpc_error err = {""};
    if (create(code, &dec, &err)) {
        check_sentence(err.message);
        return false;
    }
    const ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = llr, .codeword = codeword, .info = info};
    memset(info, 7, sizeof info);
    bool good = !ldpc_decode(dec, &batch);
    if (!good)
        check_sentence(ldpc_decoder_message(dec));
    bool all = check_codewords();
    assert_true(all || !good);
    ldpc_decoder_destroy(dec);
    return good;
}

static void test_decodes(void **state)
{
    (void)state;
    ldpc_code *code = prepare();
    assert_true(run(code));
    assert_int_equal(fake_opencl.live, 0);
    assert_string_equal(ldpc_device_list("opencl", 0), "Fake device");
    assert_null(ldpc_device_list("opencl", 1));
    ldpc_code_destroy(code);
}

static void fail_in_turn(bool for_ever)
{
    ldpc_code *code = prepare();
    assert_true(run(code));
    const int calls = fake_opencl.calls;
    for (int i = 1; i <= calls; i++) {
        fake_opencl.calls = 0;
        fake_opencl.fail_at = i;
        fake_opencl.for_ever = for_ever;
        fake_opencl.result = LOST;
        run(code);
        assert_int_equal(fake_opencl.live, 0);
    }
    assert_true(calls > 50);
    fake_opencl.fail_at = 0;
    ldpc_code_destroy(code);
}

static void test_each_call_fails(void **state)
{
    (void)state;
    fail_in_turn(false);
}

static void test_device_is_lost(void **state)
{
    (void)state;
    fail_in_turn(true);
}

/* Creates a decoder while call i fails. Returns the status and the error message ("" after success). */
static ldpc_status creation(const ldpc_code *code, int i, int result, ldpc_error *err)
{
    ldpc_decoder *dec;
    fake_opencl.calls = 0;
    fake_opencl.fail_at = i;
    fake_opencl.result = result;
    err->message[0] = 0;
    ldpc_status status = create(code, &dec, err);
    fake_opencl.fail_at = 0;
    ldpc_decoder_destroy(dec);
    return status;
}

static void test_compiler_and_memory(void **state)
{
    (void)state;
    ldpc_code *code = prepare();
    ldpc_error err = {""};
    bool compiler = false, memory = false;
    for (int i = 1; i < 40; i++) {
        ldpc_status status = creation(code, i, CL_BUILD_PROGRAM_FAILURE, &err);
        compiler |= status == LDPC_ERR_DEVICE &&
                    strcmp(err.message, "OpenCL cannot compile the kernel: error: made to fail") == 0;
        status = creation(code, i, CL_OBJECT_ALLOCATION_FAILURE, &err);
        memory |= status == LDPC_ERR_MEMORY &&
                  strstr(err.message, "device memory for a batch cannot be allocated: out of memory");
    }
    assert_true(compiler);
    assert_true(memory);
    ldpc_code_destroy(code);
}

/* Checks the messages for the driver's error codes. */
static void test_numbers_have_a_meaning(void **state)
{
    (void)state;
    static const struct {
        int result;
        const char *text;
    } expected[] = {
        {CL_DEVICE_NOT_AVAILABLE,    "the device is not available (-2)"              },
        {CL_INVALID_WORK_GROUP_SIZE, "work-groups of this size (-54)"                },
        {CL_INVALID_BUFFER_SIZE,     "a buffer of this size (-61)"                   },
        {LOST,                       "a kernel failed, or the device is lost (-9999)"},
        {-4711,                      "unknown OpenCL error (-4711)"                  },
    };
    ldpc_code *code = prepare();
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        bool said = false;
        for (int call = 1; call < 40; call++) {
            ldpc_error err;
            creation(code, call, expected[i].result, &err);
            said |= strstr(err.message, expected[i].text) != NULL;
        }
        if (!said)
            fail_msg("no call that fails with %d reports \"%s\"", expected[i].result, expected[i].text);
    }
    ldpc_code_destroy(code);
}

/* A process searches for devices only once, so each case needs a new process. */
static bool says(unsigned platforms, unsigned devices, const char *expected)
{
    pid_t child = fork();
    if (child == 0) {
        const char *name, *reason = "";
        fake_opencl.platforms = platforms;
        fake_opencl.devices = devices;
        for (size_t i = 0; (name = ldpc_backend_list(i, &reason)) && strcmp(name, "opencl") != 0; i++)
            ;
        _exit(name && strcmp(reason, expected) == 0 ? 0 : 1);
    }
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

static void test_no_device(void **state)
{
    (void)state;
    assert_true(says(1, 1, ""));
    assert_true(says(
        0, 0,
        "OpenCL has no platform (no driver is installed): install the GPU's driver, or PoCL for the CPU"));
    assert_true(says(1, 0,
                     "no OpenCL platform has a device: the driver's GPU is absent, or this user is not "
                     "allowed to open it (groups render, video)"));
}

/* Returns true if opening backend "gpu" returns this status. CUDA is missing, and OpenCL has a device of this
 * type. */
static bool chooses(uint64_t type, ldpc_status expected)
{
    pid_t child = fork();
    if (child == 0) {
        const char *chosen;
        fake_opencl.type = type;
        if (!ldpc_backend_choose("cuda", false, &chosen, NULL))
            _exit(0);
        ldpc_status found = ldpc_backend_choose("gpu", false, &chosen, NULL);
        _exit(found == expected && (found || strcmp(chosen, "opencl") == 0) ? 0 : 1);
    }
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

static void test_backend_gpu(void **state)
{
    (void)state;
    assert_true(chooses(CL_DEVICE_TYPE_GPU, LDPC_OK));
    assert_true(chooses(CL_DEVICE_TYPE_CPU, LDPC_ERR_BACKEND));
}

/* Creates a decoder on a GPU with work-groups of most_threads. kernel: name or NULL. expected: name of the
 * used kernel, or error message. */
static void check_kernel(uint64_t most_threads, const char *code_name, ldpc_arithmetic arithmetic,
                         const char *kernel, const char *expected)
{
    pid_t child = fork();
    if (child == 0) {
        ldpc_decoder_params params;
        ldpc_decoder *dec;
        ldpc_code *code;
        ldpc_error err = {""};
        fake_opencl.type = CL_DEVICE_TYPE_GPU;
        fake_opencl.most_threads = most_threads;
        ldpc_decoder_params_init(&params);
        params.backend = "opencl";
        params.kernel = kernel;
        params.arithmetic = arithmetic;
        params.max_batch = CODEWORDS;
        if (ldpc_code_create(code_name, &code, NULL))
            _exit(1);
        bool created = !ldpc_decoder_create(code, &params, &dec, &err);
        const char *said = created ? ldpc_decoder_kernel(dec) : err.message;
        bool same = strcmp(said, expected) == 0;
        if (!same)
            fprintf(stderr, "%s: \"%s\", expected \"%s\"\n", code_name, said, expected);
        _exit(!same);
    }
    int status = 1;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
}

static void test_small_work_groups(void **state)
{
    (void)state;
    const char *large = "nr:bg1:384:16896", *small = "wifi:648:1/2";
    const ldpc_arithmetic i16 = LDPC_ARITHMETIC_I16, f = LDPC_ARITHMETIC_FLOAT;
    check_kernel(1024, large, i16, "", "straight");
    check_kernel(384, large, i16, "", "straight");
    check_kernel(256, large, i16, "", "any");
    check_kernel(256, small, i16, "", "straight");
    check_kernel(64, large, i16, "any", "any");
    check_kernel(256, large, f, "", "float");
    check_kernel(32, small, f, "float", "float");
    check_kernel(256, "bds:b1c:88", LDPC_ARITHMETIC_I8, "", "pairs");
    check_kernel(
        256, large, i16, "straight",
        "kernel \"straight\" cannot decode nr:bg1:384:16896 on this device: it needs work-groups of 384 "
        "work-items, the device supports at most 256");
    check_kernel(256, large, f, "straight",
                 "kernel \"straight\" cannot decode nr:bg1:384:16896 with three-min, float, layered");
    check_kernel(
        16, small, i16, "any",
        "kernel \"any\" cannot decode wifi:648:1/2 on this device: it needs work-groups of 32 work-items, "
        "the device supports at most 16");
}

/* A compiled kernel supports fewer work-items than the device. This is known only after compilation. */
static void test_small_work_groups_of_a_kernel(void **state)
{
    (void)state;
    const char *large = "nr:bg1:384:16896", *small = "wifi:648:1/2";
    const ldpc_arithmetic i16 = LDPC_ARITHMETIC_I16;
    fake_opencl.kernel_threads = 256;
    check_kernel(1024, large, i16, "", "any");
    check_kernel(1024, small, i16, "", "straight");
    check_kernel(
        1024, large, i16, "straight",
        "kernel \"straight\" cannot decode nr:bg1:384:16896 on this device: it needs work-groups of 384 "
        "work-items, the device supports at most 256");
    fake_opencl.kernel_threads = 64;
    check_kernel(1024, small, LDPC_ARITHMETIC_FLOAT, "", "float");
    fake_opencl.kernel_threads = 16;
    check_kernel(
        1024, small, i16, "any",
        "kernel \"any\" cannot decode wifi:648:1/2 on this device: it needs work-groups of 32 work-items, "
        "the device supports at most 16");
    fake_opencl.kernel_threads = 0;
}

/* The compiler refuses the first source. kernel: name, or NULL for any. */
static void check_refused(const char *kernel, const char *expected)
{
    pid_t child = fork();
    if (child == 0) {
        ldpc_decoder_params params;
        ldpc_decoder *dec;
        ldpc_error err = {""};
        fake_opencl.type = CL_DEVICE_TYPE_GPU;
        fake_opencl.refused_builds = 1;
        ldpc_decoder_params_init(&params);
        params.backend = "opencl";
        params.kernel = kernel;
        params.max_batch = CODEWORDS;
        ldpc_code *code = prepare();
        const bool created = !ldpc_decoder_create(code, &params, &dec, &err);
        const char *said = created ? ldpc_decoder_message(dec) : err.message;
        const bool same =
            strcmp(said, expected) == 0 && (!created || strcmp(ldpc_decoder_kernel(dec), "any") == 0);
        if (!same)
            fprintf(stderr, "\"%s\", expected \"%s\"\n", said, expected);
        _exit(!same);
    }
    int status = 1;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
}

static void test_refused_kernel(void **state)
{
    (void)state;
    check_refused("", "kernel \"straight\" cannot be built (OpenCL cannot compile the kernel: error: "
                      "made to fail): kernel \"any\" is used instead");
    check_refused("straight", "OpenCL cannot compile the kernel: error: made to fail");
}

/* NVIDIA reports 256 work-items for a kernel that can run with 1024. */
static void test_work_groups_of_nvidia(void **state)
{
    (void)state;
    fake_opencl.capability = 90;
    fake_opencl.kernel_threads = 256;
    check_kernel(1024, "nr:bg1:384:16896", LDPC_ARITHMETIC_I16, "", "straight");
    fake_opencl.kernel_threads = fake_opencl.capability = 0;
}

/* The fake OpenCL has one device, "Fake device" of the platform "2nd fake". */
static void test_lists_of_devices(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        ldpc_status status;
    } lists[] = {
        {"0",         LDPC_OK       },
        {"fake",      LDPC_OK       },
        {"2nd",       LDPC_OK       },
        {"cpu",       LDPC_OK       },
        {"all",       LDPC_OK       },
        {" 0 , fake", LDPC_OK       },
        {"0,0",       LDPC_OK       },
        {"cpu,0,2nd", LDPC_OK       },
        {"0,",        LDPC_ERR_PARAM},
        {"0,nosuch",  LDPC_ERR_PARAM},
        {" ",         LDPC_ERR_PARAM},
        {"0x",        LDPC_ERR_PARAM},
        {"0abc",      LDPC_ERR_PARAM},
        {"1",         LDPC_ERR_PARAM},
        {"gpu",       LDPC_ERR_PARAM},
        {"",          LDPC_ERR_PARAM},
    };
    ldpc_code *code = prepare();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ldpc_decoder_params params;
        ldpc_decoder *dec = NULL;
        ldpc_error err = {""};
        ldpc_decoder_params_init(&params);
        params.backend = "opencl";
        params.kernel = "any";
        params.devices = lists[i].list;
        params.max_batch = CODEWORDS;
        params.streams = 2;
        assert_int_equal(ldpc_decoder_create(code, &params, &dec, &err), lists[i].status);
        if (!lists[i].status)
            assert_int_equal(ldpc_decoder_depth(dec), 2); /* used once */
        else
            assert_non_null(strstr(err.message, "present: 0 (Fake device, 2nd fake)"));
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

/* A forked child has no driver threads, so its calls return an error. The parent continues. */
static void test_forked_child(void **state)
{
    (void)state;
    ldpc_code *code = prepare();
    assert_true(run(code));
    const int calls = fake_opencl.calls;
    pid_t child = fork();
    if (child == 0) {
        ldpc_decoder *dec;
        ldpc_error err = {""};
        bool refused = create(code, &dec, &err) == LDPC_ERR_BACKEND && strstr(err.message, "forked");
        _exit(!refused || fake_opencl.calls != calls);
    }
    int status = 1;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_true(run(code));
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_work_groups),
        cmocka_unit_test(test_small_work_groups_of_a_kernel),
        cmocka_unit_test(test_work_groups_of_nvidia),
        cmocka_unit_test(test_refused_kernel),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_backend_gpu),
        cmocka_unit_test(test_lists_of_devices),
        cmocka_unit_test(test_decodes),
        cmocka_unit_test(test_each_call_fails),
        cmocka_unit_test(test_device_is_lost),
        cmocka_unit_test(test_compiler_and_memory),
        cmocka_unit_test(test_numbers_have_a_meaning),
        cmocka_unit_test(test_forked_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
