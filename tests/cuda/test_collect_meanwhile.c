/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of collect in another thread must not wait while a setter compiles a kernel. */
#define _GNU_SOURCE /* pthread_timedjoin_np */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "codewords.h"
#include "host_driver.h"

enum { SECONDS = 60, COLLECTED = 2 };

static ldpc_decoder *dec; /* NULL before creation */
static ldpc_status collected[COLLECTED];
static int compilations;

static void *collect(void *context)
{
    (void)context;
    for (size_t i = 0; i < COLLECTED; i++)
        collected[i] = ldpc_collect(dec, 0, NULL);
    return NULL;
}

static void *collect_with_timeout(void *context)
{
    (void)context;
    for (size_t i = 0; i < COLLECTED; i++)
        collected[i] = ldpc_collect(dec, 1000, NULL);
    return NULL;
}

static void run_while_compiling(void *(*call)(void *))
{
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    assert_int_equal(pthread_create(&thread, NULL, call, NULL), 0);
    assert_int_equal(pthread_timedjoin_np(thread, NULL, &until), 0);
}

/* Calls collect in another thread during compilation. */
static void compile(const char *source, char image[HOST_DRIVER_IMAGE])
{
    (void)source, (void)image;
    if (!dec)
        return;
    compilations++;
    run_while_compiling(collect);
    assert_int_equal(collected[0], LDPC_OK);
    assert_int_equal(collected[1], LDPC_EMPTY);
    run_while_compiling(collect_with_timeout);
    assert_int_equal(collected[0], LDPC_EMPTY);
}

static ldpc_status set_offset(void)
{
    return ldpc_decoder_set_offset(dec, 3);
}

static ldpc_status set_factor(void)
{
    return ldpc_decoder_set_factor(dec, 0.5f);
}

static ldpc_status set_early_stop(void)
{
    return ldpc_decoder_set_early_stop(dec, false);
}

static const struct setter_case {
    const char *name;
    ldpc_algorithm algorithm;
    ldpc_status (*set)(void);
} cases[] = {
    {"offset",     LDPC_ALGORITHM_OFFSET_MIN_SUM,     set_offset    },
    {"factor",     LDPC_ALGORITHM_NORMALIZED_MIN_SUM, set_factor    },
    {"early stop", LDPC_ALGORITHM_CORRECTED_MIN_SUM,  set_early_stop},
};

static void test_setter(void **state)
{
    const struct setter_case *c = *state;
    codewords w;
    codewords_make(&w);
    host_driver_reset(0, 0, false);
    ldpc_decoder_params params = codewords_parameters("straight");
    params.algorithm = c->algorithm;
    dec = NULL;
    ldpc_decoder *made;
    assert_int_equal(ldpc_decoder_create(w.code, &params, &made, NULL), LDPC_OK);
    dec = made;
    codewords_clear(&w);
    assert_int_equal(ldpc_submit(dec, &w.batch), LDPC_OK);
    compilations = 0;
    assert_int_equal(c->set(), LDPC_OK);
    assert_int_equal(compilations, 1);
    assert_int_equal(codewords_check(&w), 0);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_EMPTY);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    codewords_free(&w);
}

int main(void)
{
    enum { COUNT = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){cases[i].name, test_setter, NULL, NULL, (void *)&cases[i]};
    host_driver.launch = decide_by_signs;
    host_driver.compile = compile;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
