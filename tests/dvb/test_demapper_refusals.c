/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the error messages of the demapper for invalid parameters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

static float iq[2 * 8100];

static void check_refused(const char *code, const char *modulation, bool rotated, float llr_scale,
                          const char *kernel, ldpc_status expected, const char *sentence)
{
    ldpc_error err = {""};
    ldpc_demapper *dem = (ldpc_demapper *)iq;
    const ldpc_demapper_params params = {.code = code,
                                         .modulation = modulation,
                                         .rotated = rotated,
                                         .deinterleave = true,
                                         .llr_scale = llr_scale,
                                         .kernel = kernel};
    assert_int_equal(ldpc_demapper_create(&params, &dem, &err), expected);
    assert_null(dem);
    if (!strstr(err.message, sentence))
        fail_msg("\"%s\" instead of \"%s\"", err.message, sentence);
}

static void test_refusals(void **state)
{
    (void)state;
    check_refused(NULL, "qpsk", false, 3, NULL, LDPC_ERR_NULL, "must not be NULL");
    check_refused("dvbt2:64800:1/2", NULL, false, 3, NULL, LDPC_ERR_NULL, "must not be NULL");
    check_refused("dvbt2:64800:7/8", "qpsk", false, 3, NULL, LDPC_ERR_NAME, "dvbt2:64800");
    check_refused("wifi:648:1/2", "qpsk", false, 3, NULL, LDPC_ERR_PARAM, "code wifi:648:1/2: expected");
    check_refused("dvbs2x:64800:104/180", "qpsk", false, 3, NULL, LDPC_ERR_PARAM, ": 8apsk, found");
    check_refused("dvbs2x:64800:100/180", "qpsk", false, 3, NULL, LDPC_ERR_PARAM, ": 8apsk 16apsk, found");
    check_refused("dvbc2:64800:2/3", "4096qam", false, 3, NULL, LDPC_ERR_PARAM,
                  "deinterleave = true: expected false");
    check_refused("dvbc2:64800:2/3", "qpsk", false, 3, NULL, LDPC_ERR_PARAM,
                  ": 16qam 64qam 256qam 1024qam 4096qam, found");
    check_refused("dvbs2x:64800:2/9", "qpsk", false, 3, NULL, LDPC_ERR_PARAM,
                  "no modulation of this code is supported");
    check_refused("dvbs2x:30780:1/3", "qpsk", false, 3, NULL, LDPC_ERR_PARAM,
                  "no modulation of this code is supported");
    check_refused("dvbt2:16200:1/4", "16qam", false, 3, NULL, LDPC_ERR_PARAM, "signalling");
    check_refused("dvbt2:64800:1/2", "8psk", false, 3, NULL, LDPC_ERR_PARAM,
                  "of dvbt2:64800:1/2: qpsk 16qam 64qam 256qam, found \"8psk\"");
    check_refused("dvbs2:64800:1/2", "8psk", false, 3, NULL, LDPC_ERR_PARAM, ": qpsk, found");
    check_refused("dvbs2x:64800:135/180", "128apsk", true, 3, NULL, LDPC_ERR_PARAM, "only DVB-T2");
    check_refused("dvbs2:64800:3/4", "64qam", false, 3, NULL, LDPC_ERR_PARAM,
                  ": qpsk 8psk 16apsk 32apsk, found");
    check_refused("dvbs2:64800:3/4", "8psk", true, 3, NULL, LDPC_ERR_PARAM, "only DVB-T2");
    check_refused("dvbt2:64800:1/2", "qpsk", false, 0, NULL, LDPC_ERR_PARAM,
                  "llr_scale 0: expected 0.25 .. 64");
    check_refused("dvbt2:64800:1/2", "qpsk", false, NAN, NULL, LDPC_ERR_PARAM, "llr_scale nan: expected");
    check_refused("dvbt2:64800:1/2", "qpsk", false, 3, "abacus", LDPC_ERR_PARAM,
                  "kernel \"abacus\": expected a demapping kernel");
    assert_int_equal(ldpc_demapper_create(NULL, NULL, NULL), LDPC_ERR_NULL);
}

static void test_points_refusals(void **state)
{
    (void)state;
    static const float points[] = {1, 0, -1, 0}, zeros[4], infinite[] = {INFINITY, 0, 0, 0};
    const struct {
        const char *code;
        const float *points;
        uint32_t bits, n;
        const char *sentence;
    } cases[] = {
        {"dvbs2:64800:1/2", points,   1, 648,   "points: expected code = NULL and modulation = NULL"},
        {NULL,              points,   0, 648,   "bits 0: expected 1 .. 8"                           },
        {NULL,              points,   9, 648,   "bits 9: expected 1 .. 8"                           },
        {NULL,              points,   1, 0,     "n = 0: expected codewords of 1 .. 65528 bits"      },
        {NULL,              points,   1, 65529, "n = 65529: expected"                               },
        {NULL,              zeros,    1, 648,   "points: expected finite numbers, not all 0"        },
        {NULL,              infinite, 1, 648,   "points: expected finite numbers"                   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ldpc_error err = {""};
        ldpc_demapper *dem;
        ldpc_demapper_params params;
        ldpc_demapper_params_init(&params);
        params.code = cases[i].code;
        params.points = cases[i].points;
        params.bits = cases[i].bits;
        params.n = cases[i].n;
        assert_int_equal(ldpc_demapper_create(&params, &dem, &err), LDPC_ERR_PARAM);
        if (!strstr(err.message, cases[i].sentence))
            fail_msg("\"%s\" instead of \"%s\"", err.message, cases[i].sentence);
    }
}

static void test_wrong_calls(void **state)
{
    (void)state;
    enum { N = 16200 };
    static int8_t llr[N];
    float measured;
    ldpc_demapper *dem;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = "dvbt2:16200:1/2";
    params.modulation = "qpsk";
    assert_int_equal(ldpc_demapper_create(&params, &dem, NULL), LDPC_OK);
    const ldpc_cells none = {.iq = iq, .noise = 1}, silent = {.n_codewords = 1, .iq = iq},
                     nan_noise = {.n_codewords = 1, .iq = iq, .noise = NAN},
                     no_cells = {.n_codewords = 1, .noise = 1};
    assert_int_equal(ldpc_demap(dem, &none, llr), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_demap(dem, &silent, llr), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_demap(dem, &nan_noise, llr), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_demap(dem, &no_cells, llr), LDPC_ERR_NULL);
    assert_int_equal(ldpc_demap(dem, NULL, llr), LDPC_ERR_NULL);
    assert_int_equal(ldpc_demap(dem, &none, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_demap(NULL, &none, llr), LDPC_ERR_NULL);
    assert_int_equal(ldpc_demapper_noise(dem, &none, &measured), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_demapper_noise(dem, &silent, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bits_deinterleave(dem, 0, llr, llr + 1), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_bits_deinterleave(NULL, 1, llr, llr), LDPC_ERR_NULL);
    ldpc_demapper_destroy(dem);
    ldpc_demapper_destroy(NULL);
    ldpc_demapper_params_init(NULL);
    assert_int_equal(ldpc_demapper_n(NULL) + ldpc_demapper_cells(NULL) + ldpc_demapper_bits(NULL), 0);
    assert_null(ldpc_demapper_points(NULL));
    assert_null(ldpc_demapper_order(NULL));
    assert_string_equal(ldpc_demapper_kernel(NULL), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_points_refusals),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
