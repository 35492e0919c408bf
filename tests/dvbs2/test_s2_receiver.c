/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the whole receiver, from samples to transport stream packets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2.h"

enum {
    QPSK_1_4 = 4 * 1 + 1,
    QPSK_3_4 = 4 * 7 + 1,
    APSK16_3_4 = 4 * 19, /* without pilots */
    PSK8_2_3 = 4 * 13 + 1,
    PSK8_3_5_SHORT = 4 * 12 + 2, /* without pilots */
    PSK8_2_3_SHORT = 4 * 13 + 3,
    PIECE = 5000
};

typedef struct trial {
    double ratio, roll_off, esn0_db, offset, ppm; /* ratio: samples per symbol; offset: cycles per symbol */
    uint8_t code;
    size_t frames;
    uint8_t odd;
    double cu8;   /* amplitude of 8-bit samples; 0 means floats */
    double walk;  /* variance of the random change of the carrier phase per symbol, rad^2 */
    double drift; /* cycles per symbol^2 */
    double step_db;
    size_t bad;
    double adjacent_db;
    size_t gap, gap_at; /* number and position of missing samples */
    size_t hold;        /* number of pieces of samples to push before each pull; 0 is treated as 1 */
    uint32_t threads;   /* 0 means 1 */
    uint8_t streams;    /* number of input streams; 0: single input stream */
    /* what is received */
    size_t packets, right, wrong, next;
    double first_carrier_hz; /* carrier_hz at the first frame */
    dvbs2_status status;
} trial;

static void take(trial *t, const sender *s, const dvbs2_frame *frame)
{
    for (size_t i = 0; i < frame->n_packets; i++) {
        uint8_t sent[LDPC_TS_PACKET];
        const uint8_t *packet = frame->packets + i * LDPC_TS_PACKET;
        const uint32_t number =
            (uint32_t)packet[4] << 24 | (uint32_t)packet[5] << 16 | (uint32_t)packet[6] << 8 | packet[7];
        sender_packet(s, number, sent);
        t->right += !memcmp(packet, sent, sizeof sent);
        t->wrong += memcmp(packet, sent, sizeof sent) != 0 || (t->packets > 0 && number != t->next);
        t->next = number + 1;
        t->packets++;
    }
}

static void add_adjacent(const trial *t, size_t count, double ratio, float complex *samples, size_t n)
{
    const double pi = 3.14159265358979, gain = pow(10, t->adjacent_db / 20);
    float complex *symbols = malloc(count * sizeof *symbols), *other = malloc((n + 1) * sizeof *other);
    assert_true(symbols && other);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < count; i++)
            symbols[i] = (float)cos(pi / 4 + pi / 2 * floor(4 * uniform())) * (1 + I);
        sender_shape(symbols, count, ratio, t->roll_off, other);
        for (size_t i = 0; i < n; i++) {
            const double turn = 2 * pi * remainder(1.25 * side * (double)i / ratio, 1);
            samples[i] += other[i] * (float complex)(gain * (cos(turn) + sin(turn) * I));
        }
    }
    free(symbols);
    free(other);
}

static size_t make_samples(const trial *t, sender *senders, float complex **samples)
{
    float complex *symbols = malloc((t->frames + 1) * 33300 * sizeof *symbols);
    assert_non_null(symbols);
    size_t count = 0;
    for (size_t i = 0; i < t->frames; i++)
        count += sender_frame(&senders[t->streams ? i % t->streams : 0],
                              t->odd && i == t->frames / 2 ? t->odd : t->code, symbols + count);
    float phase = 0;
    for (size_t i = 0; i < count && t->walk > 0; i++) {
        phase += crealf(noise(2 * t->walk));
        symbols[i] *= cosf(phase) + sinf(phase) * I;
    }
    const double ratio = t->ratio * (1 + 1e-6 * t->ppm);
    *samples = malloc((size_t)((double)count * ratio + 1) * sizeof **samples);
    assert_non_null(*samples);
    const size_t n = sender_shape(symbols, count, ratio, t->roll_off, *samples);
    if (t->adjacent_db != 0)
        add_adjacent(t, count, ratio, *samples, n);
    channel(*samples, n, 0.2, t->offset / ratio, t->esn0_db - 10 * log10(t->ratio));
    free(symbols);
    for (size_t i = 0; i < n && t->drift != 0; i++) {
        const double at = (double)i / ratio,
                     turn = remainder(t->drift * at * at / 2, 1) * 2 * 3.14159265358979;
        (*samples)[i] *= (float)cos(turn) + (float)sin(turn) * I;
    }
    const float level = (float)pow(10, t->step_db / 20);
    for (size_t i = n / 2; i < n && level != 1; i++)
        (*samples)[i] *= level;
    return n;
}

static void run(trial *t)
{
    sender senders[2] = {
        {.stream = t->streams ? 1 : 0, .seed = 1},
        {.stream = 2,                  .seed = 2}
    };
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    const dvbs2_frame *frame;
    float complex *samples;
    dvbs2_receiver_params_init(&params);
    params.symbol_rate = 1e6;
    params.sample_rate = t->ratio * 1e6;
    params.threads = t->threads ? t->threads : 1;
    params.format = t->cu8 > 0 ? LDPC_CU8 : LDPC_CF32;
    params.stream = t->streams ? 2 : LDPC_BB_ANY_STREAM;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    const size_t n = make_samples(t, senders, &samples);
    for (size_t i = 0; i < t->bad; i++) {
        samples[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : 0;
        samples[n / 2 + i % 100] = samples[i];
    }
    uint8_t *bytes = malloc(2 * n);
    assert_non_null(bytes);
    for (size_t i = 0; i < 2 * n && t->cu8 > 0; i++)
        bytes[i] = (uint8_t)lrint(127.5 + 127 * t->cu8 * (double)((const float *)samples)[i]);
    for (size_t done = 0, held = 0; done < n;) {
        const void *next = t->cu8 > 0 ? (const void *)(bytes + 2 * done) : samples + done;
        const size_t left = t->gap && done < t->gap_at ? t->gap_at - done : n - done;
        const size_t taken = dvbs2_receiver_push(rx, next, left < PIECE ? left : PIECE);
        assert_true(taken > 0 || held > 0); /* when all frames are pulled, there is room for samples */
        done += taken;
        if (t->gap && taken > 0 && done == t->gap_at) {
            dvbs2_receiver_gap(rx);
            done += t->gap;
        }
        held = taken > 0 ? held + 1 : t->hold;
        if (held < t->hold)
            continue;
        held = 0;
        while ((frame = dvbs2_receiver_pull(rx)) != NULL) {
            take(t, &senders[t->streams ? 1 : 0], frame);
            dvbs2_receiver_status(rx, &t->status);
            if (t->status.frames == 1)
                t->first_carrier_hz = t->status.carrier_hz;
        }
    }
    dvbs2_receiver_finish(rx);
    while ((frame = dvbs2_receiver_pull(rx)) != NULL)
        take(t, &senders[t->streams ? 1 : 0], frame);
    dvbs2_receiver_status(rx, &t->status);
    dvbs2_receiver_destroy(rx);
    free(bytes);
    free(samples);
}

static void all_received(trial *t)
{
    run(t);
    assert_true(t->packets > 0);
    assert_int_equal(t->wrong, 0);
    assert_true(t->status.frames + 1 >= t->frames);
    assert_int_equal(t->status.failed_frames, 0);
    assert_int_equal(t->status.locks, 1);
    assert_int_equal(t->status.state, DVBS2_STATE_TRACKING);
    assert_float_equal(t->status.roll_off, t->roll_off, 1e-6);
    assert_float_equal(t->status.carrier_hz, t->offset * 1e6, 20);
    assert_float_equal(t->status.clock_ppm, t->ppm, 5);
    assert_float_equal(t->status.esn0_db, t->esn0_db, 0.5);
    assert_float_equal(t->status.level_db, 10 * log10(1 + t->ratio * pow(10, -t->esn0_db / 10)), 0.2);
    assert_int_equal(t->status.lost_packets, 0);
}

static void test_ratios_of_samples_to_symbols(void **state)
{
    (void)state;
    static const double ratios[] = {1.25, 1.6, 2, 2.713, 5};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        all_received(
            &(trial){.ratio = ratios[i], .roll_off = 0.2, .esn0_db = 6, .code = QPSK_3_4, .frames = 4});
}

static void test_roll_offs(void **state)
{
    (void)state;
    static const double roll_offs[] = {0.35, 0.25, 0.15, 0.1, 0.05};
    for (size_t i = 0; i < sizeof roll_offs / sizeof *roll_offs; i++)
        all_received(
            &(trial){.ratio = 2, .roll_off = roll_offs[i], .esn0_db = 6, .code = QPSK_3_4, .frames = 4});
}

/* The two adjacent carriers are 6 dB stronger than the received carrier. */
static void test_adjacent_carriers(void **state)
{
    (void)state;
    trial t = {.ratio = 3.8,
               .roll_off = 0.2,
               .esn0_db = 8,
               .offset = 0.1,
               .adjacent_db = 6,
               .code = QPSK_3_4,
               .frames = 4};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_float_equal(t.status.carrier_hz, t.offset * 1e6, 20);
    assert_float_equal(t.status.roll_off, t.roll_off, 1e-6);
}

static void test_carrier_and_clock_offsets(void **state)
{
    (void)state;
    all_received(&(trial){.ratio = 2.4,
                          .roll_off = 0.2,
                          .esn0_db = 6,
                          .offset = 0.5,
                          .ppm = 200,
                          .code = QPSK_3_4,
                          .frames = 4});
    all_received(&(trial){.ratio = 2.4,
                          .roll_off = 0.2,
                          .esn0_db = 6,
                          .offset = -0.5,
                          .ppm = -200,
                          .code = QPSK_3_4,
                          .frames = 4});
}

static void test_one_of_two_streams(void **state)
{
    (void)state;
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 12, .streams = 2};
    all_received(&t);
    assert_true(t.status.other_frames >= 5);
}

static void test_a_short_signal(void **state)
{
    (void)state;
    all_received(&(trial){.ratio = 2, .roll_off = 0.2, .esn0_db = 2, .code = QPSK_1_4, .frames = 3});
}

static void test_two_threads(void **state)
{
    (void)state;
    trial trials[] = {
        {.ratio = 2.4,
         .roll_off = 0.2,
         .esn0_db = 6,
         .code = QPSK_3_4,
         .frames = 4,
         .offset = 0.5,
         .ppm = 200},
        {.ratio = 1.6,            .roll_off = 0.2,  .esn0_db = 8, .code = QPSK_3_4, .frames = 4, .cu8 = 0.03},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        trial one = trials[i], two = trials[i];
        two.threads = 2;
        sender_seed(1);
        run(&one);
        sender_seed(1);
        run(&two);
        assert_true(one.packets > 0);
        assert_int_equal(one.status.failed_frames, 0);
        assert_true(one.status.frames + 1 >= one.frames);
        assert_float_equal(one.status.level_db, two.status.level_db, 0.1);
        assert_float_equal(one.status.carrier_hz, two.status.carrier_hz, 1);
        assert_float_equal(one.status.clock_ppm, two.status.clock_ppm, 1);
        assert_int_equal(one.status.frames, two.status.frames);
        assert_int_equal(one.status.failed_frames, two.status.failed_frames);
        assert_int_equal(one.status.samples, two.status.samples);
        assert_int_equal(one.status.locks, two.status.locks);
        assert_memory_equal(one.status.losses, two.status.losses, sizeof one.status.losses);
        assert_int_equal(two.right, one.right);
        assert_int_equal(one.wrong, two.wrong);
    }
}

/* Only the frame with the gap is lost. The samples before the gap are processed, and the next header is found
 * in the first symbols after the gap. */
static void test_threads_at_a_gap(void **state)
{
    (void)state;
    enum { FRAME = 2 * 5598, GAP = 5000 };
    for (size_t i = 0; i < 8; i++) {
        trial t = {.ratio = 2, .roll_off = 0.35, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 7};
        t.threads = 1 + i % 2;
        t.hold = 1 + i % 4 / 2 * 3;
        t.gap = GAP;
        t.gap_at = 4 * FRAME - GAP - 80 - 60 * i; /* 40 to 250 symbols before a header */
        sender_seed(1);
        run(&t);
        assert_int_equal(t.status.losses[DVBS2_LOSS_GAP], 1);
        assert_int_equal(t.status.losses[DVBS2_LOSS_HEADER], 0);
        assert_int_equal(t.status.locks, 2);
        assert_int_equal(t.status.failed_frames, 0);
        assert_int_equal(t.status.frames, t.frames - 1);
    }
}

/* The carrier drifts by 5 MHz/s at 27.5 Mbaud. In total, it moves by 0.0027 cycles per symbol. */
static void test_a_carrier_that_drifts(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 12, .drift = 6.7e-9};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.locks, 1);
    assert_float_equal(t.status.carrier_hz, 1e6 * t.drift * 33282 * (double)t.frames, 1000);
}

/* The noise makes the first frequency wrong by two cycles per frame. */
static void test_a_false_carrier(void **state)
{
    (void)state;
    sender_seed(87109);
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 10.8, .offset = 0.0071, .code = APSK16_3_4, .frames = 6};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.failed_frames, 0);
    assert_int_equal(t.status.locks, 1);
    assert_float_equal(t.status.carrier_hz, 1e6 * t.offset, 20);
    assert_float_equal(t.first_carrier_hz, 1e6 * t.offset, 20);
}

static void test_phase_noise_without_pilots(void **state)
{
    (void)state;
    sender_seed(2);
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 6.4, .code = PSK8_3_5_SHORT, .frames = 20, .walk = 3e-5};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.failed_frames <= 2);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_strong_phase_noise(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 7.75, .code = PSK8_2_3, .frames = 8, .walk = 5e-4};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_a_level_step(void **state)
{
    (void)state;
    for (double step = -20; step <= 20; step += 40) {
        trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 9, .step_db = step};
        run(&t);
        assert_true(t.status.failed_frames <= 1);
        assert_true(t.status.frames + 1 >= t.frames);
        assert_int_equal(t.status.locks, 1);
    }
}

/* Inserts NaN, infinite values and silence before and within a signal. Only frames with such samples may be
 * lost. */
static void test_samples_that_are_no_numbers(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 8, .bad = 30000};
    run(&t);
    assert_int_equal(t.status.state, DVBS2_STATE_TRACKING);
    assert_true(t.status.frames - t.status.failed_frames >= 5);
    assert_true(t.right >= 5 * 30);
    assert_int_equal(t.status.losses[DVBS2_LOSS_MEMORY], 0);
}

static void test_a_failed_frame_without_pilots(void **state)
{
    (void)state;
    for (size_t frames = 5; frames < 13; frames++) { /* includes negative measured variances */
        trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 4, .code = QPSK_1_4, .frames = frames, .odd = 108};
        run(&t);
        assert_int_equal(t.status.failed_frames, 1);
        assert_true(t.status.frames + 1 >= t.frames);
        assert_int_equal(t.status.locks, 1);
        assert_true(isfinite(t.status.carrier_hz) && isfinite(t.status.esn0_db));
    }
}

static void test_the_end_of_a_weak_signal_of_bytes(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 4, .cu8 = 0.03};
    run(&t);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.losses[DVBS2_LOSS_HEADER], 0);
}

static void test_a_reserved_pls_code(void **state)
{
    (void)state;
    static const uint8_t codes[] = {4 * 29 + 1, 4 * 31 + 2, 251}; /* 251: S2X */
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 14};
        t.odd = codes[i];
        run(&t);
        assert_int_equal(t.status.losses[DVBS2_LOSS_RESERVED], 1);
        assert_int_equal(t.status.last_loss, DVBS2_LOSS_RESERVED);
        assert_int_equal(t.status.locks, 2);
        assert_int_equal(t.status.failed_frames, 0);
        assert_true(t.status.frames + 2 >= t.frames);
        assert_int_equal(t.wrong, 1); /* packets continue after a gap */
    }
}

/* QPSK symbols of another standard with the same symbol rate have no frames. */
static void test_another_standard(void **state)
{
    (void)state;
    enum { SYMBOLS = 400000 };
    float complex *symbols = malloc(SYMBOLS * sizeof *symbols),
                  *samples = malloc(2 * SYMBOLS * sizeof *samples);
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    dvbs2_status status;
    assert_true(symbols && samples);
    for (size_t i = 0; i < SYMBOLS; i++)
        symbols[i] = (uniform() < 0.5 ? 0.7071f : -0.7071f) + (uniform() < 0.5 ? 0.7071f : -0.7071f) * I;
    sender_shape(symbols, SYMBOLS, 2, 0.35, samples);
    dvbs2_receiver_params_init(&params);
    params.symbol_rate = 1e6;
    params.sample_rate = 2e6;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (size_t done = 0; done < 2 * SYMBOLS;) {
        done += dvbs2_receiver_push(rx, samples + done, 2 * SYMBOLS - done);
        assert_null(dvbs2_receiver_pull(rx));
    }
    dvbs2_receiver_finish(rx);
    assert_null(dvbs2_receiver_pull(rx));
    dvbs2_receiver_status(rx, &status);
    assert_int_equal(status.state, DVBS2_STATE_SEARCH);
    assert_int_equal(status.frames + status.dummy_frames + status.vlsnr_frames + status.locks, 0);
    assert_int_equal(status.samples, 2 * SYMBOLS);
    dvbs2_receiver_destroy(rx);
    free(symbols);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratios_of_samples_to_symbols),
        cmocka_unit_test(test_roll_offs),
        cmocka_unit_test(test_adjacent_carriers),
        cmocka_unit_test(test_carrier_and_clock_offsets),
        cmocka_unit_test(test_one_of_two_streams),
        cmocka_unit_test(test_a_short_signal),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_threads_at_a_gap),
        cmocka_unit_test(test_a_carrier_that_drifts),
        cmocka_unit_test(test_a_level_step),
        cmocka_unit_test(test_a_false_carrier),
        cmocka_unit_test(test_phase_noise_without_pilots),
        cmocka_unit_test(test_strong_phase_noise),
        cmocka_unit_test(test_samples_that_are_no_numbers),
        cmocka_unit_test(test_a_failed_frame_without_pilots),
        cmocka_unit_test(test_the_end_of_a_weak_signal_of_bytes),
        cmocka_unit_test(test_a_reserved_pls_code),
        cmocka_unit_test(test_another_standard),
    };
#ifdef __SANITIZE_THREAD__
    cmocka_set_test_filter("*thread*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
