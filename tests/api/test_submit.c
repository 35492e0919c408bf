/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests batches in flight: order, number, notification, two threads with one decoder, setters and destruction
 * during decoding. No test measures time. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_BATCHES = 64 };

static void pause_shortly(void)
{
    const struct timespec pause = {0, 20000};
    nanosleep(&pause, NULL);
}

static ldpc_decoder_params params_of(uint32_t threads, uint32_t iterations)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.threads = threads;
    params.max_iterations = iterations;
    return params;
}

/* Decodes the batches one after the other, for comparison. */
static void decode_all(const ldpc_code *code, ldpc_decoder_params params, codewords *batches, size_t count)
{
    params.threads = 1;
    ldpc_decoder *dec = make_decoder(code, &params);
    for (size_t i = 0; i < count; i++) {
        ldpc_batch batch = batch_of(&batches[i]);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    }
    ldpc_decoder_destroy(dec);
}

typedef struct batches {
    ldpc_code *code;
    size_t count;
    codewords expected[MAX_BATCHES], got[MAX_BATCHES];
} batches;

/* Batches of 1 to 5 codewords. Every second batch has less noise, so decoding times differ. */
static void make_batches(batches *b, size_t count, ldpc_decoder_params params)
{
    b->code = make_code("wimax:576:1/2");
    b->count = count;
    for (size_t i = 0; i < count; i++) {
        double ebn0_db = i % 3 ? 4 : -2;
        b->expected[i] = make_codewords(b->code, ebn0_db, 10 * i, 1 + i % 5);
        b->got[i] = make_codewords(b->code, ebn0_db, 10 * i, 1 + i % 5);
    }
    decode_all(b->code, params, b->expected, count);
}

static void free_batches(batches *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free_codewords(&b->expected[i]);
        free_codewords(&b->got[i]);
    }
    ldpc_code_destroy(b->code);
}

static void check_next(ldpc_decoder *dec, const batches *b, size_t i, int64_t timeout_us)
{
    ldpc_batch done = {0};
    assert_int_equal(ldpc_collect(dec, timeout_us, &done), LDPC_OK);
    assert_ptr_equal(done.llr, b->got[i].llr); /* in order */
    assert_int_equal(done.n_codewords, b->got[i].count);
    assert_same_codewords(b->code, &b->got[i], &b->expected[i]);
}

static void test_order_and_depth(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        ldpc_decoder_params params = params_of(threads, 60);
        batches b;
        make_batches(&b, 40, params);
        ldpc_decoder *dec = make_decoder(b.code, &params);
        size_t depth = ldpc_decoder_depth(dec), submitted = 0;
        assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_EMPTY);
        for (size_t collected = 0; collected < b.count; collected++) {
            while (submitted < b.count && submitted < collected + depth) {
                ldpc_batch batch = batch_of(&b.got[submitted++]);
                assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
                memset(&batch, 0, sizeof batch); /* submit copies the struct */
            }
            if (submitted == collected + depth) {
                ldpc_batch batch = batch_of(&b.got[0]);
                assert_int_equal(ldpc_submit(dec, &batch), LDPC_AGAIN);
                assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_PARAM);
                assert_non_null(strstr(ldpc_decoder_message(dec), "not been collected"));
            }
            check_next(dec, &b, collected, collected % 2 ? -1 : 60 * 1000000);
        }
        assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_EMPTY);
        ldpc_decoder_destroy(dec);
        free_batches(&b);
    }
}

/* A wait with a timeout of 0 returns at once. A wait with a short timeout expires. No batch is lost. */
static void test_timeouts(void **state)
{
    (void)state;
    ldpc_decoder_params params = params_of(1, 10000);
    params.early_stop = false;
    batches b;
    make_batches(&b, 1, params);
    ldpc_decoder *dec = make_decoder(b.code, &params);
    ldpc_batch batch = batch_of(&b.got[0]);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    ldpc_status status = ldpc_collect(dec, 0, &batch);
    while (status == LDPC_AGAIN)
        status = ldpc_collect(dec, 1, &batch);
    assert_int_equal(status, LDPC_OK);
    assert_same_codewords(b.code, &b.got[0], &b.expected[0]);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, INT64_MAX, NULL), LDPC_OK);
    ldpc_decoder_destroy(dec);
    free_batches(&b);
}

/* ------------------------------------------------------------------------------------------------
 * notification */

typedef struct waiter {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    int notified;
} waiter;

static void count_notification(void *context)
{
    waiter *w = context;
    pthread_mutex_lock(&w->mutex);
    w->notified++;
    pthread_cond_signal(&w->ready);
    pthread_mutex_unlock(&w->mutex);
}

static void test_notify(void **state)
{
    (void)state;
    ldpc_decoder_params params = params_of(2, 60);
    batches b;
    make_batches(&b, 30, params);
    ldpc_decoder *dec = make_decoder(b.code, &params);
    waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    assert_int_equal(ldpc_decoder_set_notify(dec, count_notification, &w), LDPC_OK);
    size_t submitted = 0, collected = 0;
    int seen = 0;
    while (collected < b.count) {
        ldpc_batch batch;
        while (submitted < b.count &&
               (batch = batch_of(&b.got[submitted]), ldpc_submit(dec, &batch) == LDPC_OK))
            submitted++;
        assert_int_equal(ldpc_decoder_set_notify(dec, NULL, NULL), LDPC_ERR_PARAM); /* batches in flight */
        pthread_mutex_lock(&w.mutex);
        while (w.notified == seen)
            pthread_cond_wait(&w.ready, &w.mutex);
        seen = w.notified;
        pthread_mutex_unlock(&w.mutex);
        while (ldpc_collect(dec, 0, &batch) == LDPC_OK) {
            assert_ptr_equal(batch.llr, b.got[collected].llr);
            assert_same_codewords(b.code, &b.got[collected], &b.expected[collected]);
            collected++;
        }
    }
    /* after this call, no callback is running */
    assert_int_equal(ldpc_decoder_set_notify(dec, NULL, NULL), LDPC_OK);
    assert_int_equal(w.notified, (int)b.count);
    ldpc_batch batch = batch_of(&b.got[0]);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_notify(dec, count_notification, &w), LDPC_OK);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);
    assert_int_equal(w.notified, (int)b.count);
    free_batches(&b);
}

/* notify() is called without locks of the decoder, so it may take a lock that the caller of ldpc_submit()
 * holds. */
static void test_notify_takes_the_callers_lock(void **state)
{
    (void)state;
    ldpc_decoder_params params = params_of(1, 20);
    batches b;
    make_batches(&b, 10, params);
    ldpc_decoder *dec = make_decoder(b.code, &params);
    waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    assert_int_equal(ldpc_decoder_set_notify(dec, count_notification, &w), LDPC_OK);
    for (size_t i = 0; i < b.count; i++) {
        ldpc_batch batch = batch_of(&b.got[i]);
        ldpc_status status = LDPC_AGAIN;
        pthread_mutex_lock(&w.mutex);
        assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
        while (status == LDPC_AGAIN) {
            status = ldpc_collect(dec, 0, NULL);
            pthread_mutex_unlock(&w.mutex);
            pause_shortly();
            pthread_mutex_lock(&w.mutex);
        }
        pthread_mutex_unlock(&w.mutex);
        assert_int_equal(status, LDPC_OK);
        assert_same_codewords(b.code, &b.got[i], &b.expected[i]);
    }
    ldpc_decoder_destroy(dec);
    assert_int_equal(w.notified, (int)b.count);
    free_batches(&b);
}

/* ------------------------------------------------------------------------------------------------ two
 * threads */

typedef struct submitter {
    ldpc_decoder *dec;
    const batches *b;
    int failures;
} submitter;

static void *submit_all(void *argument)
{
    submitter *s = argument;
    for (size_t i = 0; i < s->b->count;) {
        ldpc_batch batch = batch_of(&s->b->got[i]);
        ldpc_status status = ldpc_submit(s->dec, &batch);
        if (status == LDPC_AGAIN) {
            pause_shortly();
            continue;
        }
        s->failures += status != LDPC_OK;
        if (i % 7 == 3) /* in the thread that submits */
            s->failures += ldpc_decoder_set_max_iterations(s->dec, 60) != LDPC_OK;
        i++;
    }
    return NULL;
}

static void test_one_submits_while_another_collects(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        ldpc_decoder_params params = params_of(threads, 60);
        batches b;
        make_batches(&b, MAX_BATCHES, params);
        submitter s = {make_decoder(b.code, &params), &b, 0};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, submit_all, &s), 0);
        for (size_t i = 0; i < b.count; i++) {
            ldpc_batch done;
            ldpc_status status;
            while ((status = ldpc_collect(s.dec, 1000000, &done)) == LDPC_EMPTY || status == LDPC_AGAIN)
                pause_shortly();
            assert_int_equal(status, LDPC_OK);
            assert_ptr_equal(done.llr, b.got[i].llr);
        }
        pthread_join(thread, NULL);
        assert_int_equal(s.failures, 0);
        for (size_t i = 0; i < b.count; i++)
            assert_same_codewords(b.code, &b.got[i], &b.expected[i]);
        assert_int_equal(ldpc_collect(s.dec, 0, NULL), LDPC_EMPTY);
        ldpc_decoder_destroy(s.dec);
        free_batches(&b);
    }
}

/* Each thread has a decoder. All decoders share one code. */
static void *decode_alone(void *argument)
{
    const batches *b = argument;
    ldpc_decoder_params params = params_of(1, 60);
    ldpc_decoder *dec = NULL;
    int failures = ldpc_decoder_create(b->code, &params, &dec, NULL) != LDPC_OK;
    for (size_t i = 0; i < b->count && dec; i++) {
        ldpc_batch batch = batch_of(&b->expected[i]);
        batch.posterior = NULL; /* output buffers of each thread */
        batch.codeword = NULL;
        batch.info = NULL;
        batch.message = malloc(b->expected[i].count * ldpc_code_k(b->code));
        failures += ldpc_decode(dec, &batch) != LDPC_OK;
        failures +=
            memcmp(batch.message, b->expected[i].message, b->expected[i].count * ldpc_code_k(b->code)) != 0;
        free(batch.message);
    }
    ldpc_decoder_destroy(dec);
    return failures ? argument : NULL;
}

static void test_shared_code(void **state)
{
    (void)state;
    batches b;
    make_batches(&b, 10, params_of(1, 60));
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, decode_alone, &b), 0);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    free_batches(&b);
}

/* ------------------------------------------------------------------------------------------------ while
 * under way */

static void test_destroy_with_work_in_flight(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        ldpc_decoder_params params = params_of(threads, 60);
        batches b;
        make_batches(&b, 8, params);
        ldpc_decoder *dec = make_decoder(b.code, &params);
        waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
        assert_int_equal(ldpc_decoder_set_notify(dec, count_notification, &w), LDPC_OK);
        size_t submitted = 0;
        ldpc_batch batch;
        while (submitted < b.count &&
               (batch = batch_of(&b.got[submitted]), ldpc_submit(dec, &batch) == LDPC_OK))
            submitted++;
        assert_true(submitted > 1);
        ldpc_decoder_destroy(dec); /* waits */
        assert_int_equal(w.notified, (int)submitted);
        for (size_t i = 0; i < submitted; i++)
            assert_same_codewords(b.code, &b.got[i], &b.expected[i]);
        free_batches(&b);
    }
}

/* A setter does not affect the batch that is being decoded. */
static void test_setter_applies_to_later_batches(void **state)
{
    (void)state;
    ldpc_decoder_params params = params_of(2, 40);
    params.early_stop = false;
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    batches before, after;
    make_batches(&before, 4, params);
    ldpc_decoder *dec = make_decoder(before.code, &params);
    params.max_iterations = 2;
    params.offset = 7;
    make_batches(&after, 2, params);
    for (size_t i = 0; i < 4; i++) {
        ldpc_batch batch = batch_of(&before.got[i]);
        assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    }
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 2), LDPC_OK);
    assert_int_equal(ldpc_decoder_set_offset(dec, 7), LDPC_OK);
    for (size_t i = 0; i < 2; i++) {
        ldpc_batch batch = batch_of(&after.got[i]);
        assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    }
    for (size_t i = 0; i < 4; i++)
        check_next(dec, &before, i, -1);
    for (size_t i = 0; i < 2; i++)
        check_next(dec, &after, i, -1);
    /* all batches are collected */
    ldpc_batch batch = batch_of(&after.got[0]);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    assert_same_codewords(after.code, &after.got[0], &after.expected[0]);
    ldpc_decoder_destroy(dec);
    free_batches(&before);
    free_batches(&after);
}

/* CPU threads finish their batches before ldpc_decoder_destroy() returns. `notify` is not called for these
 * batches. */
static void test_abandoned(void **state)
{
    (void)state;
    ldpc_decoder_params params = params_of(2, 60);
    batches b;
    make_batches(&b, 5, params);
    params.max_iterations = 2000;
    params.early_stop = false;
    ldpc_decoder *dec = make_decoder(b.code, &params);
    waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    assert_int_equal(ldpc_decoder_set_notify(dec, count_notification, &w), LDPC_OK);
    for (size_t i = 0; i < b.count && i < ldpc_decoder_depth(dec); i++) {
        const ldpc_batch batch = batch_of(&b.got[i]);
        assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    }
    pthread_mutex_lock(&w.mutex);
    while (!w.notified)
        pthread_cond_wait(&w.ready, &w.mutex);
    pthread_mutex_unlock(&w.mutex);
    ldpc_decoder_abandon(dec);
    const int notified = w.notified;
    const ldpc_batch batch = batch_of(&b.got[0]);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_max_iterations(dec, 3), LDPC_ERR_DEVICE);
    ldpc_decoder_destroy(dec);
    assert_int_equal(w.notified, notified);
    free_batches(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_depth),
        cmocka_unit_test(test_timeouts),
        cmocka_unit_test(test_notify),
        cmocka_unit_test(test_notify_takes_the_callers_lock),
        cmocka_unit_test(test_one_submits_while_another_collects),
        cmocka_unit_test(test_shared_code),
        cmocka_unit_test(test_destroy_with_work_in_flight),
        cmocka_unit_test(test_setter_applies_to_later_batches),
        cmocka_unit_test(test_abandoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
