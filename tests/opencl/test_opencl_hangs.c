/* SPDX-License-Identifier: BSD-3-Clause */
/* A device never completes its commands. ldpc_decoder_abandon() ends the calls that wait for the device. If
 * the device answers instead, these calls succeed. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fake_opencl.h"
#include "ldpc/ldpc.h"

enum { CODEWORDS = 5, N = 648, DEPTH = 3, SOON_US = 50000 };

/* A decoder with the maximum number of batches in flight. */
typedef struct hanging {
    ldpc_decoder *dec;
    int8_t llr[DEPTH][CODEWORDS * N];
    uint8_t codeword[DEPTH][CODEWORDS * N];
    ldpc_codeword_info info[DEPTH][CODEWORDS];
} hanging;

static ldpc_batch batch_of(hanging *h, size_t i)
{
    return (ldpc_batch){
        .n_codewords = CODEWORDS, .llr = h->llr[i], .codeword = h->codeword[i], .info = h->info[i]};
}

static int set_up(void **state)
{
    hanging *h = calloc(1, sizeof *h);
    ldpc_code *code;
    ldpc_decoder_params params;
    assert_non_null(h);
    for (size_t i = 0; i < DEPTH; i++) {
        for (size_t j = 0; j < CODEWORDS * N; j++)
            h->llr[i][j] = (int8_t)(rand() % 200 - 100);
        memset(h->codeword[i], 7, sizeof h->codeword[i]);
    }
    ldpc_decoder_params_init(&params);
    params.backend = "opencl";
    params.kernel = "any";
    params.max_batch = CODEWORDS;
    params.streams = DEPTH;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_create(code, &params, &h->dec, NULL), LDPC_OK);
    ldpc_code_destroy(code);
    assert_int_equal(ldpc_decoder_depth(h->dec), DEPTH);
    fake_opencl_hang(true);
    for (size_t i = 0; i < DEPTH; i++) {
        const ldpc_batch batch = batch_of(h, i);
        assert_int_equal(ldpc_submit(h->dec, &batch), LDPC_OK);
    }
    *state = h;
    return 0;
}

/* The kernel of the fake device decides bits by the signs of LLRs. */
static void check_codewords(const hanging *h)
{
    for (size_t i = 0; i < DEPTH; i++) {
        for (size_t w = 0; w < CODEWORDS; w++)
            assert_int_equal(h->info[i][w].decoded, 1);
        for (size_t j = 0; j < CODEWORDS * N; j++)
            assert_int_equal(h->codeword[i][j], h->llr[i][j] < 0);
    }
}

static int tear_down(void **state)
{
    hanging *h = *state;
    fake_opencl_hang(false);
    ldpc_decoder_destroy(h->dec);
    free(h);
    return fake_opencl.live;
}

/* This test must be the last, because objects of the device are not released. */
static void test_abandoned(void **state)
{
    static hanging *h; /* never freed */
    h = *state;
    const ldpc_batch batch = batch_of(h, 0);
    const int live = fake_opencl.live;
    ldpc_decoder_abandon(h->dec);
    assert_int_equal(ldpc_collect(h->dec, -1, NULL), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_submit(h->dec, &batch), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_max_iterations(h->dec, 3), LDPC_ERR_DEVICE);
    ldpc_decoder_destroy(h->dec);
    assert_int_equal(fake_opencl.live, live);
    for (size_t j = 0; j < CODEWORDS * N; j++)
        assert_int_equal(h->codeword[0][j], 7); /* nothing was written */
}

static void test_collect_comes_back(void **state)
{
    hanging *h = *state;
    const ldpc_batch batch = batch_of(h, 0);
    assert_int_equal(ldpc_collect(h->dec, SOON_US, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_collect(h->dec, 0, NULL), LDPC_AGAIN);
    assert_int_equal(ldpc_submit(h->dec, &batch), LDPC_AGAIN);
    assert_int_equal(ldpc_decode(h->dec, &batch), LDPC_ERR_PARAM);
    assert_int_equal(h->codeword[0][0], 7); /* nothing was written */
    fake_opencl_hang(false);
    for (size_t i = 0; i < DEPTH; i++)
        assert_int_equal(ldpc_collect(h->dec, -1, NULL), LDPC_OK);
    check_codewords(h);
}

static void test_another_decoder_works(void **state)
{
    hanging *h = *state;
    ldpc_decoder_params params;
    ldpc_decoder *other;
    ldpc_codeword_info info[CODEWORDS] = {{0}};
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.max_batch = CODEWORDS;
    assert_int_equal(ldpc_decoder_create(ldpc_decoder_code(h->dec), &params, &other, NULL), LDPC_OK);
    const ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = h->llr[0], .info = info};
    assert_int_equal(ldpc_decode(other, &batch), LDPC_OK);
    for (size_t w = 0; w < CODEWORDS; w++)
        assert_int_equal(info[w].decoded, 1);
    ldpc_decoder_destroy(other);
    assert_int_equal(ldpc_collect(h->dec, 0, NULL), LDPC_AGAIN);
    assert_int_equal(h->codeword[0][0], 7); /* unchanged */
}

static void *destroy(void *dec)
{
    ldpc_decoder_destroy(dec);
    return dec;
}

static void *set(void *dec)
{
    return ldpc_decoder_set_max_iterations(dec, 3) == LDPC_OK ? dec : NULL;
}

static void check_waits(hanging *h, void *call(void *dec))
{
    pthread_t thread;
    void *result = NULL;
    struct timespec soon;
    assert_int_equal(pthread_create(&thread, NULL, call, h->dec), 0);
    clock_gettime(CLOCK_REALTIME, &soon);
    const long ns = soon.tv_nsec + SOON_US * 1000L;
    soon.tv_sec += ns / 1000000000;
    soon.tv_nsec = ns % 1000000000;
    assert_int_equal(pthread_timedjoin_np(thread, &result, &soon), ETIMEDOUT);
    assert_int_equal(h->codeword[0][0], 7);
    fake_opencl_hang(false);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, h->dec);
    check_codewords(h);
}

static void test_destroy_waits(void **state)
{
    hanging *h = *state;
    check_waits(h, destroy);
    h->dec = NULL;
}

static void test_setters_wait(void **state)
{
    check_waits(*state, set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_collect_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_decoder_works, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_destroy_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_setters_wait, set_up, tear_down),
        cmocka_unit_test_setup(test_abandoned, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
