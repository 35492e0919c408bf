/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The receiver in the modes of symbols.txt: it finds each by itself, and all cells come out as they were
 * sent.
 *
 *     test_t2_modes [STEP [FIRST]]        every STEP-th mode, default 10
 */
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/complex.h"
#include "dvbt2/golden.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/transmitter.h"
#include "ldpc/dvbt2.h"

/* Short frames need more of them until the loops have settled: 65 ms and five frames. */
enum { CELLS_OF_BLOCK = 8100, MAX_CELLS = 1 << 20, MIN_FRAMES = 5, MIN_SAMPLES = 600000 };

static int step = 10, first_line;

static dvbt2_l1_pre l1_pre_of(const dvbt2_mode *mode)
{
    static const uint8_t s2_of_t[DVBT2_FFT_SIZES] = {3, 0, 2,
                                                     1, 4, 5}; /* guard intervals of DVB-T, and 16K */
    bool new_guard = mode->guard > DVBT2_GUARD_1_4;
    uint8_t s2 = s2_of_t[mode->fft];
    if (new_guard && mode->fft == DVBT2_FFT_8K)
        s2 = 6;
    if (new_guard && mode->fft == DVBT2_FFT_32K)
        s2 = 7;
    return (dvbt2_l1_pre){.s1 = mode->miso,
                          .s2 = (uint8_t)(s2 << 1),
                          .bwt_ext = mode->extended,
                          .guard_interval = (uint8_t)mode->guard,
                          .papr = mode->tone_reservation ? 2 : 0,
                          .l1_mod = DVBT2_L1_QPSK,
                          .pilot_pattern = (uint8_t)(mode->pilot_pattern - 1),
                          .num_t2_frames = 2,
                          .num_data_symbols = mode->n_data_symbols,
                          .num_rf = 1,
                          .t2_version = 2};
}

/* One PLP of QPSK that ends with the frame. */
static uint32_t fill_frame(const transmitter *t, dvbt2_l1_post *post)
{
    dvbt2_frame_map map;
    const uint32_t l1_post =
        752 > t->p.n_p2 ? 752 : t->p.n_p2; /* cells of L1-post for one PLP, QPSK, or more */
    memset(post, 0, sizeof(*post));
    assert_int_equal(dvbt2_frame_map_init(&t->p, l1_post, &map, NULL), LDPC_OK);
    uint32_t blocks = map.n_cells / CELLS_OF_BLOCK;
    assert_in_range(blocks, 1, 1023);
    post->config.sub_slices_per_frame = 1;
    post->config.num_plp = 1;
    post->config.plp[0] =
        (dvbt2_l1_plp){.plp_type = 1, .frame_interval = 1, .time_il_length = 1, .plp_payload_type = 3};
    post->dynamic.plp[0].plp_start = map.n_cells - blocks * CELLS_OF_BLOCK;
    post->dynamic.plp[0].plp_num_blocks = (uint16_t)blocks;
    return blocks * CELLS_OF_BLOCK;
}

/* What was sent: a row of cells for each frame. */
typedef struct sent_cells {
    float complex *cells;
    uint32_t frames, per_frame;
} sent_cells;

static uint32_t equal_cells(const float complex *a, const float complex *b, uint32_t count)
{
    uint32_t equal = 0;
    for (uint32_t i = 0; i < count; i++)
        equal += cabsf(a[i] - b[i]) < 0.3F;
    return equal;
}

/* Are these the cells of a frame, every one of them? */
static bool was_sent(const sent_cells *sent, const float complex *cells)
{
    for (uint32_t f = 0; f < sent->frames; f++) {
        const float complex *row = sent->cells + (size_t)f * sent->per_frame;
        if (equal_cells(row, cells, 100) > 80)
            return equal_cells(row, cells, sent->per_frame) == sent->per_frame;
    }
    return false;
}

/* Frames that came out whole with cells as they were sent. */
static uint32_t receive(const float complex *samples, uint32_t n_samples, const sent_cells *sent)
{
    static float iq[2 * MAX_CELLS], noise[MAX_CELLS];
    static const float complex silence[4096];
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_plp_frame info;
    uint32_t first, good = 0;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    float complex *cells = malloc(sent->per_frame * sizeof(*cells));
    assert_non_null(cells);
    for (uint32_t at = 0; at < n_samples + 40 * 4096;) {
        bool ended = at >= n_samples;
        uint32_t left = ended ? 4096 : n_samples - at < 8192 ? n_samples - at : 8192;
        at += (uint32_t)dvbt2_receiver_push(rx, ended ? silence : samples + at, left);
        for (size_t count; (count = dvbt2_receiver_pull(rx, 0, MAX_CELLS, iq, noise, &info, &first)) > 0;) {
            assert_int_equal(info.cells, sent->per_frame);
            for (size_t c = 0; c < count; c++)
                cells[first + c] = dvbt2_cplx(iq[2 * c], iq[2 * c + 1]);
            good += first + count == sent->per_frame && was_sent(sent, cells);
        }
    }
    free(cells);
    dvbt2_receiver_destroy(rx);
    return good;
}

static sent_cells make_cells(uint32_t frames, uint32_t per_frame)
{
    sent_cells sent = {malloc((size_t)frames * per_frame * sizeof(*sent.cells)), frames, per_frame};
    uint32_t seed = 1;
    assert_non_null(sent.cells);
    for (size_t c = 0; c < (size_t)frames * per_frame; c++) {
        seed = seed * 1664525 + 1013904223;
        sent.cells[c] =
            dvbt2_cplx(seed >> 31 ? 0.70710678F : -0.70710678F, seed >> 30 & 1 ? 0.70710678F : -0.70710678F);
    }
    return sent;
}

/* Frames of a mode that come out right; *frames receives how many are sent. Samples `gap_at` .. `gap_at` +
 * `gap` of them, in frames, are lost. */
static uint32_t frames_right(const dvbt2_mode *mode, double gap_at, double gap, uint32_t *frames)
{
    static dvbt2_l1_post post;
    transmitter t;
    dvbt2_l1_pre pre = l1_pre_of(mode);
    transmitter_open(&t, &pre);
    const uint32_t length = t.p.frame_length, n_cells = fill_frame(&t, &post);
    *frames = MIN_FRAMES + MIN_SAMPLES / length;
    uint32_t n_samples = *frames * length, lost_at = (uint32_t)(gap_at * length),
             lost = (uint32_t)(gap * length);
    sent_cells sent = make_cells(*frames, n_cells);
    float complex *samples = malloc(n_samples * sizeof(*samples));
    assert_non_null(samples);
    for (uint32_t f = 0; f < *frames; f++) {
        const float complex *const cells[] = {sent.cells + (size_t)f * n_cells};
        post.dynamic.frame_idx = f % 2;
        transmitter_send(&t, &post, cells, samples + f * length);
    }
    n_samples -= lost;
    memmove(samples + lost_at, samples + lost_at + lost, (n_samples - lost_at) * sizeof(*samples));
    uint32_t good = receive(samples, n_samples, &sent);
    free(sent.cells);
    free(samples);
    transmitter_close(&t);
    return good;
}

static void check_mode(const dvbt2_mode *mode)
{
    uint32_t frames, good = frames_right(mode, 0, 0, &frames);
    if (good < frames * 2 / 5)
        fail_msg("%s%s, guard interval %s, PP%u%s%s, %u data symbols: %u of %u frames came out right",
                 dvbt2_fft_size_name(mode->fft), mode->extended ? " extended" : "",
                 dvbt2_guard_interval_name((uint8_t)mode->guard), mode->pilot_pattern,
                 mode->miso ? " MISO" : "", mode->tone_reservation ? " TR" : "", mode->n_data_symbols, good,
                 frames);
}

static void test_modes(void **state)
{
    (void)state;
    FILE *file = golden_open("symbols.txt");
    golden_mode line;
    for (int i = 0; golden_read_mode(file, &line); i++) {
        if (i >= first_line && (i - first_line) % step == 0)
            check_mode(&line.mode);
    }
    fclose(file);
}

/* A guard interval so short that it tells the clock to 50 ppm only: at the first normal symbol the timing has
 * moved by 0.7 samples, and the phase by more than a turn over the band. */
static void test_late_timing(void **state)
{
    (void)state;
    check_mode(&(dvbt2_mode){.fft = DVBT2_FFT_2K,
                             .guard = DVBT2_GUARD_1_32,
                             .pilot_pattern = 5,
                             .miso = true,
                             .tone_reservation = true,
                             .n_data_symbols = 7});
}

/* The carrier at 0 Hz is a continual pilot or a cell, and no DC. */
static void test_carrier_at_0_hz(void **state)
{
    (void)state;
    check_mode(&(dvbt2_mode){.fft = DVBT2_FFT_8K,
                             .guard = DVBT2_GUARD_19_256,
                             .pilot_pattern = 5,
                             .extended = true,
                             .tone_reservation = true,
                             .n_data_symbols = 8});
}

/* All frames but those that a gap hits come out right, however long it is: also one whole symbol, or a part
 * of a frame. The first frame is not received in any case. */
static void test_gaps(void **state)
{
    (void)state;
    const dvbt2_mode mode = {
        .fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_32, .pilot_pattern = 7, .n_data_symbols = 40};
    const double symbol = 2112. / (2048 + 48 * 2112), at = 2.3;
    const double gaps[] = {
        1 / (2048. + 48 * 2112), 0.5 * symbol, symbol, 4 * symbol, 0.25, 0.5, 0.71, 1.37, 2.5};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        uint32_t frames, hit = (uint32_t)(at + gaps[i]) - (uint32_t)at + 1;
        uint32_t good = frames_right(&mode, at, gaps[i], &frames);
        if (good + hit + 1 < frames)
            fail_msg("gap of %.3f frames: %u of %u frames came out right", gaps[i], good, frames);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_late_timing),
                                       cmocka_unit_test(test_carrier_at_0_hz), cmocka_unit_test(test_gaps)};
    if (argc > 1)
        step = (int)strtol(argv[1], NULL, 10);
    if (argc > 2)
        first_line = (int)strtol(argv[2], NULL, 10);
    assert(step > 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
