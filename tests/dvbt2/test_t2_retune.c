/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests dvbt2_receiver_retune() with a second signal of another profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/signals.h"
#include "ldpc/dvbt2.h"

static const double rate = 64e6 / 7;

/* Pushes the super-frame twice. */
static void push(dvbt2_receiver *rx, const test_signal *signal)
{
    enum { ROOM = 10000 };
    static float iq[2 * ROOM], noise[ROOM];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (size_t done = 0; done < 2 * (size_t)signal->n_samples;) {
        const size_t at = done % signal->n_samples;
        done += dvbt2_receiver_push(rx, signal->samples + at, signal->n_samples - at);
        while (dvbt2_receiver_pull(rx, 0, ROOM, iq, noise, &frame, &first) > 0)
            continue;
    }
}

static dvbt2_status status_of(const dvbt2_receiver *rx)
{
    dvbt2_status status;
    dvbt2_receiver_status(rx, &status);
    return status;
}

static void test_another_signal(void **state)
{
    (void)state;
    test_signal lite, base;
    test_signal_read("lite", &lite);
    test_signal_read("type2", &base);
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = rate;
    dvbt2_receiver *rx;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    push(rx, &lite);
    const dvbt2_status before = status_of(rx);
    assert_int_equal(before.state, DVBT2_STATE_TRACKING);
    assert_int_equal(dvbt2_receiver_retune(rx, rate, NULL), LDPC_OK);
    assert_int_equal(status_of(rx).state, DVBT2_STATE_SEARCH);
    assert_int_equal(status_of(rx).lost_frames, before.lost_frames + 1);
    push(rx, &base);
    const dvbt2_status after = status_of(rx);
    assert_int_equal(after.state, DVBT2_STATE_TRACKING);
    assert_int_equal(after.p1.profile, DVBT2_PROFILE_BASE);
    assert_in_range(after.frames, before.frames + 2 * base.frames - 1, before.frames + 2 * base.frames);
    assert_int_equal(after.lost_frames, before.lost_frames + 1);
    assert_int_equal(after.locks, 2);
    assert_int_equal(after.samples, before.samples + 2 * base.n_samples);
    dvbt2_receiver_destroy(rx);
    test_signal_free(&lite);
    test_signal_free(&base);
}

/* If a sample rate is refused, nothing changes. */
static void test_wrong_arguments(void **state)
{
    (void)state;
    test_signal lite;
    test_signal_read("lite", &lite);
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = rate;
    dvbt2_receiver *rx;
    ldpc_error error = {0};
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    push(rx, &lite);
    assert_int_equal(dvbt2_receiver_retune(NULL, rate, &error), LDPC_ERR_NULL);
    assert_int_equal(dvbt2_receiver_retune(rx, 1e6, &error), LDPC_ERR_RANGE);
    assert_non_null(strstr(error.message, "sample rate 1000000 Hz"));
    push(rx, &lite);
    assert_int_equal(status_of(rx).lost_frames, 0);
    assert_int_equal(status_of(rx).locks, 1);
    dvbt2_receiver_destroy(rx);
    test_signal_free(&lite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_another_signal),
                                       cmocka_unit_test(test_wrong_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
