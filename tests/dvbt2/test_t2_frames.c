/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares P1 tables, frame maps and MISO with GNU Radio's transmitter and the standard's definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ldpc/dvbt2.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/support/golden.h"
#include "dvbt2/channel/miso.h"
#include "dvbt2/standard/p1_table.h"

enum { OTHER = 1, OF_PLP = 1000, MAX_LINE = 256 };

/* ---- P1 */

static int check_p1(const char *line)
{
    unsigned s1, s2, crc;
    int8_t sequence[DVBT2_P1_CARRIERS];
    if (sscanf(line, "p1-carriers %x", &crc) == 1) {
        assert_int_equal(golden_crc(0, dvbt2_p1_carrier, sizeof(dvbt2_p1_carrier)), crc);
        return 1;
    }
    if (sscanf(line, "p1 %u %u %x", &s1, &s2, &crc) != 3)
        return 0;
    dvbt2_p1_modulation((uint8_t)s1, (uint8_t)s2, sequence);
    assert_int_equal(golden_crc(0, sequence, sizeof(sequence)), crc);
    return 1;
}

static void test_p1_sequences_are_orthogonal(void **state)
{
    (void)state;
    for (uint8_t a = 0; a < 16; a++) {
        for (uint8_t b = 0; b < 16; b++) {
            int same = 0;
            for (uint32_t i = 0; i < DVBT2_P1_S2_BITS; i++)
                same += dvbt2_p1_s2_bit(a, i) == dvbt2_p1_s2_bit(b, i);
            assert_int_equal(same, a == b ? 256 : 128);
        }
    }
}

static void test_p1_fields(void **state)
{
    (void)state;
    dvbt2_p1_info info;
    assert_true(dvbt2_p1_fields(DVBT2_S1_T2_MISO, 0xB, &info)); /* 101 1 */
    assert_true(info.t2 && info.miso && info.mixed);
    assert_int_equal(info.fft, DVBT2_FFT_32K);
    assert_int_equal(info.guards, 1 << DVBT2_GUARD_1_32 | 1 << DVBT2_GUARD_1_16 | 1 << DVBT2_GUARD_1_8);
    assert_true(dvbt2_p1_fields(DVBT2_S1_LITE_SISO, 6, &info)); /* 011 0 */
    assert_int_equal(info.fft, DVBT2_FFT_16K);
    assert_int_equal(info.profile, DVBT2_PROFILE_LITE);
    assert_false(info.mixed || info.miso);
    assert_true(dvbt2_p1_fields(DVBT2_S1_NON_T2, 3, &info));
    assert_false(info.t2);
    assert_false(dvbt2_p1_fields(DVBT2_S1_LITE_SISO, 10, &info)); /* T2-Lite has no 32K */
    assert_false(dvbt2_p1_fields(5, 0, &info));
}

/* ---- frames */

static void derive(const char *fft, char carriers, const char *guard, unsigned pattern, bool miso, bool tones,
                   unsigned symbols, dvbt2_parameters *p)
{
    const dvbt2_mode mode = {
        .fft = golden_fft(fft),
        .guard = golden_guard(guard),
        .pilot_pattern = (uint8_t)pattern,
        .extended = carriers == 'E',
        .miso = miso,
        .tone_reservation = tones,
        .n_data_symbols = (uint16_t)symbols,
    };
    assert_true(dvbt2_mode_allowed(&mode));
    assert_int_equal(dvbt2_parameters_derive(&mode, p, NULL), LDPC_OK);
}

static uint32_t codes_of(const dvbt2_parameters *p, const dvbt2_frame_map *map,
                         const dvbt2_plp_slices *slices, uint32_t l, int32_t *codes)
{
    uint32_t cells = dvbt2_symbol_cells(p, l);
    bool closing = dvbt2_symbol_kind_of(p, l) == DVBT2_SYMBOL_CLOSING;
    for (uint32_t i = 0; i < cells; i++)
        codes[i] = closing && i >= p->c_fc ? 0 : OTHER;
    for (dvbt2_run run = {0}; dvbt2_plp_next_run(map, slices, l, &run);) {
        assert_true(run.count && run.cell + run.count <= cells);
        for (uint32_t i = 0; i < run.count; i++)
            codes[run.cell + i] = OF_PLP + (int32_t)(run.place + i);
    }
    return cells;
}

static int check_frame(const char *line)
{
    static int32_t codes[DVBT2_MAX_CARRIERS];
    char fft[8], carriers, guard[8], antennas[8], tones[4];
    unsigned pattern, symbols, l1, cells, crc, sum = 0;
    dvbt2_parameters p;
    dvbt2_frame_map map;
    if (sscanf(line, "frame %7s %c %7s PP%u %7s %3s %u %u %u %x", fft, &carriers, guard, &pattern, antennas,
               tones, &symbols, &l1, &cells, &crc) != 10)
        return 0;
    derive(fft, carriers, guard, pattern, antennas[0] == 'M', tones[0] == 'T', symbols, &p);
    assert_int_equal(dvbt2_frame_map_init(&p, l1, &map, NULL), LDPC_OK);
    const dvbt2_plp_slices slices = {0, 1, cells, cells};
    for (uint32_t l = 0; l < p.n_symbols; l++) {
        uint32_t count = codes_of(&p, &map, &slices, l, codes);
        sum = golden_crc(sum, codes, count * sizeof(*codes));
    }
    if (sum != crc)
        fail_msg("cells differ: %s", line);
    return 1;
}

/* ---- MISO */

static int check_miso(const char *line)
{
    float v[8];
    if (sscanf(line, "miso %f %f %f %f %f %f %f %f", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7) != 8)
        return 0;
    const float complex a[2] = {v[0] + I * v[1], v[2] + I * v[3]}, b[2] = {v[4] + I * v[5], v[6] + I * v[7]};
    dvbt2_miso_pair pair = {
        .h1 = {0.8F + 0.3F * I,  0.7F + 0.4F * I },
        .h2 = {-0.2F + 0.9F * I, -0.3F + 0.8F * I},
        .noise = {0.1F,             0.2F            }
    };
    float complex cell[2];
    float noise[2];
    for (int i = 0; i < 2; i++)
        pair.y[i] = pair.h1[i] * a[i] + pair.h2[i] * b[i];
    dvbt2_miso_decode(&pair, cell, noise);
    for (int i = 0; i < 2; i++) {
        assert_true(cabsf(cell[i] - a[i]) < 1e-4F);
        assert_in_range((int)(1000 * noise[i]), 60, 160); /* about 0.1 .. 0.2 over |h1|^2 + |h2|^2 = 1.6 */
    }
    return 1;
}

static void test_miso_without_channel(void **state)
{
    (void)state;
    const dvbt2_miso_pair pair = {
        .y = {1, 1},
          .noise = {1, 1}
    };
    float complex cell[2] = {5, 5};
    float noise[2];
    dvbt2_miso_decode(&pair, cell, noise);
    assert_true(cell[0] == 0 && cell[1] == 0 && isinf(noise[0]) && isinf(noise[1]));
}

static void test_against_gr_dtv(void **state)
{
    (void)state;
    FILE *file = golden_open("support/frames.txt");
    char line[MAX_LINE];
    int p1 = 0, frames = 0, pairs = 0;
    while (fgets(line, sizeof(line), file)) {
        p1 += check_p1(line);
        frames += check_frame(line);
        pairs += check_miso(line);
    }
    fclose(file);
    assert_int_equal(p1, 33);
    assert_int_equal(frames, 11);
    assert_int_equal(pairs, 8);
}

/* ---- PLPs of L1 */

static void small_map(dvbt2_parameters *p, dvbt2_frame_map *map)
{
    derive("8K", 'N', "1/16", 4, false, false, 10, p);
    assert_int_equal(dvbt2_frame_map_init(p, 394, map, NULL), LDPC_OK);
}

static void test_sub_slices(void **state)
{
    (void)state;
    dvbt2_parameters p;
    dvbt2_frame_map map;
    small_map(&p, &map);
    uint8_t *owner = calloc(map.n_cells, 1);
    const dvbt2_plp_slices slices = {1000, 135, 60, 430};
    uint32_t places = 0;
    for (uint32_t c = 0; c < 135 * 60; c++)
        owner[1000 + c / 60 * 430 + c % 60] = 1;
    for (uint32_t l = 0; l < p.n_symbols; l++) {
        dvbt2_symbol_span span = dvbt2_frame_map_symbol(&map, l);
        uint32_t at = span.cell;
        for (dvbt2_run run = {0}; dvbt2_plp_next_run(&map, &slices, l, &run); at = run.cell + run.count) {
            assert_int_equal(run.place, places);
            for (uint32_t i = at; i < run.cell; i++)
                assert_int_equal(owner[span.first + i - span.cell], 0);
            for (uint32_t i = run.cell; i < run.cell + run.count; i++)
                assert_int_equal(owner[span.first + i - span.cell], 1);
            places += run.count;
        }
        for (uint32_t i = at; i < span.cell + span.count; i++)
            assert_int_equal(owner[span.first + i - span.cell], 0);
    }
    assert_int_equal(places, 135 * 60);
    free(owner);
}

static void type2_config(dvbt2_l1_configurable *config, dvbt2_l1_dynamic *dynamic)
{
    memset(config, 0, sizeof(*config));
    memset(dynamic, 0, sizeof(*dynamic));
    config->sub_slices_per_frame = 30;
    config->num_plp = 1;
    config->plp[0] = (dvbt2_l1_plp){.plp_id = 7,
                                    .plp_type = DVBT2_PLP_TYPE_2,
                                    .plp_mod = 1,
                                    .frame_interval = 3,
                                    .first_frame_idx = 1,
                                    .time_il_length = 2,
                                    .time_il_type = true};
    dynamic->frame_idx = 4;
    dynamic->sub_slice_interval = 300;
    dynamic->plp[0] = (dvbt2_l1_plp_dynamic){.plp_id = 7, .plp_start = 100, .plp_num_blocks = 4};
}

static void test_plp_of_type_2(void **state)
{
    (void)state;
    static dvbt2_l1_configurable config;
    static dvbt2_l1_dynamic dynamic;
    dvbt2_parameters p;
    dvbt2_frame_map map;
    dvbt2_plp_map plp;
    dvbt2_plp_slices slices;
    uint32_t part;
    small_map(&p, &map);
    type2_config(&config, &dynamic);
    assert_int_equal(dvbt2_plp_find(&config, 7), 0);
    assert_int_equal(dvbt2_plp_find(&config, 0), -1);
    assert_int_equal(dvbt2_plp_map_init(&config, 0, &plp, NULL), LDPC_OK);
    assert_int_equal(plp.frames, 2);
    assert_int_equal(plp.ti_blocks, 1);
    assert_false(dvbt2_plp_in_frame(&plp, 0, &part));
    assert_true(dvbt2_plp_in_frame(&plp, 1, &part));
    assert_int_equal(part, 0);
    assert_false(dvbt2_plp_in_frame(&plp, 3, &part));
    assert_true(dvbt2_plp_in_frame(&plp, 4, &part));
    assert_int_equal(part, 1);
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, NULL), LDPC_OK);
    assert_int_equal(slices.n_slices, 30);
    assert_int_equal(slices.slice_length, 4 * 4050 / 2 / 30);
    assert_int_equal(slices.slice_interval, 300);
    dynamic.frame_idx = 3;
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_cells(&slices), 0);
}

/* PLP positions that L1 is not allowed to signal. */
static void test_plp_outside_the_frame(void **state)
{
    (void)state;
    static dvbt2_l1_configurable config;
    static dvbt2_l1_dynamic dynamic;
    dvbt2_parameters p;
    dvbt2_frame_map map;
    dvbt2_plp_map plp;
    dvbt2_plp_slices slices;
    ldpc_error err = {""};
    small_map(&p, &map);
    type2_config(&config, &dynamic);
    assert_int_equal(dvbt2_plp_map_init(&config, 0, &plp, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_map_init(&config, 1, &plp, NULL), LDPC_ERR_RANGE);
    dynamic.sub_slice_interval = 269; /* slices of 270 cells would overlap */
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_ERR_PARAM);
    dynamic.sub_slice_interval = (1 << 22) - 1;
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_ERR_PARAM);
    dynamic.sub_slice_interval = 300;
    dynamic.plp[0].plp_num_blocks = 3; /* 12150 cells in 2 frames of 30 slices */
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "PLP 7"));
    plp.frames = 200;
    dynamic.plp[0].plp_num_blocks = 1000;
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "4050000 cells over 200 T2 frames"));
    plp.frames = 2;
    dynamic.plp[0].plp_num_blocks = 4;
    dynamic.plp[0].plp_start = map.n_cells - 29 * 300 - 270;
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_OK);
    dynamic.plp[0].plp_start++;
    assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &dynamic, &slices, &err), LDPC_ERR_PARAM);
    config.num_rf = 2;
    assert_int_equal(dvbt2_plp_map_init(&config, 0, &plp, &err), LDPC_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "2 RF channels"));
    config.num_rf = 1;
    config.plp[0].frame_interval = 0;
    assert_int_equal(dvbt2_plp_map_init(&config, 0, &plp, &err), LDPC_ERR_PARAM);
    assert_int_equal(dvbt2_frame_map_init(&p, 2 * 4472 - 1840 + 2, &map, &err), LDPC_ERR_PARAM);
}

static void test_fef(void **state)
{
    (void)state;
    static dvbt2_l1_configurable config;
    assert_int_equal(dvbt2_fef_after(&config, 1), 0);
    config.fef = true;
    config.fef_length = 40000;
    assert_int_equal(dvbt2_fef_after(&config, 1), 0); /* interval 0 */
    config.fef_interval = 2;
    assert_int_equal(dvbt2_fef_after(&config, 0), 0);
    assert_int_equal(dvbt2_fef_after(&config, 1), 40000);
    assert_int_equal(dvbt2_fef_after(&config, 255), 40000);
}

/* ---- parameters */

static void test_parameters(void **state)
{
    (void)state;
    const dvbt2_mode uk = {DVBT2_FFT_32K, DVBT2_GUARD_1_128, 7, true, false, false, DVBT2_PROFILE_BASE, 59};
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(&uk, &p, NULL), LDPC_OK);
    assert_int_equal(p.carriers, 27841);
    assert_int_equal(p.symbol_length, 33024);
    assert_int_equal(p.n_symbols, 60);
    assert_int_equal(p.frame_length, 1983488);
    assert_false(p.closing);
    assert_true(fabs(dvbt2_sample_rate(8) - 64e6 / 7) < 1);
    assert_true(fabs(dvbt2_sample_rate(1.7) - 131e6 / 71) < 1);
    assert_int_equal(dvbt2_guard_length(DVBT2_FFT_8K, DVBT2_GUARD_19_256), 608);
    assert_true(fabsf(p.a_p2 - sqrtf(37) / 5) < 1e-6F);
}

static void test_modes_that_do_not_exist(void **state)
{
    (void)state;
    ldpc_error err = {""};
    dvbt2_parameters p;
    dvbt2_mode mode = {DVBT2_FFT_2K, DVBT2_GUARD_1_16, 4, true, false, false, DVBT2_PROFILE_BASE, 10};
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "extended"));
    mode.extended = false;
    mode.pilot_pattern = 6;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, &err), LDPC_ERR_PARAM);
    mode.pilot_pattern = 7;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, &err), LDPC_OK);
    assert_false(dvbt2_mode_allowed(&mode));
    mode.pilot_pattern = 9;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, &err), LDPC_ERR_PARAM);
    mode.pilot_pattern = 4;
    mode.n_data_symbols = 0;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, &err), LDPC_ERR_PARAM);
    mode = (dvbt2_mode){DVBT2_FFT_32K, DVBT2_GUARD_1_8, 2, false, false, false, DVBT2_PROFILE_LITE, 10};
    assert_false(dvbt2_mode_allowed(&mode));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_gr_dtv),
        cmocka_unit_test(test_p1_sequences_are_orthogonal),
        cmocka_unit_test(test_p1_fields),
        cmocka_unit_test(test_miso_without_channel),
        cmocka_unit_test(test_sub_slices),
        cmocka_unit_test(test_plp_of_type_2),
        cmocka_unit_test(test_plp_outside_the_frame),
        cmocka_unit_test(test_fef),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_modes_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
