/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares PL headers and frame lengths with the test transmitter, which has its own equations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/standard/pl_header.h"
#include "dvbs2/support/sender.h"
#include "dvbs2/sync/frame_search.h"
#include "ldpc/dvb_cells.h"

static float complex symbols[DVBS2_HEADER];

/* Calls `check` with each PLS code for which the standard defines a frame. */
static void each_code(void (*check)(uint8_t pls_code))
{
    const ldpc_dvbs2_modcod *modcod;
    check(0);
    check(129);
    check(131);
    for (size_t i = 0; (modcod = ldpc_dvbs2_modcod_list(i)); i++)
        for (uint8_t pilots = 0; pilots < 2; pilots++)
            check(modcod->pls_code | pilots);
}

static void check_symbols(uint8_t pls_code)
{
    float complex header[DVBS2_HEADER];
    sender_header(pls_code, symbols);
    assert_int_equal(dvbs2_frame_format_of(pls_code).length, sender_length(pls_code));
    dvbs2_header_symbols(pls_code, header);
    for (int i = 0; i < DVBS2_HEADER; i++)
        assert_true(cabsf(header[i] - symbols[i]) < 1e-5f);
}

static void test_symbols_and_lengths(void **state)
{
    (void)state;
    each_code(check_symbols);
}

static void check_decoding(uint8_t pls_code)
{
    const double frequency = 0.004;
    double match = 0;
    enum { TRIALS = 20 };
    for (int i = 0; i < TRIALS; i++) {
        dvbs2_header_symbols(pls_code, symbols);
        channel(symbols, DVBS2_HEADER, uniform(), frequency, -2);
        const dvbs2_header header = dvbs2_header_decode(symbols, 2 * 3.14159265 * frequency);
        assert_int_equal(header.pls_code, pls_code);
        match += (double)header.match / TRIALS;
    }
    const double snr = pow(10, -0.2);
    assert_float_equal(match, snr / (1 + snr), 0.1);
}

static void test_decoding_in_noise(void **state)
{
    (void)state;
    each_code(check_decoding);
}

static void test_reserved_codes(void **state)
{
    (void)state;
    for (uint8_t modcod = 29; modcod < 32; modcod++)
        assert_int_equal(dvbs2_frame_format_of((uint8_t)(4 * modcod)).length, 0);
    assert_int_equal(dvbs2_frame_format_of(250).kind, DVBS2_FRAME_RESERVED);
}

static void test_differential_metric(void **state)
{
    (void)state;
    static const uint8_t codes[] = {4, 17, 113, 0, 136, 249};
    for (size_t i = 0; i < sizeof codes; i++) {
        dvbs2_header_symbols(codes[i], symbols);
        channel(symbols, DVBS2_HEADER, uniform(), 0.2 * uniform(), 100);
        assert_float_equal(dvbs2_header_metric(symbols), 57, 0.01);
    }
    double mean = 0;
    for (int n = 0; n < 1000; n++) {
        for (int i = 0; i < DVBS2_HEADER; i++)
            symbols[i] = noise(1);
        mean += (double)dvbs2_header_metric(symbols) / 1000;
    }
    assert_float_equal(mean, sqrt(57), 2);
}

/* At -2.2 dB, a header is found among 2048 positions. */
static void test_the_search_at_a_low_ratio(void **state)
{
    (void)state;
    enum { TRIALS = 60, LEAD = 900, ROOM = 12000 };
    static float complex signal[ROOM];
    size_t right = 0;
    sender_seed(1);
    for (int i = 0; i < TRIALS; i++) {
        sender s = {0};
        dvbs2_found_header found;
        size_t count = LEAD, from = 0, wanted;
        memset(signal, 0, sizeof signal);
        for (int frame = 0; frame < 3; frame++)
            count += sender_frame(&s, 0, signal + count);
        channel(signal, count, uniform(), 0.08 * uniform() - 0.04, -2.2);
        right += dvbs2_find_header(signal, count, &from, &wanted, &found) && found.at == LEAD;
    }
    assert_in_range(right, TRIALS - 9, TRIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols_and_lengths),
        cmocka_unit_test(test_decoding_in_noise),
        cmocka_unit_test(test_reserved_codes),
        cmocka_unit_test(test_differential_metric),
        cmocka_unit_test(test_the_search_at_a_low_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
