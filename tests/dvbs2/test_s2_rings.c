/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the measurement of the rings of APSK constellations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/rings.h"
#include "dvbs2/support/sender.h"
#include "ldpc/dvb_cells.h"

enum { CELLS = 30000 };

static ldpc_demapper *demapper(const char *modulation, const char *code)
{
    ldpc_demapper_params params;
    ldpc_demapper *dem;
    ldpc_demapper_params_init(&params);
    params.modulation = modulation;
    params.code = code;
    assert_int_equal(ldpc_demapper_create(&params, &dem, NULL), LDPC_OK);
    return dem;
}

static void test_number_of_rings(void **state)
{
    (void)state;
    static const struct {
        const char *modulation, *code;
        uint32_t rings;
    } rows[] = {
        {"8psk",    "dvbs2:64800:2/3",      1},
        {"16apsk",  "dvbs2:64800:3/4",      2},
        {"32apsk",  "dvbs2:64800:9/10",     3},
        {"64apsk",  "dvbs2x:64800:128/180", 4},
        {"256apsk", "dvbs2x:64800:135/180", 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ldpc_demapper *dem = demapper(rows[i].modulation, rows[i].code);
        dvbs2_rings rings;
        dvbs2_rings_init(&rings, ldpc_demapper_points(dem), (uint32_t)ldpc_demapper_bits(dem));
        assert_int_equal(rings.count, rows[i].rings);
        for (uint32_t k = 1; k < rings.count; k++)
            assert_true(rings.radius[k] > rings.radius[k - 1]);
        ldpc_demapper_destroy(dem);
    }
}

static void learn(dvbs2_rings *rings, const float *points, const float complex *gains, const double *noises)
{
    static float complex cells[CELLS];
    static uint8_t labels[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        labels[i] = (uint8_t)(32 * uniform());
        const int ring = rings->ring_of[labels[i]];
        const float complex point = points[2 * labels[i]] + points[2 * labels[i] + 1] * I;
        cells[i] = point * gains[ring] + noise(noises[ring]);
    }
    dvbs2_rings_learn(rings, cells, labels, CELLS);
}

static void test_gain_and_noise_of_each_ring(void **state)
{
    (void)state;
    const float complex gains[3] = {1.2f, 1.0f - 0.1f * I, 0.8f + 0.2f * I};
    const double noises[3] = {0.01, 0.02, 0.04};
    ldpc_demapper *dem = demapper("32apsk", "dvbs2:64800:3/4");
    const float *points = ldpc_demapper_points(dem);
    dvbs2_rings rings;
    dvbs2_rings_init(&rings, points, 5);
    for (int frame = 0; frame < 4; frame++)
        learn(&rings, points, gains, noises);
    assert_true(rings.active);
    float moved[64];
    dvbs2_rings_points(&rings, 5, moved);
    for (int i = 0; i < 32; i++) {
        const float complex point = points[2 * i] + points[2 * i + 1] * I,
                            expected = point * gains[rings.ring_of[i]];
        assert_float_equal(cabsf(moved[2 * i] + moved[2 * i + 1] * I - expected), 0, 0.01);
        float cell_noise;
        dvbs2_rings_noise(&rings, &expected, 1, &cell_noise);
        assert_float_equal((double)cell_noise / noises[rings.ring_of[i]], 1, 0.1);
    }
    ldpc_demapper_destroy(dem);
}

static void test_a_linear_channel(void **state)
{
    (void)state;
    const float complex gains[3] = {1, 1, 1};
    const double noises[3] = {0.02, 0.02, 0.02};
    ldpc_demapper *dem = demapper("32apsk", "dvbs2:64800:3/4");
    dvbs2_rings rings;
    dvbs2_rings_init(&rings, ldpc_demapper_points(dem), 5);
    for (int frame = 0; frame < 4; frame++) {
        learn(&rings, ldpc_demapper_points(dem), gains, noises);
        assert_false(rings.active);
    }
    ldpc_demapper_destroy(dem);
}

/* If cells are NaN, the averages stay finite. */
static void test_cells_that_are_no_numbers(void **state)
{
    (void)state;
    static float complex bad[CELLS];
    static uint8_t labels[CELLS];
    const float complex gains[3] = {1.2f, 1, 0.8f};
    const double noises[3] = {0.01, 0.02, 0.04};
    ldpc_demapper *dem = demapper("32apsk", "dvbs2:64800:3/4");
    const float *points = ldpc_demapper_points(dem);
    dvbs2_rings rings;
    dvbs2_rings_init(&rings, points, 5);
    for (size_t i = 0; i < CELLS; i++) {
        bad[i] = i % 2 ? NAN : INFINITY;
        labels[i] = i % 32;
    }
    dvbs2_rings_learn(&rings, bad, labels, CELLS);
    assert_false(rings.active);
    dvbs2_rings_forget(&rings);
    learn(&rings, points, gains, noises);
    assert_true(rings.active);
    for (int k = 0; k < 3; k++)
        assert_float_equal(cabsf(rings.gain[k] - gains[k]), 0, 0.01);
    ldpc_demapper_destroy(dem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_of_rings),
        cmocka_unit_test(test_gain_and_noise_of_each_ring),
        cmocka_unit_test(test_a_linear_channel),
        cmocka_unit_test(test_cells_that_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
