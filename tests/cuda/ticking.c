/* SPDX-License-Identifier: BSD-3-Clause */
#include "ticking.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host_driver.h"

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

void ticking_reset(void)
{
    n_clocks = 0;
}

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

void ticking_await(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us)
{
    clock_of_decoder *c = enter(wake, mutex);
    assert_int_equal(us, LIMIT_MS * 1000 / TICKS);
    while (!*closing && !take(c))
        pthread_cond_wait(wake, mutex);
}

void await_watchdog(size_t i)
{
    pthread_mutex_lock(&control);
    while (n_clocks <= i || !clocks[i].waiting)
        pthread_cond_wait(&changed, &control);
    pthread_mutex_unlock(&control);
}

unsigned count_waits(size_t i)
{
    pthread_mutex_lock(&control);
    const unsigned calls = clocks[i].calls;
    pthread_mutex_unlock(&control);
    return calls;
}

void begin_tick(size_t i)
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

void tick(size_t i, int times)
{
    while (times--) {
        begin_tick(i);
        await_watchdog(i);
    }
}

/* ---- batches */

codewords batches[MOST];

int set_up(void **state)
{
    (void)state;
    ticking_reset();
    host_driver_reset(0, 0, false);
    for (size_t i = 0; i < MOST; i++)
        codewords_clear(&batches[i]);
    return 0;
}

/* Decoders that were left hear of the GPU's answer when they like. */
int tear_down(void **state)
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

ldpc_decoder *make(const char *devices)
{
    return make_with(devices, "straight");
}

ldpc_decoder *make_with(const char *devices, const char *kernel)
{
    ldpc_decoder_params params = codewords_parameters(kernel);
    ldpc_decoder *dec;
    params.gpu_timeout_ms = LIMIT_MS;
    params.devices = devices;
    assert_int_equal(ldpc_decoder_create(batches[0].code, &params, &dec, NULL), LDPC_OK);
    return dec;
}

ldpc_batch plain(size_t i)
{
    ldpc_batch batch = batches[i].batch;
    batch.posterior = NULL;
    return batch;
}

void submit(ldpc_decoder *dec, size_t i)
{
    const ldpc_batch batch = plain(i);
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
}

void check_results(size_t i)
{
    const codewords *w = &batches[i];
    for (size_t c = 0; c < CODEWORDS; c++)
        assert_int_equal(w->info[c].decoded, 1);
    for (size_t b = 0; b < (size_t)CODEWORDS * w->n; b++)
        assert_int_equal(w->codeword[b], w->llr[b] < 0);
}

void check_lost(size_t i)
{
    const codewords *w = &batches[i];
    for (size_t c = 0; c < CODEWORDS; c++)
        assert_int_equal(w->info[c].decoded, 0);
    for (size_t b = 0; b < (size_t)CODEWORDS * w->n; b++)
        assert_int_equal(w->codeword[b], 7);
}

size_t count_decoded(size_t i)
{
    size_t decoded = 0;
    for (size_t c = 0; c < CODEWORDS; c++)
        decoded += batches[i].info[c].decoded;
    return decoded;
}

ldpc_status decode(ldpc_decoder *dec, size_t i)
{
    const ldpc_batch batch = plain(i);
    return ldpc_decode(dec, &batch);
}

void wait_until_usable(ldpc_decoder *dec)
{
    ldpc_status status;
    host_driver_hang(0, false);
    while ((status = decode(dec, 0)) == LDPC_ERR_DEVICE)
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    check_results(0);
}

void hang(ldpc_decoder *dec)
{
    host_driver_hang(0, true);
    submit(dec, 0);
    tick(0, TICKS + 1);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_ERR_DEVICE);
}

/* ---- a blocking call */

static void *run_call(void *context)
{
    call *c = context;
    c->status = decode(c->dec, 1);
    c->returned = true;
    return NULL;
}

void start_call(call *c, ldpc_decoder *dec)
{
    c->dec = dec;
    c->returned = false;
    assert_int_equal(pthread_create(&c->thread, NULL, run_call, c), 0);
}

void let_it_ask(call *c)
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

ldpc_status end_call(call *c)
{
    pthread_join(c->thread, NULL);
    return c->status;
}
