/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU that hangs while a decoder waits for its kernel: the driver loads nothing until it answers, and nothing waits longer than
 * the time limit. Skipped where nvcc was not there to compile "any". */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "first_kernel.h"
#include "host_driver.h"

enum { LIMIT_MS = 40 };

static ldpc_decoder *make_limited(const codewords *w)
{
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.gpu_timeout_ms = LIMIT_MS;
    return first_kernel_make(w, &params);
}

/* It hangs when the program has just been compiled: nothing waits longer than the time limit. */
static void test_hangs_before_the_program_is_loaded(void **state)
{
    (void)state;
    codewords w;
    codewords_make(&w);
    ldpc_decoder *dec = make_limited(&w);
    first_kernel_check(dec, &w, "any");
    host_driver_hang(0, true);
    host_driver_release_compiler();
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_ERR_DEVICE);
    assert_non_null(strstr(ldpc_decoder_message(dec), "has not finished its work within 0.04 s"));
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_ERR_DEVICE);
    assert_string_equal(ldpc_decoder_kernel(dec), "any");
    codewords_await_answer(dec, &w);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    first_kernel_check(dec, &w, "straight");
    first_kernel_destroy(dec, &w);
}

/* Destroyed while its program cannot be loaded, or is compiled: what is left goes when the GPU answers. */
static void test_destroyed_while_it_hangs(void **state)
{
    codewords w;
    for (int compiled = 0; compiled < 2; compiled++) {
        first_kernel_set_up(state);
        codewords_make(&w);
        w.batch.posterior = NULL; /* a GPU that hangs allocates nothing */
        ldpc_decoder *dec = make_limited(&w);
        host_driver_hang(0, true);
        if (compiled) {
            host_driver_release_compiler();
            assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_ERR_DEVICE);
        }
        assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_ERR_DEVICE);
        ldpc_decoder_destroy(dec);
        host_driver_release_compiler();
        host_driver_hang(0, false);
        ldpc_decoder_params params = codewords_parameters(NULL);
        ldpc_status status;
        while ((status = ldpc_decoder_create(w.code, &params, &dec, NULL)) == LDPC_ERR_DEVICE)
            sched_yield();
        assert_int_equal(status, LDPC_OK);
        ldpc_decoder_destroy(dec);
        codewords_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_hangs_before_the_program_is_loaded, first_kernel_set_up),
        cmocka_unit_test_setup(test_destroyed_while_it_hangs, first_kernel_set_up), /* memory stays */
    };
    if (!ldpc_cuda_image_any())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
