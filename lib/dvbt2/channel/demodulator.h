/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demodulates the symbols of one mode to cells. Owns all memory of the mode.
 *
 *     window ──> ofdm ──> pilots ──> phase, timing ─────────────────┐
 *     cells <── frequency deinterleaver <── equaliser <── channel <──┘
 *
 * Cells of P2 symbols are available after the last P2 symbol. Cells of a normal symbol are available after
 * the next pilots of all grid points. */
#ifndef DVBT2_DEMODULATOR_H
#define DVBT2_DEMODULATOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/carrier_noise.h"
#include "dvbt2/channel/channel.h"
#include "dvbt2/standard/frequency_deinterleaver.h"
#include "receiver/kernels.h"
#include "dvbt2/channel/ofdm.h"
#include "dvbt2/channel/pilot_grid.h"
#include "dvbt2/channel/tracking.h"

/* Carrier orders: even P2, odd P2, normal (one for each l mod Dy), frame-closing. */
enum { DVBT2_KINDS = 2 + DVBT2_MAX_DY + 1 };

typedef struct dvbt2_demodulator {
    const rx_kernels *kernels;
    dvbt2_parameters parameters;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *order;
    uint16_t *source[DVBT2_KINDS]; /* carrier of each cell, in frame-map order */
    dvbt2_pilot_grid grid;
    dvbt2_ofdm ofdm;
    dvbt2_channel channel;
    dvbt2_carrier_noise interference;
    dvbt2_tracking tracking;
    uint32_t ring;            /* number of symbols in the ring buffer */
    float complex **carriers; /* ring buffer: carriers[l % ring] are the carriers of symbol l */
    /* pilots of this and the previous symbol, phase-corrected */
    float complex *now, *before;
    /* noise of each symbol relative to the average noise */
    float disturbance[DVBT2_MAX_P2 + DVBT2_MAX_DY + 1];
    float incoherence; /* running mean of 1 - coherence; 0: unknown */
    float outside;     /* running mean of the power outside the carriers; 0: unknown */
    float incoherence_at_start;
    uint32_t disturbed; /* number of consecutive disturbed symbols */
    /* first P2 symbol without a burst */
    uint32_t reference;
    float complex *h[2];  /* channel estimate on all carriers */
    float complex *cells; /* cells of a symbol in frame-map order */
    float *noise;         /* noise of each cell */
    int32_t origin;       /* time 0 of the delays */
    uint32_t received, handed;
} dvbt2_demodulator;

/* With pilot_pattern 0, the mode has P2 symbols only. Returns LDPC_OK, LDPC_ERR_PARAM or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_demodulator_create(const dvbt2_mode *mode, dvbt2_demodulator **demodulator,
                                     ldpc_error *err);
void dvbt2_demodulator_destroy(dvbt2_demodulator *d); /* NULL is allowed */

/* Returns the carrier of each cell of symbol l. */
const uint16_t *dvbt2_demodulator_sources(const dvbt2_demodulator *d, uint32_t l);

float dvbt2_demodulator_noise(const dvbt2_demodulator *d, uint32_t l);

/* Moves time 0 of the FFT window. It is then `origin` samples after the middle of the guard interval. */
void dvbt2_demodulator_set_origin(dvbt2_demodulator *d, int32_t origin);

bool dvbt2_demodulator_moves(const dvbt2_demodulator *d);

/* Returns true if the FFT window may be misplaced after a loss of samples. */
bool dvbt2_demodulator_may_be_none(const dvbt2_demodulator *d, float coherence);

void dvbt2_demodulator_forget(dvbt2_demodulator *d);

/* Restarts after a change of frequency. */
void dvbt2_demodulator_retune(dvbt2_demodulator *d);

/* Starts a frame. drift: rate at which the carrier correction changes, cycles per squared sample. */
void dvbt2_demodulator_start(dvbt2_demodulator *d, double drift);

bool dvbt2_demodulator_hit(dvbt2_demodulator *d, const float complex *window);

/* Measures d->channel.delays in P2 symbol d->reference, which is not consumed.
 *
 * shift: carrier offset, bins. search: true if the delays are unknown. Returns the ratio of highest to mean
 * tap power. */
float dvbt2_demodulator_measure(dvbt2_demodulator *d, const float complex *window, int shift, bool search);

/* Pushes the next symbol. */
void dvbt2_demodulator_push(dvbt2_demodulator *d, const float complex *window);

/* Pulls the next finished symbol. Returns its number, or -1. d->cells and d->noise are valid until the next
 * call. */
int dvbt2_demodulator_pull(dvbt2_demodulator *d);

#endif
