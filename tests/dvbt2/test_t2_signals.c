/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, maps and L1 on signals of the DVB-T2 Common Simulation Platform, with perfect timing: P1, every
 * pilot, L1 of every frame, dummy cells just behind the PLPs, empty thinning cells. */
#include <fftw3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/frequency_deinterleaver.h"
#include "dvbt2/l1_decoder.h"
#include "dvbt2/p1_table.h"
#include "dvbt2/pilots.h"
#include "dvbt2/reference_sequence.h"
#include "dvbt2/signals.h"

/* A signal that is being read, of one profile. */
typedef struct station {
    const test_signal *signal;
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    dvbt2_l1_decoder *decoder;
    dvbt2_l1_pre pre;
    dvbt2_l1_post post;
    dvbt2_frame_map map;
    float complex *cells; /* of a frame, by address */
} station;

/* FFT of `length` samples, 0 Hz in the middle. */
static void spectrum(const float complex *samples, uint32_t length, float complex *bins)
{
    fftwf_complex *buffer = fftwf_alloc_complex(length);
    fftwf_plan plan = fftwf_plan_dft_1d((int)length, buffer, buffer, FFTW_FORWARD, FFTW_ESTIMATE);
    memcpy(buffer, samples, length * sizeof(*samples));
    fftwf_execute(plan);
    memcpy(bins + length / 2, buffer, length / 2 * sizeof(*bins));
    memcpy(bins, buffer + length / 2, length / 2 * sizeof(*bins));
    fftwf_destroy_plan(plan);
    fftwf_free(buffer);
}

/* ---- P1 */

static dvbt2_p1_info read_p1(const float complex *samples)
{
    static float complex bins[DVBT2_P1_A];
    int8_t sequence[DVBT2_P1_CARRIERS];
    dvbt2_p1_info info, best = {0};
    float score = 0;
    spectrum(samples + DVBT2_P1_C, DVBT2_P1_A, bins);
    for (uint8_t field = 0; field < 128; field++) {
        float sum = 0;
        dvbt2_p1_modulation(field >> 4, field & 15, sequence);
        for (uint32_t i = 0; i < DVBT2_P1_CARRIERS; i++)
            sum += crealf(bins[DVBT2_P1_A / 2 + dvbt2_p1_carrier[i] - DVBT2_P1_MIDDLE]) * sequence[i];
        if (sum > score) {
            score = sum;
            dvbt2_p1_fields(field >> 4, field & 15, &info);
            best = info;
        }
    }
    return best;
}

/* ---- symbols */

/* Carriers of symbol l of the frame at `start`, divided by the mean gain of the pilots. */
static void read_symbol(const station *s, uint32_t start, uint32_t l, float complex *carriers)
{
    static float complex bins[DVBT2_MAX_FFT];
    const dvbt2_parameters *p = &s->p;
    uint32_t at = start + DVBT2_P1_SAMPLES + l * p->symbol_length + p->guard_length;
    assert_true(at + p->fft_length <= s->signal->n_samples);
    spectrum(s->signal->samples + at, p->fft_length, bins);
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(s->pilots, l);
    float complex sum = 0;
    float power = 0;
    for (uint32_t i = 0; i < layout->n_pilots; i++) {
        float value = layout->amplitude[0][i] * (float)dvbt2_pn_sign(l);
        sum += bins[p->first_bin + layout->pilot[i]] * value;
        power += value * value;
    }
    for (uint32_t k = 0; k < p->carriers; k++)
        carriers[k] = bins[p->first_bin + k] / (sum / power);
}

static void read_cells(const station *s, uint32_t l, const float complex *carriers, float complex *cells)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(s->pilots, l);
    const uint16_t *order = dvbt2_frequency_order(s->deint, l);
    for (uint32_t q = 0; q < layout->n_data; q++)
        cells[order[q]] = carriers[layout->data[q]];
}

/* Every pilot within 0.6 of its value: the noise is 0.1. */
static void check_pilots(const station *s, uint32_t l, const float complex *carriers)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(s->pilots, l);
    for (uint32_t i = 0; i < layout->n_pilots; i++) {
        float value = layout->amplitude[0][i] * (float)dvbt2_pn_sign(l);
        if (cabsf(carriers[layout->pilot[i]] - value) > 0.6F)
            fail_msg("symbol %u, carrier %u: pilot is %f%+fi, not %f", l, layout->pilot[i],
                     crealf(carriers[layout->pilot[i]]), cimagf(carriers[layout->pilot[i]]), value);
    }
}

/* ---- L1 */

static void use_mode(station *s, const dvbt2_mode *mode)
{
    dvbt2_pilots_destroy(s->pilots);
    dvbt2_frequency_deinterleaver_destroy(s->deint);
    assert_int_equal(dvbt2_parameters_derive(mode, &s->p, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&s->p, &s->pilots, NULL), LDPC_OK);
    assert_int_equal(dvbt2_frequency_deinterleaver_create(&s->p, &s->deint, NULL), LDPC_OK);
}

/* `count` cells of L1 from the `first` on. */
static void read_l1(const station *s, uint32_t start, uint32_t first, uint32_t count, float *iq, float *noise)
{
    static float complex carriers[DVBT2_MAX_CARRIERS], cells[DVBT2_MAX_P2][DVBT2_MAX_CARRIERS];
    for (uint32_t l = 0; l < s->p.n_p2; l++) {
        read_symbol(s, start, l, carriers);
        read_cells(s, l, carriers, cells[l]);
    }
    for (uint32_t i = 0; i < count; i++) {
        float complex cell = cells[dvbt2_l1_symbol(&s->p, first + i)][dvbt2_l1_cell(&s->p, first + i)];
        iq[2 * i] = crealf(cell);
        iq[2 * i + 1] = cimagf(cell);
        noise[i] = 0.02F;
    }
}

/* L1-pre with the guard intervals that P1 allows: the right one has a right CRC. */
static void find_guard(station *s, uint32_t start, const dvbt2_p1_info *info)
{
    static float iq[2 * DVBT2_L1_PRE_CELLS], noise[DVBT2_L1_PRE_CELLS];
    for (int guard = 0; guard < DVBT2_GUARD_INTERVALS; guard++) {
        const dvbt2_mode mode = {
            .fft = info->fft, .guard = guard, .miso = info->miso, .profile = info->profile};
        if (!(info->guards >> guard & 1))
            continue;
        use_mode(s, &mode);
        read_l1(s, start, 0, DVBT2_L1_PRE_CELLS, iq, noise);
        if (dvbt2_l1_pre_decode(s->decoder, iq, noise, &s->pre)) {
            assert_int_equal(s->pre.guard_interval, guard);
            return;
        }
        dvbt2_l1_decoder_reset(s->decoder);
    }
    fail_msg("no guard interval gives an L1-pre");
}

static void read_l1_post(station *s, uint32_t start)
{
    static float iq[2 * DVBT2_MAX_CARRIERS], noise[DVBT2_MAX_CARRIERS];
    read_l1(s, start, DVBT2_L1_PRE_CELLS, s->pre.l1_post_size, iq, noise);
    assert_int_equal(dvbt2_l1_post_decode(s->decoder, &s->pre, s->p.n_p2, iq, noise, &s->post, NULL),
                     LDPC_OK);
    assert_int_equal(dvbt2_frame_map_init(&s->p, s->pre.l1_post_size, &s->map, NULL), LDPC_OK);
}

/* ---- frames */

/* All cells by address; the thinning cells of the frame-closing symbol are empty. */
static void read_frame(station *s, uint32_t start)
{
    static float complex carriers[DVBT2_MAX_CARRIERS], cells[DVBT2_MAX_CARRIERS];
    free(s->cells);
    s->cells = calloc(s->map.n_cells, sizeof(*s->cells));
    assert_non_null(s->cells);
    for (uint32_t l = 0; l < s->p.n_symbols; l++) {
        dvbt2_symbol_span span = dvbt2_frame_map_symbol(&s->map, l);
        read_symbol(s, start, l, carriers);
        check_pilots(s, l, carriers);
        read_cells(s, l, carriers, cells);
        memcpy(s->cells + span.first, cells + span.cell, span.count * sizeof(*cells));
        for (uint32_t i = span.cell + span.count; i < dvbt2_symbol_cells(&s->p, l); i++)
            assert_true(cabsf(cells[i]) < 0.6F);
    }
}

/* Which addresses belong to PLPs. */
static uint8_t *owned(const station *s)
{
    uint8_t *owner = calloc(s->map.n_cells, 1);
    assert_non_null(owner);
    for (uint32_t i = 0; i < s->post.config.num_plp; i++) {
        dvbt2_plp_map plp;
        dvbt2_plp_slices slices;
        assert_int_equal(dvbt2_plp_map_init(&s->post.config, i, &plp, NULL), LDPC_OK);
        assert_int_equal(dvbt2_plp_slices_of(&s->map, &plp, &s->post.dynamic, &slices, NULL), LDPC_OK);
        for (uint32_t c = 0; c < dvbt2_plp_cells(&slices); c++) {
            uint32_t at =
                slices.start + c / slices.slice_length * slices.slice_interval + c % slices.slice_length;
            assert_int_equal(owner[at]++, 0);
        }
    }
    return owner;
}

/* All other cells are dummy cells: BPSK with the sequence that scrambles baseband frames (clause 8.3.9). */
static void check_dummy_cells(const station *s)
{
    uint32_t state = 0x4A80, dummies = 0, wrong = 0;
    uint8_t *owner = owned(s);
    for (uint32_t i = 0; i < s->map.n_cells; i++) {
        if (owner[i])
            continue;
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        dummies++;
        wrong += cabsf(s->cells[i] - (bit ? -1 : 1)) > 0.6F;
    }
    free(owner);
    assert_true(dummies > 1000);
    assert_int_equal(wrong, 0);
}

/* All frames of one profile; the first one is at `start`. Returns the length of the first. */
static uint32_t check_frames(const test_signal *signal, uint32_t start, bool lite)
{
    static station s;
    dvbt2_mode mode;
    dvbt2_p1_info info = read_p1(signal->samples + start);
    memset(&s, 0, sizeof(s));
    s.signal = signal;
    assert_true(info.t2 && !info.miso);
    assert_int_equal(info.profile, lite ? DVBT2_PROFILE_LITE : DVBT2_PROFILE_BASE);
    assert_int_equal(dvbt2_l1_decoder_create(&s.decoder, NULL), LDPC_OK);
    find_guard(&s, start, &info);
    assert_int_equal(s.pre.num_t2_frames, signal->frames);
    assert_int_equal(dvbt2_mode_from_l1(&s.pre, &mode, NULL), LDPC_OK);
    use_mode(&s, &mode);
    for (uint32_t frame = 0; frame < signal->frames; frame++) {
        info = read_p1(signal->samples + start);
        assert_true(info.s1 == s.pre.s1 && info.s2 == s.pre.s2);
        read_l1_post(&s, start);
        assert_int_equal(s.post.dynamic.frame_idx, frame);
        read_frame(&s, start);
        check_dummy_cells(&s);
        start += s.p.frame_length + dvbt2_fef_after(&s.post.config, s.post.dynamic.frame_idx);
    }
    uint32_t length = s.p.frame_length;
    dvbt2_pilots_destroy(s.pilots);
    dvbt2_frequency_deinterleaver_destroy(s.deint);
    dvbt2_l1_decoder_destroy(s.decoder);
    free(s.cells);
    return length;
}

static void test_signals_of_the_csp(void **state)
{
    (void)state;
    static const char *const names[] = {"type2", "ti2", "fef", "lite", "16kpp1", "issy"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        check_frames(&signal, 0, !strcmp(names[i], "lite"));
        test_signal_free(&signal);
    }
}

/* T2-Lite frames in the FEF parts of T2-base, and the other way round. */
static void test_base_and_lite(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("base_lite", &signal);
    uint32_t length = check_frames(&signal, 0, false);
    check_frames(&signal, length, true);
    test_signal_free(&signal);
}

static void test_p1_of_miso_and_fef(void **state)
{
    (void)state;
    test_signal signal;
    test_signal_read("miso", &signal);
    dvbt2_p1_info info = read_p1(signal.samples);
    assert_int_equal(info.s1, DVBT2_S1_T2_MISO);
    assert_int_equal(info.fft, DVBT2_FFT_8K);
    test_signal_free(&signal);
    test_signal_read("fef", &signal);
    info = read_p1(signal.samples + 2 * 131072);
    assert_int_equal(info.s1, DVBT2_S1_NON_T2);
    assert_int_equal(info.s2, 1);
    test_signal_free(&signal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_of_the_csp),
        cmocka_unit_test(test_base_and_lite),
        cmocka_unit_test(test_p1_of_miso_and_fef),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
