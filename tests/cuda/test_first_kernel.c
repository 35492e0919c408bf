/* SPDX-License-Identifier: BSD-3-Clause */
/* A decoder starts with "any" and changes to its compiled kernel between batches. No call waits for the
 * compiler. Skipped if nvcc has not compiled "any". */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <dirent.h>
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

#include "first_kernel.h"
#include "host_driver.h"

enum { SECONDS = 60 }; /* a hanging child */

/* ---- the change */

static void test_any_until_compiled(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    first_kernel_check(dec, &w, "any");
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_AGAIN);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 1000), LDPC_AGAIN);
    first_kernel_check(dec, &w, "any");
    size_t lanes = ldpc_decoder_lanes(dec);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    assert_int_not_equal(ldpc_decoder_lanes(dec), lanes);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_OK);
    assert_string_equal(ldpc_decoder_message(dec), "");
    first_kernel_destroy(dec, &w);
}

static void test_batches_take_over(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    first_kernel_check(dec, &w, "any");
    host_driver_release_compiler();
    while (strcmp(ldpc_decoder_kernel(dec), "straight") != 0) {
        codewords_clear(&w);
        assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
        assert_int_equal(codewords_check(&w), 0);
    }
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

/* The first program stays loaded while batches use it. */
static void test_with_batches_in_flight(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++) { /* allocates all memory before the GPU hangs */
        assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    }
    host_driver_hang(0, true);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    int live = host_driver.live;
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 1000), LDPC_AGAIN);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    assert_ptr_equal(first_kernel_launched, &first_kernel_any);
    host_driver_hang(0, false);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    assert_true(host_driver.live > live);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    assert_ptr_equal(first_kernel_launched, &first_kernel_compiled);
    for (int i = 0; i < 3; i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(codewords_check(&w), 0);
    first_kernel_destroy(dec, &w);
}

static void test_named_kernels_are_compiled_at_once(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver_release_compiler();
    const ldpc_decoder_params params = codewords_parameters("straight");
    ldpc_decoder *dec = first_kernel_make(&w, &params);
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

static void test_setters_begin_again(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    ldpc_decoder *dec = first_kernel_make(&w, &params);
    assert_int_equal(ldpc_decoder_set_offset(dec, 2), LDPC_OK); /* starts a compilation */
    first_kernel_check(dec, &w, "any");
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    assert_int_equal(host_driver.compiled, 1); /* the older compilation was dropped */
    first_kernel_check(dec, &w, "straight");
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 7), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    host_driver.compiler_works = true;
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK);
    first_kernel_check(dec, &w, "any");
    assert_int_equal(w.info[0].iterations, 7);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

static void test_several_gpus(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.devices = "all";
    ldpc_decoder *dec = first_kernel_make(&w, &params);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
        assert_ptr_equal(first_kernel_launched, &first_kernel_compiled);
    }
    first_kernel_destroy(dec, &w);
}

/* ---- a folder of compiled programs */

static void empty(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[400];
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    closedir(dir);
}

static void test_programs_of_the_cache(void **state)
{
    (void)state;
    codewords w;
    char folder[] = "/tmp/ldpc_first_XXXXXX";
    assert_non_null(mkdtemp(folder));
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.cache_dir = folder;
    ldpc_decoder *dec = first_kernel_make(&w, &params);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    ldpc_decoder_destroy(dec);
    host_driver.compiler_works = true;
    dec = first_kernel_make(&w, &params);
    first_kernel_check(dec, &w, "straight");
    host_driver.memory[0].largest = 0;
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK);
    first_kernel_check(dec, &w, "any");
    assert_true(host_driver.memory[0].largest >= ldpc_code_n(w.code)); /* lower bound */
    assert_int_equal(ldpc_decoder_set_early_stop(dec, true), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    host_driver_release_compiler();
    first_kernel_destroy(dec, &w);
    empty(folder);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- destruction and forks */

static void test_destroyed_while_compiling(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    assert_int_equal(host_driver.compilations, 1);
    first_kernel_destroy(dec, &w);
    assert_int_equal(host_driver.compiled, 0);
}

static void expect_success(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_fork_while_compiling(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        bool refused = ldpc_decoder_wait_kernel(dec, -1) == LDPC_ERR_THREAD &&
                       strcmp(ldpc_decoder_kernel(dec), "any") == 0;
        ldpc_decoder_destroy(dec);
        codewords_free(&w);
        exit(refused ? 0 : 1);
    }
    expect_success(child);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

/* ---- what goes wrong */

/* The message must contain the failed kernel, the reason and the kernel that is used instead. */
static void check_skipped(const ldpc_decoder *dec, const char *kernel, const char *next)
{
    char beginning[100], end[100];
    snprintf(beginning, sizeof beginning,
             "kernel \"%s\" cannot be built (NVRTC cannot compile the kernel: error", kernel);
    snprintf(end, sizeof end, ": kernel \"%s\" is used instead", next);
    const char *found = strstr(ldpc_decoder_message(dec), beginning);
    assert_non_null(found);
    assert_non_null(strstr(found, end));
}

/* With these batches, "chip" needs no more scratch memory than "any". */
static ldpc_decoder *make_with_scratch(const codewords *w)
{
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.max_batch = 0;
    host_driver.blocks = 16;
    return first_kernel_make(w, &params);
}

static void test_compiler_fails(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver.compiler_fails = true;
    host_driver_release_compiler();
    ldpc_decoder *dec = make_with_scratch(&w);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    check_skipped(dec, "straight", "chip");
    check_skipped(dec, "chip", "any");
    first_kernel_check(dec, &w, "any");
    const int compiled = host_driver.compiled;
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK); /* this kernel needs no compilation */
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    assert_int_equal(host_driver.compiled, compiled);
    first_kernel_check(dec, &w, "any");
    first_kernel_destroy(dec, &w);
}

/* The compiler refuses a source, in the background or during the creation of a decoder. The decoder must then
 * use the next kernel. It must keep this kernel after a setter is called. */
static void test_compiler_refuses_a_kernel(void **state)
{
    (void)state;
    for (int caller = 0; caller < 2; caller++) {
        codewords w;
        codewords_make(&w);
        host_driver.compiler_is_missing = caller;
        host_driver.refused = ldpc_cuda_text_straight;
        ldpc_decoder *dec = make_with_scratch(&w);
        assert_string_equal(ldpc_decoder_kernel(dec), caller ? "chip" : "any");
        host_driver_release_compiler();
        assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
        check_skipped(dec, "straight", "chip");
        first_kernel_check(dec, &w, "chip");
        assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK);
        assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
        first_kernel_check(dec, &w, "chip");
        first_kernel_destroy(dec, &w);
    }
}

static void test_no_scratch_for_the_next_kernel(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver.refused = ldpc_cuda_text_straight;
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    check_skipped(dec, "straight", "chip");
    assert_non_null(
        strstr(ldpc_decoder_message(dec), "\"chip\" cannot be built (the kernel needs more scratch memory"));
    first_kernel_check(dec, &w, "any");
    first_kernel_destroy(dec, &w);
}

/* If a kernel is selected by name, the decoder uses this kernel or returns an error. */
static void test_compiler_refuses_a_named_kernel(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver_release_compiler();
    host_driver.refused = ldpc_cuda_text_straight;
    const ldpc_decoder_params params = codewords_parameters("straight");
    ldpc_decoder *dec;
    ldpc_error err;
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, &err), LDPC_ERR_DEVICE);
    assert_non_null(strstr(err.message, "cannot compile the kernel: error"));
    codewords_free(&w);
}

static void test_no_background_compiler(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver.compiler_is_missing = true;
    ldpc_decoder *dec = first_kernel_make(&w, NULL);
    assert_int_equal(host_driver.compiled, 1); /* by the caller */
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

/* Each call fails once while the program is compiled and loaded. The decoder keeps its kernel and reports the
 * error. */
static void test_load_fails(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.devices = "all";
    host_driver_release_compiler();
    for (int call = 1, failures = 0;; call++) {
        host_driver_reset(0, 0, false);
        host_driver.compiler_works = true;
        ldpc_decoder *dec = first_kernel_make(&w, &params);
        int live = host_driver.live;
        host_driver_reset(call, CU_OUT_OF_MEMORY, false);
        host_driver_release_compiler();
        ldpc_status status = ldpc_decoder_wait_kernel(dec, -1);
        bool reached = host_driver.calls >= call;
        host_driver_reset(0, 0, false);
        const bool failed = ldpc_decoder_message(dec)[0];
        assert_true(failed || !status);
        assert_true(!status || host_driver.live == live);
        codewords_clear(&w);
        assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_OK);
        assert_int_equal(codewords_check(&w), 0);
        if (!failed)
            first_kernel_check(dec, &w, "straight");
        ldpc_decoder_destroy(dec);
        assert_int_equal(host_driver.live, 0);
        failures += failed;
        if (!reached) {
            assert_true(failures > 5);
            break;
        }
    }
    codewords_free(&w);
}

/* Each call fails once, also during creation. If a decoder is created, its results are correct. */
static void test_every_call_fails(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    const ldpc_decoder_params params = codewords_parameters(NULL);
    host_driver_release_compiler();
    for (int call = 1, decoders = 0; decoders < 20; call++) {
        ldpc_decoder *dec;
        host_driver_reset(call, CU_OUT_OF_MEMORY, false);
        if (!ldpc_decoder_create(w.code, &params, &dec, NULL)) {
            ldpc_decoder_wait_kernel(dec, -1);
            host_driver_reset(0, 0, false);
            codewords_clear(&w);
            assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_OK);
            assert_int_equal(codewords_check(&w), 0);
            decoders++;
        }
        ldpc_decoder_destroy(dec);
        assert_int_equal(host_driver.live, 0);
    }
    codewords_free(&w);
}

#define TEST(f) cmocka_unit_test_setup(f, first_kernel_set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_any_until_compiled),
        TEST(test_batches_take_over),
        TEST(test_with_batches_in_flight),
        TEST(test_named_kernels_are_compiled_at_once),
        TEST(test_setters_begin_again),
        TEST(test_several_gpus),
        TEST(test_programs_of_the_cache),
        TEST(test_destroyed_while_compiling),
        TEST(test_fork_while_compiling),
        TEST(test_compiler_fails),
        TEST(test_compiler_refuses_a_kernel),
        TEST(test_no_scratch_for_the_next_kernel),
        TEST(test_compiler_refuses_a_named_kernel),
        TEST(test_no_background_compiler),
        TEST(test_load_fails),
        TEST(test_every_call_fails),
    };
    if (!ldpc_cuda_image_any())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
