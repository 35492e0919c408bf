/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/dvbs2.h"

static void test_wrong_parameters(void **state)
{
    (void)state;
    dvbs2_receiver_params good, bad;
    dvbs2_receiver *rx;
    ldpc_error err;
    dvbs2_receiver_params_init(&good);
    good.sample_rate = 2e6;
    good.symbol_rate = 1e6;
    bad = good, bad.sample_rate = 1e6;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    assert_string_equal(err.message, "sample rate 1000000 Hz out of range: 1000000 baud need 1.1 .. 64 MHz");
    bad = good, bad.sample_rate = INFINITY, bad.offset_range = 1e5;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.sample_rate = 60e6, bad.symbol_rate = 33e3, bad.offset_range = 29e6;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    assert_string_equal(err.message,
                        "sample rate 60000000 Hz out of range: with an offset_range of 2.9e+07 Hz, the "
                        "decimation leaves 1818 samples per symbol (expected at most 64)");
    bad.offset_range = 8.9 * bad.symbol_rate;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_OK);
    dvbs2_receiver_destroy(rx);
    bad = good, bad.symbol_rate = 0;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.gold = 262142;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.stream = 256;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.roll_off = 0.5;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.max_iterations = 10001;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    assert_string_equal(err.message, "max_iterations 10001 out of range (expected 0 .. 10000)");
    bad = good, bad.threads = 3;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_RANGE);
    bad = good, bad.format = (ldpc_sample_format)9;
    assert_int_equal(dvbs2_receiver_create(&bad, &rx, &err), LDPC_ERR_PARAM);
    assert_null(rx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
