/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "dvbs2/sync/symbol_source.h"

enum { SAMPLES = 33500 }; /* enough for the first measurement */

static const dvbs2_front_end_params params = {
    .format = LDPC_CF32, .sample_rate = 2e6, .symbol_rate = 1e6, .roll_off = 0.2};
static float complex samples[SAMPLES];

static void open_source(dvbs2_symbol_source *source, uint32_t threads)
{
    static float complex symbols[SAMPLES / 2];
    assert_int_equal(dvbs2_symbol_source_init(source, &params, threads), LDPC_OK);
    for (size_t i = 0; i < SAMPLES / 2; i++)
        symbols[i] = (uniform() < 0.5 ? 1 : -1) + (uniform() < 0.5 ? I : -I);
    sender_shape(symbols, SAMPLES / 2, 2, params.roll_off, samples);
}

static void write_samples(dvbs2_symbol_source *source, size_t count)
{
    for (size_t done = 0; done < count;)
        done += dvbs2_symbol_source_write(source, samples + done, count - done);
}

/* Reads all symbols. Returns the number of blocks with a gap. */
static size_t count_gaps(dvbs2_symbol_source *source)
{
    float complex symbols[DVBS2_TIMING_BLOCK];
    size_t gaps = 0;
    for (bool gap; dvbs2_symbol_source_read(source, true, symbols, &gap);)
        gaps += gap;
    return gaps;
}

/* After a restart, no symbols with the old timing are read. */
static void test_a_restart_of_the_front_end(void **state)
{
    (void)state;
    float complex symbols[DVBS2_TIMING_BLOCK];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        dvbs2_symbol_source source;
        bool gap;
        open_source(&source, threads);
        write_samples(&source, SAMPLES);
        assert_true(dvbs2_symbol_source_read(&source, true, symbols, &gap));
        dvbs2_symbol_source_restart(&source);
        assert_false(dvbs2_symbol_source_read(&source, true, symbols, &gap));
        dvbs2_symbol_source_free(&source);
    }
}

static void test_gaps_in_short_succession(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        dvbs2_symbol_source source;
        open_source(&source, threads);
        for (int part = 0; part < 4; part++) {
            write_samples(&source, SAMPLES / 4);
            dvbs2_symbol_source_gap(&source);
        }
        assert_int_equal(count_gaps(&source), 3);
        write_samples(&source, SAMPLES / 4);
        assert_int_equal(count_gaps(&source), 1);
        dvbs2_symbol_source_free(&source);
    }
}

/* The restart drops blocks, one of which is the block with the gap. */
static void test_a_gap_before_a_restart(void **state)
{
    (void)state;
    dvbs2_symbol_source source;
    open_source(&source, 2);
    write_samples(&source, SAMPLES / 2);
    dvbs2_symbol_source_gap(&source);
    write_samples(&source, SAMPLES / 2);
    dvbs2_symbol_source_pending(&source); /* waits for the thread */
    dvbs2_symbol_source_restart(&source);
    write_samples(&source, SAMPLES);
    assert_int_equal(count_gaps(&source), 1);
    dvbs2_symbol_source_free(&source);
}

/* The first measurement skips noise, and the gap in it. */
static void test_a_gap_before_the_signal(void **state)
{
    (void)state;
    enum { NOISE = 80000, PIECE = 1000 };
    float complex symbols[DVBS2_TIMING_BLOCK], piece[PIECE];
    dvbs2_symbol_source source;
    size_t blocks = 0, gaps = 0, last = 0;
    open_source(&source, 1);
    for (size_t at = 0; at < NOISE + 2 * SAMPLES; at += PIECE) {
        for (size_t i = 0; i < PIECE; i++)
            piece[i] = at < NOISE ? noise(0.01) : samples[(at - NOISE + i) % SAMPLES];
        if (at == NOISE / 8)
            dvbs2_symbol_source_gap(&source);
        for (size_t done = 0; done < PIECE;) {
            done += dvbs2_symbol_source_write(&source, piece + done, PIECE - done);
            for (bool gap; dvbs2_symbol_source_read(&source, false, symbols, &gap); blocks++) {
                gaps += gap;
                last = gap ? blocks : last;
            }
        }
    }
    assert_true(blocks > NOISE / 4 / DVBS2_TIMING_BLOCK);
    assert_int_equal(gaps, 1);
    assert_int_equal(last, 0);
    dvbs2_symbol_source_free(&source);
}

/* Nothing is read. Samples fill the queue of the thread, the outputs of the decimator and the resampler. */
static void test_pending_symbols(void **state)
{
    (void)state;
    enum { RATIO = 16, SYMBOLS = 4000 };
    static float complex symbols[SYMBOLS], narrow[RATIO * SYMBOLS];
    dvbs2_front_end_params decimated = params;
    decimated.sample_rate = RATIO * decimated.symbol_rate;
    decimated.offset_range = 1e5;
    for (size_t i = 0; i < SYMBOLS; i++)
        symbols[i] = (uniform() < 0.5 ? 1 : -1) + (uniform() < 0.5 ? I : -I);
    sender_shape(symbols, SYMBOLS, RATIO, params.roll_off, narrow);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        dvbs2_symbol_source source;
        size_t written = 0, taken;
        double pending;
        assert_int_equal(dvbs2_symbol_source_init(&source, &decimated, threads), LDPC_OK);
        do {
            taken = dvbs2_symbol_source_write(&source, narrow, RATIO * SYMBOLS);
            written += taken;
            pending = dvbs2_symbol_source_pending(&source); /* waits for the thread */
        } while (taken > 0);
        assert_int_equal(source.front.factor, 4);
        assert_float_equal(pending, (double)written / RATIO, 20);
        dvbs2_symbol_source_free(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_restart_of_the_front_end),
        cmocka_unit_test(test_gaps_in_short_succession),
        cmocka_unit_test(test_a_gap_before_a_restart),
        cmocka_unit_test(test_a_gap_before_the_signal),
        cmocka_unit_test(test_pending_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
