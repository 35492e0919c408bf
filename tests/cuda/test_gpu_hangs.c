/* SPDX-License-Identifier: BSD-3-Clause */
/* A GPU never completes its work, and driver calls wait. ldpc_decoder_abandon() ends all waiting calls. Later
 * calls fail at once. Memory of the GPU is not freed. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include <dirent.h>
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

enum { SOON_MS = 20, MOST_LEFT = 16 };

/* Decoders that were destroyed while their GPU hung. Their memory remains allocated. */
static ldpc_decoder *left[MOST_LEFT];
static size_t n_left;
static size_t own_threads; /* number of threads that the test and a sanitizer use */

static void leave(ldpc_decoder *dec)
{
    assert_true(n_left < MOST_LEFT);
    left[n_left++] = dec;
    ldpc_decoder_destroy(dec);
}

static size_t count_threads(void)
{
    size_t threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *entry; (entry = readdir(tasks));)
        threads += entry->d_name[0] != '.';
    closedir(tasks);
    return threads;
}

static void nap(void)
{
    const struct timespec t = {.tv_nsec = SOON_MS * 1000000L};
    nanosleep(&t, NULL);
}

static void submit_all(ldpc_decoder *dec, const ldpc_batch *batch)
{
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_submit(dec, batch), LDPC_OK);
}

static ldpc_decoder *make(const codewords *w, const char *devices)
{
    ldpc_decoder *dec;
    ldpc_decoder_params params = codewords_parameters("straight");
    params.devices = devices;
    assert_int_equal(ldpc_decoder_create(w->code, &params, &dec, NULL), LDPC_OK);
    return dec;
}

/* Decodes without posteriors, because the first batch with posteriors allocates memory in the driver. */
static ldpc_batch plain(const codewords *w)
{
    ldpc_batch batch = w->batch;
    batch.posterior = NULL;
    return batch;
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

/* Lets the GPU complete its work. The threads of abandoned decoders end without writing to memory of a
 * caller. */
static int tear_down(void **state)
{
    codewords *w = *state;
    host_driver_hang(0, false);
    while (count_threads() > own_threads)
        sched_yield();
    for (size_t i = 0; i < (size_t)CODEWORDS * w->n; i++)
        assert_int_equal(w->codeword[i], 7);
    codewords_free(w);
    return 0;
}

/* ---- calls on another thread */

typedef struct call {
    ldpc_status (*run)(ldpc_decoder *dec, const codewords *w);
    ldpc_decoder *dec;
    const codewords *w;
    pthread_t thread;
    ldpc_status status;
} call;

static void *run_call(void *context)
{
    call *c = context;
    c->status = c->run(c->dec, c->w);
    return NULL;
}

static void start(call *c)
{
    assert_int_equal(pthread_create(&c->thread, NULL, run_call, c), 0);
}

static ldpc_status end(const call *c)
{
    assert_int_equal(pthread_join(c->thread, NULL), 0);
    return c->status;
}

static ldpc_status collect(ldpc_decoder *dec, const codewords *w)
{
    (void)w;
    return ldpc_collect(dec, -1, NULL);
}

static ldpc_status set_iterations(ldpc_decoder *dec, const codewords *w)
{
    (void)w;
    return ldpc_decoder_set_max_iterations(dec, 3);
}

static ldpc_status set_early_stop(ldpc_decoder *dec, const codewords *w)
{
    (void)w;
    return ldpc_decoder_set_early_stop(dec, false);
}

static ldpc_status decode(ldpc_decoder *dec, const codewords *w)
{
    const ldpc_batch batch = plain(w);
    return ldpc_decode(dec, &batch);
}

static ldpc_status submit(ldpc_decoder *dec, const codewords *w)
{
    const ldpc_batch batch = plain(w);
    return ldpc_submit(dec, &batch);
}

static ldpc_status submit_posteriors(ldpc_decoder *dec, const codewords *w)
{
    return ldpc_submit(dec, &w->batch);
}

static ldpc_status destroy(ldpc_decoder *dec, const codewords *w)
{
    (void)w;
    ldpc_decoder_destroy(dec);
    return LDPC_OK;
}

/* Calls on an abandoned decoder must not wait, because only the calling thread could release the GPU. */
static void check_abandoned(ldpc_decoder *dec, codewords *w)
{
    char memory[100];
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_submit(dec, &w->batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decode(dec, &w->batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decode_device(dec, NULL, &w->batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 3), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_notify(dec, NULL, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_register(dec, memory, sizeof memory), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_unregister(dec, memory), LDPC_ERR_DEVICE);
    assert_null(ldpc_decoder_alloc(dec, 1));
    assert_non_null(strstr(ldpc_decoder_message(dec), "was abandoned"));
}

/* ---- waits of the library */

static void test_collect_ends(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    call c = {.run = collect, .dec = make(w, NULL), .w = w};
    void *memory = ldpc_decoder_alloc(c.dec, 1000);
    host_driver_hang(0, true);
    submit_all(c.dec, &batch);
    const int live = host_driver.live;
    start(&c);
    nap();
    ldpc_decoder_abandon(c.dec);
    assert_int_equal(end(&c), LDPC_ERR_DEVICE);
    check_abandoned(c.dec, w);
    ldpc_decoder_free(c.dec, memory);
    leave(c.dec);
    assert_int_equal(host_driver.live, live); /* the GPU may still write to the memory */
    memset(memory, 1, 1000);
}

static void test_setter_ends(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    call c = {.run = set_iterations, .dec = make(w, NULL), .w = w};
    host_driver_hang(0, true);
    submit_all(c.dec, &batch);
    start(&c);
    nap();
    ldpc_decoder_abandon(c.dec);
    assert_int_equal(end(&c), LDPC_ERR_DEVICE);
    check_abandoned(c.dec, w);
    leave(c.dec);
}

static void test_destroy_ends(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    call c = {.run = destroy, .dec = make(w, NULL), .w = w};
    left[n_left++] = c.dec;
    host_driver_hang(0, true);
    submit_all(c.dec, &batch);
    start(&c);
    nap();
    ldpc_decoder_abandon(c.dec);
    end(&c);
}

/* Waits until the call has polled the GPU many times. */
static void await_queries(void)
{
    unsigned queries = 0;
    while (queries < 3000) {
        pthread_mutex_lock(&host_driver.mutex);
        queries = host_driver.queries;
        pthread_mutex_unlock(&host_driver.mutex);
        sched_yield();
    }
}

static void check_polling_call(codewords *w, ldpc_decoder *dec,
                               ldpc_status (*run)(ldpc_decoder *, const codewords *))
{
    call c = {.run = run, .dec = dec, .w = w};
    host_driver.queries = 0;
    start(&c);
    await_queries();
    ldpc_decoder_abandon(dec);
    assert_int_equal(end(&c), LDPC_ERR_DEVICE);
    assert_int_equal(w->info[0].decoded, 0);
    check_abandoned(dec, w);
    leave(dec);
}

static void test_decode_ends(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, NULL);
    host_driver_hang(0, true);
    check_polling_call(w, dec, decode);
}

static void test_failed_submit_ends(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, NULL);
    host_driver_hang(0, true);
    host_driver.launch_result = 1;
    check_polling_call(w, dec, submit);
    host_driver.launch_result = 0;
}

/* ---- calls that hang in the driver */

static void await_hanging_call(void)
{
    pthread_mutex_lock(&host_driver.mutex);
    while (!host_driver.waiting)
        pthread_cond_wait(&host_driver.changed, &host_driver.mutex);
    pthread_mutex_unlock(&host_driver.mutex);
}

/* A call that hangs in the driver returns when the GPU answers. Other calls must not wait for this call. */
static void check_stuck(codewords *w, ldpc_status (*run)(ldpc_decoder *, const codewords *))
{
    call c = {.run = run, .dec = make(w, NULL), .w = w};
    host_driver_hang(0, true);
    start(&c);
    await_hanging_call();
    const int live = host_driver.live;
    ldpc_decoder_abandon(c.dec);
    check_abandoned(c.dec, w);
    leave(c.dec);
    assert_int_equal(host_driver.live, live);
    host_driver_hang(0, false);
    end(&c);
}

static void test_stuck_submit(void **state)
{
    check_stuck(*state, submit_posteriors);
}

static void test_stuck_setter(void **state)
{
    check_stuck(*state, set_early_stop);
}

static void test_stuck_destroy(void **state)
{
    codewords *w = *state;
    call c = {.run = destroy, .dec = make(w, NULL), .w = w};
    host_driver_hang(0, true);
    start(&c);
    await_hanging_call();
    left[n_left++] = c.dec;
    ldpc_decoder_abandon(c.dec);
    host_driver_hang(0, false);
    end(&c);
}

/* ---- others */

static atomic_uint notified;

static void notify(void *context)
{
    (void)context;
    notified++;
}

/* `notify` must not be called when a decoder is abandoned, or when its GPU answers later. */
static void test_no_notification(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    ldpc_decoder *dec = make(w, NULL);
    assert_int_equal(ldpc_decoder_set_notify(dec, notify, NULL), LDPC_OK);
    host_driver_hang(0, true);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    notified = 0;
    ldpc_decoder_abandon(dec);
    host_driver_hang(0, false);
    leave(dec);
    while (count_threads() > own_threads)
        sched_yield();
    assert_int_equal(notified, 0);
}

/* Abandons a decoder whose GPU does not hang. Other decoders must not be affected. */
static void test_others_work(void **state)
{
    codewords *w = *state;
    ldpc_decoder *dec = make(w, NULL), *other = make(w, NULL);
    ldpc_decoder_abandon(dec);
    ldpc_decoder_abandon(dec);
    ldpc_decoder_abandon(NULL);
    check_abandoned(dec, w);
    leave(dec);
    ldpc_decoder *later = make(w, NULL);
    assert_int_equal(ldpc_decode(other, &w->batch), LDPC_OK);
    assert_int_equal(codewords_check(w), 0);
    assert_int_equal(ldpc_decode(later, &w->batch), LDPC_OK);
    ldpc_decoder_destroy(other);
    ldpc_decoder_destroy(later);
    codewords_clear(w);
}

/* ---- without ldpc_decoder_abandon() */

static void test_collect_comes_back_in_time(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    ldpc_decoder *dec = make(w, NULL);
    host_driver_hang(0, true);
    submit_all(dec, &batch);
    assert_int_equal(ldpc_collect(dec, 1000 * SOON_MS, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_AGAIN);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
    assert_int_equal(w->message[0], 7); /* nothing was written */
    host_driver_hang(0, false);
    for (size_t i = 0; i < ldpc_decoder_depth(dec); i++)
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(w->info[0].decoded, 1);
    ldpc_decoder_destroy(dec);
    codewords_clear(w);
}

static void test_destroy_waits(void **state)
{
    codewords *w = *state;
    const ldpc_batch batch = plain(w);
    struct timespec soon;
    call c = {.run = destroy, .dec = make(w, NULL), .w = w};
    host_driver_hang(0, true);
    submit_all(c.dec, &batch);
    start(&c);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += SOON_MS * 1000000L;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    assert_int_equal(pthread_timedjoin_np(c.thread, NULL, &soon), ETIMEDOUT);
    assert_int_equal(w->message[0], 7); /* nothing was written */
    host_driver_hang(0, false);
    end(&c);
    assert_int_equal(w->info[0].decoded, 1);
    codewords_clear(w);
}

static void *end_at_once(void *context)
{
    return context;
}

/* Returns the number of threads of this program. ThreadSanitizer adds a thread when the first thread starts.
 * Joined threads may be counted for a short time. */
static size_t count_own_threads(void)
{
    pthread_t thread;
    size_t least = SIZE_MAX;
    assert_int_equal(pthread_create(&thread, NULL, end_at_once, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    for (int i = 0; i < 1000; i++) {
        const size_t count = count_threads();
        least = count < least ? count : least;
        sched_yield();
    }
    return least;
}

int main(void)
{
    host_driver.launch = decide_by_signs;
    own_threads = count_own_threads();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_collect_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_setter_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_destroy_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_decode_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failed_submit_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stuck_submit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stuck_setter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stuck_destroy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_notification, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_collect_comes_back_in_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_destroy_waits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
