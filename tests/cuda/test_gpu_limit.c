/* SPDX-License-Identifier: BSD-3-Clause */
/* The time limit of batches on a GPU, tick by tick. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/backend/tick.h"
#include "cuda/host/unanswered.h"
#include "host_driver.h"
#include "ticking.h"

enum { LATE_TICKS = 1 /* of a batch on a GPU that is known to hang */ };

void ldpc_cuda_await_tick(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us)
{
    ticking_await(wake, mutex, closing, us);
}

/* ---- the length of the limit */

static void test_submitted_batches(void **state)
{
    ldpc_decoder *dec = make(NULL);
    (void)state;
    host_driver_hang(0, true);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        submit(dec, i);
    tick(0, TICKS);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    tick(0, 1);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++) {
        assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_ERR_DEVICE);
        check_lost(i);
    }
    wait_until_usable(dec);
    ldpc_decoder_destroy(dec);
}

static void test_submitted_batches_when_known_to_hang(void **state)
{
    ldpc_decoder *dec = make(NULL), *other = make(NULL);
    (void)state;
    hang(dec);
    submit(other, 1);
    tick(1, LATE_TICKS);
    assert_int_equal(ldpc_collect(other, 0, NULL), LDPC_AGAIN);
    tick(1, 1);
    assert_int_equal(ldpc_collect(other, 0, NULL), LDPC_ERR_DEVICE);
    check_lost(1);
    wait_until_usable(dec);
    wait_until_usable(other);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(other);
}

static void check_blocking_call(ldpc_decoder *dec, size_t clock, int ticks)
{
    call c;
    start_call(&c, dec);
    tick(clock, ticks);
    let_it_ask(&c);
    assert_false(c.returned);
    begin_tick(clock);
    assert_int_equal(end_call(&c), LDPC_ERR_DEVICE);
    check_lost(1);
    assert_non_null(strstr(ldpc_decoder_message(dec), "device 0 has not finished"));
}

static void test_blocking_call(void **state)
{
    ldpc_decoder *dec = make(NULL);
    (void)state;
    host_driver_hang(0, true);
    check_blocking_call(dec, 0, TICKS);
    wait_until_usable(dec);
    ldpc_decoder_destroy(dec);
}

static void test_blocking_call_when_known_to_hang(void **state)
{
    ldpc_decoder *dec = make(NULL), *other = make(NULL);
    (void)state;
    hang(dec);
    check_blocking_call(other, 1, LATE_TICKS);
    wait_until_usable(dec);
    wait_until_usable(other);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(other);
}

static void test_no_ticks_between_batches(void **state)
{
    ldpc_decoder *dec = make(NULL);
    (void)state;
    host_driver_hang(0, true);
    submit(dec, 0);
    await_watchdog(0);
    host_driver_hang(0, false);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    begin_tick(0);
    ldpc_decoder_destroy(dec);
    assert_int_equal(count_waits(0), 1);
}

/* ---- a GPU that answers around the limit */

/* As late as it can be: while it is asked for the last time. */
static void check_late_answer(void)
{
    ldpc_decoder *dec = make(NULL);
    call c;
    ticking_reset();
    host_driver_hang(0, true);
    start_call(&c, dec);
    tick(0, TICKS);
    host_driver_answer_behind_queries(true);
    begin_tick(0);
    assert_int_equal(end_call(&c), LDPC_ERR_DEVICE);
    assert_in_range(count_decoded(1), 0, CODEWORDS - 1);
    host_driver_answer_behind_queries(false);
    wait_until_usable(dec);
    ldpc_decoder_destroy(dec);
}

/* The completion thread may be faster than the thread of the call, or slower. */
static void test_blocking_call_is_never_ok_when_late(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++)
        check_late_answer();
}

static pthread_mutex_t notify_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notify_changed = PTHREAD_COND_INITIALIZER;
static int notified;
static bool released;

/* The first one lasts until it is released. */
static void notify(void *context)
{
    (void)context;
    pthread_mutex_lock(&notify_mutex);
    pthread_cond_broadcast(&notify_changed);
    if (notified++ == 0)
        while (!released)
            pthread_cond_wait(&notify_changed, &notify_mutex);
    pthread_mutex_unlock(&notify_mutex);
}

static void await_notification(void)
{
    pthread_mutex_lock(&notify_mutex);
    while (!notified)
        pthread_cond_wait(&notify_changed, &notify_mutex);
    pthread_mutex_unlock(&notify_mutex);
}

static void release_notification(void)
{
    pthread_mutex_lock(&notify_mutex);
    released = true;
    pthread_cond_broadcast(&notify_changed);
    pthread_mutex_unlock(&notify_mutex);
}

static ldpc_decoder *make_notifying(void)
{
    ldpc_decoder *dec = make(NULL);
    notified = 0;
    released = false;
    assert_int_equal(ldpc_decoder_set_notify(dec, notify, NULL), LDPC_OK);
    return dec;
}

static void test_late_completion_thread_is_no_hang(void **state)
{
    ldpc_decoder *dec = make_notifying();
    (void)state;
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        submit(dec, i);
    await_notification();
    tick(0, 2 * TICKS);
    release_notification();
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++) {
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
        check_results(i);
    }
    ldpc_decoder_destroy(dec);
}

/* The GPU answers while the first batch that was given up is reported, and takes a new one. */
static void test_new_batch_is_not_given_up(void **state)
{
    ldpc_decoder *dec = make_notifying(), *probe;
    ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_status status;
    (void)state;
    const size_t depth = ldpc_decoder_depth(dec);
    host_driver_hang(0, true);
    for (size_t i = 0; i < depth; i++)
        submit(dec, i);
    tick(0, TICKS);
    begin_tick(0);
    await_notification();
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_ERR_DEVICE);
    host_driver_hang(0, false);
    while ((status = ldpc_decoder_create(batches[0].code, &params, &probe, NULL)) == LDPC_ERR_DEVICE)
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    ldpc_decoder_destroy(probe);
    host_driver_hang(0, true);
    const ldpc_batch batch = plain(depth);
    while ((status = ldpc_submit(dec, &batch)) == LDPC_ERR_DEVICE) /* until the other streams are free */
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    release_notification();
    await_watchdog(0);
    for (size_t i = 1; i < depth; i++)
        ldpc_collect(dec, -1, NULL);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    host_driver_hang(0, false);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    check_results(depth);
    ldpc_decoder_destroy(dec);
}

/* ---- several GPUs */

static void check_that_only_gpu_0_hangs(void)
{
    ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_decoder *refused, *other = make("1");
    assert_int_equal(ldpc_decoder_create(batches[0].code, &params, &refused, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(decode(other, 0), LDPC_OK);
    check_results(0);
    ldpc_decoder_destroy(other);
}

/* Batches go to the GPUs in turn. */
static void test_other_gpus_deliver(void **state)
{
    ldpc_decoder *dec = make("0,1");
    (void)state;
    const size_t depth = ldpc_decoder_depth(dec);
    assert_int_equal(depth, MOST);
    host_driver_hang(0, true);
    for (size_t i = 0; i < depth; i++)
        submit(dec, i);
    tick(0, TICKS + 1);
    for (size_t i = 0; i < depth; i++)
        if (i % 2) {
            assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_OK);
            check_results(i);
        } else {
            assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_ERR_DEVICE);
            check_lost(i);
        }
    check_that_only_gpu_0_hangs();
    assert_int_equal(decode(dec, 0), LDPC_ERR_DEVICE); /* its streams are in use */
    wait_until_usable(dec);
    for (size_t i = 0; i < depth; i++) {
        submit(dec, i);
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
        check_results(i);
    }
    ldpc_decoder_destroy(dec);
}

/* Those of the other GPU have had their time too, but not on a GPU that hangs. */
static void test_batches_have_the_limit_of_their_gpu(void **state)
{
    ldpc_decoder *dec = make("0"), *both = make("0,1");
    (void)state;
    hang(dec);
    host_driver_hang(1, true);
    submit(both, 1);
    submit(both, 2);
    tick(1, LATE_TICKS + 1);
    assert_int_equal(ldpc_collect(both, 0, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_collect(both, 0, NULL), LDPC_AGAIN);
    host_driver_hang(1, false);
    tick(1, 1);
    assert_int_equal(ldpc_collect(both, 0, NULL), LDPC_OK);
    check_results(2);
    wait_until_usable(dec);
    wait_until_usable(both);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(both);
}

static void test_other_gpus_decode_their_parts(void **state)
{
    ldpc_decoder *dec = make("0,1");
    call c;
    (void)state;
    host_driver_hang(0, true);
    start_call(&c, dec);
    tick(0, TICKS);
    begin_tick(0);
    assert_int_equal(end_call(&c), LDPC_ERR_DEVICE);
    assert_non_null(strstr(ldpc_decoder_message(dec), "device 0 has not finished"));
    assert_in_range(count_decoded(1), 1, CODEWORDS - 1);
    check_that_only_gpu_0_hangs();
    wait_until_usable(dec);
    ldpc_decoder_destroy(dec);
}

/* ---- memory on a GPU that hangs */

/* The CPU of the same decoder must not write where the GPU may still write: small batches are refused too. */
static void test_cpu_of_the_decoder_waits(void **state)
{
    ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_decoder *dec;
    ldpc_batch small = plain(1);
    (void)state;
    params.backend = "auto";
    params.min_gpu_batch = CODEWORDS;
    params.gpu_timeout_ms = LIMIT_MS;
    small.n_codewords = 1;
    assert_int_equal(ldpc_decoder_create(batches[0].code, &params, &dec, NULL), LDPC_OK);
    assert_string_equal(ldpc_decoder_backend(dec), "cpu+cuda");
    assert_int_equal(ldpc_decode(dec, &small), LDPC_OK);
    hang(dec);
    codewords_clear(&batches[1]);
    assert_int_equal(ldpc_decode(dec, &small), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_submit(dec, &small), LDPC_ERR_DEVICE);
    assert_int_equal(batches[1].message[0], 7);
    wait_until_usable(dec);
    assert_int_equal(ldpc_decode(dec, &small), LDPC_OK);
    ldpc_decoder_destroy(dec);
}

static void test_nothing_is_allocated(void **state)
{
    ldpc_decoder *dec = make(NULL), *other = make(NULL);
    (void)state;
    hang(dec);
    assert_int_equal(ldpc_submit(other, &batches[1].batch), LDPC_ERR_DEVICE); /* with posteriors */
    assert_non_null(strstr(ldpc_decoder_message(other), "device 0 has not finished"));
    wait_until_usable(dec);
    assert_int_equal(ldpc_decode(other, &batches[1].batch), LDPC_OK);
    check_results(1);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(other);
}

/* In a forked child no batch is in flight. */
static void test_fork(void **state)
{
    const char *why;
    const ldpc_cuda_engine engine = {.driver = ldpc_cuda_open(&why)};
    ldpc_decoder *dec = make(NULL);
    int status = -1;
    (void)state;
    hang(dec);
    assert_true(ldpc_cuda_hangs(&engine));
    const pid_t child = fork();
    if (child == 0)
        _exit(ldpc_cuda_hangs(&engine));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(ldpc_cuda_hangs(&engine));
    wait_until_usable(dec);
    ldpc_decoder_destroy(dec);
}

int main(void)
{
    host_driver.launch = decide_by_signs;
    for (size_t i = 0; i < MOST; i++)
        codewords_make(&batches[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_submitted_batches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_submitted_batches_when_known_to_hang, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocking_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocking_call_when_known_to_hang, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_ticks_between_batches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocking_call_is_never_ok_when_late, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_late_completion_thread_is_no_hang, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_new_batch_is_not_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_gpus_deliver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batches_have_the_limit_of_their_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_gpus_decode_their_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_is_allocated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fork, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cpu_of_the_decoder_waits, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < MOST; i++)
        codewords_free(&batches[i]);
    return failed;
}
