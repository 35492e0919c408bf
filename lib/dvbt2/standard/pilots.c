/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the layouts of the symbols of a mode. */
#include "dvbt2/standard/pilots.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvbt2/standard/pilot_tables.h"
#include "dvbt2/standard/reference_sequence.h"

typedef struct layout {
    dvbt2_symbol_layout view;
    uint8_t *carrier;
    uint16_t *pilot, *data;
    float *amplitude[2];
} layout;

enum { LAYOUT_P2, LAYOUT_CLOSING, LAYOUT_NORMAL, MAX_LAYOUTS = LAYOUT_NORMAL + DVBT2_MAX_DY };

struct dvbt2_pilots {
    dvbt2_parameters parameters;
    layout layouts[MAX_LAYOUTS];
    uint16_t *continual;
    uint32_t n_continual;
};

/* ---- kinds of carriers */

/* Marks the partners of reserved tones as pilots, because MISO decodes cells in pairs. */
static void mark_tone_partners(const dvbt2_parameters *p, uint8_t *carrier)
{
    const dvbt2_carrier_list *tones = &dvbt2_p2_tones[p->mode.fft];
    for (uint32_t i = 0; i < tones->count; i++) {
        uint32_t k = tones->carrier[i] + p->k_ext;
        if (k % 3 == 1)
            carrier[k + 1] = DVBT2_CARRIER_P2;
        else if (k % 3 == 2)
            carrier[k - 1] = DVBT2_CARRIER_P2;
    }
}

static void mark_list(const dvbt2_carrier_list *list, uint32_t shift, dvbt2_carrier_kind kind,
                      uint8_t *carrier)
{
    for (uint32_t i = 0; i < list->count; i++)
        carrier[list->carrier[i] + shift] = (uint8_t)kind;
}

static void mark_p2(const dvbt2_parameters *p, uint8_t *carrier)
{
    uint32_t step = p->mode.fft == DVBT2_FFT_32K && !p->mode.miso ? 6 : 3, last = p->carriers - 1;
    for (uint32_t k = 0; k < p->carriers; k++) {
        if (k % step == 0 || k < p->k_ext || k > last - p->k_ext)
            carrier[k] = DVBT2_CARRIER_P2;
    }
    if (p->mode.miso) {
        uint32_t low = p->k_ext, high = last - p->k_ext;
        carrier[low + 1] = carrier[low + 2] = carrier[high - 1] = carrier[high - 2] = DVBT2_CARRIER_P2;
        mark_tone_partners(p, carrier);
    }
    mark_list(&dvbt2_p2_tones[p->mode.fft], p->k_ext, DVBT2_CARRIER_RESERVED, carrier);
}

static void mark_edges(const dvbt2_parameters *p, uint8_t *carrier)
{
    carrier[0] = carrier[p->carriers - 1] = DVBT2_CARRIER_EDGE;
}

static void mark_normal(const dvbt2_pilots *pilots, uint32_t phase, uint8_t *carrier)
{
    const dvbt2_parameters *p = &pilots->parameters;
    for (uint32_t i = 0; i < pilots->n_continual; i++)
        carrier[pilots->continual[i]] = DVBT2_CARRIER_CONTINUAL;
    /* pilots satisfy (k - k_ext) mod (Dx Dy) == Dx phase */
    for (uint32_t k = (p->dx * phase + p->k_ext) % (p->dx * p->dy); k < p->carriers; k += p->dx * p->dy)
        carrier[k] = DVBT2_CARRIER_SCATTERED;
    mark_edges(p, carrier);
    if (p->mode.tone_reservation) {
        /* Reserved tones shift with the scattered pilots. */
        uint32_t shift = p->dx * ((phase + p->k_ext / p->dx) % p->dy);
        mark_list(&dvbt2_normal_tones[p->mode.fft], shift, DVBT2_CARRIER_RESERVED, carrier);
    }
}

static void mark_closing(const dvbt2_parameters *p, uint8_t *carrier)
{
    for (uint32_t k = 0; k < p->carriers; k += p->dx)
        carrier[k] = DVBT2_CARRIER_CLOSING;
    /* makes the number of data cells even */
    uint32_t pattern = p->mode.pilot_pattern;
    if ((p->mode.fft == DVBT2_FFT_1K && (pattern == 4 || pattern == 5)) ||
        (p->mode.fft == DVBT2_FFT_2K && pattern == 7))
        carrier[p->carriers - 2] = DVBT2_CARRIER_CLOSING;
    mark_edges(p, carrier);
    if (p->mode.tone_reservation)
        mark_list(&dvbt2_p2_tones[p->mode.fft], p->k_ext, DVBT2_CARRIER_RESERVED, carrier);
}

/* ---- lists */

static float boost(const dvbt2_parameters *p, dvbt2_carrier_kind kind)
{
    return kind == DVBT2_CARRIER_P2 ? p->a_p2 : kind == DVBT2_CARRIER_CONTINUAL ? p->a_cp : p->a_sp;
}

/* Returns true if transmitter group 2 inverts the pilot. */
static bool inverted(const dvbt2_parameters *p, dvbt2_carrier_kind kind, uint32_t k, bool odd)
{
    if (kind == DVBT2_CARRIER_EDGE)
        return odd;
    uint32_t spacing = kind == DVBT2_CARRIER_P2 ? 3 : p->dx;
    return k % (2 * spacing) == spacing;
}

static bool is_pilot(uint8_t kind)
{
    return kind != DVBT2_CARRIER_DATA && kind != DVBT2_CARRIER_RESERVED;
}

static bool allocate_lists(layout *l, uint32_t carriers, bool miso)
{
    for (uint32_t k = 0; k < carriers; k++) {
        l->view.n_pilots += is_pilot(l->carrier[k]);
        l->view.n_data += l->carrier[k] == DVBT2_CARRIER_DATA;
    }
    l->pilot = ldpc_allocate(l->view.n_pilots, sizeof(*l->pilot));
    l->data = ldpc_allocate(l->view.n_data, sizeof(*l->data));
    l->amplitude[0] = ldpc_allocate(l->view.n_pilots, sizeof(float));
    l->amplitude[1] = miso ? ldpc_allocate(l->view.n_pilots, sizeof(float)) : NULL;
    return l->pilot && l->data && l->amplitude[0] && (!miso || l->amplitude[1]);
}

static void fill_lists(const dvbt2_parameters *p, const int8_t *signs, bool odd, layout *l)
{
    uint32_t pilots = 0, data = 0;
    for (uint32_t k = 0; k < p->carriers; k++) {
        dvbt2_carrier_kind kind = l->carrier[k];
        if (kind == DVBT2_CARRIER_DATA)
            l->data[data++] = (uint16_t)k;
        if (!is_pilot(l->carrier[k]))
            continue;
        l->pilot[pilots] = (uint16_t)k;
        l->amplitude[0][pilots] = (float)signs[k] * boost(p, kind);
        if (l->amplitude[1])
            l->amplitude[1][pilots] = l->amplitude[0][pilots] * (inverted(p, kind, k, odd) ? -1.F : 1.F);
        pilots++;
    }
}

static void show(layout *l, dvbt2_symbol_kind kind)
{
    l->view.kind = kind;
    l->view.carrier = l->carrier;
    l->view.pilot = l->pilot;
    l->view.data = l->data;
    l->view.amplitude[0] = l->amplitude[0];
    l->view.amplitude[1] = l->amplitude[1] ? l->amplitude[1] : l->amplitude[0];
}

static bool make_layout(dvbt2_pilots *pilots, const int8_t *signs, uint32_t i)
{
    const dvbt2_parameters *p = &pilots->parameters;
    layout *l = &pilots->layouts[i];
    dvbt2_symbol_kind kind = i == LAYOUT_P2        ? DVBT2_SYMBOL_P2
                             : i == LAYOUT_CLOSING ? DVBT2_SYMBOL_CLOSING
                                                   : DVBT2_SYMBOL_NORMAL;
    l->carrier = ldpc_allocate(p->carriers, 1);
    if (!l->carrier)
        return false;
    if (kind == DVBT2_SYMBOL_P2)
        mark_p2(p, l->carrier);
    else if (kind == DVBT2_SYMBOL_CLOSING)
        mark_closing(p, l->carrier);
    else
        mark_normal(pilots, i - LAYOUT_NORMAL, l->carrier);
    if (!allocate_lists(l, p->carriers, p->mode.miso))
        return false;
    bool odd = kind == DVBT2_SYMBOL_CLOSING ? (p->n_symbols - 1) % 2 : (i - LAYOUT_NORMAL) % 2;
    fill_lists(p, signs, odd, l);
    show(l, kind);
    return true;
}

/* ---- continual pilots */

static int compare_carriers(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static bool make_continual(dvbt2_pilots *pilots)
{
    static const uint8_t groups[DVBT2_FFT_SIZES] = {1, 2, 3, 4, 5, 6};
    static const uint16_t modulus[DVBT2_FFT_SIZES] = {1632, 1632, 3264, 6528, 13056, 27264};
    const dvbt2_mode *mode = &pilots->parameters.mode;
    const dvbt2_carrier_list *lists = dvbt2_continual_group[mode->pilot_pattern - 1];
    const dvbt2_carrier_list *more = &dvbt2_continual_extended[mode->fft][mode->pilot_pattern - 1];
    uint32_t count = 0, n = 0;
    for (uint32_t g = 0; g < groups[mode->fft]; g++)
        count += lists[g].count;
    uint16_t *carriers = pilots->continual = ldpc_allocate(count + more->count, sizeof(uint16_t));
    if (!carriers)
        return false;
    for (uint32_t g = 0; g < groups[mode->fft]; g++) {
        for (uint32_t i = 0; i < lists[g].count; i++)
            carriers[n++] = lists[g].carrier[i] % modulus[mode->fft];
    }
    for (uint32_t i = 0; mode->extended && i < more->count; i++)
        carriers[n++] = more->carrier[i];
    qsort(carriers, n, sizeof(*carriers), compare_carriers);
    for (uint32_t i = 0; i < n; i++) { /* groups may overlap */
        if (!i || carriers[i] != carriers[i - 1])
            carriers[pilots->n_continual++] = carriers[i];
    }
    return true;
}

/* ---- the handle */

static bool make_layouts(dvbt2_pilots *pilots)
{
    const dvbt2_parameters *p = &pilots->parameters;
    int8_t *signs = ldpc_allocate(p->carriers, 1);
    if (!signs)
        return false;
    dvbt2_prbs_signs(p, signs);
    bool done = make_layout(pilots, signs, LAYOUT_P2);
    if (p->mode.pilot_pattern) {
        done = done && make_continual(pilots);
        for (uint32_t i = 0; i < p->dy && done; i++)
            done = make_layout(pilots, signs, LAYOUT_NORMAL + i);
        if (p->closing)
            done = done && make_layout(pilots, signs, LAYOUT_CLOSING);
    }
    free(signs);
    return done;
}

ldpc_status dvbt2_pilots_create(const dvbt2_parameters *parameters, dvbt2_pilots **pilots, ldpc_error *err)
{
    if (pilots)
        *pilots = NULL;
    if (!parameters || !pilots)
        return ldpc_fail(err, LDPC_ERR_NULL, "parameters and pilots must not be NULL");
    dvbt2_pilots *made = ldpc_allocate(1, sizeof(*made));
    if (!made)
        return ldpc_fail_memory(err);
    made->parameters = *parameters;
    if (!make_layouts(made)) {
        dvbt2_pilots_destroy(made);
        return ldpc_fail_memory(err);
    }
    *pilots = made;
    return LDPC_OK;
}

void dvbt2_pilots_destroy(dvbt2_pilots *pilots)
{
    if (!pilots)
        return;
    for (uint32_t i = 0; i < MAX_LAYOUTS; i++) {
        layout *l = &pilots->layouts[i];
        free(l->carrier);
        free(l->pilot);
        free(l->data);
        free(l->amplitude[0]);
        free(l->amplitude[1]);
    }
    free(pilots->continual);
    free(pilots);
}

const dvbt2_symbol_layout *dvbt2_pilots_normal(const dvbt2_pilots *pilots, uint32_t phase)
{
    return phase < pilots->parameters.dy ? &pilots->layouts[LAYOUT_NORMAL + phase].view : NULL;
}

const dvbt2_symbol_layout *dvbt2_pilots_symbol(const dvbt2_pilots *pilots, uint32_t l)
{
    const dvbt2_parameters *p = &pilots->parameters;
    if (l >= p->n_p2 && l >= p->n_symbols)
        return NULL;
    switch (dvbt2_symbol_kind_of(p, l)) {
    case DVBT2_SYMBOL_P2:
        return &pilots->layouts[LAYOUT_P2].view;
    case DVBT2_SYMBOL_CLOSING:
        return &pilots->layouts[LAYOUT_CLOSING].view;
    default:
        return dvbt2_pilots_normal(pilots, l % p->dy);
    }
}

const uint16_t *dvbt2_pilots_continual(const dvbt2_pilots *pilots, uint32_t *count)
{
    *count = pilots->n_continual;
    return pilots->continual;
}
