/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the demapper: LLRs equal the definition in double precision, kernels give equal results, noise is
 * measured, erasures are ignored. See also python/ldpc/qa_dvb_cells.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

static const double pi = 3.14159265358979323846;

static double uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 33) + 0.5) / 2147483648.0;
}

static float gauss(double sigma)
{
    return (float)(sigma * sqrt(-2 * log(uniform())) * cos(2 * pi * uniform()));
}

static const struct mode {
    const char *code, *modulation;
} modes[] = {
    {"dvbt2:16200:1/2", "qpsk"  },
    {"dvbt2:16200:2/3", "16qam" },
    {"dvbt2:16200:3/5", "64qam" },
    {"dvbt2:16200:3/4", "256qam"},
    {"dvbs2:16200:1/4", "qpsk"  },
    {"dvbs2:16200:3/5", "8psk"  },
    {"dvbs2:16200:2/3", "16apsk"},
    {"dvbs2:16200:5/6", "32apsk"},
    {"dvbs2:16200:2/3", "32apsk"},
};

static const struct mode long_modes[] = {
    {"dvbs2x:64800:104/180", "8apsk"  },
    {"dvbs2x:64800:20/30",   "16apsk" },
    {"dvbs2x:64800:128/180", "32apsk" },
    {"dvbs2x:64800:132/180", "64apsk" },
    {"dvbs2x:64800:135/180", "128apsk"},
    {"dvbs2x:64800:116/180", "256apsk"},
    {"dvbs2x:64800:22/30",   "256apsk"},
};

/* Modes of DVB-C2, whose cells are not interleaved. */
static const struct mode cable_modes[] = {
    {"dvbc2:64800:3/4", "16qam"  },
    {"dvbc2:16200:3/4", "256qam" },
    {"dvbc2:16200:8/9", "1024qam"},
    {"dvbc2:16200:5/6", "4096qam"},
};

enum {
    MODES = sizeof modes / sizeof *modes,
    CABLE_MODES = sizeof cable_modes / sizeof *cable_modes,
    LONG_MODES = sizeof long_modes / sizeof *long_modes,
    N = 16200,
    MOST_N = 64800,
    MOST_CELLS = 21600
};

static float iq[2 * MOST_CELLS], noise[MOST_CELLS];

static ldpc_demapper *create(const struct mode *mode, bool rotated, bool exact, bool deinterleave,
                             const char *kernel)
{
    ldpc_error err = {""};
    ldpc_demapper *dem;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = mode->code;
    params.modulation = mode->modulation;
    params.rotated = rotated;
    params.exact = exact;
    params.kernel = kernel;
    params.deinterleave = deinterleave;
    if (ldpc_demapper_create(&params, &dem, &err) != LDPC_OK)
        fail_msg("%s", err.message);
    return dem;
}

static bool has_interleaver(const struct mode *mode)
{
    return strncmp(mode->code, "dvbc2", 5) != 0;
}

static ldpc_demapper *make(const struct mode *mode, bool rotated, bool exact, const char *kernel)
{
    return create(mode, rotated, exact, false, kernel);
}

static void make_cells(const ldpc_demapper *dem, bool delayed, double mean_noise, bool same)
{
    const size_t cells = ldpc_demapper_cells(dem);
    for (size_t c = 0; c < cells; c++) {
        const size_t point = (size_t)(uniform() * (double)((size_t)1 << ldpc_demapper_bits(dem)));
        iq[2 * c] = ldpc_demapper_points(dem)[2 * point];
        iq[2 * ((c + delayed) % cells) + 1] = ldpc_demapper_points(dem)[2 * point + 1];
    }
    for (size_t c = 0; c < cells; c++) {
        noise[c] = (float)(mean_noise * (same ? 1 : 0.25 + 4 * uniform() * uniform()));
        iq[2 * c] += gauss(sqrt((double)noise[c] / 2));
        iq[2 * c + 1] += gauss(sqrt((double)noise[c] / 2));
    }
}

static double defined_llr(const ldpc_demapper *dem, size_t cell, size_t other, size_t bit, bool exact)
{
    const size_t bits = ldpc_demapper_bits(dem);
    double least[2] = {1e300, 1e300}, sum[2] = {0, 0};
    for (size_t k = 0; k < (size_t)1 << bits; k++) {
        const float *const point = ldpc_demapper_points(dem) + 2 * k;
        const double x = (double)(iq[2 * cell] - point[0]), y = (double)(iq[2 * other + 1] - point[1]);
        const double cost = x * x / (double)noise[cell] + y * y / (double)noise[other];
        const size_t value = k >> (bits - 1 - bit) & 1;
        least[value] = fmin(least[value], cost);
        sum[value] += exp(-cost);
    }
    const double llr = exact && sum[0] > 0 && sum[1] > 0 ? log(sum[0] / sum[1]) : least[1] - least[0];
    return fmax(-127, fmin(127, 3 * llr));
}

/* Compares LLRs of dem[0] with the definition, and LLRs of all other demappers with LLRs of dem[0]. */
static void check_llrs(const struct mode *mode, ldpc_demapper *const *dem, bool rotated, bool exact,
                       bool per_cell)
{
    static int8_t llr[MOST_N], again[MOST_N];
    const size_t count = ldpc_demapper_cells(*dem), bits = ldpc_demapper_bits(*dem),
                 n = ldpc_demapper_n(*dem);
    make_cells(*dem, rotated, 0.03 * fmax(0.5, 10 - (double)bits), !per_cell);
    const ldpc_cells cells = {
        .n_codewords = 1, .iq = iq, .cell_noise = per_cell ? noise : NULL, .noise = noise[0]};
    assert_int_equal(ldpc_demap(*dem, &cells, llr), LDPC_OK);
    size_t different = 0, looked_at = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t c = ldpc_demapper_order(*dem)[i] / bits, b = ldpc_demapper_order(*dem)[i] % bits;
        if (c % 13 && (c + 1) * bits < n)
            continue;
        const double expected = defined_llr(*dem, c, rotated ? (c + 1) % count : c, b, exact);
        looked_at++;
        different += fabs(expected - llr[i]) > 0.52;
        assert_true(fabs(expected - llr[i]) <= 0.6);
    }
    assert_true(different * 100 <= looked_at);
    while (*++dem) { /* every kernel computes equal bytes */
        assert_int_equal(ldpc_demap(*dem, &cells, again), LDPC_OK);
        if (memcmp(again, llr, n) != 0)
            fail_msg("%s, %s: kernel %s differs", mode->code, mode->modulation, ldpc_demapper_kernel(*dem));
    }
}

static void check_definition(const struct mode *mode, bool rotated, bool exact)
{
    enum { MOST_KERNELS = 15 };
    ldpc_demapper *dem[MOST_KERNELS + 2] = {create(mode, rotated, exact, has_interleaver(mode), NULL)};
    const char *kernel;
    for (size_t k = 0; (kernel = ldpc_demapper_kernel_list(k)); k++) {
        assert_true(k < MOST_KERNELS);
        dem[1 + k] = create(mode, rotated, exact, has_interleaver(mode), kernel);
        assert_string_equal(ldpc_demapper_kernel(dem[1 + k]), kernel);
    }
    check_llrs(mode, dem, rotated, exact, false);
    check_llrs(mode, dem, rotated, exact, true);
    for (size_t k = 0; dem[k]; k++)
        ldpc_demapper_destroy(dem[k]);
}

static void test_definition(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++)
        for (int exact = 0; exact < 2; exact++) {
            check_definition(&modes[m], false, exact);
            if (!strncmp(modes[m].code, "dvbt2", 5))
                check_definition(&modes[m], true, exact);
        }
    for (size_t m = 0; m < LONG_MODES; m++)
        for (int exact = 0; exact < 2; exact++)
            check_definition(&long_modes[m], false, exact);
}

/* In 128APSK, 9258 cells carry 64800 bits and 6 bits of padding. */
static void test_padding(void **state)
{
    (void)state;
    enum { CELLS = 9270, DATA_CELLS = 9258, BITS = 7 };
    static int8_t llr[MOST_N], again[MOST_N];
    const struct mode *const mode = &long_modes[4];
    ldpc_demapper *dem = create(mode, false, false, true, NULL);
    float clean, measured;
    assert_int_equal(ldpc_demapper_cells(dem), CELLS);
    make_cells(dem, false, 0.01, true);
    const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = 0.01f};
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &clean), LDPC_OK);
    for (size_t part = 2 * DATA_CELLS; part < 2 * CELLS; part++)
        iq[part] = 100;
    assert_int_equal(ldpc_demap(dem, &cells, again), LDPC_OK);
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &measured), LDPC_OK);
    assert_memory_equal(again, llr, MOST_N);
    assert_true(measured == clean);
    for (size_t i = 0; i < MOST_N; i++)
        assert_true(ldpc_demapper_order(dem)[i] < DATA_CELLS * BITS);
    assert_int_equal(ldpc_bits_deinterleave(dem, 1, llr, again), LDPC_ERR_PARAM);
    ldpc_demapper_destroy(dem);
}

static void test_words_and_order(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        static int8_t in_cells[N], in_code[N], moved[N];
        static uint8_t seen[N];
        ldpc_demapper *dem = make(&modes[m], false, false, NULL), *deinterleaving;
        ldpc_demapper_params params;
        ldpc_demapper_params_init(&params);
        params.code = modes[m].code;
        params.modulation = modes[m].modulation;
        assert_int_equal(ldpc_demapper_create(&params, &deinterleaving, NULL), LDPC_OK);
        assert_int_equal(ldpc_demapper_n(dem), N);
        assert_int_equal(ldpc_demapper_cells(dem) * ldpc_demapper_bits(dem), N);
        make_cells(dem, false, 0.05, true);
        const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = 0.05f};
        assert_int_equal(ldpc_demap(dem, &cells, in_cells), LDPC_OK);
        assert_int_equal(ldpc_demap(deinterleaving, &cells, in_code), LDPC_OK);
        assert_int_equal(ldpc_bits_deinterleave(dem, 1, in_cells, moved), LDPC_OK);
        assert_memory_equal(moved, in_code, N);
        for (size_t k = 0; (params.kernel = ldpc_demapper_kernel_list(k)); k++) {
            ldpc_demapper *other;
            assert_int_equal(ldpc_demapper_create(&params, &other, NULL), LDPC_OK);
            memset(in_code, 0, N);
            assert_int_equal(ldpc_demap(other, &cells, in_code), LDPC_OK);
            assert_memory_equal(in_code, moved, N);
            ldpc_demapper_destroy(other);
        }
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < N; i++)
            seen[ldpc_demapper_order(dem)[i]]++;
        for (size_t i = 0; i < N; i++)
            assert_int_equal(seen[i], 1);
        ldpc_demapper_destroy(dem);
        ldpc_demapper_destroy(deinterleaving);
    }
}

static void test_several_words(void **state)
{
    (void)state;
    enum { WORDS = 3, CELLS = 2025 };
    static int8_t together[WORDS * N], alone[N];
    for (int per_cell = 0; per_cell < 2; per_cell++) {
        ldpc_demapper *dem = make(&modes[3], true, false, NULL);
        for (size_t c = 0; c < WORDS * CELLS; c++) {
            iq[2 * c] = gauss(0.7);
            iq[2 * c + 1] = gauss(0.7);
            noise[c] = (float)uniform();
        }
        ldpc_cells cells = {
            .n_codewords = WORDS, .iq = iq, .cell_noise = per_cell ? noise : NULL, .noise = 0.1f};
        assert_int_equal(ldpc_demap(dem, &cells, together), LDPC_OK);
        for (size_t w = 0; w < WORDS; w++) {
            cells = (ldpc_cells){.n_codewords = 1,
                                 .iq = iq + 2 * w * CELLS,
                                 .cell_noise = per_cell ? noise + w * CELLS : NULL,
                                 .noise = 0.1f};
            assert_int_equal(ldpc_demap(dem, &cells, alone), LDPC_OK);
            assert_memory_equal(alone, together + w * N, N);
        }
        ldpc_demapper_destroy(dem);
    }
}

static void check_broken(bool rotated, float i, float q, float variance, bool i_lost, bool q_lost)
{
    static int8_t good[N], llr[N];
    enum { CELL = 20, BITS = 6 };
    ldpc_demapper *dem = make(&modes[2], rotated, false, NULL);
    make_cells(dem, rotated, 0.05, false);
    const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .cell_noise = noise};
    assert_int_equal(ldpc_demap(dem, &cells, good), LDPC_OK);
    iq[2 * CELL] = i;
    iq[2 * CELL + 1] = q;
    noise[CELL] = variance;
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
    const size_t q_cell = rotated ? CELL - 1 : CELL;
    for (size_t c = 0; c < ldpc_demapper_cells(dem); c++)
        if (c != CELL && c != q_cell)
            assert_memory_equal(llr + c * BITS, good + c * BITS, BITS);
    for (size_t b = 0; b < BITS && !rotated; b++)
        if (b % 2 ? q_lost : i_lost)
            assert_int_equal(llr[CELL * BITS + b], 0);
    if (rotated && i_lost) {
        int sum = 0;
        for (size_t b = 0; b < BITS; b++)
            sum += abs(llr[CELL * BITS + b]);
        assert_true(sum > 0);
    }
    ldpc_demapper_destroy(dem);
}

/* If I or Q of a rotated point is lost, the LLRs of the point are 0. */
static void check_half_lost(size_t part)
{
    static int8_t good[N], llr[N];
    enum { CELL = 20, BITS = 6 };
    ldpc_demapper *dem = make(&modes[2], true, false, NULL);
    make_cells(dem, true, 0.05, true);
    const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = 0.05f};
    assert_int_equal(ldpc_demap(dem, &cells, good), LDPC_OK);
    iq[2 * CELL + part] = NAN;
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
    memset(good + (CELL - part) * BITS, 0, BITS); /* Q belongs to the previous point */
    assert_memory_equal(llr, good, N);
    ldpc_demapper_destroy(dem);
}

static void test_half_a_rotated_point(void **state)
{
    (void)state;
    check_half_lost(0);
    check_half_lost(1);
}

static void test_erasures(void **state)
{
    (void)state;
    for (int rotated = 0; rotated < 2; rotated++) {
        check_broken(rotated, NAN, 0.3f, 0.05f, true, false);
        check_broken(rotated, 0.3f, NAN, 0.05f, false, true);
        check_broken(rotated, INFINITY, -INFINITY, 0.05f, true, true);
        check_broken(rotated, 0.3f, 0.3f, 0.0f, true, true);
        check_broken(rotated, 0.3f, 0.3f, -1.0f, true, true);
        check_broken(rotated, 0.3f, 0.3f, NAN, true, true);
        check_broken(rotated, 0.3f, 0.3f, INFINITY, true, true);
    }
}

static void test_strong_cells_saturate(void **state)
{
    (void)state;
    static int8_t llr[N];
    for (size_t m = 0; m < MODES; m++)
        for (int exact = 0; exact < 2; exact++) {
            ldpc_demapper *dem = make(&modes[m], false, exact, NULL);
            make_cells(dem, false, 1e-12, true);
            for (int i = 0; i < 2; i++) {
                const ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = i ? 1e-38f : 1e-4f};
                assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
                for (size_t b = 0; b < N; b++)
                    assert_true(llr[b] == 127 || llr[b] == -127);
            }
            ldpc_demapper_destroy(dem);
        }
}

static void check_measured_noise(const struct mode *mode)
{
    ldpc_demapper *dem = make(mode, false, false, NULL);
    const double top = 10 * log10(4 * pow(2, -(double)ldpc_demapper_bits(dem)));
    for (double db = -30; db <= 0; db += 2.5) {
        const double sent = pow(10, db / 10);
        float measured;
        make_cells(dem, false, sent, true);
        const ldpc_cells cells = {.n_codewords = 1, .iq = iq};
        assert_int_equal(ldpc_demapper_noise(dem, &cells, &measured), LDPC_OK);
        const double error_db = fabs(10 * log10((double)measured) - db);
        if (error_db > (db <= top ? 0.6 : 2.0))
            fail_msg("%s %s: %g dB sent, %g measured", mode->code, mode->modulation, db,
                     10 * log10((double)measured));
    }
    ldpc_demapper_destroy(dem);
}

static void test_measured_noise(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++)
        check_measured_noise(&modes[m]);
    for (size_t m = 0; m < LONG_MODES; m++)
        if (strcmp(long_modes[m].modulation, "128apsk")) /* make() refuses the padding of this mode */
            check_measured_noise(&long_modes[m]);
}

static void test_measured_noise_of_odd_cells(void **state)
{
    (void)state;
    ldpc_demapper *dem = make(&modes[3], true, false, NULL);
    float clean, some_lost, all_lost;
    const ldpc_cells cells = {.n_codewords = 1, .iq = iq};
    make_cells(dem, true, 0.01, true);
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &clean), LDPC_OK);
    for (size_t c = 0; c < ldpc_demapper_cells(dem); c += 5)
        iq[2 * c] = NAN;
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &some_lost), LDPC_OK);
    assert_true(fabsf(some_lost / clean - 1) < 0.2f);
    for (size_t c = 0; c < ldpc_demapper_cells(dem); c++)
        iq[2 * c] = NAN;
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &all_lost), LDPC_OK);
    assert_true(all_lost >= 9.9f);
    memset(iq, 0, sizeof iq);
    for (size_t c = 0; c < 2 * ldpc_demapper_cells(dem); c++)
        iq[c] = ldpc_demapper_points(dem)[c % 2];
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &clean), LDPC_OK);
    assert_true(clean >= 1e-9f && clean < 1e-6f);
    ldpc_demapper_destroy(dem);
}

/* Impulses in 0.5 % of the cells hardly change the measured noise. */
static void test_measured_noise_with_impulses(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        ldpc_demapper *dem = make(&modes[m], false, false, NULL);
        float clean, hit;
        const ldpc_cells cells = {.n_codewords = 1, .iq = iq};
        for (float amplitude = 5; amplitude < 2e4f; amplitude *= 6) {
            make_cells(dem, false, 0.01, true);
            assert_int_equal(ldpc_demapper_noise(dem, &cells, &clean), LDPC_OK);
            for (size_t c = 0; c < ldpc_demapper_cells(dem); c += 200)
                iq[2 * c + c / 200 % 2] += amplitude;
            assert_int_equal(ldpc_demapper_noise(dem, &cells, &hit), LDPC_OK);
            assert_float_equal(hit / clean, 1, 0.1);
        }
        ldpc_demapper_destroy(dem);
    }
}

/* Gray labels of EN 302 769, clause 6.2. The first bit of an axis is its sign (0: positive). */
static void check_labels(const ldpc_demapper *dem)
{
    const size_t bits = ldpc_demapper_bits(dem), count = (size_t)1 << bits;
    const float *const points = ldpc_demapper_points(dem),
                       distance = 2 * points[0] / (sqrtf((float)count) - 1);
    for (size_t label = 0; label < count; label++) {
        const float *const point = points + 2 * label;
        assert_int_equal(label >> (bits - 1) & 1, point[0] < 0);
        assert_int_equal(label >> (bits - 2) & 1, point[1] < 0);
        assert_true(fabsf(point[0]) <= points[0] && fabsf(point[1]) <= points[1]);
        size_t neighbours = 0;
        for (size_t b = 0; b < bits; b++) {
            const float *const other = points + 2 * (label ^ (size_t)1 << b);
            neighbours +=
                fabsf(hypotf(point[0] - other[0], point[1] - other[1]) - distance) < 1e-3f * distance;
        }
        const size_t at_edges = (fabsf(point[0]) == points[0]) + (fabsf(point[1]) == points[1]);
        assert_int_equal(neighbours, 4 - at_edges);
    }
}

static void test_cable(void **state)
{
    (void)state;
    for (size_t m = 0; m < CABLE_MODES; m++) {
        ldpc_demapper *dem = make(&cable_modes[m], false, false, NULL);
        float measured;
        check_labels(dem);
        for (int exact = 0; exact < 2; exact++)
            check_definition(&cable_modes[m], false, exact);
        make_cells(dem, false, 1e-4, true);
        const ldpc_cells cells = {.n_codewords = 1, .iq = iq};
        assert_int_equal(ldpc_demapper_noise(dem, &cells, &measured), LDPC_OK);
        assert_true(fabs(10 * log10((double)measured) + 40) < 0.6);
        assert_int_equal(ldpc_bits_deinterleave(dem, 1, (int8_t *)noise, (int8_t *)iq), LDPC_ERR_PARAM);
        ldpc_demapper_destroy(dem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_words_and_order),
        cmocka_unit_test(test_several_words),
        cmocka_unit_test(test_erasures),
        cmocka_unit_test(test_half_a_rotated_point),
        cmocka_unit_test(test_strong_cells_saturate),
        cmocka_unit_test(test_measured_noise),
        cmocka_unit_test(test_measured_noise_of_odd_cells),
        cmocka_unit_test(test_measured_noise_with_impulses),
        cmocka_unit_test(test_cable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
