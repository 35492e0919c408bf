/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the whole receiver with signals of the DVB-T2 Common Simulation Platform. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/golden.h"
#include "dvbt2/support/signals.h"
#include "dvbt2/support/synthetic.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

enum { TS_PACKET = 188, BLOCK = 10000, MAX_CELLS = 1 << 20 };

static const double rate = 64e6 / 7;

/* Impairments of a signal that is sent `repeats` times. */
typedef struct way {
    uint32_t repeats;
    double carrier; /* carrier offset, Hz */
    double ppm;     /* clock offset of the receiver in ppm; positive if its clock is fast */
    double drift;
    float noise;          /* noise amplitude */
    double echo;          /* delay of an echo of 0 dB, samples; 0: no echo */
    uint32_t gap_at, gap; /* lost samples: position, number */
    uint32_t step_at;
    uint32_t burst_at, burst; /* noise burst: position, length */
    float dc, image;          /* relative to the signal */
} way;

/* Result of a reception. */
typedef struct reception {
    uint32_t frames;  /* number of T2 frames with cells of the PLP */
    uint32_t packets; /* packets received */
    uint32_t unknown; /* number of received packets that were not transmitted */
    uint32_t found;
    uint64_t codewords, failed_codewords;
    dvbt2_status status;
    char message[200]; /* copy of status.message */
} reception;

static uint32_t seed;

/* Uniform random number, -1 .. 1. */
static float symmetric(void)
{
    seed = seed * 1664525 + 1013904223;
    return (float)(int32_t)seed / 2147483648.0F;
}

/* Interpolates with a sinc function and a Hann window. */
static float complex between(const test_signal *signal, double t)
{
    enum { HALF = 24 };
    const int64_t whole = (int64_t)floor(t);
    uint64_t n = (uint64_t)(whole + 1 - HALF + signal->n_samples) % signal->n_samples;
    float weights[2 * HALF];
    float complex sum = 0;
    interpolation_weights(t - (double)whole, HALF, weights);
    for (int i = 0; i < 2 * HALF; i++) {
        sum += weights[i] * signal->samples[n];
        n = n + 1 < signal->n_samples ? n + 1 : 0;
    }
    return sum;
}

static float complex sample_at(const test_signal *signal, const way *w, uint64_t n)
{
    const double all = (double)signal->n_samples * w->repeats, gained = 1e-6 * w->drift * (double)n / all;
    float complex x =
        w->drift ? between(signal, (double)n * (1 - gained / 2)) : signal->samples[n % signal->n_samples];
    if (w->echo > 0 && n >= (uint64_t)w->echo)
        x += signal->samples[(n - (uint64_t)w->echo) % signal->n_samples] * rx_cplx(0.6F, 0.8F);
    x = rx_mul(x, phasor(w->carrier / rate * (double)n));
    if (w->step_at && n >= w->step_at)
        x *= 0.1F;
    if (n - w->burst_at < w->burst)
        x += 20 * rx_cplx(symmetric(), symmetric());
    if (w->noise > 0)
        x += w->noise * rx_cplx(symmetric(), symmetric());
    x += w->dc * rx_cplx(0.6F, -0.8F) + w->image * conjf(x);
    return x * 0.1F;
}

static void count_packets(dvbt2_plp_decoder *decoder, const signal_plp *plp, bool *seen, reception *r)
{
    uint8_t ts[100 * TS_PACKET];
    for (size_t count; (count = dvbt2_plp_decoder_pull(decoder, ts, 100)) > 0;)
        for (size_t i = 0; i < count; i++) {
            uint32_t crc = golden_crc(0, ts + i * TS_PACKET, TS_PACKET);
            bool known = false;
            for (uint32_t k = 0; k < plp->count; k++) /* null packets cannot be distinguished */
                if (plp->crc[k] == crc)
                    known = seen[k] = true;
            r->packets++;
            r->unknown += !known && !(ts[i * TS_PACKET + 1] & 0x80);
        }
}

/* Passes whole interleaving frames to the decoder. */
static void take_cells(dvbt2_receiver *rx, dvbt2_plp_decoder *decoder, float *iq, float *noise,
                       uint32_t *held, reception *r)
{
    dvbt2_plp_frame frame;
    uint32_t first;
    size_t count;
    while ((count = dvbt2_receiver_pull(rx, 0, MAX_CELLS - *held, iq + 2 * *held, noise + *held, &frame,
                                        &first)) > 0) {
        if (first == 0 && frame.part == 0 && *held > 0) {
            memmove(iq, iq + 2 * *held, 2 * count * sizeof *iq);
            memmove(noise, noise + *held, count * sizeof *noise);
            *held = 0;
        }
        *held += (uint32_t)count;
        if (first + count < frame.cells)
            continue;
        r->frames++;
        if (*held < frame.n_blocks * frame.cells_per_block)
            continue;
        dvbt2_plp_format format = {
            .rotated = frame.plp.plp_rotation, .ti_blocks = frame.ti_blocks, .fec_blocks = frame.n_blocks};
        static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};
        snprintf(format.code, sizeof format.code, "dvbt2:%s:%s", frame.plp.plp_fec_type ? "64800" : "16200",
                 dvbt2_rate_name(frame.plp.plp_cod));
        snprintf(format.modulation, sizeof format.modulation, "%s", modulations[frame.plp.plp_mod & 3]);
        assert_int_equal(dvbt2_plp_decoder_push(decoder, &format, iq, noise), LDPC_OK);
        *held = 0;
    }
}

static void push_all(dvbt2_receiver *rx, dvbt2_plp_decoder *decoder, const test_signal *signal, const way *w,
                     const signal_plp *plp, bool *seen, reception *r)
{
    static float complex block[BLOCK];
    float *iq = malloc(2 * MAX_CELLS * sizeof *iq), *noise = malloc(MAX_CELLS * sizeof *noise);
    assert_true(iq && noise);
    uint32_t held = 0;
    const uint64_t all = (uint64_t)signal->n_samples * w->repeats;
    for (uint64_t n = 0; n < all;) {
        uint32_t count = 0;
        for (; count < BLOCK && n < all; n++)
            if (!w->gap || n < w->gap_at || n >= w->gap_at + w->gap)
                block[count++] = sample_at(signal, w, n);
        for (size_t done = 0; done < count;) {
            done += dvbt2_receiver_push(rx, block + done, count - done);
            take_cells(rx, decoder, iq, noise, &held, r);
        }
        count_packets(decoder, plp, seen, r);
    }
    free(iq);
    free(noise);
}

static reception receive(const test_signal *signal, const signal_plp *plp, const way *w)
{
    reception r = {0};
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = rate / (1 + 1e-6 * w->ppm);
    params.profile = plp->lite ? DVBT2_PROFILE_LITE_ONLY : DVBT2_PROFILE_BASE_ONLY;
    params.plp[0] = plp->plp_id;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    seed = 1;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &decoder, NULL), LDPC_OK);
    bool *seen = calloc(plp->count, sizeof *seen);
    push_all(rx, decoder, signal, w, plp, seen, &r);
    dvbt2_plp_decoder_finish(decoder);
    count_packets(decoder, plp, seen, &r);
    for (uint32_t i = 0; i < plp->count; i++)
        r.found += seen[i];
    r.codewords = dvbt2_plp_decoder_counters(decoder).codewords;
    r.failed_codewords = dvbt2_plp_decoder_counters(decoder).failed_codewords;
    dvbt2_receiver_status(rx, &r.status);
    snprintf(r.message, sizeof r.message, "%s", r.status.message);
    free(seen);
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    return r;
}

/* Checks that all packets of a super-frame were received. The last packet may end in the next super-frame.
 * Packets that cross a repetition are ignored. */
static void assert_all(const reception *r, const signal_plp *plp)
{
    assert_in_range(r->found, plp->count - 1, plp->count);
    assert_int_equal(r->unknown, 0);
}

static void assert_every(const reception *r, const signal_plp *plp, uint32_t repeats)
{
    assert_all(r, plp);
    assert_int_equal(r->packets % repeats, 0);
    assert_in_range(r->packets / repeats, plp->count - 1, r->found); /* the last packet may be null */
}

static void test_every_plp(void **state)
{
    static const char *const names[] = {"2plp",      "type2", "ti2",    "fef", "lite",
                                        "base_lite", "miso",  "16kpp1", "issy"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        for (uint32_t p = 0; p < signal.n_plps; p++) {
            way w = {.repeats = 4, .carrier = 12345, .ppm = -20};
            reception r = receive(&signal, &signal.plp[p], &w);
            print_message("%s PLP %u: %u frames, %u of %u packets, C/N %.1f dB\n", names[i], p, r.frames,
                          r.found, signal.plp[p].count, r.status.cn_db);
            assert_every(&r, &signal.plp[p], w.repeats);
            assert_int_equal(r.status.frames, w.repeats * signal.frames);
            assert_int_equal(r.status.lost_frames, 0);
            assert_int_equal(r.status.locks, 1);
        }
        test_signal_free(&signal);
    }
}

static void test_first_frame(void **state)
{
    static const char *const names[] = {"2plp",      "type2", "ti2",    "fef", "lite",
                                        "base_lite", "miso",  "16kpp1", "issy"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        for (uint32_t p = 0; p < signal.n_plps; p++) {
            way w = {.repeats = 1, .carrier = -2345, .ppm = 20};
            reception r = receive(&signal, &signal.plp[p], &w);
            print_message("%s PLP %u: %u of %u frames, %u of %u packets, %u of %u codewords failed\n",
                          names[i], p, r.frames, signal.frames, r.found, signal.plp[p].count,
                          (unsigned)r.failed_codewords, (unsigned)r.codewords);
            assert_int_equal(r.status.frames, signal.frames);
            assert_int_equal(r.status.lost_frames, 0);
            assert_every(&r, &signal.plp[p], 1);
            assert_int_equal(r.failed_codewords, 0);
        }
        test_signal_free(&signal);
    }
}

static void test_offsets(void **state)
{
    static const way ways[] = {
        {.repeats = 4, .carrier = 500e3,  .ppm = 100 },
        {.repeats = 4, .carrier = -500e3, .ppm = -100},
    };
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        reception r = receive(&signal, &signal.plp[0], &ways[i]);
        assert_every(&r, &signal.plp[0], 4);
        /* Hz of the receiver's clock */
        assert_float_equal(r.status.carrier_hz, ways[i].carrier / (1 + 1e-6 * ways[i].ppm), 2);
        assert_float_equal(r.status.clock_ppm, ways[i].ppm, 1);
    }
    test_signal_free(&signal);
}

static void test_clock_that_drifts(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("2plp", &signal);
    static const double offsets[] = {0, 0, 500, -500};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        way w = {.repeats = 8, .ppm = offsets[i], .drift = i % 2 ? 20 : -20, .noise = 0.133F};
        reception r = receive(&signal, &signal.plp[1], &w);
        print_message("%+.0f %+.0f ppm: %u of %u codewords failed, C/N %.1f dB, clock %+.2f ppm\n", w.ppm,
                      w.drift, (unsigned)r.failed_codewords, (unsigned)r.codewords, r.status.cn_db,
                      r.status.clock_ppm);
        assert_int_equal(r.codewords, w.repeats * 64);
        assert_in_range(r.failed_codewords, 0, w.ppm ? 32 : 0);
        if (!w.ppm)
            assert_every(&r, &signal.plp[1], w.repeats);
        assert_int_equal(r.status.locks, 1);
        assert_float_equal(r.status.clock_ppm, w.ppm + w.drift, 10); /* the loop lags */
    }
    test_signal_free(&signal);
}

static void test_echo(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal);
    way w = {.repeats = 4, .echo = 230};
    reception r = receive(&signal, &signal.plp[0], &w);
    assert_every(&r, &signal.plp[0], 4);
    assert_float_equal(r.status.delay_spread_us, 230 / rate * 1e6, 1);
    test_signal_free(&signal);
}

static void test_tuner(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal);
    way w = {.repeats = 6, .carrier = 3000, .dc = 0.5F, .image = 0.1F};
    reception r = receive(&signal, &signal.plp[0], &w);
    assert_every(&r, &signal.plp[0], 6);
    assert_true(r.status.cn_db > 19); /* the C/N is 20 dB if DC and image are removed, 17 dB if the image
                                       * remains */
    test_signal_free(&signal);
}

static void assert_survives(const way *w, uint32_t lost)
{
    test_signal signal;
    test_signal_read("lite", &signal);
    way plain = {.repeats = 7};
    reception whole = receive(&signal, &signal.plp[0], &plain);
    reception r = receive(&signal, &signal.plp[0], w);
    print_message("%u frames instead of %u, %u packets instead of %u\n", r.frames, whole.frames, r.packets,
                  whole.packets);
    assert_int_equal(r.frames + lost, whole.frames);
    assert_all(&r, &signal.plp[0]);
    assert_int_equal(r.status.state, DVBT2_STATE_TRACKING);
    test_signal_free(&signal);
}

static void test_lost_samples(void **state)
{
    (void)state;
    for (uint32_t gap = 1; gap < 100000; gap *= 17) {
        way w = {.repeats = 7, .gap_at = 1000000, .gap = gap};
        assert_survives(&w, gap > 10000);
    }
}

static void test_gain_step(void **state)
{
    (void)state;
    way w = {.repeats = 7, .step_at = 1100000};
    assert_survives(&w, 0);
}

static void test_burst(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal); /* the gap hits P1 */
    way w = {.repeats = 7, .burst_at = 3 * signal.n_samples - 1000, .burst = 3000};
    test_signal_free(&signal);
    assert_survives(&w, 0);
}

static void test_missing_plp(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal);
    signal_plp plp = signal.plp[0];
    plp.plp_id = 77;
    way w = {.repeats = 3};
    reception r = receive(&signal, &plp, &w);
    assert_int_equal(r.frames, 0);
    assert_string_equal(r.message, "there is no PLP 77; this signal has PLPs 0, 1");
    test_signal_free(&signal);
}

static void push_constant(dvbt2_receiver *rx, float scale, bool noise)
{
    static float complex block[BLOCK];
    for (int b = 0; b < 30; b++) {
        for (int i = 0; i < BLOCK; i++)
            block[i] = noise ? scale * rx_cplx(symmetric(), symmetric()) : scale;
        assert_int_equal(dvbt2_receiver_push(rx, block, BLOCK), BLOCK);
    }
}

static void test_no_signal(void **state)
{
    (void)state;
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 10e6;
    dvbt2_receiver *rx;
    dvbt2_status status;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    push_constant(rx, 0, false);
    push_constant(rx, 1, false);
    push_constant(rx, 1, true);
    push_constant(rx, NAN, false);
    push_constant(rx, INFINITY, true);
    float iq[2], noise;
    assert_int_equal(dvbt2_receiver_pull(rx, 0, 1, iq, &noise, NULL, NULL), 0);
    dvbt2_receiver_status(rx, &status);
    assert_int_equal(status.state, DVBT2_STATE_SEARCH);
    assert_int_equal(status.frames_seen, 0);
    assert_int_equal(status.samples, 5 * 30 * BLOCK);
    assert_int_equal(status.size, sizeof status);
    dvbt2_status older;
    memset(&older, 'x', sizeof older);
    dvbt2_receiver_status_sized(rx, &older,
                                /* size of an older struct */
                                offsetof(dvbt2_status, message));
    assert_int_equal(older.locks, status.locks);
    assert_memory_equal(&older.message, "xxxxxxxx", sizeof older.message);
    dvbt2_receiver_destroy(rx);
}

static void expect_refusal(const dvbt2_receiver_params *params, ldpc_status expected, const char *text)
{
    dvbt2_receiver *rx;
    ldpc_error err = {""};
    assert_int_equal(dvbt2_receiver_create(params, &rx, &err), expected);
    assert_null(rx);
    assert_non_null(strstr(err.message, text));
}

static void test_params(void **state)
{
    (void)state;
    dvbt2_receiver_params good, p;
    dvbt2_receiver_params_init(&good);
    good.sample_rate = 10e6;
    p = good, p.sample_rate = 7.9e6;
    expect_refusal(&p, LDPC_ERR_RANGE, "8 .. 25");
    p = good, p.sample_rate = NAN;
    expect_refusal(&p, LDPC_ERR_RANGE, "sample rate");
    p = good, p.format = (ldpc_sample_format)9;
    expect_refusal(&p, LDPC_ERR_PARAM, "cs16");
    const double wrong[] = {0, -8, 11, 8e6, NAN};
    for (int i = 0; i < 5; i++) {
        p = good, p.bandwidth = wrong[i];
        expect_refusal(&p, LDPC_ERR_RANGE, "MHz out of range (expected more than 0, at most 10 MHz)");
    }
    p = good, p.n_plps = DVBT2_MAX_OUTPUTS + 1;
    expect_refusal(&p, LDPC_ERR_RANGE, "1 .. 510");
    p = good, p.plp[0] = 256;
    expect_refusal(&p, LDPC_ERR_RANGE, "PLP_ID");
    p = good, p.offset = -1.25e6;
    expect_refusal(&p, LDPC_ERR_RANGE, "allows up to 1.196 MHz");
    p = good, p.offset = NAN;
    expect_refusal(&p, LDPC_ERR_RANGE, "offset");
    p = good, p.size = 1;
    expect_refusal(&p, LDPC_ERR_PARAM, "dvbt2_receiver_params.size 1");
    dvbt2_receiver_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_plp),    cmocka_unit_test(test_first_frame),
        cmocka_unit_test(test_offsets),      cmocka_unit_test(test_clock_that_drifts),
        cmocka_unit_test(test_tuner),        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_lost_samples), cmocka_unit_test(test_gain_step),
        cmocka_unit_test(test_burst),        cmocka_unit_test(test_missing_plp),
        cmocka_unit_test(test_no_signal),    cmocka_unit_test(test_params),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
