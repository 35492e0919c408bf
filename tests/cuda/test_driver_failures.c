/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the CUDA backend on a driver in host memory. Batches must be complete and in order. Each driver call
 * fails once, and loses the device once. All resources must be freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "codewords.h"
#include "bench/comparison/breadth_first.h"
#include "decode/decoder_internal.h"
#include "host_driver.h"

/* After one of these errors, all driver calls fail: launch timeout, destroyed context, illegal address. */
static const int losses[] = {702, CU_CONTEXT_IS_DESTROYED, 719};

static void test_batches_complete_and_in_order(void **state)
{
    (void)state;
    codewords w;
    ldpc_decoder *dec;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.devices = "all";
    params.streams = 2;
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
    assert_string_equal(ldpc_decoder_backend(dec), "cuda");
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    assert_string_equal(ldpc_decoder_kernel(dec), "straight");
    assert_int_equal(ldpc_decoder_depth(dec), 4);
    codewords_clear(&w);
    assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_OK);
    assert_int_equal(codewords_check(&w), 0);
    for (int round = 0; round < 20; round++) {
        codewords_clear(&w);
        for (size_t i = 0; i < 4; i++) { /* in four parts */
            size_t first = i * 10, count = i < 3 ? 10 : CODEWORDS - 30;
            ldpc_batch part = {.n_codewords = count,
                               .llr = w.llr + first * w.n,
                               .message = w.message + first * w.k,
                               .codeword = w.codeword + first * w.n,
                               .posterior = w.posterior + first * w.n,
                               .info = w.info + first};
            assert_int_equal(ldpc_submit(dec, &part), LDPC_OK);
        }
        assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_AGAIN);
        for (size_t i = 0; i < 4; i++) {
            ldpc_batch done;
            assert_int_equal(ldpc_collect(dec, -1, &done), LDPC_OK);
            assert_ptr_equal(done.llr, w.llr + i * 10 * w.n);
        }
        assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_EMPTY);
        assert_int_equal(codewords_check(&w), 0);
    }
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

/* Creates, uses and destroys a decoder. Returns the first error. Codewords must be correct, or marked as not
 * decoded. */
static ldpc_status live(codewords *w, const char *kernel, bool breadth_first)
{
    ldpc_decoder_params params = codewords_parameters(kernel);
    ldpc_decoder *dec;
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_create(w->code, &params, &dec, &err);
    if (status) {
        assert_null(dec);
        assert_true(err.message[0]);
        return status;
    }
    codewords_clear(w);
    ldpc_status decoded = breadth_first ? ldpc_cuda_decode_breadth_first(dec->state, &w->batch, &err)
                                        : ldpc_decode(dec, &w->batch);
    assert_true((codewords_check(w) > 0) == (decoded != LDPC_OK));
    codewords_clear(w);
    ldpc_status submitted = ldpc_submit(dec, &w->batch);
    if (!submitted)
        submitted = ldpc_collect(dec, -1, NULL);
    assert_true((codewords_check(w) > 0) == (submitted != LDPC_OK));
    ldpc_status set = ldpc_decoder_set_early_stop(dec, false);
    if (decoded || submitted || set)
        assert_true((decoded && breadth_first ? err.message : ldpc_decoder_message(dec))[0]);
    ldpc_decoder_destroy(dec);
    return decoded ? decoded : submitted ? submitted : set;
}

static void fail_in_turn(const char *kernel, bool breadth_first, int result, bool for_ever,
                         ldpc_status expected)
{
    codewords w;
    codewords_make(&w);
    int failures = 0, total;
    host_driver_reset(0, 0, false);
    assert_int_equal(live(&w, kernel, breadth_first), LDPC_OK);
    total = host_driver.calls;
    assert_true(total > 40);
    for (int n = 1; n <= total; n++) {
        host_driver_reset(n, result, for_ever);
        ldpc_status status = live(&w, kernel, breadth_first);
        failures += status != LDPC_OK;
        assert_true(!status || status == expected || status == LDPC_ERR_DEVICE);
        assert_int_equal(host_driver.live, 0);
    }
    assert_true(failures > total / 3);
    codewords_free(&w);
}

static void test_every_call_runs_out_of_memory(void **state)
{
    (void)state;
    fail_in_turn("any", false, CU_OUT_OF_MEMORY, false, LDPC_ERR_MEMORY);
    fail_in_turn("straight", false, CU_OUT_OF_MEMORY, false, LDPC_ERR_MEMORY);
    fail_in_turn("straight", true, CU_OUT_OF_MEMORY, false, LDPC_ERR_MEMORY);
}

static void test_device_lost_at_every_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        fail_in_turn("any", false, losses[i], true, LDPC_ERR_DEVICE);
        fail_in_turn("straight", false, losses[i], true, LDPC_ERR_DEVICE);
        fail_in_turn("straight", true, losses[i], true, LDPC_ERR_DEVICE);
    }
}

static void test_devices_are_checked(void **state)
{
    static const char *const wrong[] = {"", "2", "0,", ",1", "0 1", "one", "0,1,0", "-1", "all,0"};
    (void)state;
    codewords w;
    codewords_make(&w);
    host_driver_reset(0, 0, false);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ldpc_decoder_params params = codewords_parameters(NULL);
        ldpc_decoder *dec;
        ldpc_error err = {""};
        params.devices = wrong[i];
        assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, &err), LDPC_ERR_PARAM);
        assert_non_null(strstr(err.message, "devices"));
        assert_int_equal(host_driver.live, 0);
    }
    codewords_free(&w);
}

/* A setter recompiles only kernels whose source contains the parameters of the rule. */
static void test_changes_rebuild_what_has_to_be(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    for (int straight = 0; straight < 2; straight++) {
        ldpc_decoder_params params = codewords_parameters(straight ? "straight" : "any");
        ldpc_decoder *dec;
        params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
        host_driver_reset(0, 0, false);
        assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
        int compiled = host_driver.compiled;
        assert_int_equal(ldpc_decoder_set_max_iterations(dec, 7), LDPC_OK);
        assert_int_equal(host_driver.compiled, compiled);
        assert_int_equal(ldpc_decoder_set_offset(dec, 2), LDPC_OK);
        assert_int_equal(host_driver.compiled, compiled + straight);
        assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_OK);
        assert_int_equal(w.info[3].iterations, 7);
        ldpc_decoder_destroy(dec);
        assert_int_equal(host_driver.live, 0);
    }
    codewords_free(&w);
}

/* Each element represents a program. */
static char programs[256];
static int n_programs, oldest, newest;

static void *number_program(const void *image)
{
    (void)image;
    assert_in_range(n_programs, 0, sizeof programs - 1);
    return &programs[n_programs++];
}

static void note_program(void *function, const ldpc_cuda_args *a, unsigned blocks, unsigned threads)
{
    int number = (int)((char *)function - programs);
    oldest = number < oldest ? number : oldest;
    newest = number > newest ? number : newest;
    decide_by_signs(function, a, blocks, threads);
}

/* Decodes one batch on each GPU. */
static void run_on_both(ldpc_decoder *dec, codewords *w)
{
    oldest = sizeof programs;
    newest = -1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
}

/* If a setter fails on one of two GPUs, both GPUs keep their programs. */
static void test_changes_for_all_or_none(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters("straight");
    ldpc_decoder *dec;
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.devices = "all";
    n_programs = 0;
    host_driver_reset(0, 0, false);
    host_driver.launch = note_program;
    host_driver.load = number_program;
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_set_offset(dec, 2), LDPC_OK);
    int total = host_driver.calls, failures = 0;
    run_on_both(dec, &w);
    for (int call = 1; call <= total; call++) {
        int first = oldest, live = host_driver.live;
        host_driver_reset(call, CU_OUT_OF_MEMORY, false);
        ldpc_status status = ldpc_decoder_set_offset(dec, (float)(3 + call));
        host_driver_reset(0, 0, false);
        failures += status != LDPC_OK;
        assert_int_equal(host_driver.live, live);
        run_on_both(dec, &w);
        assert_true(status ? oldest == first : oldest > first + 1);
        assert_int_equal(newest, oldest + 1);
    }
    assert_true(failures > total / 3);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    host_driver.launch = decide_by_signs;
    host_driver.load = NULL;
    codewords_free(&w);
}

/* 61 rows share one column. Each row also has a column of its own. The posterior of the shared column reaches
 * 128 + 61 * 31. Half precision represents it exactly for an offset of 1, but not for 32. */
static ldpc_code *star_code(void)
{
    enum { ROWS = 61 };
    char text[64 + ROWS * (ROWS + 1) * 3];
    size_t length = (size_t)sprintf(text, "%d %d 4\n", ROWS + 1, ROWS);
    for (int row = 0; row < ROWS; row++) {
        length += (size_t)sprintf(text + length, "%d", row % 4);
        for (int column = 0; column < ROWS; column++)
            length += (size_t)sprintf(text + length, column == row ? " 0" : " -1");
        length += (size_t)sprintf(text + length, "\n");
    }
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_qc(text, length, &code, NULL), LDPC_OK);
    return code;
}

static void test_changes_that_do_not_fit(void **state)
{
    (void)state;
    ldpc_code *code = star_code();
    ldpc_decoder_params params = codewords_parameters("straight");
    ldpc_decoder *dec;
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.offset = 1;
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_offset(dec, 32), LDPC_ERR_UNSUPPORTED);
    assert_non_null(strstr(ldpc_decoder_message(dec), "offset 32"));
    int compiled = host_driver.compiled;
    assert_int_equal(ldpc_decoder_set_offset(dec, 1), LDPC_OK);
    assert_int_equal(host_driver.compiled, compiled);
    assert_int_equal(ldpc_decoder_set_offset(dec, 3), LDPC_OK);
    ldpc_decoder_destroy(dec);
    params.offset = 32;
    assert_int_equal(ldpc_decoder_create(code, &params, &dec, NULL), LDPC_ERR_UNSUPPORTED);
    assert_int_equal(host_driver.live, 0);
    ldpc_code_destroy(code);
}

/* Batches in the decoder's pinned memory give equal results. */
static void test_memory_for_batches(void **state)
{
    (void)state;
    codewords w;
    ldpc_decoder *dec;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK); /* its memory is counted too */
    int live = host_driver.live;
    int8_t *llr = ldpc_decoder_alloc(dec, (size_t)CODEWORDS * w.n);
    assert_non_null(llr);
    assert_int_equal(host_driver.live, live + 1);
    if (host_driver.cannot_register)
        assert_int_equal(ldpc_decoder_register(dec, w.llr, CODEWORDS), LDPC_ERR_UNSUPPORTED);
    memcpy(llr, w.llr, (size_t)CODEWORDS * w.n);
    codewords_clear(&w);
    w.batch.llr = llr;
    assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_OK);
    assert_int_equal(codewords_check(&w), 0);
    live = host_driver.live;
    ldpc_decoder_free(dec, llr);
    ldpc_decoder_free(dec, NULL);
    assert_int_equal(host_driver.live, live - 1);
    for (int call = 1; call <= 2; call++) {
        host_driver_reset(call, CU_OUT_OF_MEMORY, true);
        assert_null(ldpc_decoder_alloc(dec, 1));
    }
    host_driver_reset(0, 0, false);
    assert_null(ldpc_decoder_alloc(dec, SIZE_MAX));
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

static void test_registered_memory(void **state)
{
    (void)state;
    codewords w;
    ldpc_decoder *dec;
    static char memory[100];
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(NULL);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
    const int live = host_driver.live;
    assert_int_equal(ldpc_decoder_register(dec, NULL, 1), LDPC_ERR_NULL);
    assert_int_equal(ldpc_decoder_register(dec, memory, 0), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_decoder_unregister(dec, NULL), LDPC_ERR_NULL);
    assert_int_equal(host_driver.live, live);
    for (int call = 1; call <= 2; call++) { /* 1: enter context; 2: allocate */
        host_driver_reset(call, CU_OUT_OF_MEMORY, false);
        assert_int_equal(ldpc_decoder_register(dec, memory, sizeof memory), LDPC_ERR_MEMORY);
        assert_non_null(strstr(ldpc_decoder_message(dec), "made to fail"));
        assert_int_equal(host_driver.live, live);
    }
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_register(dec, memory, sizeof memory), LDPC_OK);
    assert_int_equal(host_driver.live, live + 1);
    host_driver_reset(1, CU_OUT_OF_MEMORY, false);
    assert_int_equal(ldpc_decoder_unregister(dec, memory), LDPC_ERR_MEMORY);
    assert_int_equal(host_driver.live, live + 1);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_unregister(dec, memory), LDPC_OK);
    assert_int_equal(host_driver.live, live);
    ldpc_decoder_destroy(dec);
    codewords_free(&w);
}

/* "straight" reads the staging buffers of small batches directly, "any" reads copies. */
static void context_destroyed(const char *kernel, bool made_again)
{
    codewords w;
    ldpc_decoder *dec;
    codewords_make(&w);
    ldpc_decoder_params params = codewords_parameters(kernel);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(w.code, &params, &dec, NULL), LDPC_OK);
    int8_t *llr = ldpc_decoder_alloc(dec, (size_t)CODEWORDS * w.n);
    assert_non_null(llr);
    char memory[100];
    assert_int_equal(ldpc_decoder_register(dec, memory, sizeof memory), LDPC_OK);
    codewords_clear(&w);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    host_driver_end_context(made_again);
    ldpc_status status = ldpc_collect(dec, -1, NULL);
    assert_true(status == LDPC_OK || status == LDPC_ERR_DEVICE);
    assert_int_equal(codewords_check(&w), status ? CODEWORDS : 0);
    host_driver.calls_after_end = 0;
    memset(llr, 1, (size_t)CODEWORDS * w.n); /* the caller may overwrite LLRs */
    w.batch.llr = llr;
    codewords_clear(&w);
    assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_ERR_DEVICE);
    assert_int_equal(codewords_check(&w), CODEWORDS);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_EMPTY);
    assert_null(ldpc_decoder_alloc(dec, 1));
    ldpc_decoder_free(dec, llr);
    assert_int_equal(ldpc_decoder_unregister(dec, memory), LDPC_OK);
    assert_int_equal(ldpc_decoder_register(dec, memory, sizeof memory), LDPC_ERR_DEVICE);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.calls_after_end, 0);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

static void test_context_destroyed(void **kernel)
{
    context_destroyed(*kernel, false);
    context_destroyed(*kernel, true);
}

/* Some virtual machines cannot register memory. The driver allocates pinned memory instead. */
static void test_driver_that_registers_nothing(void **state)
{
    host_driver.cannot_register = true;
    test_every_call_runs_out_of_memory(state);
    test_memory_for_batches(state);
    host_driver.cannot_register = false;
}

int main(void)
{
    host_driver.launch = decide_by_signs;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_complete_and_in_order),
        cmocka_unit_test(test_every_call_runs_out_of_memory),
        cmocka_unit_test(test_device_lost_at_every_call),
        cmocka_unit_test(test_devices_are_checked),
        cmocka_unit_test(test_changes_rebuild_what_has_to_be),
        cmocka_unit_test(test_changes_for_all_or_none),
        cmocka_unit_test(test_changes_that_do_not_fit),
        cmocka_unit_test(test_memory_for_batches),
        cmocka_unit_test(test_registered_memory),
        cmocka_unit_test_prestate(test_context_destroyed, "any"),
        cmocka_unit_test_prestate(test_context_destroyed, "straight"),
        cmocka_unit_test(test_driver_that_registers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
