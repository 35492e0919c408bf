/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the synchroniser, from symbols to baseband frames. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/fec.h"
#include "dvbs2/support/sender.h"

enum { MOST_FRAMES = 1000, MOST_SYMBOLS = 33282 };

static size_t threshold_frames = 8;

/* The frames to send, and the result of receiving them. */
typedef struct trial {
    sender sender;
    double esn0_db, phase, frequency; /* carrier phase in cycles, frequency in cycles per symbol */
    double walk;        /* variance of the random change of the carrier phase per symbol, rad^2 */
    float complex echo; /* amplitude of an echo, delayed by three symbols */
    float compression;  /* amplifier: gain 1 / (1 + compression |s|^2), phase -compression |s|^2 */
    bool mirrored;
    size_t lead; /* number of noise symbols before the first frame */
    uint32_t drop_frame;
    uint8_t codes[MOST_FRAMES];
    size_t frames;
    /* results */
    size_t right, wrong, first, spurious;
    dvbs2_synchroniser sync;
    double noise;
} trial;

typedef struct sent {
    uint64_t at;
    uint32_t bytes;
    uint8_t frame[SENDER_FRAME_BYTES];
} sent;

static void take_frames(trial *t, dvbs2_fec *fec, const sent *all, size_t n)
{
    dvbs2_pl_frame frame;
    while (dvbs2_synchroniser_read(&t->sync, &frame)) {
        size_t i = 0;
        while (i < n && all[i].at != frame.at)
            i++;
        if (i == n || t->codes[i] != frame.format.pls_code) {
            t->spurious++;
            continue;
        }
        t->first = t->right + t->wrong == 0 ? i : t->first;
        if (frame.format.kind != DVBS2_FRAME_DATA) {
            t->right++;
            continue;
        }
        dvbs2_fec_result result;
        assert_int_equal(dvbs2_fec_decode(fec, &frame, &result, NULL), LDPC_OK);
        bool more = frame.unproven;
        for (int attempt = 1; more && result.broken; attempt++) {
            more = dvbs2_synchroniser_retry(&t->sync, attempt, &frame);
            assert_int_equal(dvbs2_fec_decode_again(fec, &frame, &result, NULL), LDPC_OK);
        }
        if (!result.broken)
            dvbs2_synchroniser_prove(&t->sync);
        const bool right = !memcmp(result.frame, all[i].frame, all[i].bytes);
        assert_true(right || result.broken);
        t->right += right;
        t->wrong += !right;
        t->noise = (double)frame.noise;
    }
}

static void push(trial *t, dvbs2_fec *fec, const sent *all, size_t n, const float complex *symbols,
                 size_t count)
{
    while (count > 0) {
        size_t room;
        float complex *to = dvbs2_synchroniser_room(&t->sync, &room);
        room = room < count ? room : count;
        assert_true(room > 0);
        memcpy(to, symbols, room * sizeof *to);
        dvbs2_synchroniser_add(&t->sync, room);
        take_frames(t, fec, all, n);
        symbols += room;
        count -= room;
    }
}

enum { DELAY = 3 };

static void add_echo(float complex gain, float complex *symbols, size_t count, float complex tail[DELAY])
{
    float complex last[DELAY];
    memcpy(last, symbols + count - DELAY, sizeof last);
    for (size_t i = count; i-- > 0;)
        symbols[i] += gain * (i >= DELAY ? symbols[i - DELAY] : tail[i]);
    memcpy(tail, last, sizeof last);
}

/* variance: of the phase change per symbol, rad^2 */
static void walk(float complex *symbols, size_t count, double variance, float *phase)
{
    for (size_t n = 0; n < count; n++) {
        *phase += crealf(noise(2 * variance));
        symbols[n] *= cosf(*phase) + sinf(*phase) * I;
    }
}

static void run(trial *t)
{
    dvbs2_fec fec;
    sent *all = calloc(t->frames, sizeof *all);
    float complex *symbols = malloc(MOST_SYMBOLS * sizeof *symbols);
    assert_true(all && symbols && dvbs2_synchroniser_init(&t->sync, t->sender.gold) &&
                dvbs2_fec_init(&fec, 50));
    uint64_t at = 0;
    float walked = 0;
    float complex tail[DELAY] = {0};
    for (size_t n = 0; n < t->lead; n += 1000, at += 1000) {
        for (int i = 0; i < 1000; i++)
            symbols[i] = noise(1);
        push(t, &fec, all, 0, symbols, 1000);
    }
    for (size_t i = 0; i < t->frames; i++) {
        size_t count = sender_frame(&t->sender, t->codes[i], symbols);
        if (i == t->drop_frame && i > 0)
            count -= 1000;
        for (size_t n = 0; n < count && t->compression > 0; n++) {
            const float power = t->compression * crealf(symbols[n] * conjf(symbols[n]));
            symbols[n] *= (cosf(power) - sinf(power) * I) / (1 + power);
        }
        add_echo(t->echo, symbols, count, tail);
        if (t->walk > 0)
            walk(symbols, count, t->walk, &walked);
        channel(symbols, count, t->phase + t->frequency * (double)at, t->frequency, t->esn0_db);
        for (size_t n = 0; n < count && t->mirrored; n++)
            symbols[n] = conjf(symbols[n]);
        all[i] = (sent){.at = at, .bytes = t->sender.frame_bytes};
        memcpy(all[i].frame, t->sender.frame, t->sender.frame_bytes);
        push(t, &fec, all, i + 1, symbols, count);
        at += count;
    }
    dvbs2_fec_free(&fec);
    dvbs2_synchroniser_free(&t->sync);
    free(symbols);
    free(all);
}

/* Describes `count` frames with one PLS code. */
static void same_frames(trial *t, uint8_t pls_code, size_t count)
{
    t->frames = count;
    memset(t->codes, pls_code, count);
}

static void all_received(trial *t)
{
    run(t);
    assert_int_equal(t->first + t->right, t->frames - 1);
    assert_true(t->first <= (t->esn0_db < 0));
    assert_int_equal(t->wrong + t->spurious, 0);
    assert_int_equal(t->sync.locks, 1);
    assert_float_equal(-10 * log10(t->noise), t->esn0_db, 0.6);
}

enum {
    QPSK_1_4 = 4 * 1,
    QPSK_1_2 = 4 * 4,
    PSK8_2_3 = 4 * 13,
    APSK16_3_4 = 4 * 19,
    APSK32_3_4 = 4 * 24,
    APSK32_9_10 = 4 * 28,
    SHORT = 2,
    PILOTS = 1
};

static void test_the_lowest_ratio_of_signal_to_noise(void **state)
{
    (void)state;
    static const struct {
        uint8_t code;
        double esn0_db;
    } rows[] = {
        {QPSK_1_4,    -2.05},
        {QPSK_1_2,    1.25 },
        {PSK8_2_3,    6.8  },
        {APSK16_3_4,  10.45},
        {APSK32_9_10, 16.35}
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static trial t;
        t = (trial){.esn0_db = rows[i].esn0_db, .frequency = -0.003, .phase = 0.3};
        same_frames(&t, rows[i].code | PILOTS, threshold_frames);
        all_received(&t);
    }
}

/* Noise must not change the frequency by a multiple of the alias. Five pilot blocks per frame give little information. */
static void test_the_frequency_at_a_low_ratio(void **state)
{
    (void)state;
    static trial t;
    sender_seed(6);
    t = (trial){.esn0_db = -1.7, .frequency = 0.001};
    same_frames(&t, QPSK_1_4 | SHORT | PILOTS, 16);
    all_received(&t);
}

static void test_carrier_offsets(void **state)
{
    (void)state;
    static const double offsets[] = {0, 0.0004, -0.0021, 0.013, -0.05};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        static trial t;
        t = (trial){.esn0_db = 8, .frequency = offsets[i], .phase = 0.1 * (double)i};
        same_frames(&t, PSK8_2_3 | PILOTS, 4);
        all_received(&t);
        assert_float_equal(t.sync.carrier.frequency / (2 * 3.14159265), offsets[i], 5e-6);
    }
}

static void test_an_echo(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.esn0_db = 10, .frequency = 0.002, .echo = 0.3f + 0.25f * I};
    same_frames(&t, PSK8_2_3 | PILOTS, 6);
    run(&t);
    assert_int_equal(t.right, t.frames - 1);
    assert_int_equal(t.wrong + t.spurious, 0);
}

/* A second start of the carrier keeps the taps. */
static void test_a_restart_of_the_carrier(void **state)
{
    (void)state;
    enum { FRAMES = 4 };
    sender s = {0};
    dvbs2_synchroniser sync;
    dvbs2_pl_frame frame;
    float complex *symbols = malloc(FRAMES * MOST_SYMBOLS * sizeof *symbols), tail[DELAY] = {0};
    assert_true(symbols && dvbs2_synchroniser_init(&sync, 0));
    size_t count = 0, room;
    for (int i = 0; i < FRAMES; i++)
        count += sender_frame(&s, PSK8_2_3 | PILOTS, symbols + count);
    add_echo(0.3f + 0.25f * I, symbols, count, tail);
    channel(symbols, count, 0, 0.002, 15);
    memcpy(dvbs2_synchroniser_room(&sync, &room), symbols, count * sizeof *symbols);
    dvbs2_synchroniser_add(&sync, count);
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && frame.unproven && sync.equaliser.active);
    const double learned = sync.equaliser.symbols;
    dvbs2_synchroniser_restart(&sync);
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && frame.unproven && sync.equaliser.active);
    assert_true(sync.equaliser.symbols > 1.5 * learned);
    dvbs2_synchroniser_free(&sync);
    free(symbols);
}

/* An amplifier rotates the rings of 32APSK by 1, 5 and 19 degrees. */
static void test_a_nonlinear_amplifier(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.esn0_db = 17, .frequency = 0.002, .compression = 0.2f};
    same_frames(&t, APSK32_3_4 | PILOTS, 5);
    run(&t);
    assert_int_equal(t.right, t.frames - 1);
    assert_int_equal(t.wrong + t.spurious, 0);
}

static void test_a_mirrored_spectrum(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.esn0_db = 4, .frequency = 0.002, .mirrored = true};
    same_frames(&t, QPSK_1_2 | PILOTS, 6);
    all_received(&t);
    assert_true(t.sync.mirrored);
}

/* Sends noise, then frames of all kinds with a gold code. The S2X codes are 136 QPSK 11/20, 154 16APSK 26/45
 * and 228 8PSK 7/15. */
static void test_a_format_for_each_frame(void **state)
{
    (void)state;
    static const uint8_t codes[] = {QPSK_1_2 | PILOTS,
                                    PSK8_2_3 | SHORT | PILOTS,
                                    0,
                                    136 | 1,
                                    154 | 1,
                                    0,
                                    APSK16_3_4 | PILOTS,
                                    129,
                                    131,
                                    228 | 1,
                                    17,
                                    17};
    static trial t;
    t = (trial){
        .sender.gold = 12345, .esn0_db = 12, .frequency = 0.001, .lead = 40000, .frames = sizeof codes};
    memcpy(t.codes, codes, sizeof codes);
    all_received(&t);
}

/* Sends each MODCOD once, in random order, with and without pilots. */
static void test_all_modcods(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.esn0_db = 26, .frequency = 0.001};
    while (ldpc_dvbs2_modcod_list(t.frames)) {
        const size_t place = (size_t)(uniform() * (double)(t.frames + 1));
        t.codes[t.frames] = t.codes[place];
        t.codes[place] = ldpc_dvbs2_modcod_list(t.frames)->pls_code | (uniform() < 0.5 ? PILOTS : 0);
        t.frames++;
    }
    all_received(&t);
}

static void test_missing_symbols(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.esn0_db = 8, .frequency = 0.001, .drop_frame = 3};
    same_frames(&t, PSK8_2_3 | PILOTS, 8);
    run(&t);
    assert_int_equal(t.right, t.frames - 2);
    assert_int_equal(t.wrong, 1);
    assert_int_equal(t.spurious, 0);
    assert_int_equal(t.sync.locks, 2);
    assert_int_equal(t.sync.losses[DVBS2_SYNC_HEADER], 1);
}

static void test_noise_has_no_frames(void **state)
{
    (void)state;
    static trial t;
    t = (trial){.lead = 300000};
    run(&t);
    assert_int_equal(t.sync.locks, 0);
}

static void test_frames_without_pilots(void **state)
{
    (void)state;
    static const struct {
        uint8_t code;
        double esn0_db;
    } rows[] = {
        {QPSK_1_2,         1.6 },
        {PSK8_2_3 | SHORT, 7.4 },
        {APSK16_3_4,       10.8},
        {APSK32_9_10,      16.7}
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static trial t;
        t = (trial){.esn0_db = rows[i].esn0_db, .frequency = 0.0071, .phase = 0.1};
        same_frames(&t, rows[i].code, 16);
        all_received(&t);
    }
}

/* Phase noise of a low-cost LNB at 5 and at 27.5 Mbaud. The pilots are 1476 symbols apart. */
static void test_phase_noise(void **state)
{
    (void)state;
    static const struct {
        uint8_t code;
        double esn0_db, walk;
    } rows[] = {
        {PSK8_2_3,    7.2,  6e-5},
        {APSK32_9_10, 17.2, 1e-5}
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static trial t;
        t = (trial){.esn0_db = rows[i].esn0_db, .frequency = 0.0071, .walk = rows[i].walk};
        same_frames(&t, rows[i].code | PILOTS, 10);
        all_received(&t);
    }
}

/* The cells gave a wrong frequency, and the frame is decoded with the phases of its pilots. */
static void test_a_wrong_frequency_of_cells(void **state)
{
    (void)state;
    enum { FRAMES = 3 };
    sender s = {0};
    dvbs2_synchroniser sync;
    dvbs2_pl_frame frame;
    float complex *symbols = malloc(FRAMES * MOST_SYMBOLS * sizeof *symbols);
    assert_true(symbols && dvbs2_synchroniser_init(&sync, 0));
    size_t count = 0, room;
    float phase = 0;
    for (int i = 0; i < FRAMES; i++)
        count += sender_frame(&s, PSK8_2_3 | PILOTS, symbols + count);
    walk(symbols, count, 6e-5, &phase);
    channel(symbols, count, 0, 0.002, 15);
    memcpy(dvbs2_synchroniser_room(&sync, &room), symbols, count * sizeof *symbols);
    dvbs2_synchroniser_add(&sync, count);
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && dvbs2_synchroniser_uses_cells(&sync));
    sync.cell_frequency += dvbs2_carrier_alias(0);
    dvbs2_synchroniser_interpolate(&sync);
    dvbs2_synchroniser_use_headers(&sync);
    dvbs2_synchroniser_prove(&sync);
    assert_float_equal(sync.carrier.frequency / (2 * 3.14159265), 0.002, 2e-4);
    dvbs2_synchroniser_free(&sync);
    free(symbols);
}

static void test_a_loss_is_counted_once(void **state)
{
    (void)state;
    sender s = {0};
    dvbs2_synchroniser sync;
    dvbs2_pl_frame frame;
    float complex *symbols = malloc(3 * MOST_SYMBOLS * sizeof *symbols);
    assert_true(symbols && dvbs2_synchroniser_init(&sync, 0));
    size_t count = 0, room;
    for (int i = 0; i < 3; i++)
        count += sender_frame(&s, PSK8_2_3 | PILOTS, symbols + count);
    channel(symbols, count, 0, 0, 20);
    memcpy(dvbs2_synchroniser_room(&sync, &room), symbols, count * sizeof *symbols);
    assert_true(room >= count);
    dvbs2_synchroniser_add(&sync, count);
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && frame.unproven);
    for (uint32_t i = 0; i < DVBS2_HEADER; i++) /* removes the next header */
        sync.symbols[sync.before.start + sync.before.format.length + i] = noise(1);
    for (int attempt = 1; dvbs2_synchroniser_retry(&sync, attempt, &frame);)
        attempt++;
    assert_int_equal(sync.losses[DVBS2_SYNC_HEADER], 1);
    dvbs2_synchroniser_free(&sync);
    free(symbols);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest thresholds[] = {
        cmocka_unit_test(test_the_lowest_ratio_of_signal_to_noise),
        cmocka_unit_test(test_the_lowest_ratio_of_signal_to_noise),
        cmocka_unit_test(test_the_lowest_ratio_of_signal_to_noise),
    };
    if (argc == 2) {
        threshold_frames = strtoul(argv[1], NULL, 10);
        assert_in_range(threshold_frames, 2, MOST_FRAMES);
        return cmocka_run_group_tests(thresholds, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_lowest_ratio_of_signal_to_noise),
        cmocka_unit_test(test_the_frequency_at_a_low_ratio),
        cmocka_unit_test(test_carrier_offsets),
        cmocka_unit_test(test_an_echo),
        cmocka_unit_test(test_a_restart_of_the_carrier),
        cmocka_unit_test(test_a_nonlinear_amplifier),
        cmocka_unit_test(test_a_mirrored_spectrum),
        cmocka_unit_test(test_a_format_for_each_frame),
        cmocka_unit_test(test_all_modcods),
        cmocka_unit_test(test_missing_symbols),
        cmocka_unit_test(test_noise_has_no_frames),
        cmocka_unit_test(test_frames_without_pilots),
        cmocka_unit_test(test_phase_noise),
        cmocka_unit_test(test_a_wrong_frequency_of_cells),
        cmocka_unit_test(test_a_loss_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
