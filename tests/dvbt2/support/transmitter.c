/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/transmitter.h"

#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/l1_writer.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/standard/p1_table.h"
#include "dvbt2/standard/reference_sequence.h"
#include "dvbt2/support/synthetic.h"

void transmitter_open(transmitter *t, const dvbt2_l1_pre *pre)
{
    dvbt2_mode mode;
    memset(t, 0, sizeof(*t));
    t->pre = *pre;
    assert_int_equal(dvbt2_mode_from_l1(pre, &mode, NULL), LDPC_OK);
    assert_int_equal(dvbt2_parameters_derive(&mode, &t->p, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&t->p, &t->pilots, NULL), LDPC_OK);
    assert_int_equal(dvbt2_frequency_deinterleaver_create(&t->p, &t->deint, NULL), LDPC_OK);
}

void transmitter_close(transmitter *t)
{
    dvbt2_pilots_destroy(t->pilots);
    dvbt2_frequency_deinterleaver_destroy(t->deint);
}

/* Computes an inverse FFT. 0 Hz is in the middle of `bins`. */
static void to_time(const float complex *bins, uint32_t length, float scale, float complex *samples)
{
    fftwf_complex *buffer = fftwf_alloc_complex(length);
    fftwf_plan plan = fftwf_plan_dft_1d((int)length, buffer, buffer, FFTW_BACKWARD, FFTW_ESTIMATE);
    memcpy(buffer, bins + length / 2, length / 2 * sizeof(*bins));
    memcpy(buffer + length / 2, bins, length / 2 * sizeof(*bins));
    fftwf_execute(plan);
    for (uint32_t i = 0; i < length; i++)
        samples[i] = buffer[i] * scale;
    fftwf_destroy_plan(plan);
    fftwf_free(buffer);
}

/* Makes P1: part A between copies of its beginning and end, which are shifted up by one carrier. */
static void send_p1(const transmitter *t, float complex *samples)
{
    static float complex bins[DVBT2_P1_A];
    int8_t sequence[DVBT2_P1_CARRIERS];
    float complex *a = samples + DVBT2_P1_C;
    memset(bins, 0, sizeof(bins));
    dvbt2_p1_modulation(t->pre.s1, t->pre.s2, sequence);
    for (uint32_t i = 0; i < DVBT2_P1_CARRIERS; i++)
        bins[DVBT2_P1_A / 2 + dvbt2_p1_carrier[i] - DVBT2_P1_MIDDLE] = sequence[i];
    to_time(bins, DVBT2_P1_A, 1 / sqrtf(DVBT2_P1_CARRIERS), a);
    for (uint32_t i = 0; i < DVBT2_P1_A; i++) {
        double angle = 2 * RX_PI * i / DVBT2_P1_A;
        float complex shifted = rx_mul(a[i], rx_cplx((float)cos(angle), (float)sin(angle)));
        samples[i < DVBT2_P1_C ? i : DVBT2_P1_A + i] = shifted;
    }
}

/* ---- cells */

/* Writes L1 into the P2 symbols. Returns the number of L1-post cells. */
static uint32_t place_l1(transmitter *t, const dvbt2_l1_post *post,
                         float complex (*cells)[DVBT2_MAX_CARRIERS])
{
    static uint8_t bits[L1_WRITER_MAX_BITS];
    static float pre[DVBT2_L1_PRE_CELLS], iq[2 * DVBT2_MAX_L1_POST_CELLS];
    l1_set_sizes(&t->pre, l1_write_post(&t->pre, post, bits), t->p.n_p2);
    l1_pre_cells(&t->pre, pre);
    uint32_t count = l1_post_cells(&t->pre, t->p.n_p2, bits, iq);
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS + count; i++) {
        const float *cell = iq + (i < DVBT2_L1_PRE_CELLS ? 0 : 2 * (i - DVBT2_L1_PRE_CELLS));
        float complex *place = &cells[dvbt2_l1_symbol(&t->p, i)][dvbt2_l1_cell(&t->p, i)];
        *place = i < DVBT2_L1_PRE_CELLS ? rx_cplx(pre[i], 0) : rx_cplx(cell[0], cell[1]);
        if (i >= DVBT2_L1_PRE_CELLS && t->l1_post_noise > 0)
            *place += noise(t->l1_post_noise);
    }
    return count;
}

static void place_plps(const transmitter *t, const dvbt2_frame_map *map, const dvbt2_l1_post *post,
                       const float complex *const *plp_cells, float complex (*cells)[DVBT2_MAX_CARRIERS])
{
    for (uint32_t i = 0; i < post->config.num_plp; i++) {
        dvbt2_plp_map plp;
        dvbt2_plp_slices slices;
        assert_int_equal(dvbt2_plp_map_init(&post->config, i, &plp, NULL), LDPC_OK);
        assert_int_equal(dvbt2_plp_slices_of(map, &plp, &post->dynamic, &slices, NULL), LDPC_OK);
        uint32_t l = 0;
        dvbt2_symbol_span span = dvbt2_frame_map_symbol(map, l);
        for (uint32_t c = 0; c < dvbt2_plp_cells(&slices); c++) {
            uint32_t at =
                slices.start + c / slices.slice_length * slices.slice_interval + c % slices.slice_length;
            while (at >= span.first + span.count && l + 1 < t->p.n_symbols)
                span = dvbt2_frame_map_symbol(map, ++l);
            cells[l][span.cell + at - span.first] = plp_cells[i][c];
        }
    }
}

static void fill_dummy_cells(const transmitter *t, float complex (*cells)[DVBT2_MAX_CARRIERS])
{
    uint32_t state = 0x4A80;
    for (uint32_t l = 0; l < t->p.n_symbols; l++) {
        uint32_t count = dvbt2_symbol_cells(&t->p, l);
        bool closing = dvbt2_symbol_kind_of(&t->p, l) == DVBT2_SYMBOL_CLOSING;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t bit = (state ^ state >> 1) & 1;
            state = state >> 1 | bit << 14;
            cells[l][i] = closing && i >= t->p.c_fc ? 0 : bit ? -1 : 1;
        }
    }
}

/* ---- symbols */

/* Computes the carriers of symbol l. */
static void modulate(const transmitter *t, uint32_t l, int group, const float complex *cells,
                     float complex *carriers)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(t->pilots, l);
    const uint16_t *order = dvbt2_frequency_order(t->deint, l);
    memset(carriers, 0, t->p.carriers * sizeof(*carriers));
    for (uint32_t i = 0; i < layout->n_pilots; i++)
        carriers[layout->pilot[i]] = layout->amplitude[group][i] * (float)dvbt2_pn_sign(l);
    for (uint32_t q = 0; q < layout->n_data; q++) {
        float complex other = conjf(cells[order[q ^ 1]]);
        carriers[layout->data[q]] = group == 0 ? cells[order[q]] : q % 2 ? other : -other;
    }
}

static void send_symbol(const transmitter *t, uint32_t l, const float complex *cells, float complex *samples)
{
    static float complex bins[DVBT2_MAX_FFT], carriers[DVBT2_MAX_CARRIERS];
    const dvbt2_parameters *p = &t->p;
    memset(bins, 0, p->fft_length * sizeof(*bins));
    for (int group = 0; group <= p->mode.miso; group++) {
        modulate(t, l, group, cells, carriers);
        for (uint32_t k = 0; k < p->carriers; k++) {
            double angle = -2 * RX_PI * 3 * k / p->fft_length;
            float complex gain = rx_cplx(-0.7F * (float)sin(angle), 0.7F * (float)cos(angle));
            bins[p->first_bin + k] += group == 0 ? carriers[k] : rx_mul(carriers[k], gain);
        }
    }
    to_time(bins, p->fft_length, 5 / sqrtf(27.F * (float)p->carriers), samples + p->guard_length);
    memcpy(samples, samples + p->fft_length, p->guard_length * sizeof(*samples));
}

void transmitter_send(transmitter *t, const dvbt2_l1_post *post, const float complex *const *cells,
                      float complex *samples)
{
    float complex(*frame)[DVBT2_MAX_CARRIERS] = malloc(t->p.n_symbols * sizeof(*frame));
    dvbt2_frame_map map;
    assert_non_null(frame);
    fill_dummy_cells(t, frame);
    assert_int_equal(dvbt2_frame_map_init(&t->p, place_l1(t, t->told ? t->told : post, frame), &map, NULL),
                     LDPC_OK);
    place_plps(t, &map, post, cells, frame);
    send_p1(t, samples);
    for (uint32_t l = 0; l < t->p.n_symbols; l++)
        send_symbol(t, l, frame[l], samples + DVBT2_P1_SAMPLES + l * t->p.symbol_length);
    free(frame);
}
