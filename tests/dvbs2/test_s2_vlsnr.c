/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests VL-SNR frames, from symbols to baseband frames. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/fec.h"
#include "dvbs2/support/sender.h"
#include "dvbs2/sync/frame_search.h"
#include "dvbs2/sync/vlsnr_search.h"
#include "ldpc/dvbs2.h"

enum { MODCODS = DVBS2_VLSNR_MODCODS, MOST_SYMBOLS = 33282, QPSK_1_2 = 4 * 4 + 1 };

static const double pi = 3.14159265358979323846;

/* Es/N0 of a quasi error-free reception (EN 302 307-2, table 20a), dB */
static const double thresholds[MODCODS] = {-2.85, -6.85, -5.5, -4, -9.9, -8.3, -6.1, -4.9, -3.72};

static int threshold_frames = 3;

static float complex symbols[MOST_SYMBOLS + DVBS2_VLSNR_BLOCK];

/* ---- headers and layout */

static void test_symbols_and_lengths(void **state)
{
    (void)state;
    sender s = {.seed = 1};
    for (uint32_t i = 0; i < MODCODS; i++) {
        float complex header[DVBS2_LONG_HEADER];
        const dvbs2_frame_format format = dvbs2_vlsnr_format(i);
        const size_t count = sender_vlsnr_frame(&s, i, symbols);
        assert_int_equal(format.length, count);
        assert_ptr_equal(dvbs2_modcod(format.modcod), dvbs2_vlsnr_modcod(i));
        dvbs2_vlsnr_symbols(i, header);
        for (int k = 0; k < DVBS2_LONG_HEADER; k++)
            assert_true(cabsf(header[k] - symbols[k]) < 1e-5f);
    }
    assert_null(dvbs2_vlsnr_modcod(MODCODS));
    size_t ordinary = 0;
    while (ldpc_dvbs2_modcod_list(ordinary))
        ordinary++;
    assert_true(ordinary <= DVBS2_FIRST_VLSNR && DVBS2_FIRST_VLSNR + MODCODS <= DVBS2_MOST_MODCODS);
}

static void test_sections(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MODCODS; i++) {
        const dvbs2_frame_format format = dvbs2_vlsnr_format(i);
        uint32_t cells = 0, pilots = 0;
        dvbs2_section s = {0};
        while (dvbs2_next_section(&format, &s)) {
            assert_int_equal(s.first, DVBS2_VLSNR_HEADER + cells + pilots);
            assert_int_equal(s.done, cells);
            cells += s.count;
            pilots += s.pilots;
        }
        assert_int_equal(cells, format.cells * format.repeats);
        assert_int_equal(pilots, format.vlsnr == 1 ? 22 * 36 + 18 * 34 + 3 * 36 : 11 * 36 + 9 * 32 + 36);
        assert_int_equal(DVBS2_LONG_HEADER + cells + pilots, format.length);
    }
}

/* At -10 dB, the headers are found with a carrier offset of 1 % of the symbol rate. */
static void test_headers_are_found(void **state)
{
    (void)state;
    sender s = {.seed = 1};
    for (uint32_t i = 0; i < MODCODS; i++) {
        dvbs2_found_vlsnr found;
        const size_t lead = 20 * i;
        const double frequency = i % 2 ? 0.01 : -0.01;
        for (size_t k = 0; k < lead; k++)
            symbols[k] = 0;
        sender_vlsnr_frame(&s, i, symbols + lead);
        channel(symbols, DVBS2_VLSNR_BLOCK + DVBS2_LONG_HEADER, uniform(), frequency, -10);
        for (size_t k = 0; k < DVBS2_VLSNR_BLOCK + DVBS2_LONG_HEADER && i >= 6; k++)
            symbols[k] = conjf(symbols[k]);
        assert_true(dvbs2_find_vlsnr(symbols, &found));
        assert_int_equal(found.at, lead);
        assert_int_equal(found.header.modcod, i);
        assert_int_equal(found.mirrored, i >= 6);
        assert_float_equal(found.header.frequency / (2 * pi), frequency, 1.5e-4);
        assert_float_equal(found.header.match, 1 / 11.0, 0.04);
        if (found.mirrored)
            continue;
        const dvbs2_frame_start start =
            dvbs2_decode_start(symbols + lead, DVBS2_LONG_HEADER, &found.header.frequency, 0);
        assert_float_equal(start.vlsnr_match, 1 / 11.0, 0.04);
    }
}

static void test_noise_has_no_headers(void **state)
{
    (void)state;
    dvbs2_found_vlsnr found;
    for (int i = 0; i < MOST_SYMBOLS; i++)
        symbols[i] = noise(1);
    for (size_t at = 0; at + DVBS2_VLSNR_BLOCK + DVBS2_LONG_HEADER <= MOST_SYMBOLS; at += DVBS2_VLSNR_BLOCK)
        assert_false(dvbs2_find_vlsnr(symbols + at, &found));
    memset(symbols, 0, sizeof symbols);
    assert_false(dvbs2_find_vlsnr(symbols, &found));
    symbols[100] = NAN;
    symbols[1100] = INFINITY;
    assert_false(dvbs2_find_vlsnr(symbols, &found));
}

/* ---- frames */

/* The frames to send, and the result of receiving them. */
typedef struct trial {
    sender sender;
    dvbs2_synchroniser sync;
    dvbs2_fec fec;
    uint64_t at;
    uint8_t frame[SENDER_FRAME_BYTES]; /* the last sent baseband frame, which is received with the next one */
    size_t frames, right;              /* number of received PL frames and of right baseband frames */
    double noise;
} trial;

static void start(trial *t, uint32_t gold)
{
    *t = (trial){
        .sender = {.seed = 1, .gold = gold}
    };
    assert_true(dvbs2_synchroniser_init(&t->sync, gold) && dvbs2_fec_init(&t->fec, 50));
}

static void stop(trial *t)
{
    dvbs2_synchroniser_free(&t->sync);
    dvbs2_fec_free(&t->fec);
}

static void take_frames(trial *t)
{
    dvbs2_pl_frame frame;
    while (dvbs2_synchroniser_read(&t->sync, &frame)) {
        dvbs2_fec_result result;
        t->frames++;
        if (frame.format.kind != DVBS2_FRAME_DATA)
            continue;
        assert_int_equal(dvbs2_fec_decode(&t->fec, &frame, &result, NULL), LDPC_OK);
        if (!result.broken)
            dvbs2_synchroniser_prove(&t->sync);
        t->right += !result.broken && !memcmp(result.frame, t->frame, 300);
        t->noise = (double)frame.noise * frame.format.repeats;
    }
}

/* Sends `count` symbols of a frame. */
static void send(trial *t, size_t count, double frequency, double esn0_db)
{
    channel(symbols, count, frequency * (double)t->at, frequency, esn0_db);
    for (size_t done = 0; done < count;) {
        size_t room;
        float complex *to = dvbs2_synchroniser_room(&t->sync, &room);
        room = room < count - done ? room : count - done;
        memcpy(to, symbols + done, room * sizeof *to);
        dvbs2_synchroniser_add(&t->sync, room);
        take_frames(t);
        done += room;
    }
    t->at += count;
    memcpy(t->frame, t->sender.frame, sizeof t->frame);
}

/* Each MODCOD is received 0.2 dB above its threshold, from a cold start. */
static void test_thresholds(void **state)
{
    (void)state;
    static trial t;
    for (uint32_t i = 0; i < MODCODS; i++) {
        start(&t, 0);
        for (int n = 0; n <= threshold_frames; n++)
            send(&t, sender_vlsnr_frame(&t.sender, i, symbols), i % 2 ? 0.01 : -0.01, thresholds[i] + 0.2);
        assert_int_equal(t.right, threshold_frames);
        assert_int_equal(t.frames, threshold_frames);
        assert_int_equal(t.sync.locks, 1);
        assert_float_equal(-10 * log10(t.noise), thresholds[i] + 0.2, 1);
        stop(&t);
    }
}

/* VL-SNR frames among other frames, and a VL-SNR frame with an unknown second header. */
static void test_mixed_frames(void **state)
{
    (void)state;
    static trial t;
    start(&t, 12345);
    for (uint32_t i = 0; i <= 2 * MODCODS; i++) {
        size_t count = sender_frame(&t.sender, 129, symbols);
        if (i % 2)
            count = sender_vlsnr_frame(&t.sender, i / 2, symbols);
        else if (i != 4)
            count = sender_frame(&t.sender, QPSK_1_2, symbols);
        send(&t, count, 0.003, 3);
    }
    assert_int_equal(t.frames, 2 * MODCODS);
    assert_int_equal(t.right, 2 * MODCODS - 1);
    assert_int_equal(t.sync.locks, 1);
    stop(&t);
}

/* ---- samples */

/* Sends frames with BPSK-S 1/5 at -9.5 dB and returns how many the receiver outputs without errors. clock: ratio of
 * the sampling clock to its nominal value. */
static size_t receive(double clock, double roll_off, int frames)
{
    enum { BPSK_S = 4 };
    sender s = {.seed = 1};
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    const dvbs2_frame *frame;
    size_t count = 0, right = 0;
    float complex *sent = malloc((size_t)frames * MOST_SYMBOLS * sizeof *sent);
    float complex *samples = malloc((size_t)frames * MOST_SYMBOLS * 2 * sizeof *samples);
    assert_true(sent && samples);
    for (int i = 0; i < frames; i++)
        count += sender_vlsnr_frame(&s, BPSK_S, sent + count);
    count = sender_shape(sent, count - 100, 2 * clock, roll_off, samples);
    channel(samples, count, 0.1, 0.01 / 2, -9.5 - 10 * log10(2));
    dvbs2_receiver_params_init(&params);
    params.symbol_rate = 1e6;
    params.sample_rate = 2e6;
    params.max_iterations = 50;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (size_t done = 0; done < count;) {
        done += dvbs2_receiver_push(rx, samples + done, count - done);
        while ((frame = dvbs2_receiver_pull(rx)))
            right += !frame->broken;
    }
    dvbs2_receiver_finish(rx);
    while ((frame = dvbs2_receiver_pull(rx)))
        right += !frame->broken;
    dvbs2_receiver_destroy(rx);
    free(samples);
    free(sent);
    return right;
}

/* At -9.5 dB, the timing line is measured over more blocks. */
static void test_cold_starts(void **state)
{
    (void)state;
    enum { FRAMES = 6 };
    static const double rows[][2] = {
        {1 + 1e-4, 0.05}, /* clock, roll-off */
        {1 - 3e-5, 0.2 },
        {1 + 1e-5, 0.35}
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t right = receive(rows[i][0], rows[i][1], FRAMES);
        assert_in_range(right, FRAMES - 2, FRAMES);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest only_thresholds[] = {cmocka_unit_test(test_thresholds)};
    if (argc == 2) {
        threshold_frames = atoi(argv[1]);
        assert_in_range(threshold_frames, 1, 100000);
        return cmocka_run_group_tests(only_thresholds, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols_and_lengths), cmocka_unit_test(test_sections),
        cmocka_unit_test(test_headers_are_found),   cmocka_unit_test(test_noise_has_no_headers),
        cmocka_unit_test(test_thresholds),          cmocka_unit_test(test_mixed_frames),
        cmocka_unit_test(test_cold_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
