/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests tables, frame maps and L1 with signals of the DVB-T2 Common Simulation Platform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/golden.h"
#include "dvbt2/support/station.h"
#include "ldpc/dvbt2_plp.h"

/* Marks the addresses of PLPs. */
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

/* ---- packets */

/* Decoder of one PLP. */
typedef struct plp_reader {
    const signal_plp *wanted;
    dvbt2_plp_map map;
    dvbt2_plp_decoder *decoder;
    float *iq, *noise; /* cells and noise of an interleaving frame */
    uint32_t cells;    /* cells received */
    uint32_t packets;
} plp_reader;

static void format_of(const station *s, const plp_reader *r, dvbt2_plp_format *format)
{
    static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};
    const dvbt2_l1_plp *l1 = &s->post.config.plp[r->map.index];
    memset(format, 0, sizeof(*format));
    snprintf(format->code, sizeof(format->code), "dvbt2:%d:%s", l1->plp_fec_type ? 64800 : 16200,
             dvbt2_rate_name(l1->plp_cod));
    snprintf(format->modulation, sizeof(format->modulation), "%s", modulations[l1->plp_mod]);
    format->rotated = l1->plp_rotation;
    format->ti_blocks = r->map.ti_blocks;
    format->fec_blocks = s->post.dynamic.plp[r->map.index].plp_num_blocks;
}

static void open_plp(const station *s, const signal_plp *wanted, plp_reader *r)
{
    int index = dvbt2_plp_find(&s->post.config, wanted->plp_id);
    assert_true(index >= 0);
    memset(r, 0, sizeof(*r));
    r->wanted = wanted;
    assert_int_equal(dvbt2_plp_map_init(&s->post.config, (uint32_t)index, &r->map, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &r->decoder, NULL), LDPC_OK);
    size_t cells = (size_t)s->map.n_cells * r->map.frames;
    r->iq = malloc(2 * cells * sizeof(float));
    r->noise = malloc(cells * sizeof(float));
    assert_true(r->iq && r->noise);
}

static void take_packets(plp_reader *r)
{
    uint8_t ts[LDPC_TS_PACKET];
    while (dvbt2_plp_decoder_pull(r->decoder, ts, 1)) {
        assert_true(r->packets < r->wanted->count);
        assert_int_equal(golden_crc(0, ts, sizeof(ts)), r->wanted->crc[r->packets]);
        r->packets++;
    }
}

/* Reads the PLP's cells of this frame. Decodes at the end of an interleaving frame. */
static void read_plp(const station *s, plp_reader *r)
{
    dvbt2_plp_slices slices;
    dvbt2_plp_format format;
    assert_int_equal(dvbt2_plp_slices_of(&s->map, &r->map, &s->post.dynamic, &slices, NULL), LDPC_OK);
    for (uint32_t l = 0; l < s->p.n_symbols; l++) {
        dvbt2_symbol_span span = dvbt2_frame_map_symbol(&s->map, l);
        for (dvbt2_run run = {0}; dvbt2_plp_next_run(&s->map, &slices, l, &run);) {
            const float complex *cells = s->cells + span.first + (run.cell - span.cell);
            memcpy(r->iq + 2 * (r->cells + run.place), cells, run.count * sizeof(*cells));
        }
    }
    r->cells += dvbt2_plp_cells(&slices);
    format_of(s, r, &format);
    if (r->cells < format.fec_blocks * r->map.cells_per_block)
        return;
    for (uint32_t i = 0; i < r->cells; i++)
        r->noise[i] = 0.02F;
    assert_int_equal(dvbt2_plp_decoder_push(r->decoder, &format, r->iq, r->noise), LDPC_OK);
    r->cells = 0;
    take_packets(r);
}

static void close_plp(plp_reader *r)
{
    assert_int_equal(dvbt2_plp_decoder_finish(r->decoder), LDPC_OK);
    take_packets(r);
    assert_in_range(r->packets, r->wanted->count - 1, r->wanted->count);
    assert_int_equal(dvbt2_plp_decoder_counters(r->decoder).failed_codewords, 0);
    dvbt2_plp_decoder_destroy(r->decoder);
    free(r->iq);
    free(r->noise);
}

static uint32_t check_frames(const test_signal *signal, uint32_t start, bool lite)
{
    static station s;
    plp_reader plps[SIGNAL_MAX_PLPS];
    uint32_t n = 0;
    station_open(&s, signal, start, lite);
    while (station_next_frame(&s)) {
        for (uint32_t i = 0; i < signal->n_plps && s.frames == 1; i++) {
            if (signal->plp[i].lite == lite)
                open_plp(&s, &signal->plp[i], &plps[n++]);
        }
        check_dummy_cells(&s);
        for (uint32_t i = 0; i < n; i++)
            read_plp(&s, &plps[i]);
    }
    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++)
        close_plp(&plps[i]);
    station_close(&s);
    return s.p.frame_length;
}

static void test_signals_of_the_csp(void **state)
{
    (void)state;
    static const char *const names[] = {"2plp", "type2", "ti2", "fef", "lite", "16kpp1", "issy"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        test_signal signal;
        test_signal_read(names[i], &signal);
        check_frames(&signal, 0, !strcmp(names[i], "lite"));
        test_signal_free(&signal);
    }
}

/* Tests T2-Lite frames in FEF parts of T2-base, and T2-base frames in FEF parts of T2-Lite. */
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
    dvbt2_p1_info info = station_read_p1(signal.samples);
    assert_int_equal(info.s1, DVBT2_S1_T2_MISO);
    assert_int_equal(info.fft, DVBT2_FFT_8K);
    test_signal_free(&signal);
    test_signal_read("fef", &signal);
    info = station_read_p1(signal.samples + 2 * 131072);
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
