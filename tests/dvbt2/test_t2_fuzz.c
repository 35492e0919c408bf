/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals with spoiled parts: no crash, no packet that was not sent, no value that is not finite, and reception continues
 * after them.
 *
 *     test_t2_fuzz [SIGNALS]        of each kind, default 8
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/finite.h"
#include "dvbt2/golden.h"
#include "dvbt2/signals.h"
#include "dvbt2/synthetic.h"
#include "ldpc/dvbt2.h"
#include "receiver/complex.h"
#include "ldpc/dvbt2_plp.h"

enum { TS_PACKET = 188, BLOCK = 10000, SPOILED = 3, CLEAN = 4 /* super-frames */ };

static int n_signals = 8;

/* ---- what is done to samples[0 .. count-1] */

static void silence(float complex *samples, uint32_t count)
{
    memset(samples, 0, count * sizeof *samples);
}

static void reverse(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        float complex other = samples[count - 1 - i];
        samples[count - 1 - i] = samples[i];
        samples[i] = other;
    }
}

static void conjugate(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] = conjf(samples[i]);
}

static void scale(float complex *samples, uint32_t count)
{
    const float gain = (float)pow(10, 6 * uniform() - 3);
    for (uint32_t i = 0; i < count; i++)
        samples[i] *= gain;
}

/* Levels that no radio has. */
static void scale_far(float complex *samples, uint32_t count)
{
    const float gain = (float)pow(10, 30 * uniform() - 24);
    for (uint32_t i = 0; i < count; i++)
        samples[i] *= gain;
}

static void not_a_number(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] = rx_cplx(NAN, INFINITY);
}

static void huge(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] = rx_cplx(1e30F, -1e30F);
}

static void clip(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] = rx_cplx(crealf(samples[i]) > 0 ? 1 : -1, cimagf(samples[i]) > 0 ? 1 : -1);
}

static void interfere(float complex *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        samples[i] += noise(30);
}

static void (*const spoilers[])(float complex *samples, uint32_t count) = {
    silence, reverse, conjugate, scale, scale_far, not_a_number, huge, clip, interfere};

/* One part of 1 to 200000 samples; returns how many samples are left. There is room for as many more. */
static uint32_t spoil(float complex *samples, uint32_t count)
{
    enum { DELETE = sizeof spoilers / sizeof *spoilers, REPEAT, WAYS };
    const uint32_t length = (uint32_t)pow(10, 5.3 * uniform()),
                   first = (uint32_t)(uniform() * (count - length));
    const uint32_t way = (uint32_t)(uniform() * WAYS), end = first + length;
    if (way < DELETE) {
        spoilers[way](samples + first, length);
        return count;
    }
    if (way == DELETE) {
        memmove(samples + first, samples + end, (count - end) * sizeof *samples);
        return count - length;
    }
    memmove(samples + end, samples + first, (count - first) * sizeof *samples);
    return count + length;
}

/* ---- reception */

static bool was_sent(const signal_plp *plp, const uint8_t *packet)
{
    const uint32_t crc = golden_crc(0, packet, TS_PACKET);
    for (uint32_t i = 0; i < plp->count; i++)
        if (plp->crc[i] == crc)
            return true;
    return (packet[1] & 0x80) != 0; /* marked as wrong */
}

/* How many packets are not as sent. */
static uint32_t count_wrong(dvbt2_plp_decoder *decoder, const signal_plp *plp, uint32_t *packets)
{
    uint8_t ts[100 * TS_PACKET];
    uint32_t wrong = 0;
    for (size_t count; (count = dvbt2_plp_decoder_pull(decoder, ts, 100)) > 0; *packets += (uint32_t)count)
        for (size_t i = 0; i < count; i++)
            wrong += !was_sent(plp, ts + i * TS_PACKET);
    return wrong;
}

/* The status at the end; *wrong counts packets. */
static dvbt2_status receive(const float complex *samples, uint32_t count, const signal_plp *plp,
                            uint32_t *wrong)
{
    static float iq[2 * BLOCK], noise_of[BLOCK];
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    dvbt2_plp_frame frame;
    dvbt2_status status;
    uint32_t first, packets = 0;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.plp[0] = plp->plp_id;
    params.profile = plp->lite ? DVBT2_PROFILE_LITE_ONLY : DVBT2_PROFILE_BASE_ONLY;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &decoder, NULL), LDPC_OK);
    for (uint32_t at = 0; at < count;) {
        at += (uint32_t)dvbt2_receiver_push(rx, samples + at, count - at < BLOCK ? count - at : BLOCK);
        for (size_t got; (got = dvbt2_receiver_pull(rx, 0, BLOCK, iq, noise_of, &frame, &first)) > 0;) {
            for (size_t i = 0; i < got; i++)
                assert_true(isfinite(iq[2 * i]) && isfinite(iq[2 * i + 1]) && isfinite(noise_of[i]));
            assert_int_equal(dvbt2_plp_decoder_feed(decoder, &frame, first, got, iq, noise_of), LDPC_OK);
        }
        assert_true(all_finite(rx));
        *wrong += count_wrong(decoder, plp, &packets);
    }
    dvbt2_plp_decoder_finish(decoder);
    *wrong += count_wrong(decoder, plp, &packets);
    dvbt2_receiver_status(rx, &status);
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    return status;
}

static float complex *repeat(const test_signal *signal, uint32_t times, float complex *out)
{
    for (uint32_t i = 0; i < times; i++, out += signal->n_samples)
        memcpy(out, signal->samples, signal->n_samples * sizeof *out);
    return out;
}

static void check(const char *name, const test_signal *signal, int number)
{
    float complex *samples = malloc((2 * SPOILED + CLEAN) * (size_t)signal->n_samples * sizeof *samples);
    assert_non_null(samples);
    repeat(signal, SPOILED, samples);
    uint32_t count = SPOILED * signal->n_samples, wrong = 0;
    for (int parts = 1 + (int)(6 * uniform()); parts > 0; parts--)
        if (count > signal->n_samples && count + signal->n_samples < 2 * SPOILED * signal->n_samples)
            count = spoil(samples, count);
    repeat(signal, CLEAN, samples + count);
    count += CLEAN * signal->n_samples;
    const dvbt2_status status = receive(samples, count, &signal->plp[0], &wrong);
    if (wrong > 0 || status.state != DVBT2_STATE_TRACKING)
        fail_msg("%s, signal %d: %u wrong packets, state %s, %" PRIu64 " P1, %" PRIu64 " L1 errors, %" PRIu64
                 " locks",
                 name, number, wrong, dvbt2_state_name(status.state), status.frames_seen, status.l1_errors,
                 status.locks);
    free(samples);
}

static void test_spoiled(void **state)
{
    static const char *const names[] = {"lite", "type2", "miso"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        for (int k = 0; k < n_signals; k++)
            check(names[i], &signal, k);
        test_signal_free(&signal);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spoiled)};
    if (argc > 1)
        n_signals = (int)strtol(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
