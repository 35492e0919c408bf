/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This program replaces the allocator of the library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "code/failing_memory.h"
#include "dvbs2/frame/decoding.h"
#include "dvbs2/scan/second_look.h"
#include "dvbs2/support/phase_noise.h"
#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2.h"
#include "ldpc/dvbs2_band.h"
#include "ldpc/dvbs2_survey.h"

static void test_a_receiver_without_memory(void **state)
{
    (void)state;
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    ldpc_error err;
    dvbs2_receiver_params_init(&params);
    params.sample_rate = 2e6;
    params.symbol_rate = 1e6;
    for (params.threads = 1; params.threads <= 2; params.threads++)
        for (size_t enough = 0;; enough++) {
            left = enough;
            const ldpc_status status = dvbs2_receiver_create(&params, &rx, &err);
            if (status == LDPC_OK) {
                assert_in_range(enough, 10, 100);
                dvbs2_receiver_destroy(rx);
                break;
            }
            assert_int_equal(status, LDPC_ERR_MEMORY);
            assert_string_equal(err.message, "out of memory");
            assert_null(rx);
        }
}

static void test_a_band_without_memory(void **state)
{
    (void)state;
    dvbs2_receiver_params carrier;
    dvbs2_band_params params;
    dvbs2_band *band;
    ldpc_error err;
    dvbs2_receiver_params_init(&carrier);
    dvbs2_band_params_init(&params);
    carrier.symbol_rate = 1e6;
    params.sample_rate = 4e6;
    params.threads = 2;
    size_t enough = 0;
    for (;; enough++) {
        left = enough;
        const ldpc_status status = dvbs2_band_create(&params, &carrier, 1, &band, &err);
        if (status == LDPC_OK)
            break;
        assert_int_equal(status, LDPC_ERR_MEMORY);
        assert_non_null(strstr(err.message, "out of memory"));
        assert_null(band);
    }
    left = SIZE_MAX;
    assert_in_range(enough, 30, 150);
    dvbs2_band_destroy(band);
}

enum { MOST_FRAMES = 16, QPSK_3_4_SHORT = 4 * 7 + 2, LENGTH_3_4 = 8190 };
static float complex samples[MOST_FRAMES * LENGTH_3_4 * 13 / 10];

/* Makes 1.3 samples per symbol. Returns their number. */
static size_t make_samples(size_t frames, double esn0_db)
{
    static float complex symbols[MOST_FRAMES * LENGTH_3_4];
    sender s = {.gold = 0};
    size_t count = 0;
    for (size_t i = 0; i < frames; i++)
        count += sender_frame(&s, QPSK_3_4_SHORT, symbols + count);
    count = sender_shape(symbols, count, 1.3, 0.2, samples);
    channel(samples, count, 0, 0, esn0_db);
    return count;
}

static void test_a_survey_without_memory(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    size_t enough = 0;
    dvbs2_survey_params params;
    dvbs2_survey *survey;
    ldpc_error err;
    left = SIZE_MAX;
    assert_true(make_samples(4, 10) >= COUNT);
    dvbs2_survey_params_init(&params);
    params.sample_rate = 1.3e6;
    params.least_rate = 0.5e6;
    for (;; enough += 1 + enough / 12) {
        left = enough;
        const ldpc_status status = dvbs2_survey_create(&params, samples, COUNT, &survey, &err);
        if (status == LDPC_OK)
            break;
        assert_int_equal(status, LDPC_ERR_MEMORY);
        assert_string_equal(err.message, "out of memory");
        assert_null(survey);
    }
    left = SIZE_MAX;
    assert_in_range(enough, 15, 1000);
    assert_non_null(dvbs2_survey_list(survey, 0));
    assert_int_equal(dvbs2_survey_list(survey, 0)->gold, 0);
    dvbs2_survey_destroy(survey);
}

static void test_a_second_look_without_memory(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };
    static float complex silence[COUNT];
    static dvbs2_candidate candidate = {
        .found = {.symbol_rate = 60e3, .gold = -1}
    };
    const dvbs2_gold_list gold = {NULL, 0};
    dvbs2_second_look look;
    size_t enough = 0;
    for (left = 0; !dvbs2_second_look_init(&look, &candidate, LDPC_CF32, 4e6); left = ++enough)
        dvbs2_second_look_free(&look);
    assert_in_range(enough, 3, 100);
    assert_true(dvbs2_second_look_add(&look, silence, COUNT));
    left = 0;
    assert_false(dvbs2_second_look_run(&look, &gold));
    left = SIZE_MAX;
    assert_true(dvbs2_second_look_run(&look, &gold));
    assert_int_equal(candidate.found.standard, DVBS2_STANDARD_UNKNOWN);
    dvbs2_second_look_free(&look);
}

/* If there is no memory for the decimators, the call can be repeated. */
static void test_continue_without_memory(void **state)
{
    (void)state;
    static const double ratio = 16;
    static float complex symbols[LENGTH_3_4];
    sender s = {.gold = 0};
    dvbs2_survey_params params;
    dvbs2_survey *survey;
    ldpc_error err;
    bool more;
    left = SIZE_MAX;
    size_t enough = 0, count = sender_frame(&s, QPSK_3_4_SHORT, symbols);
    count = sender_shape(symbols, count, ratio, 0.2, samples);
    channel(samples, count, 0, 0, 5);
    dvbs2_survey_params_init(&params);
    params.sample_rate = ratio * 60e3;
    assert_int_equal(dvbs2_survey_create(&params, samples, count, &survey, NULL), LDPC_OK);
    for (left = 0; dvbs2_survey_continue(survey, samples, 1000, &more, &err); left = ++enough)
        assert_string_equal(err.message, "out of memory");
    assert_in_range(enough, 3, 100);
    assert_true(more);
    dvbs2_survey_destroy(survey);
}

/* Without memory, the front end cannot find the carrier. It does so when there is memory again. */
static void test_a_front_end_without_memory(void **state)
{
    (void)state;
    size_t pushed = 0, frames = 0;
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    dvbs2_status status;
    left = SIZE_MAX;
    const size_t count = make_samples(MOST_FRAMES, 15);
    dvbs2_receiver_params_init(&params);
    params.sample_rate = 1.3e6;
    params.symbol_rate = 1e6;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    while (pushed < count) {
        left = pushed < count / 2 ? 0 : SIZE_MAX;
        const size_t taken =
            dvbs2_receiver_push(rx, samples + pushed, count - pushed < 1000 ? count - pushed : 1000);
        pushed += taken;
        while (dvbs2_receiver_pull(rx))
            frames++;
        dvbs2_receiver_status(rx, &status);
        assert_true(taken > 0);
        if (status.losses[DVBS2_LOSS_MEMORY] > 0 && frames == 0)
            assert_string_equal(status.message, "out of memory");
    }
    left = SIZE_MAX;
    assert_true(status.losses[DVBS2_LOSS_MEMORY] > 0);
    assert_in_range(frames, 3, MOST_FRAMES / 2);
    dvbs2_receiver_destroy(rx);
}

/* If there is no memory for a demapper with the measured rings, a decoded frame stays decoded. */
static void test_rings_without_memory(void **state)
{
    (void)state;
    enum { FRAMES = 4, APSK32_3_4 = 4 * 24 + 1, LENGTH = 13338 };
    static float complex symbols[FRAMES * LENGTH];
    static sender s;
    static dvbs2_synchroniser sync;
    static dvbs2_fec fec;
    dvbs2_pl_frame frame;
    dvbs2_fec_result result;
    size_t count = 0, room;
    left = SIZE_MAX;
    for (int i = 0; i < FRAMES; i++)
        count += sender_frame(&s, APSK32_3_4, symbols + count);
    assert_int_equal(count, FRAMES * LENGTH);
    for (size_t i = 0; i < count; i++) { /* an amplifier */
        const float power = 0.15f * crealf(symbols[i] * conjf(symbols[i]));
        symbols[i] *= (cosf(power) - sinf(power) * I) / (1 + power);
    }
    channel(symbols, count, 0, 0.001, 20);
    assert_true(dvbs2_synchroniser_init(&sync, 0) && dvbs2_fec_init(&fec, 50));
    memcpy(dvbs2_synchroniser_room(&sync, &room), symbols, sizeof symbols);
    dvbs2_synchroniser_add(&sync, count);
    for (int i = 0; i < 3; i++) {
        assert_true(dvbs2_synchroniser_read(&sync, &frame));
        left = i < 2 ? SIZE_MAX : 0;
        assert_int_equal(dvbs2_fec_decode(&fec, &frame, &result, NULL), LDPC_OK);
        assert_false(result.broken);
        assert_true((fec.chains[frame.format.modcod].moved != NULL) == (i < 2));
    }
    dvbs2_fec_free(&fec);
    dvbs2_synchroniser_free(&sync);
}

/* The first pass of this frame fails, and there is no memory for the trellis. */
static void test_a_trellis_without_memory(void **state)
{
    (void)state;
    enum { FRAMES = 5, PSK8_2_3 = 4 * 13 + 1, LENGTH = 22194 };
    static float complex symbols[FRAMES * LENGTH];
    static sender s;
    static phase_noise noise;
    static dvbs2_synchroniser sync;
    static dvbs2_decoding decoding;
    dvbs2_pl_frame frame;
    dvbs2_fec_result result;
    ldpc_error err;
    size_t room;
    left = SIZE_MAX;
    phase_noise_start(&noise, 1e6);
    for (int i = 0; i < FRAMES; i++)
        sender_frame(&s, PSK8_2_3, symbols + i * LENGTH);
    phase_noise_apply(&noise, symbols, FRAMES * LENGTH);
    channel(symbols, FRAMES * LENGTH, 0, 0.001, 7);
    assert_true(dvbs2_synchroniser_init(&sync, 0) && dvbs2_decoding_init(&decoding, 50, 1e6));
    memcpy(dvbs2_synchroniser_room(&sync, &room), symbols, sizeof symbols);
    dvbs2_synchroniser_add(&sync, FRAMES * LENGTH);
    left = 0;
    assert_true(dvbs2_synchroniser_read(&sync, &frame));
    assert_true(frame.no_memory && !dvbs2_synchroniser_uses_cells(&sync));
    left = SIZE_MAX;
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && !frame.no_memory);
    dvbs2_phase_grid_free(&sync.grid);
    left = 0;
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && frame.no_memory);
    left = SIZE_MAX;
    assert_true(dvbs2_synchroniser_read(&sync, &frame) && !frame.no_memory);
    assert_int_equal(dvbs2_fec_decode(&decoding.fec, &frame, &result, NULL), LDPC_OK);
    assert_true(result.broken && dvbs2_synchroniser_uses_cells(&sync));
    left = 0;
    assert_int_equal(dvbs2_decoding_run(&decoding, &sync, &frame, &result, &err), LDPC_ERR_MEMORY);
    assert_string_equal(err.message, "out of memory");
    dvbs2_decoding_free(&decoding);
    dvbs2_synchroniser_free(&sync);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_receiver_without_memory),
        cmocka_unit_test(test_a_band_without_memory),
        cmocka_unit_test(test_a_survey_without_memory),
        cmocka_unit_test(test_rings_without_memory),
        cmocka_unit_test(test_a_front_end_without_memory),
        cmocka_unit_test(test_a_second_look_without_memory),
        cmocka_unit_test(test_continue_without_memory),
        cmocka_unit_test(test_a_trellis_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
