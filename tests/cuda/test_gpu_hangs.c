/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU that takes work and never ends it: calls with a time limit come back in time, others wait, and when it answers after
 * all, everything is right. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "codewords.h"
#include "host_driver.h"

enum { TIMEOUT_US = 50000, MOST_US = 20000000 }; /* the latter on a loaded machine */

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* All batches that fit are in flight, and none of them ends. */
static ldpc_decoder *make_hanging(codewords *w)
{
    ldpc_decoder *dec;
    codewords_make(w);
    const ldpc_decoder_params params = codewords_parameters(NULL);
    host_driver_reset(0, 0, false);
    assert_int_equal(ldpc_decoder_create(w->code, &params, &dec, NULL), LDPC_OK);
    codewords_clear(w);
    host_driver.hangs = true;
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_OK);
    return dec;
}

static void test_collect_comes_back_in_time(void **state)
{
    (void)state;
    codewords w;
    ldpc_decoder *dec = make_hanging(&w);
    const int64_t begin = now_us();
    assert_int_equal(ldpc_collect(dec, TIMEOUT_US, NULL), LDPC_AGAIN);
    const int64_t waited = now_us() - begin;
    assert_in_range(waited, TIMEOUT_US, MOST_US);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_AGAIN);
    assert_int_equal(ldpc_decode(dec, &w.batch), LDPC_ERR_PARAM);
    assert_int_equal(w.message[0], 7); /* nothing was written */
    host_driver_answer();
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(codewords_check(&w), 0);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

/* What a caller does who has given up waiting: another decoder takes the same codewords. */
static void test_another_decoder_works(void **state)
{
    (void)state;
    codewords w, again;
    ldpc_decoder *dec = make_hanging(&w), *other;
    ldpc_decoder_params params;
    codewords_make(&again);
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.max_batch = CODEWORDS;
    assert_int_equal(ldpc_decoder_create(w.code, &params, &other, NULL), LDPC_OK);
    assert_int_equal(ldpc_decode(other, &again.batch), LDPC_OK);
    ldpc_decoder_destroy(other);
    codewords_free(&again);
    host_driver_answer();
    ldpc_decoder_destroy(dec);
    codewords_free(&w);
}

static atomic_bool destroyed;

static void *destroy(void *dec)
{
    ldpc_decoder_destroy(dec);
    destroyed = true;
    return NULL;
}

static void test_destroy_waits(void **state)
{
    (void)state;
    codewords w;
    pthread_t thread;
    ldpc_decoder *dec = make_hanging(&w);
    destroyed = false;
    assert_int_equal(pthread_create(&thread, NULL, destroy, dec), 0);
    nanosleep(&(struct timespec){.tv_nsec = TIMEOUT_US * 1000L}, NULL);
    assert_false(destroyed);
    host_driver_answer();
    pthread_join(thread, NULL);
    assert_int_equal(codewords_check(&w), 0);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

int main(void)
{
    host_driver.launch = decide_by_signs;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collect_comes_back_in_time),
        cmocka_unit_test(test_another_decoder_works),
        cmocka_unit_test(test_destroy_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
