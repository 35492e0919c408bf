/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares pilots, reserved tones and data cells of every symbol with GNU Radio's transmitter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/support/golden.h"
#include "dvbt2/standard/pilots.h"
#include "dvbt2/standard/reference_sequence.h"

enum { DATA = 100000 };

/* Writes one code for each carrier of a symbol. make_symbols.py defines the codes. */
static void codes_of(const dvbt2_parameters *p, const dvbt2_pilots *pilots,
                     const dvbt2_frequency_deinterleaver *deint, uint32_t l, int group, int32_t *codes)
{
    const dvbt2_symbol_layout *s = dvbt2_pilots_symbol(pilots, l);
    const uint16_t *order = dvbt2_frequency_order(deint, l);
    memset(codes, 0, p->carriers * sizeof(*codes));
    assert_int_equal(s->kind, dvbt2_symbol_kind_of(p, l));
    assert_int_equal(s->n_data, dvbt2_symbol_cells(p, l));
    for (uint32_t i = 0; i < s->n_pilots; i++)
        codes[s->pilot[i]] = (int32_t)lrintf(1000 * s->amplitude[group][i] * (float)dvbt2_pn_sign(l));
    for (uint32_t q = 0; q < s->n_data; q++)
        codes[s->data[q]] = DATA + (group ? 0 : order[q]);
}

static void check_line(const golden_mode *l)
{
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    ldpc_error err = {""};
    assert_true(dvbt2_mode_allowed(&l->mode));
    assert_int_equal(dvbt2_parameters_derive(&l->mode, &p, &err), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&p, &pilots, &err), LDPC_OK);
    assert_int_equal(dvbt2_frequency_deinterleaver_create(&p, &deint, &err), LDPC_OK);
    int32_t *codes = calloc(p.carriers, sizeof(*codes));
    for (int group = 0; group <= l->mode.miso; group++) {
        uint32_t crc[3] = {0};
        for (uint32_t i = 0; i < p.n_symbols; i++) {
            uint32_t *sum = &crc[dvbt2_symbol_kind_of(&p, i)];
            codes_of(&p, pilots, deint, i, group, codes);
            *sum = golden_crc(*sum, codes, p.carriers * sizeof(*codes));
        }
        for (int kind = 0; kind < 3; kind++) {
            if (crc[kind] != l->crc[group][kind])
                fail_msg("%s%s, guard %s, PP%u%s%s: group %d, symbols of kind %d differ",
                         dvbt2_fft_size_name(l->mode.fft), l->mode.extended ? " extended" : "",
                         dvbt2_guard_interval_name((uint8_t)l->mode.guard), l->mode.pilot_pattern,
                         l->mode.miso ? " MISO" : "", l->mode.tone_reservation ? " TR" : "", group + 1, kind);
        }
    }
    free(codes);
    dvbt2_frequency_deinterleaver_destroy(deint);
    dvbt2_pilots_destroy(pilots);
}

static void test_every_carrier(void **state)
{
    (void)state;
    FILE *file = golden_open("support/symbols.txt");
    golden_mode l;
    int lines = 0;
    for (; golden_read_mode(file, &l); lines++)
        check_line(&l);
    fclose(file);
    assert_int_equal(lines, 203);
}

/* Continual pilots of 16K PP1 with extended carriers, for which gr-dtv has a wrong carrier. */
static void test_continual_16k_pp1_extended(void **state)
{
    (void)state;
    const dvbt2_mode mode = {DVBT2_FFT_16K, DVBT2_GUARD_1_4, 1, true, false, false, DVBT2_PROFILE_BASE, 8};
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    uint32_t count, found = 0;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&p, &pilots, NULL), LDPC_OK);
    const uint16_t *carriers = dvbt2_pilots_continual(pilots, &count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_not_equal(carriers[i], 3636);
        found += carriers[i] == 13636;
        assert_true(!i || carriers[i] > carriers[i - 1]);
    }
    assert_int_equal(found, 1);
    dvbt2_pilots_destroy(pilots);
}

static void test_p2_before_l1(void **state)
{
    (void)state;
    dvbt2_mode mode = {DVBT2_FFT_8K, DVBT2_GUARD_1_16, 0, false, false, false, DVBT2_PROFILE_BASE, 0};
    dvbt2_parameters first, whole;
    dvbt2_pilots *early, *late;
    assert_int_equal(dvbt2_parameters_derive(&mode, &first, NULL), LDPC_OK);
    mode.extended = true;
    mode.pilot_pattern = 4;
    mode.n_data_symbols = 10;
    assert_int_equal(dvbt2_parameters_derive(&mode, &whole, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&first, &early, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&whole, &late, NULL), LDPC_OK);
    const dvbt2_symbol_layout *a = dvbt2_pilots_symbol(early, 1), *b = dvbt2_pilots_symbol(late, 1);
    assert_null(dvbt2_pilots_symbol(early, 2));
    assert_null(dvbt2_pilots_symbol(late, 12));
    assert_int_equal(a->n_data, b->n_data);
    for (uint32_t q = 0; q < a->n_data; q++)
        assert_int_equal(a->data[q] + whole.k_ext, b->data[q]);
    for (uint32_t i = 0; i < a->n_pilots; i++) {
        assert_int_equal(a->pilot[i] + whole.k_ext, b->pilot[i + whole.k_ext]);
        assert_true(a->amplitude[0][i] == b->amplitude[0][i + whole.k_ext]);
    }
    dvbt2_pilots_destroy(early);
    dvbt2_pilots_destroy(late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_carrier),
        cmocka_unit_test(test_continual_16k_pp1_extended),
        cmocka_unit_test(test_p2_before_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
