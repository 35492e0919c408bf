/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU that takes work and never ends it, and a driver whose calls wait for it: calls with a time limit come back in time and
 * nothing waits from then on, other GPUs work, and when it answers after all, everything is right. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "codewords.h"
#include "host_driver.h"

enum { LIMIT_MS = 40, LONG_LIMIT_MS = 8000 };

static void submit_all(ldpc_decoder *dec, const codewords *w)
{
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_OK);
}

/* A decoder whose batches have all the buffers that are allocated on first use. */
static ldpc_decoder *make(codewords *w, uint32_t timeout_ms, const char *devices)
{
    ldpc_decoder *dec;
    ldpc_decoder_params params = codewords_parameters(NULL);
    params.gpu_timeout_ms = timeout_ms;
    params.devices = devices;
    assert_int_equal(ldpc_decoder_create(w->code, &params, &dec, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_OK);
    submit_all(dec, w);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    codewords_clear(w);
    return dec;
}

static int set_up(void **state)
{
    static codewords w;
    codewords_make(&w);
    codewords_clear(&w);
    host_driver_reset(0, 0, false);
    *state = &w;
    return 0;
}

/* The GPU ends its work, and the threads of decoders that were left hear of it when they like. */
static int tear_down(void **state)
{
    const codewords *w = *state;
    const ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_decoder *dec;
    ldpc_status status;
    host_driver_hang(0, false);
    while ((status = ldpc_decoder_create(w->code, &params, &dec, NULL)) == LDPC_ERR_DEVICE)
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    ldpc_decoder_destroy(dec);
    codewords_free(*state);
    return 0;
}

/* All batches that fit are in flight, and none of them ends. */
static void fill(ldpc_decoder *dec, const codewords *w)
{
    host_driver_hang(0, true);
    submit_all(dec, w);
}

static void collect_failures(ldpc_decoder *dec)
{
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++) {
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
        assert_non_null(
            strstr(ldpc_decoder_message(dec), "CUDA: device 0 has not finished its work within 0.04 s"));
    }
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_EMPTY);
}

static void check_untouched(const codewords *w)
{
    for (size_t i = 0; i < (size_t)CODEWORDS * w->k; i++)
        assert_int_equal(w->message[i], 7);
    for (size_t i = 0; i < (size_t)CODEWORDS * w->n; i++)
        assert_int_equal(w->codeword[i], 7);
    assert_int_equal(codewords_check(w), CODEWORDS);
}

/* ---- with a time limit */

static void test_batches_fail_in_time(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, LIMIT_MS, NULL);
    fill(dec, w);
    collect_failures(dec);
    check_untouched(w);
    assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decode(dec, &w->batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 3), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decode_device(dec, NULL, &w->batch), LDPC_ERR_DEVICE);
    assert_null(ldpc_decoder_alloc(dec, 1));
    assert_non_null(strstr(ldpc_decoder_message(dec), "within 0.04 s"));
    check_untouched(w);
    codewords_await_answer(dec, w); /* and batches that were given up are not written */
    assert_int_equal(codewords_check(w), 0);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_OK);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
}

static void test_decode_comes_back(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, LIMIT_MS, NULL);
    for (int i = 0; i < 2; i++) {
        host_driver_hang(0, true);
        codewords_clear(w);
        assert_int_equal(ldpc_decode(dec, &w->batch), LDPC_ERR_DEVICE);
        assert_non_null(strstr(ldpc_decoder_message(dec), "within 0.04 s"));
        check_untouched(w);
        codewords_await_answer(dec, w);
        assert_int_equal(codewords_check(w), 0);
    }
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
}

/* Those of all decoders that are on this GPU, whether they hang themselves or not. */
static void test_destroying_does_not_wait(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, LIMIT_MS, NULL), *idle = make(w, LIMIT_MS, NULL),
                 *unlimited = make(w, 0, "0,1");
    void *memory = ldpc_decoder_alloc(dec, 1000), *idle_memory = ldpc_decoder_alloc(idle, 1000);
    char registered[100];
    assert_true(memory && idle_memory);
    assert_int_equal(ldpc_decoder_register(idle, registered, sizeof registered), LDPC_OK);
    fill(dec, w);
    collect_failures(dec);
    assert_int_equal(ldpc_decoder_set_early_stop(idle, false), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_max_iterations(idle, 3), LDPC_OK); /* the driver is not asked */
    const int live = host_driver.live;
    ldpc_decoder_free(dec, memory);
    ldpc_decoder_free(idle, idle_memory);
    assert_int_equal(ldpc_decoder_unregister(idle, registered), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_register(idle, registered, 1), LDPC_ERR_DEVICE);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(idle);
    ldpc_decoder_destroy(unlimited);
    assert_int_equal(host_driver.live, live); /* the GPU may still write there */
    memset(memory, 1, 1000);
}

static void test_no_new_decoder_on_this_gpu(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, LIMIT_MS, NULL), *refused;
    ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_error err;
    fill(dec, w);
    collect_failures(dec);
    assert_int_equal(ldpc_decoder_create(w->code, &params, &refused, &err), LDPC_ERR_DEVICE);
    assert_non_null(strstr(err.message, "within 0.04 s"));
    params.devices = "1,0";
    assert_int_equal(ldpc_decoder_create(w->code, &params, &refused, &err), LDPC_ERR_DEVICE);
    ldpc_decoder *other = make(w, LIMIT_MS, "1");
    assert_int_equal(ldpc_decode(other, &w->batch), LDPC_OK);
    assert_int_equal(codewords_check(w), 0);
    ldpc_decoder_destroy(other);
    codewords_await_answer(dec, w);
    ldpc_decoder_destroy(make(w, 0, NULL));
    ldpc_decoder_destroy(dec);
}

/* Batches on a GPU that is known to hang are not waited for as long as the others. */
static void test_one_limit_counts_for_all(void **state)
{
    codewords *w = *state;
    static codewords others; /* both decoders mark codewords as lost at the same time */
    others = *w;
    others.batch.info = others.info;
    ldpc_decoder *patient = make(w, LONG_LIMIT_MS, NULL), *dec = make(w, LIMIT_MS, NULL);
    fill(patient, &others);
    fill(dec, w);
    collect_failures(dec);
    collect_failures(patient); /* the sentence names the limit that has passed */
    ldpc_decoder_destroy(patient);
    ldpc_decoder_destroy(dec);
}

static atomic_uint notified;

static void notify(void *context)
{
    (void)context;
    notified++;
}

/* Nobody is in a call of the decoder, nor are there as many batches in flight as it takes. */
static void test_the_limit_needs_no_call(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, LIMIT_MS, NULL);
    assert_int_equal(ldpc_decoder_set_notify(dec, notify, NULL), LDPC_OK);
    notified = 0;
    host_driver_hang(0, true);
    assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_OK);
    assert_true(ldpc_decoder_depth(dec) > 1);
    while (!notified)
        sched_yield();
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_notify(dec, NULL, NULL), LDPC_OK);
    codewords_await_answer(dec, w);
    assert_int_equal(notified, 1); /* not a second time for the late answer */
    ldpc_decoder_destroy(dec);
}

/* ---- without one */

static void test_collect_comes_back_in_time(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, 0, NULL);
    fill(dec, w);
    assert_int_equal(ldpc_collect(dec, 1000 * LIMIT_MS, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_AGAIN);
    assert_int_equal(ldpc_decode(dec, &w->batch), LDPC_ERR_PARAM);
    assert_int_equal(w->message[0], 7); /* nothing was written */
    host_driver_hang(0, false);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(codewords_check(w), 0);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
}

static void *destroy(void *dec)
{
    ldpc_decoder_destroy(dec);
    return NULL;
}

static void test_destroy_waits(void **state)
{
    codewords *w = *state;
    pthread_t thread;
    struct timespec soon;
    ldpc_decoder *dec = make(w, 0, NULL);
    fill(dec, w);
    assert_int_equal(pthread_create(&thread, NULL, destroy, dec), 0);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += LIMIT_MS * 1000000L;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    assert_int_equal(pthread_timedjoin_np(thread, NULL, &soon), ETIMEDOUT);
    assert_int_equal(w->message[0], 7); /* nothing was written */
    host_driver_hang(0, false);
    pthread_join(thread, NULL);
    assert_int_equal(codewords_check(w), 0);
    assert_int_equal(host_driver.live, 0);
}

int main(void)
{
    host_driver.launch = decide_by_signs;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_batches_fail_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_decode_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_collect_comes_back_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_destroy_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_new_decoder_on_this_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_limit_needs_no_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_limit_counts_for_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_destroying_does_not_wait, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
