/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "dvbs2/sync/symbol_source.h"

/* After a restart, no symbols with the old timing are read. */
static void test_a_restart_of_the_front_end(void **state)
{
    (void)state;
    static const dvbs2_front_end_params params = {
        .format = LDPC_CF32, .sample_rate = 2, .symbol_rate = 1, .roll_off = 0.2};
    static float complex samples[33500], symbols[DVBS2_TIMING_BLOCK];
    for (size_t i = 0; i < 33500; i++)
        samples[i] = noise(1);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        dvbs2_symbol_source source;
        bool gap;
        assert_int_equal(dvbs2_symbol_source_init(&source, &params, threads), LDPC_OK);
        for (size_t done = 0; done < 33500;)
            done += dvbs2_symbol_source_write(&source, samples + done, 33500 - done);
        assert_true(dvbs2_symbol_source_read(&source, true, symbols, &gap));
        dvbs2_symbol_source_restart(&source);
        assert_false(dvbs2_symbol_source_read(&source, true, symbols, &gap));
        dvbs2_symbol_source_free(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_restart_of_the_front_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
