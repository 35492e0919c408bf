/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests decision-directed channel estimation with known channels, with cells from posteriors, and in the
 * whole receiver. test_t2_decision_directed.py receives signals that need the option. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/channel/reestimation.h"
#include "dvbt2/plp/cell_mapper.h"
#include "receiver/complex.h"
#include "dvbt2/support/golden.h"
#include "dvbt2/support/signals.h"
#include "dvbt2/support/synthetic.h"
#include "ldpc/code.h"
#include "ldpc/dvbt2_plp.h"

/* ---- the channel of a symbol */

enum { LENGTH = 2048, CARRIERS = 1705, PATHS = 6 };

static const double spread = 0.04; /* delay spread divided by the symbol length */

typedef struct known_symbol {
    float complex received[CARRIERS], sent[CARRIERS], mean[CARRIERS], channel[CARRIERS], estimate[CARRIERS],
        corrected[CARRIERS];
    float variance[CARRIERS];
} known_symbol;

static void random_response(float complex *response, double power)
{
    memset(response, 0, CARRIERS * sizeof *response);
    for (int p = 0; p < PATHS; p++) {
        const double delay = 0.9 * spread * (uniform() - 0.5);
        const float complex gain = noise(power / PATHS);
        for (int k = 0; k < CARRIERS; k++)
            response[k] += rx_mul(gain, phasor(-delay * k));
    }
}

static void make_symbol(known_symbol *s, double noise_power, double error_power)
{
    random_response(s->channel, 1);
    random_response(s->estimate, error_power);
    for (int k = 0; k < CARRIERS; k++) {
        s->estimate[k] += s->channel[k];
        s->sent[k] = phasor((uniform() < 0.5 ? 0.125 : 0.375) + (uniform() < 0.5 ? 0 : 0.5));
        s->received[k] = rx_mul(s->channel[k], s->sent[k]) + noise(noise_power);
        s->mean[k] = 0;
        s->variance[k] = 0;
    }
}

static double error_of(const known_symbol *s, const float complex *h)
{
    double sum = 0;
    for (int k = 0; k < CARRIERS; k++)
        sum += (double)rx_power(h[k] - s->channel[k]) / CARRIERS;
    return sum;
}

static void correct_symbols(double share, bool guesses, float disturbance, double error[3])
{
    enum { SYMBOLS = 40 };
    const double noise_power = 0.1, error_power = 0.05;
    static known_symbol s;
    static float interference[CARRIERS];
    dvbt2_reestimation a;
    memset(error, 0, 3 * sizeof *error);
    assert_true(dvbt2_reestimation_init(&a, LENGTH, CARRIERS));
    for (int i = 0; i < SYMBOLS; i++) {
        make_symbol(&s, noise_power, error_power);
        for (int k = 0; k < CARRIERS; k += 8) {
            interference[k] = disturbance;
            s.received[k] += noise((double)disturbance);
        }
        for (int k = 0; k < CARRIERS; k++)
            if (uniform() < share) {
                s.mean[k] = s.sent[k];
            } else if (guesses) { /* correct with probability 3/4, otherwise inverted */
                s.mean[k] = s.sent[k] * (uniform() < 0.75 ? 0.5f : -0.5f);
                s.variance[k] = 0.75f;
            }
        const dvbt2_reestimated_symbol symbol = {.received = s.received,
                                                 .mean = s.mean,
                                                 .variance = s.variance,
                                                 .interference = interference,
                                                 .channel = s.estimate,
                                                 .noise = (float)noise_power,
                                                 .error = (float)error_power,
                                                 .spread = (float)spread};
        const float left = dvbt2_reestimation_correct(&a, &symbol, s.corrected);
        error[0] += error_of(&s, s.estimate) / SYMBOLS;
        error[1] += error_of(&s, s.corrected) / SYMBOLS;
        error[2] += (double)left / SYMBOLS;
    }
    dvbt2_reestimation_free(&a);
}

static void test_correction(void **state)
{
    (void)state;
    double all[3], some[3], guessed[3], none[3], disturbed[3];
    correct_symbols(1, false, 0, all);
    correct_symbols(0.2, false, 0, some);
    correct_symbols(0.2, true, 0, guessed);
    correct_symbols(0, false, 0, none);
    correct_symbols(1, false, 10, disturbed);
    assert_true(all[1] < 0.2 * all[0] && some[1] < 0.5 * some[0]);
    assert_true(all[1] < some[1]);
    assert_true(disturbed[1] < 1.3 * all[1]);
    assert_true(guessed[1] < some[1]);
    for (const double *error = all; error; error = error == all ? some : NULL)
        assert_true(error[1] < 1.5 * error[2] && error[2] < 2 * error[1]);
    assert_true(none[1] == none[0]);
}

/* ---- cells from posteriors */

static void check_posteriors(const char *code, const char *modulation, bool rotated)
{
    enum { N = 16200, MOST_CELLS = N / 2 };
    static uint8_t codeword[N / 8], index[MOST_CELLS];
    static int16_t posterior[N];
    static float complex exact[MOST_CELLS], mean[MOST_CELLS];
    static float probability[N], variance[MOST_CELLS];
    ldpc_demapper *demapper;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = code;
    params.modulation = modulation;
    params.rotated = rotated;
    assert_int_equal(ldpc_demapper_create(&params, &demapper, NULL), LDPC_OK);
    const size_t cells = ldpc_demapper_cells(demapper);
    for (int i = 0; i < N / 8; i++)
        codeword[i] = (uint8_t)(256 * uniform());
    dvbt2_map_codeword(demapper, rotated, codeword, index, exact);
    /* mapper and demapper must agree */
    static int8_t llr[N];
    const ldpc_cells given = {.n_codewords = 1, .iq = (const float *)exact, .noise = 0.001f};
    assert_int_equal(ldpc_demap(demapper, &given, llr), LDPC_OK);
    for (int i = 0; i < N; i++)
        assert_int_equal(llr[i] < 0, codeword[i / 8] >> (7 - i % 8) & 1);
    for (int i = 0; i < N; i++) /* certain bits */
        posterior[i] = codeword[i / 8] >> (7 - i % 8) & 1 ? -500 : 500;
    dvbt2_map_posteriors(demapper, rotated, posterior, 4, probability, mean, variance);
    for (size_t c = 0; c < cells; c++)
        assert_true(cabsf(mean[c] - exact[c]) < 1e-4f && variance[c] < 1e-4f);
    memset(posterior, 0, sizeof posterior); /* unknown bits */
    dvbt2_map_posteriors(demapper, rotated, posterior, 4, probability, mean, variance);
    for (size_t c = 0; c < cells; c++)
        assert_true(cabsf(mean[c]) < 1e-4f && fabsf(variance[c] - 1) < 1e-4f);
    ldpc_demapper_destroy(demapper);
}

static void test_posteriors(void **state)
{
    (void)state;
    static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};
    for (size_t i = 0; i < sizeof modulations / sizeof *modulations; i++)
        for (int rotated = 0; rotated < 2; rotated++)
            check_posteriors("dvbt2:16200:3/5", modulations[i], rotated);
}

/* ---- the whole receiver */

enum { BLOCK = 10000, MAX_CELLS = 1 << 18, OUTPUTS = SIGNAL_MAX_PLPS, REPEATS = 4 };

typedef struct reception {
    uint32_t frames[OUTPUTS], crc[OUTPUTS], frame_crc[OUTPUTS], packets, unknown;
    uint64_t failed;
} reception;

static void take_packets(dvbt2_plp_decoder *decoder, const signal_plp *plp, reception *r)
{
    uint8_t ts[LDPC_TS_PACKET];
    while (dvbt2_plp_decoder_pull(decoder, ts, 1) > 0) {
        const uint32_t crc = golden_crc(0, ts, sizeof ts);
        bool known = ts[1] & 0x80; /* marked as erroneous */
        for (uint32_t k = 0; k < plp->count && !known; k++)
            known = plp->crc[k] == crc;
        r->packets++;
        r->unknown += !known;
    }
}

static void take_cells(reception *r, uint32_t i, const dvbt2_plp_frame *frame, uint32_t first, uint32_t count,
                       const float *iq, const float *noise_of)
{
    uint32_t crc = first == 0 ? 0 : r->frame_crc[i];
    for (uint32_t c = 0; c < count; c++) {
        crc = golden_crc(crc, iq + 2 * c, 2 * sizeof *iq);
        crc = golden_crc(crc, noise_of + c, sizeof *noise_of);
    }
    r->frame_crc[i] = crc;
    if (first + count < frame->cells)
        return;
    r->frames[i]++;
    r->crc[i] = golden_crc(r->crc[i], &crc, sizeof crc);
}

static void take(dvbt2_receiver *rx, dvbt2_plp_decoder *const decoder[], const test_signal *signal,
                 reception *r)
{
    static float iq[2 * MAX_CELLS], noise_of[MAX_CELLS];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (uint32_t i = 0; i < signal->n_plps; i++)
        for (size_t count;
             (count = dvbt2_receiver_pull(rx, i, MAX_CELLS, iq, noise_of, &frame, &first)) > 0;) {
            take_cells(r, i, &frame, first, (uint32_t)count, iq, noise_of);
            assert_int_equal(dvbt2_plp_decoder_feed(decoder[i], &frame, first, count, iq, noise_of), LDPC_OK);
            take_packets(decoder[i], &signal->plp[i], r);
        }
}

static reception receive(const test_signal *signal, double noise_power, uint32_t gap,
                         uint32_t decision_directed)
{
    static float complex block[BLOCK];
    reception r = {0};
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder[OUTPUTS];
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.profile = signal->plp[0].lite ? DVBT2_PROFILE_LITE_ONLY : DVBT2_PROFILE_BASE_ONLY;
    params.n_plps = signal->n_plps;
    params.decision_directed = decision_directed;
    for (uint32_t i = 0; i < signal->n_plps; i++) {
        params.plp[i] = signal->plp[i].plp_id;
        assert_int_equal(dvbt2_plp_decoder_create(NULL, &decoder[i], NULL), LDPC_OK);
    }
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    const uint32_t all = REPEATS * signal->n_samples, lost_at = (REPEATS - 2) * signal->n_samples + 150000;
    for (uint32_t n = 0; n < all;) {
        uint32_t count = 0;
        for (; count < BLOCK && n < all; n++)
            if (n < lost_at || n >= lost_at + gap)
                block[count++] = 0.1f * signal->samples[n % signal->n_samples] + noise(0.02 * noise_power);
        for (uint32_t done = 0; done < count;) {
            done += (uint32_t)dvbt2_receiver_push(rx, block + done, count - done);
            take(rx, decoder, signal, &r);
        }
    }
    for (uint32_t i = 0; i < signal->n_plps; i++) {
        dvbt2_plp_decoder_finish(decoder[i]);
        take_packets(decoder[i], &signal->plp[i], &r);
        r.failed += dvbt2_plp_decoder_counters(decoder[i]).failed_codewords;
        dvbt2_plp_decoder_destroy(decoder[i]);
    }
    dvbt2_receiver_destroy(rx);
    return r;
}

static void test_nothing_to_gain(void **state)
{
    static const char *const names[] = {"type2", "ti2", "fef", "lite", "miso", "issy"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        const reception without = receive(&signal, 0, 0, 0), with = receive(&signal, 0, 0, 3);
        for (uint32_t p = 0; p < signal.n_plps; p++) {
            assert_in_range(with.frames[p], 3, without.frames[p]);
            assert_int_equal(with.frames[p], without.frames[p]);
            assert_int_equal(with.crc[p], without.crc[p]);
        }
        print_message("%s: %u frames of the first PLP, %u codewords failed\n", names[i], with.frames[0],
                      (unsigned)with.failed);
        assert_int_equal(with.failed, without.failed);
        test_signal_free(&signal);
    }
}

static void test_nothing_wrong(void **state)
{
    static const double noises[] = {0.3, 0.4, 0.45, 0.5, 0.7};
    (void)state;
    test_signal signal;
    test_signal_read("lite", &signal);
    uint64_t failed = 0, least = UINT64_MAX;
    for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
        for (uint32_t gap = 0; gap < 50000; gap += 30000) {
            const reception r = receive(&signal, noises[i], gap, 2);
            print_message("noise %g, gap %u: %u packets, %u unknown, %u codewords failed\n", noises[i], gap,
                          r.packets, r.unknown, (unsigned)r.failed);
            assert_in_range(r.unknown, 0, 2 * REPEATS * signal.n_plps);
            assert_true(r.packets > 20);
            failed += r.failed;
            least = r.failed < least ? r.failed : least;
        }
    assert_true(failed > 50 && least < 30);
    test_signal_free(&signal);
}

static void test_params(void **state)
{
    (void)state;
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    ldpc_error error;
    dvbt2_receiver_params_init(&params);
    assert_int_equal(params.decision_directed, 0);
    params.sample_rate = 64e6 / 7;
    params.decision_directed = DVBT2_MAX_DECISION_DIRECTED + 1;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, &error), LDPC_ERR_RANGE);
    assert_non_null(strstr(error.message, "decision_directed 9"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correction),      cmocka_unit_test(test_posteriors),
        cmocka_unit_test(test_nothing_to_gain), cmocka_unit_test(test_nothing_wrong),
        cmocka_unit_test(test_params),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
