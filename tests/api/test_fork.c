/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests forked processes that inherit decoders. The child may destroy every decoder. It may use a decoder
 * that holds no resources of the parent. All other calls return an error. An alarm ends a hanging child. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODEWORDS = 24, SECONDS = 30 };

typedef struct setup {
    ldpc_code *code;
    ldpc_decoder *dec;
    codewords w;
    ldpc_batch batch;
} setup;

static setup make_setup(uint32_t threads)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.threads = threads;
    setup s = {.code = make_code("wimax:576:1/2")};
    s.dec = make_decoder(s.code, &params);
    s.w = make_codewords(s.code, 5, 0, CODEWORDS);
    s.batch = batch_of(&s.w);
    return s;
}

static void free_setup(setup *s)
{
    ldpc_decoder_destroy(s->dec);
    free_codewords(&s->w);
    ldpc_code_destroy(s->code);
}

/* Returns true if the message bits are correct. Overwrites the bits. */
static bool decoded(setup *s)
{
    size_t bits = CODEWORDS * ldpc_code_k(s->code);
    bool right = memcmp(s->w.message, s->w.transmitted, bits) == 0;
    memset(s->w.message, 2, bits);
    return right;
}

static bool holds_in_child(bool (*check)(setup *s), setup *s)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(check(s) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool destroy_decoder(setup *s)
{
    ldpc_decoder_destroy(s->dec);
    return true;
}

static bool decode_all(setup *s)
{
    return ldpc_decode(s->dec, &s->batch) == LDPC_OK && decoded(s);
}

static bool submit_all(setup *s)
{
    return ldpc_submit(s->dec, &s->batch) == LDPC_OK && ldpc_collect(s->dec, -1, NULL) == LDPC_OK &&
           decoded(s);
}

static void notify(void *context)
{
    (void)context;
}

static bool refused(setup *s, ldpc_status status)
{
    return status == LDPC_ERR_THREAD && strstr(ldpc_decoder_message(s->dec), "forked");
}

static bool all_calls_are_refused(setup *s)
{
    ldpc_sim_params sim;
    ldpc_sim_result result;
    ldpc_sim_params_init(&sim);
    return refused(s, ldpc_decode(s->dec, &s->batch)) && refused(s, ldpc_submit(s->dec, &s->batch)) &&
           refused(s, ldpc_collect(s->dec, -1, NULL)) &&
           refused(s, ldpc_decode_device(s->dec, NULL, &s->batch)) &&
           refused(s, ldpc_decoder_set_notify(s->dec, notify, NULL)) &&
           refused(s, ldpc_decoder_set_max_iterations(s->dec, 3)) &&
           refused(s, ldpc_decoder_set_early_stop(s->dec, false)) &&
           refused(s, ldpc_decoder_set_offset(s->dec, 1)) &&
           refused(s, ldpc_decoder_set_factor(s->dec, 0.5f)) &&
           refused(s, ldpc_decoder_register(s->dec, &sim, 8)) &&
           refused(s, ldpc_decoder_unregister(s->dec, &sim)) &&
           ldpc_sim_run(s->dec, &sim, &result, NULL) == LDPC_ERR_THREAD && !ldpc_decoder_alloc(s->dec, 8) &&
           ldpc_decoder_code(s->dec) == s->code && ldpc_decoder_depth(s->dec) > 0 && destroy_decoder(s);
}

static bool new_decoder_works(setup *s)
{
    ldpc_decoder_destroy(s->dec);
    setup own = make_setup(3);
    bool works = decode_all(&own) && submit_all(&own);
    free_setup(&own);
    return works;
}

/* Forks with idle threads, with batches in flight, and with uncollected results. */
static void test_threads_stay_with_the_parent(void **state)
{
    (void)state;
    setup s = make_setup(3);
    /* All threads have started: a fork while AddressSanitizer starts one may hang. */
    assert_true(decode_all(&s));
    for (int submitted = 0; submitted < 3; submitted++) {
        assert_true(holds_in_child(destroy_decoder, &s));
        assert_true(holds_in_child(all_calls_are_refused, &s));
        assert_true(holds_in_child(new_decoder_works, &s));
        assert_int_equal(ldpc_submit(s.dec, &s.batch), LDPC_OK);
    }
    for (int submitted = 0; submitted < 3; submitted++)
        assert_int_equal(ldpc_collect(s.dec, -1, NULL), LDPC_OK);
    assert_true(decoded(&s));
    assert_true(decode_all(&s));
    free_setup(&s);
}

/* With one thread and blocking calls, no thread is started, so the child can use the decoder. */
static bool child_of_child(setup *s)
{
    return decode_all(s) && submit_all(s) && holds_in_child(all_calls_are_refused, s) && decode_all(s) &&
           destroy_decoder(s);
}

static void test_without_threads_the_child_works(void **state)
{
    (void)state;
    setup s = make_setup(1);
    assert_true(decode_all(&s));
    assert_true(holds_in_child(decode_all, &s));
    assert_true(holds_in_child(child_of_child, &s));
    assert_true(decode_all(&s));
    assert_true(submit_all(&s)); /* starts the thread */
    assert_true(holds_in_child(all_calls_are_refused, &s));
    free_setup(&s);
}

static bool works_or_is_refused(setup *s)
{
    ldpc_status status = ldpc_decode(s->dec, &s->batch);
    bool right = status == LDPC_OK ? decoded(s) : refused(s, status);
    return right && destroy_decoder(s);
}

static void *decode_often(void *context)
{
    setup *s = context;
    for (int i = 0; i < 2000; i++)
        if (ldpc_decode(s->dec, &s->batch))
            return s;
    return NULL;
}

/* Forks while another thread is inside a call and may hold locks. */
static void test_fork_during_a_call(void **state)
{
    (void)state;
    setup s = make_setup(1);
    pthread_t thread;
    void *failed = &s;
    assert_int_equal(pthread_create(&thread, NULL, decode_often, &s), 0);
    for (int i = 0; i < 40; i++)
        assert_true(holds_in_child(works_or_is_refused, &s));
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    free_setup(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_stay_with_the_parent),
        cmocka_unit_test(test_without_threads_the_child_works),
        cmocka_unit_test(test_fork_during_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
