/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests LLRs of constellations of the caller. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/dvb_cells.h"

enum { BITS = 4, POINTS = 1 << BITS, CELLS = 25 * 25, N = CELLS * BITS };

/* Two bits are the signs of I and Q, but four points are on an axis, where both signs of I are equal. */
static void test_points_on_an_axis(void **state)
{
    (void)state;
    static const float quadrant[] = {1, 1, 3, 1, 1, 3, 0, 2};
    static float points[2 * POINTS], iq[2 * CELLS];
    static int8_t llr[N];
    ldpc_demapper *dem;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    for (int label = 0; label < POINTS; label++) {
        points[2 * label] = quadrant[2 * (label % 4)] * (label & 8 ? -1 : 1);
        points[2 * label + 1] = quadrant[2 * (label % 4) + 1] * (label & 4 ? -1 : 1);
    }
    for (int c = 0; c < CELLS; c++) {
        iq[2 * c] = (float)(c % 25 - 12) / 6;
        iq[2 * c + 1] = (float)(c / 25 - 12) / 6;
    }
    params.points = points;
    params.bits = BITS;
    params.n = N;
    const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = 0.3f};
    for (size_t k = 0; (params.kernel = ldpc_demapper_kernel_list(k)); k++) {
        assert_int_equal(ldpc_demapper_create(&params, &dem, NULL), LDPC_OK);
        assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
        for (int i = 0; i < N; i++) {
            const float *cell = iq + 2 * (i / BITS);
            double least[2] = {INFINITY, INFINITY};
            for (int label = 0; label < POINTS; label++) {
                const float *point = ldpc_demapper_points(dem) + 2 * label;
                const int value = label >> (BITS - 1 - i % BITS) & 1;
                const double distance = hypot((double)(cell[0] - point[0]), (double)(cell[1] - point[1]));
                least[value] = fmin(least[value], distance * distance / (double)cells.noise);
            }
            const double expected = (double)params.llr_scale * (least[1] - least[0]);
            assert_float_equal(llr[i], fmax(-127, fmin(127, expected)), 0.6);
        }
        ldpc_demapper_destroy(dem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_on_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
