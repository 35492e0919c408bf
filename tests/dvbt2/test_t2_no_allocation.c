/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the calls of C library functions. A receiver that receives a mode again must not allocate memory,
 * take a lock or start a thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/signals.h"
#include "dvbt2/support/synthetic.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

/* volatile, because compilers assume that malloc() changes no variables */
static volatile struct counts {
    bool on;
    unsigned allocations, locks, threads;
} counts;

/* ---- replaced functions */

/* Shared libraries call these functions instead of those of the C library. */
#define REPLACED __attribute__((visibility("default")))

/* glibc's functions. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void count_allocation(void)
{
    counts.allocations += counts.on;
}

REPLACED void *malloc(size_t size)
{
    count_allocation();
    return __libc_malloc(size);
}

REPLACED void *calloc(size_t count, size_t size)
{
    count_allocation();
    return __libc_calloc(count, size);
}

REPLACED void *realloc(void *old, size_t size)
{
    count_allocation();
    return __libc_realloc(old, size);
}

REPLACED void *memalign(size_t alignment, size_t size)
{
    count_allocation();
    return __libc_memalign(alignment, size);
}

REPLACED void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

REPLACED int posix_memalign(void **result, size_t alignment, size_t size)
{
    *result = aligned_alloc(alignment, size);
    return *result ? 0 : 12; /* ENOMEM */
}

static int (*next_lock)(pthread_mutex_t *);

REPLACED int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    counts.locks += counts.on;
    return next_lock(mutex);
}

static int (*next_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

REPLACED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                            void *argument)
{
    counts.threads += counts.on;
    return next_create(thread, attributes, start, argument);
}

static void *no_work(void *argument)
{
    return argument;
}

static void test_counts(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    counts = (struct counts){.on = true};
    free(strdup("text")); /* strdup() allocates */
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    counts.on = false;
    assert_int_equal(counts.allocations, 1);
    assert_int_equal(counts.locks, 1);
    pthread_t thread;
    counts.on = true;
    assert_int_equal(pthread_create(&thread, NULL, no_work, NULL), 0);
    counts.on = false;
    pthread_join(thread, NULL);
    assert_int_equal(counts.threads, 1);
}

/* ---- the receiver */

enum { BLOCK = 10000, MOST_CELLS = 1 << 15, ROUNDS = 3 };

static size_t pull_all(dvbt2_receiver *rx)
{
    static float iq[2 * MOST_CELLS], noise[MOST_CELLS];
    dvbt2_plp_frame frame;
    uint32_t first;
    size_t total = 0;
    for (size_t count; (count = dvbt2_receiver_pull(rx, 0, MOST_CELLS, iq, noise, &frame, &first)) > 0;)
        total += count;
    return total;
}

/* Pushes samples and pulls cells. Returns the number of cells. */
static size_t receive(dvbt2_receiver *rx, const test_signal *signal)
{
    size_t cells = 0;
    for (uint32_t at = 0; at < signal->n_samples;) {
        const uint32_t left = signal->n_samples - at;
        at += (uint32_t)dvbt2_receiver_push(rx, signal->samples + at, left < BLOCK ? left : BLOCK);
        cells += pull_all(rx);
    }
    return cells;
}

static void check(const char *name)
{
    test_signal signal;
    dvbt2_receiver *rx;
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    test_signal_read(name, &signal);
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (int round = 0; round < ROUNDS; round++)
        receive(rx, &signal); /* lock first */
    counts = (struct counts){.on = true};
    const size_t cells = receive(rx, &signal);
    counts.on = false;
    assert_true(cells > 0);
    assert_int_equal(counts.allocations, 0);
    assert_int_equal(counts.locks, 0);
    dvbt2_receiver_destroy(rx);
    test_signal_free(&signal);
}

static void test_receiver(void **state)
{
    (void)state;
    check("issy");
    check("miso");
    check("16kpp1");
}

static void damage(const test_signal *signal, test_signal *damaged)
{
    const uint32_t n = signal->n_samples, from = (uint32_t)(uniform() * n),
                   count = (uint32_t)(uniform() * n / 4);
    const double step = (uniform() - 0.5) * 4e3 / 64e6 * 7;
    memcpy(damaged->samples, signal->samples, n * sizeof *damaged->samples);
    for (uint32_t i = from; i < n; i++)
        damaged->samples[i] =
            i < from + count ? noise(1) : rx_mul(damaged->samples[i], phasor(step * (i - from)));
}

/* Tests loss of lock, reacquisition, failed frames and in-band signalling. */
static void test_lock_that_is_lost(void **state)
{
    (void)state;
    enum { DAMAGED = 12 };
    test_signal signal, damaged;
    dvbt2_receiver *rx;
    dvbt2_receiver_params params;
    dvbt2_status status;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    test_signal_read("issy", &signal);
    damaged = signal;
    damaged.samples = malloc(signal.n_samples * sizeof *damaged.samples);
    assert_non_null(damaged.samples);
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (int round = 0; round < ROUNDS; round++)
        receive(rx, &signal);
    counts = (struct counts){.on = true};
    size_t cells = 0;
    for (int round = 0; round < DAMAGED; round++) {
        damage(&signal, &damaged);
        cells += receive(rx, &damaged);
    }
    counts.on = false;
    dvbt2_receiver_status(rx, &status);
    print_message("%u locks, last loss: %s\n", (unsigned)status.locks, dvbt2_loss_name(status.last_loss));
    assert_true(status.locks > DAMAGED / 2 && cells > 0);
    assert_int_equal(counts.allocations, 0);
    assert_int_equal(counts.threads, 0);
    dvbt2_receiver_destroy(rx);
    free(damaged.samples);
    test_signal_free(&signal);
}

/* ---- the PLP decoder */

/* Receives the signal. kept: number of packets that remain in the queue. taken: number of pulled packets. */
static void decode(dvbt2_receiver *rx, dvbt2_plp_decoder *decoder, const test_signal *signal, size_t kept,
                   size_t *taken)
{
    static float iq[2 * MOST_CELLS], noise[MOST_CELLS];
    uint8_t ts[7 * LDPC_TS_PACKET];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (uint32_t at = 0; at < signal->n_samples;) {
        const uint32_t left = signal->n_samples - at;
        at += (uint32_t)dvbt2_receiver_push(rx, signal->samples + at, left < BLOCK ? left : BLOCK);
        for (size_t count; (count = dvbt2_receiver_pull(rx, 0, MOST_CELLS, iq, noise, &frame, &first)) > 0;)
            assert_int_equal(dvbt2_plp_decoder_feed(decoder, &frame, first, count, iq, noise), LDPC_OK);
        while (dvbt2_plp_decoder_counters(decoder).bb.packets - *taken > kept)
            *taken += dvbt2_plp_decoder_pull(decoder, ts, 7);
    }
}

static void test_decoder(void **state)
{
    (void)state;
    enum { BEHIND = 600, WARM_UP = 12 };
    test_signal signal;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    dvbt2_receiver_params params;
    size_t taken = 0;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    test_signal_read("issy", &signal);
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &decoder, NULL), LDPC_OK);
    for (int round = 0; round < WARM_UP; round++)
        decode(rx, decoder, &signal, BEHIND, &taken);
    const size_t before = taken;
    counts = (struct counts){.on = true};
    for (int round = 0; round < ROUNDS; round++)
        decode(rx, decoder, &signal, BEHIND, &taken);
    counts.on = false;
    assert_true(taken - before > ROUNDS * signal.plp[0].count / 2);
    assert_int_equal(counts.allocations, 0);
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    test_signal_free(&signal);
}

int main(void)
{
    *(void **)&next_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    *(void **)&next_create = dlsym(RTLD_NEXT, "pthread_create");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_receiver),
        cmocka_unit_test(test_lock_that_is_lost),
        cmocka_unit_test(test_decoder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
