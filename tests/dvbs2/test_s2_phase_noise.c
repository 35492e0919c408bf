/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receives symbols of 8PSK 2/3 with pilots and the phase noise of an LNB. Usage:
 * test_s2_phase_noise [FRAMES SYMBOL_RATE ES_N0_DB SEED [SIGNALS]] */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/frame/decoding.h"
#include "dvbs2/support/phase_noise.h"
#include "dvbs2/support/sender.h"

enum { PSK8_2_3 = 4 * 13 + 1, LENGTH = 22194, ITERATIONS = 50, KEPT = 8 };

static const double frequency = 0.0031; /* cycles per symbol */

typedef struct trial {
    double esn0_db;
    sender sender;
    phase_noise noise;
    dvbs2_synchroniser sync;
    dvbs2_decoding decoding;
    size_t sent; /* number of frames */
    uint8_t frames[KEPT][SENDER_FRAME_BYTES];
    float complex symbols[LENGTH];
    size_t lost, right; /* lost: after the first received frame */
} trial;

static void start(trial *t, double symbol_rate, double esn0_db, uint64_t seed)
{
    *t = (trial){.esn0_db = esn0_db};
    sender_seed(seed);
    phase_noise_start(&t->noise, symbol_rate);
    assert_true(dvbs2_synchroniser_init(&t->sync, 0) &&
                dvbs2_decoding_init(&t->decoding, ITERATIONS, symbol_rate));
}

static void stop(trial *t)
{
    dvbs2_synchroniser_free(&t->sync);
    dvbs2_decoding_free(&t->decoding);
}

static void send_frame(trial *t)
{
    const double at = (double)(t->sent * LENGTH);
    size_t room;
    assert_int_equal(sender_frame(&t->sender, PSK8_2_3, t->symbols), LENGTH);
    memcpy(t->frames[t->sent++ % KEPT], t->sender.frame, t->sender.frame_bytes);
    phase_noise_apply(&t->noise, t->symbols, LENGTH);
    channel(t->symbols, LENGTH, frequency * at, frequency, t->esn0_db);
    float complex *to = dvbs2_synchroniser_room(&t->sync, &room);
    assert_true(room >= LENGTH);
    memcpy(to, t->symbols, sizeof t->symbols);
    dvbs2_synchroniser_add(&t->sync, LENGTH);
}

/* Reads a frame, after sending as many frames as necessary. */
static void next_frame(trial *t, dvbs2_pl_frame *frame)
{
    while (!dvbs2_synchroniser_read(&t->sync, frame))
        send_frame(t);
}

static void receive(trial *t, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        dvbs2_pl_frame frame;
        dvbs2_fec_result result;
        next_frame(t, &frame);
        assert_int_equal(dvbs2_decoding_run(&t->decoding, &t->sync, &frame, &result, NULL), LDPC_OK);
        const uint8_t *sent = t->frames[frame.at / LENGTH % KEPT];
        const bool right = !memcmp(result.frame, sent, t->sender.frame_bytes);
        assert_int_equal(frame.at % LENGTH, 0);
        assert_true(right || result.broken);
        t->right += right;
        t->lost += !right && t->right > 0;
    }
}

/* The decoder's extrinsic LLRs keep a wrong phase in one of these frames if their factor is 0.75. */
static void test_frequency_changes(void **state)
{
    (void)state;
    static trial t;
    start(&t, 1e6, 7.0, 9);
    receive(&t, 8);
    stop(&t);
    assert_int_equal(t.lost, 0);
    assert_true(t.right >= 7);
}

/* The pilots of the first frame give a carrier frequency that is wrong by one turn between pilot blocks. The first
 * signal needs another frequency for its first frame, the second one after it. */
static void test_a_false_frequency(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {7, 10};
    for (size_t i = 0; i < 2; i++) {
        static trial t;
        start(&t, 1e6, 7.75, seeds[i]);
        receive(&t, 3);
        stop(&t);
        assert_int_equal(t.right, 3);
    }
}

/* A pass begins only if the budget is positive. Without a further pass, at most ITERATIONS iterations are possible. */
static void test_the_budget_of_passes(void **state)
{
    (void)state;
    enum { FRAMES = 5 };
    static trial t;
    size_t single = 0;
    start(&t, 1e6, 5.0, 1);
    t.decoding.growth = 0;
    t.decoding.budget = 4.5 * LENGTH;
    for (int i = 0; i < FRAMES; i++) {
        dvbs2_pl_frame frame;
        dvbs2_fec_result result;
        next_frame(&t, &frame);
        assert_int_equal(dvbs2_decoding_run(&t.decoding, &t.sync, &frame, &result, NULL), LDPC_OK);
        assert_true(result.broken);
        assert_in_range(result.iterations, ITERATIONS, 7 * ITERATIONS);
        single += result.iterations == ITERATIONS;
    }
    assert_in_range(single, FRAMES - 2, FRAMES - 1);
    assert_true(t.decoding.budget <= 0 && t.decoding.budget > -2 * LENGTH);
    stop(&t);
}

/* If all passes fail, the frame is that of the first pass. */
static void test_the_first_pass_is_kept(void **state)
{
    (void)state;
    static trial t;
    static dvbs2_fec fec;
    dvbs2_pl_frame frame;
    dvbs2_fec_result first, result;
    start(&t, 1e6, 5.5, 1);
    t.decoding.budget = 6 * LENGTH;
    next_frame(&t, &frame);
    assert_true(dvbs2_fec_init(&fec, ITERATIONS));
    assert_int_equal(dvbs2_fec_decode(&fec, &frame, &first, NULL), LDPC_OK);
    assert_int_equal(dvbs2_decoding_run(&t.decoding, &t.sync, &frame, &result, NULL), LDPC_OK);
    assert_true(first.broken && result.broken && result.iterations >= 3 * ITERATIONS);
    assert_memory_equal(result.frame, first.frame, t.sender.frame_bytes);
    dvbs2_fec_free(&fec);
    stop(&t);
}

/* Returns the number of passes of a frame without pilots that cannot be decoded. */
static long passes_of(double measured_variance)
{
    enum { PSK8_2_3_SHORT = 4 * 13 + 2, MOST_PASSES = 100 };
    static trial t;
    dvbs2_pl_frame frame;
    dvbs2_fec_result result;
    start(&t, 1e6, 5, 2);
    while (!dvbs2_synchroniser_read(&t.sync, &frame)) {
        size_t room;
        const size_t count = sender_frame(&t.sender, PSK8_2_3_SHORT, t.symbols);
        channel(t.symbols, count, 0, 0, t.esn0_db);
        memcpy(dvbs2_synchroniser_room(&t.sync, &room), t.symbols, count * sizeof *t.symbols);
        dvbs2_synchroniser_add(&t.sync, count);
    }
    frame.unproven = false; /* no other carrier offsets are tried */
    t.sync.carrier.fine_walk = measured_variance;
    t.decoding.growth = 0;
    t.decoding.budget = MOST_PASSES * (double)frame.format.length;
    assert_int_equal(dvbs2_decoding_run(&t.decoding, &t.sync, &frame, &result, NULL), LDPC_OK);
    assert_true(result.broken);
    stop(&t);
    return lround(MOST_PASSES - t.decoding.budget / frame.format.length);
}

/* There are three models of the phase noise with at most 12 rounds each. A large variance is limited, so that the models
 * are equal, and equal models are not tried again. The rounds of a model end when the certainty falls. */
static void test_the_number_of_rounds(void **state)
{
    (void)state;
    assert_int_equal(passes_of(1), 12);
    assert_in_range(passes_of(1e-4), 13, 30);
}

/* Passes of the same frame do not count as failures of further frames. */
static void test_the_number_of_failures(void **state)
{
    (void)state;
    enum { APSK16_3_4 = 4 * 19 + 1, FRAMES = 3 };
    static trial t;
    dvbs2_pl_frame frame;
    dvbs2_fec_result result;
    start(&t, 1e6, 6, 1);
    t.decoding.growth = 0;
    t.decoding.budget = 0;
    for (uint32_t done = 0; done < FRAMES;) {
        size_t room;
        const size_t count = sender_frame(&t.sender, APSK16_3_4, t.symbols);
        phase_noise_apply(&t.noise, t.symbols, count);
        channel(t.symbols, count, 0, 0, t.esn0_db);
        memcpy(dvbs2_synchroniser_room(&t.sync, &room), t.symbols, count * sizeof *t.symbols);
        dvbs2_synchroniser_add(&t.sync, count);
        while (dvbs2_synchroniser_read(&t.sync, &frame)) {
            assert_true(dvbs2_synchroniser_uses_cells(&t.sync));
            assert_int_equal(dvbs2_decoding_run(&t.decoding, &t.sync, &frame, &result, NULL), LDPC_OK);
            assert_true(result.broken);
            assert_int_equal(t.decoding.fec.chains[frame.format.modcod].failures, ++done);
        }
    }
    stop(&t);
}

/* Returns the number of lost frames. */
static size_t measure(size_t frames, double symbol_rate, double esn0_db, uint64_t seed)
{
    static trial t;
    start(&t, symbol_rate, esn0_db, seed);
    receive(&t, frames);
    stop(&t);
    printf("%g baud, %g dB, seed %llu: %zu right, %zu lost\n", symbol_rate, esn0_db, (unsigned long long)seed,
           t.right, t.lost);
    return t.lost;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequency_changes),      cmocka_unit_test(test_a_false_frequency),
        cmocka_unit_test(test_the_budget_of_passes),   cmocka_unit_test(test_the_first_pass_is_kept),
        cmocka_unit_test(test_the_number_of_failures), cmocka_unit_test(test_the_number_of_rounds),
    };
    if (argc < 5)
        return cmocka_run_group_tests(tests, NULL, NULL);
    const uint64_t seed = strtoull(argv[4], NULL, 10), signals = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    size_t lost = 0;
    for (uint64_t i = 0; i < signals; i++)
        lost += measure(strtoul(argv[1], NULL, 10), strtod(argv[2], NULL), strtod(argv[3], NULL), seed + i);
    return lost > 0;
}
