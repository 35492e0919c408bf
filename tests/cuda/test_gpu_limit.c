/* SPDX-License-Identifier: BSD-3-Clause */
/* The time limit of batches on a GPU, tick by tick: the program moves the clock (cuda/backend/tick.h) of each decoder, so it
 * knows what a watchdog has seen when. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codewords.h"
#include "cuda/backend/tick.h"
#include "host_driver.h"

enum {
    TICKS = 8,      /* of a limit */
    LATE_TICKS = 1, /* of a batch on a GPU that is known to hang */
    LIMIT_MS = 40,  /* of a clock that stands still */
    MOST = 6
};

/* ---- the clocks */

typedef struct clock_of_decoder {
    pthread_cond_t *wake; /* which decoder's */
    pthread_mutex_t *mutex;
    bool waiting, granted; /* the watchdog for a tick; a tick */
    unsigned calls;
} clock_of_decoder;

/* In the order in which decoders had their first batch in flight. */
static clock_of_decoder clocks[MOST];
static size_t n_clocks;
static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static clock_of_decoder *enter(pthread_cond_t *wake, pthread_mutex_t *mutex)
{
    size_t i = 0;
    pthread_mutex_lock(&control);
    while (i < n_clocks && clocks[i].wake != wake)
        i++;
    if (i == n_clocks) {
        assert_true(n_clocks < MOST);
        clocks[n_clocks++] = (clock_of_decoder){.wake = wake, .mutex = mutex};
    }
    clocks[i].waiting = true;
    clocks[i].calls++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&control);
    return &clocks[i];
}

static bool take(clock_of_decoder *c)
{
    pthread_mutex_lock(&control);
    const bool granted = c->granted;
    if (granted)
        c->granted = c->waiting = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&control);
    return granted;
}

void ldpc_cuda_await_tick(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us)
{
    clock_of_decoder *c = enter(wake, mutex);
    assert_int_equal(us, LIMIT_MS * 1000 / TICKS);
    while (!*closing && !take(c))
        pthread_cond_wait(wake, mutex);
}

/* The watchdog of decoder i waits for a tick. */
static void await_watchdog(size_t i)
{
    pthread_mutex_lock(&control);
    while (n_clocks <= i || !clocks[i].waiting)
        pthread_cond_wait(&changed, &control);
    pthread_mutex_unlock(&control);
}

static void begin_tick(size_t i)
{
    await_watchdog(i);
    pthread_mutex_lock(&control);
    clocks[i].granted = true;
    pthread_mutex_unlock(&control);
    pthread_mutex_lock(clocks[i].mutex);
    pthread_cond_signal(clocks[i].wake);
    pthread_mutex_unlock(clocks[i].mutex);
    pthread_mutex_lock(&control);
    while (clocks[i].granted)
        pthread_cond_wait(&changed, &control);
    pthread_mutex_unlock(&control);
}

/* While batches are in flight. */
static void tick(size_t i, int times)
{
    while (times--) {
        begin_tick(i);
        await_watchdog(i);
    }
}

/* ---- batches */

static codewords batches[MOST]; /* each with results of its own */

static int set_up(void **state)
{
    (void)state;
    n_clocks = 0;
    host_driver_reset(0, 0, false);
    for (size_t i = 0; i < MOST; i++)
        codewords_clear(&batches[i]);
    return 0;
}

/* Decoders that were left hear of the GPU's answer when they like. */
static int tear_down(void **state)
{
    const ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_decoder *dec;
    ldpc_status status;
    (void)state;
    host_driver_hang(0, false);
    while ((status = ldpc_decoder_create(batches[0].code, &params, &dec, NULL)) == LDPC_ERR_DEVICE)
        sched_yield();
    ldpc_decoder_destroy(dec);
    return status != LDPC_OK || host_driver.live;
}

static ldpc_decoder *make(const char *devices)
{
    ldpc_decoder_params params = codewords_parameters(NULL);
    ldpc_decoder *dec;
    params.gpu_timeout_ms = LIMIT_MS;
    params.devices = devices;
    assert_int_equal(ldpc_decoder_create(batches[0].code, &params, &dec, NULL), LDPC_OK);
    return dec;
}

/* Without posteriors, whose buffers are allocated on first use. */
static ldpc_batch plain(size_t i)
{
    ldpc_batch batch = batches[i].batch;
    batch.posterior = NULL;
    return batch;
}

static void submit(ldpc_decoder *dec, size_t i)
{
    const ldpc_batch batch = plain(i);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
}

static void check_results(size_t i)
{
    const codewords *w = &batches[i];
    for (size_t c = 0; c < CODEWORDS; c++)
        assert_int_equal(w->info[c].decoded, 1);
    for (size_t b = 0; b < (size_t)CODEWORDS * w->n; b++)
        assert_int_equal(w->codeword[b], w->llr[b] < 0);
}

static void check_lost(size_t i)
{
    const codewords *w = &batches[i];
    for (size_t c = 0; c < CODEWORDS; c++)
        assert_int_equal(w->info[c].decoded, 0);
    for (size_t b = 0; b < (size_t)CODEWORDS * w->n; b++)
        assert_int_equal(w->codeword[b], 7);
}

static size_t count_decoded(size_t i)
{
    size_t decoded = 0;
    for (size_t c = 0; c < CODEWORDS; c++)
        decoded += batches[i].info[c].decoded;
    return decoded;
}

static ldpc_status decode(ldpc_decoder *dec, size_t i)
{
    const ldpc_batch batch = plain(i);
    return ldpc_decode(dec, &batch);
}

/* The completion thread hears of the answer when it likes. */
static void wait_until_usable(ldpc_decoder *dec)
{
    ldpc_status status;
    host_driver_hang(0, false);
    while ((status = decode(dec, 0)) == LDPC_ERR_DEVICE)
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    check_results(0);
}

/* A GPU hangs because of this decoder, the first one. */
static void hang(ldpc_decoder *dec)
{
    host_driver_hang(0, true);
    submit(dec, 0);
    tick(0, TICKS + 1);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
}

/* ---- a blocking call, on a thread of its own */

typedef struct call {
    ldpc_decoder *dec;
    pthread_t thread;
    ldpc_status status;
    atomic_bool returned;
} call;

static void *run_call(void *context)
{
    call *c = context;
    c->status = decode(c->dec, 1);
    c->returned = true;
    return NULL;
}

static void start_call(call *c, ldpc_decoder *dec)
{
    c->dec = dec;
    c->returned = false;
    assert_int_equal(pthread_create(&c->thread, NULL, run_call, c), 0);
}

/* It asks the GPU again, or returns. */
static void let_it_ask(call *c)
{
    pthread_mutex_lock(&host_driver.mutex);
    const unsigned queries = host_driver.queries;
    pthread_mutex_unlock(&host_driver.mutex);
    for (bool asked = false; !asked && !c->returned; sched_yield()) {
        pthread_mutex_lock(&host_driver.mutex);
        asked = host_driver.queries - queries > 2;
        pthread_mutex_unlock(&host_driver.mutex);
    }
}

static ldpc_status end_call(call *c)
{
    pthread_join(c->thread, NULL);
    return c->status;
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
    assert_int_equal(clocks[0].calls, 1);
}

/* ---- a GPU that answers around the limit */

/* As late as it can be: while it is asked for the last time. */
static void check_late_answer(void)
{
    ldpc_decoder *dec = make(NULL);
    call c;
    n_clocks = 0;
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
        cmocka_unit_test_setup_teardown(test_cpu_of_the_decoder_waits, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < MOST; i++)
        codewords_free(&batches[i]);
    return failed;
}
