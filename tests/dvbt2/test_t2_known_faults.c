/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regression tests for faults known from other DVB-T2 receivers.
 *
 *     fault elsewhere                                 tested here by
 *     P1 carrier offset wrong by four carriers        test_every_carrier_of_p1
 *     wrong sign of the phase at its wrap             test_every_carrier_of_p1, at half carriers
 *     shift of the cell interleaver without TI        test_no_time_interleaver; test_t2_combinations, modes with TI 0
 *     BCH decoder too slow                            test_outputs_that_nobody_takes; test_packets_that_come_late;
 *                                                     test_t2_no_allocation; test_python_dvbt2; qa_dvbt2_samples, SlowSink
 *     L1-post buffer too small for BPSK               test_t2_l1, records with l1_mod 0
 *     parity interleaver for QPSK, which has none     test_t2_signals, lite and base_lite; test_t2_combinations
 *     1K to 8K, MISO, several PLPs, type 2, FEF       test_t2_signals, test_t2_modes, test_t2_combinations
 *     level-dependent threshold of P1                 test_t2_p1, test_p1, -60 to +60 dB; test_t2_receiver, test_gain_step
 *     guard intervals missing                         test_t2_combinations, all of the standard
 *     recording of two PLPs not received              test_t2_receiver, test_every_plp
 *     L1-post from hard bits                          test_t2_l1_changes, test_noisy_l1
 *     one noise value for all cells; one gain for     test_demapper, test_definition with a noise for each cell,
 *     both parts of a rotated cell                    and test_half_a_rotated_point
 *     codewords fail while the clock loop settles     test_t2_receiver, test_clock_that_drifts; test_offsets for its
 *                                                     start */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/frame/p1.h"
#include "dvbt2/support/signals.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

static const double rate = 64e6 / 7;

/* Shifts P1 by multiples of half a carrier, up to 500 kHz. */
static void test_every_carrier_of_p1(void **state)
{
    (void)state;
    enum { SAMPLES = 12000, HALVES = 111 };
    static float complex shifted[SAMPLES];
    test_signal signal;
    test_signal_read("type2", &signal);
    dvbt2_p1_search *p1 = malloc(sizeof *p1);
    assert_true(p1 && dvbt2_p1_search_init(p1, rate));
    for (int half = -HALVES; half <= HALVES; half++) {
        const double carrier = half * rate / 2048;
        const uint32_t before = 4000; /* end of the repeated signal */
        for (uint32_t i = 0; i < SAMPLES; i++) {
            const double angle = 2 * RX_PI * fmod(carrier / rate * i, 1);
            shifted[i] = rx_mul(signal.samples[(signal.n_samples - before + i) % signal.n_samples],
                                rx_cplx((float)cos(angle), (float)sin(angle)));
        }
        dvbt2_p1_result result;
        uint32_t used;
        dvbt2_p1_search_reset(p1, 0);
        assert_true(dvbt2_p1_search_push(p1, shifted, SAMPLES, &used, &result));
        assert_float_equal(result.carrier, carrier, 200);
        assert_in_range(result.start, before - 12, before + 12);
        assert_int_equal(result.info.s1, DVBT2_S1_T2_SISO);
    }
    dvbt2_p1_search_free(p1);
    free(p1);
    test_signal_free(&signal);
}

static void test_no_time_interleaver(void **state)
{
    (void)state;
    enum { BLOCKS = 5, CELLS = 4050 };
    static float in[BLOCKS * CELLS], out[BLOCKS * CELLS];
    ldpc_cell_deinterleaver *deint;
    assert_int_equal(ldpc_cell_deinterleaver_create("dvbt2:16200:2/3", "16qam", 0, &deint, NULL), LDPC_OK);
    assert_int_equal(ldpc_cell_deinterleaver_cells(deint), CELLS);
    assert_int_equal(ldpc_ti_blocks(deint, BLOCKS), BLOCKS);
    for (int i = 0; i < BLOCKS * CELLS; i++)
        in[i] = (float)i;
    for (int block = 0; block < BLOCKS; block++) {
        assert_int_equal(ldpc_ti_block_size(deint, BLOCKS, (uint32_t)block), 1);
        assert_int_equal(ldpc_cells_deinterleave(deint, 1, 0, 1, 1, in + block * CELLS, out + block * CELLS),
                         LDPC_OK);
    }
    for (int i = 0; i < BLOCKS * CELLS; i++)
        assert_float_equal(out[i], out[i % CELLS] + (float)(i / CELLS * CELLS), 0);
    ldpc_cell_deinterleaver_destroy(deint);
}

static size_t receive(const test_signal *signal, bool patience, float complex *cells, size_t most)
{
    static float noise[4096];
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = rate;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    size_t held = 0, refused = 0;
    const uint32_t all = 3 * signal->n_samples;
    for (uint32_t n = 0; n < all;) {
        const uint32_t at = n % signal->n_samples;
        const uint32_t count = signal->n_samples - at < 7000 ? signal->n_samples - at : 7000;
        const size_t taken = dvbt2_receiver_push(rx, signal->samples + at, count);
        n += (uint32_t)taken;
        refused += taken < count;
        for (size_t got = 1; got > 0 && (!patience || taken < count || n >= all); held += got) {
            got = dvbt2_receiver_pull(rx, 0, 4096, (float *)(cells + held), noise, NULL, NULL);
            assert_true(held + got + 4096 < most);
        }
    }
    if (patience)
        assert_true(refused > 0);
    dvbt2_receiver_destroy(rx);
    return held;
}

static void test_outputs_that_nobody_takes(void **state)
{
    (void)state;
    enum { MOST = 1 << 21 };
    test_signal signal;
    test_signal_read("ti2", &signal);
    float complex *soon = malloc(MOST * sizeof *soon), *late = malloc(MOST * sizeof *late);
    assert_true(soon && late);
    const size_t count = receive(&signal, false, soon, MOST);
    assert_true(count > 100000);
    assert_int_equal(receive(&signal, true, late, MOST), count);
    double error = 0;
    for (size_t i = 0; i < count; i++)
        error += (double)rx_power(soon[i] - late[i]);
    assert_true(error < 1e-4 * (double)count);
    free(soon);
    free(late);
    test_signal_free(&signal);
}

static size_t pull_packets(dvbt2_plp_decoder *decoder, uint8_t *ts, size_t held, size_t most)
{
    return held + dvbt2_plp_decoder_pull(decoder, ts + held * LDPC_TS_PACKET, most);
}

/* Decodes a signal four times. behind: length of the longest queue */
static size_t decode(const test_signal *signal, size_t most, uint8_t *ts, size_t room, size_t *behind)
{
    enum { CELLS = 4096, BLOCK = 7000, REPEATS = 4 };
    static float iq[2 * CELLS], noise[CELLS];
    dvbt2_receiver_params params;
    dvbt2_plp_decoder_params decoding;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    dvbt2_plp_frame frame;
    uint32_t first;
    size_t held = 0;
    dvbt2_receiver_params_init(&params);
    dvbt2_plp_decoder_params_init(&decoding);
    params.sample_rate = rate;
    decoding.threads = 2;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(&decoding, &decoder, NULL), LDPC_OK);
    for (uint32_t n = 0; n < REPEATS * signal->n_samples;) {
        const uint32_t at = n % signal->n_samples, left = signal->n_samples - at;
        n += (uint32_t)dvbt2_receiver_push(rx, signal->samples + at, left < BLOCK ? left : BLOCK);
        for (size_t got; (got = dvbt2_receiver_pull(rx, 0, CELLS, iq, noise, &frame, &first)) > 0;) {
            assert_int_equal(dvbt2_plp_decoder_feed(decoder, &frame, first, got, iq, noise), LDPC_OK);
            assert_true(held + most < room);
            held = pull_packets(decoder, ts, held, most);
        }
    }
    assert_int_equal(dvbt2_plp_decoder_finish(decoder), LDPC_OK);
    *behind = held;
    held = pull_packets(decoder, ts, held, room - held);
    *behind = held - *behind;
    assert_int_equal(dvbt2_plp_decoder_counters(decoder).bb.packets, held);
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    return held;
}

static void test_packets_that_come_late(void **state)
{
    (void)state;
    enum { MOST = 10000 };
    size_t behind, late_behind;
    test_signal signal;
    test_signal_read("ti2", &signal);
    uint8_t *soon = malloc((size_t)MOST * LDPC_TS_PACKET), *late = malloc((size_t)MOST * LDPC_TS_PACKET);
    assert_true(soon && late);
    const size_t count = decode(&signal, 2000, soon, MOST, &behind);
    assert_in_range(count, 4 * signal.plp[0].count - 4, 4 * signal.plp[0].count);
    assert_int_equal(decode(&signal, 1, late, MOST, &late_behind), count);
    assert_true(late_behind > count / 2 && behind < count / 2);
    assert_memory_equal(late, soon, count * LDPC_TS_PACKET);
    free(soon);
    free(late);
    test_signal_free(&signal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_carrier_of_p1),
        cmocka_unit_test(test_no_time_interleaver),
        cmocka_unit_test(test_outputs_that_nobody_takes),
        cmocka_unit_test(test_packets_that_come_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
