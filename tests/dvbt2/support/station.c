/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/station.h"

#include <fftw3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/standard/p1_table.h"
#include "dvbt2/standard/reference_sequence.h"

/* Computes an FFT with 0 Hz in the middle. */
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

dvbt2_p1_info station_read_p1(const float complex *samples)
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

/* Reads `count` L1 cells, starting with cell `first`. */
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

/* Tries all guard intervals that P1 allows until the CRC of L1-pre is correct. */
static void find_guard(station *s, const dvbt2_p1_info *info)
{
    static float iq[2 * DVBT2_L1_PRE_CELLS], noise[DVBT2_L1_PRE_CELLS];
    for (int guard = 0; guard < DVBT2_GUARD_INTERVALS; guard++) {
        const dvbt2_mode mode = {
            .fft = info->fft, .guard = guard, .miso = info->miso, .profile = info->profile};
        if (!(info->guards >> guard & 1))
            continue;
        use_mode(s, &mode);
        read_l1(s, s->start, 0, DVBT2_L1_PRE_CELLS, iq, noise);
        if (dvbt2_l1_pre_decode(s->decoder, iq, noise, &s->pre)) {
            assert_int_equal(s->pre.guard_interval, guard);
            return;
        }
        dvbt2_l1_decoder_reset(s->decoder);
    }
    fail_msg("no guard interval yields a valid L1-pre");
}

static void read_l1_post(station *s)
{
    static float iq[2 * DVBT2_MAX_CARRIERS], noise[DVBT2_MAX_CARRIERS];
    read_l1(s, s->start, DVBT2_L1_PRE_CELLS, s->pre.l1_post_size, iq, noise);
    assert_int_equal(dvbt2_l1_post_decode(s->decoder, &s->pre, s->p.n_p2, iq, noise, &s->post, NULL),
                     LDPC_OK);
    assert_int_equal(dvbt2_frame_map_init(&s->p, s->pre.l1_post_size, &s->map, NULL), LDPC_OK);
}

/* ---- frames */

static void read_frame(station *s)
{
    static float complex carriers[DVBT2_MAX_CARRIERS], cells[DVBT2_MAX_CARRIERS];
    free(s->cells);
    s->cells = calloc(s->map.n_cells, sizeof(*s->cells));
    assert_non_null(s->cells);
    for (uint32_t l = 0; l < s->p.n_symbols; l++) {
        dvbt2_symbol_span span = dvbt2_frame_map_symbol(&s->map, l);
        read_symbol(s, s->start, l, carriers);
        check_pilots(s, l, carriers);
        read_cells(s, l, carriers, cells);
        memcpy(s->cells + span.first, cells + span.cell, span.count * sizeof(*cells));
        for (uint32_t i = span.cell + span.count; i < dvbt2_symbol_cells(&s->p, l); i++)
            assert_true(cabsf(cells[i]) < 0.6F);
    }
}

void station_open(station *s, const test_signal *signal, uint32_t start, bool lite)
{
    dvbt2_mode mode;
    dvbt2_p1_info info = station_read_p1(signal->samples + start);
    memset(s, 0, sizeof(*s));
    s->signal = signal;
    s->start = start;
    assert_true(info.t2 && !info.miso);
    assert_int_equal(info.profile, lite ? DVBT2_PROFILE_LITE : DVBT2_PROFILE_BASE);
    assert_int_equal(dvbt2_l1_decoder_create(&s->decoder, NULL), LDPC_OK);
    find_guard(s, &info);
    assert_int_equal(s->pre.num_t2_frames, signal->frames);
    assert_int_equal(dvbt2_mode_from_l1(&s->pre, &mode, NULL), LDPC_OK);
    use_mode(s, &mode);
}

bool station_next_frame(station *s)
{
    if (s->frames == s->signal->frames)
        return false;
    dvbt2_p1_info info = station_read_p1(s->signal->samples + s->start);
    assert_true(info.s1 == s->pre.s1 && info.s2 == s->pre.s2);
    read_l1_post(s);
    assert_int_equal(s->post.dynamic.frame_idx, s->frames);
    read_frame(s);
    s->start += s->p.frame_length + dvbt2_fef_after(&s->post.config, s->post.dynamic.frame_idx);
    s->frames++;
    return true;
}

void station_close(station *s)
{
    dvbt2_pilots_destroy(s->pilots);
    dvbt2_frequency_deinterleaver_destroy(s->deint);
    dvbt2_l1_decoder_destroy(s->decoder);
    free(s->cells);
}
