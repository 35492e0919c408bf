/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU hangs while a decoder waits for its kernel. ldpc_decoder_abandon() ends the wait. Skipped if nvcc has
 * not compiled "any". */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "first_kernel.h"
#include "host_driver.h"

static ldpc_decoder *dec; /* never freed */

static void *wait_kernel(void *status)
{
    *(ldpc_status *)status = ldpc_decoder_wait_kernel(dec, -1);
    return NULL;
}

static void test_hangs_before_the_program_is_loaded(void **state)
{
    (void)state;
    codewords w;
    pthread_t thread;
    ldpc_status status;
    codewords_make(&w);
    dec = first_kernel_make(&w, NULL);
    first_kernel_check(dec, &w, "any");
    host_driver_hang(0, true);
    host_driver_release_compiler();
    assert_int_equal(pthread_create(&thread, NULL, wait_kernel, &status), 0);
    pthread_mutex_lock(&host_driver.mutex);
    while (!host_driver.waiting)
        pthread_cond_wait(&host_driver.changed, &host_driver.mutex);
    pthread_mutex_unlock(&host_driver.mutex);
    ldpc_decoder_abandon(dec);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, LDPC_ERR_DEVICE);
    ldpc_decoder_destroy(dec);
    host_driver_hang(0, false);
    codewords_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_hangs_before_the_program_is_loaded, first_kernel_set_up),
    };
    if (!ldpc_cuda_image_any())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
