/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demodulates one mode: from the samples of a symbol to its cells. Owns all memory of the mode.
 *
 *     window ──> ofdm ──> pilots ──> phase, timing ─────────────────┐
 *     cells <── frequency deinterleaver <── equaliser <── channel <──┘
 *
 * Symbols are pushed one at a time. The cells of the P2 symbols are available after the last P2 symbol, those
 * of a normal symbol after the following pilots. */
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

/* Kinds of symbols with the same carrier order: even and odd P2 symbols, normal ones by l mod Dy,
 * frame-closing. */
enum { DVBT2_KINDS = 2 + DVBT2_MAX_DY + 1 };

typedef struct dvbt2_demodulator {
    const rx_kernels *kernels;
    dvbt2_parameters parameters;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *order;
    uint16_t *source[DVBT2_KINDS]; /* carrier of each cell, in the order of the frame map */
    dvbt2_pilot_grid grid;
    dvbt2_ofdm ofdm;
    dvbt2_channel channel;
    dvbt2_carrier_noise interference;
    dvbt2_tracking tracking;
    uint32_t ring;               /* number of symbols stored */
    float complex **carriers;    /* carriers of symbol l are at carriers[l % ring] */
    float complex *now, *before; /* pilots of this symbol and the previous one, phase removed */
    float disturbance[DVBT2_MAX_P2 + DVBT2_MAX_DY +
                      1];       /* ratio of the noise of symbol l to the usual noise, at index l % ring */
    float incoherence;          /* mean of 1 - coherence; 0: not measured yet */
    float outside;              /* mean of ofdm.outside; 0: not measured yet */
    float incoherence_at_start; /* incoherence at the start of the frame */
    uint32_t disturbed;         /* consecutive disturbed symbols */
    uint32_t reference;         /* P2 symbol that gives impulse response and phase of the frame: the first one
                                 * that no burst has hit */
    float complex *h[2];        /* channel estimate on all carriers */
    float complex *cells;       /* cells of one symbol, in the order of the frame map */
    float *noise;               /* noise of each cell */
    int32_t origin;             /* time 0 of delays, see dvbt2_demodulator_set_origin() */
    uint32_t received, handed;  /* symbols of this frame pushed; pulled */
} dvbt2_demodulator;

/* A mode with pilot_pattern 0 has P2 symbols only. Returns LDPC_OK, LDPC_ERR_PARAM or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_demodulator_create(const dvbt2_mode *mode, dvbt2_demodulator **demodulator,
                                     ldpc_error *err);
void dvbt2_demodulator_destroy(dvbt2_demodulator *d); /* NULL is allowed */

/* Carrier of each cell of symbol l. */
const uint16_t *dvbt2_demodulator_sources(const dvbt2_demodulator *d, uint32_t l);

/* Noise power of a carrier in symbol l, without interference. */
float dvbt2_demodulator_noise(const dvbt2_demodulator *d, uint32_t l);

/* Set time 0 of the following symbols, in samples after the middle of the guard interval's tolerance. */
void dvbt2_demodulator_set_origin(dvbt2_demodulator *d, int32_t origin);

/* Does the channel vary too fast for pilots of consecutive symbols to show carrier and clock errors? */
bool dvbt2_demodulator_moves(const dvbt2_demodulator *d);

/* After lost samples an FFT window may cover parts of two symbols. Its coherence is then lower than at the
 * start of the frame, but not low enough for a loss of the signal. */
bool dvbt2_demodulator_may_be_none(const dvbt2_demodulator *d, float coherence);

/* Restart the statistics when a lost signal is received again. */
void dvbt2_demodulator_forget(dvbt2_demodulator *d);

/* Restart after a retune: channel, noise and gain may have changed. */
void dvbt2_demodulator_retune(dvbt2_demodulator *d);

/* Start a frame. */
void dvbt2_demodulator_start(dvbt2_demodulator *d);

/* Has a burst made the pilots of the P2 symbol in this window useless? */
bool dvbt2_demodulator_hit(dvbt2_demodulator *d, const float complex *window);

/* Measure the impulse response of P2 symbol d->reference into d->channel.delays without consuming the symbol.
 *
 * shift: frequency offset of the carriers, bins. search: the delays are still unknown. Returns the power of
 * the highest tap over the mean tap. */
float dvbt2_demodulator_measure(dvbt2_demodulator *d, const float complex *window, int shift, bool search);

/* Push the next symbol. */
void dvbt2_demodulator_push(dvbt2_demodulator *d, const float complex *window);

/* Pull the next finished symbol: returns its number, or -1 if none is finished. d->cells and d->noise hold
 * its cells until the next call. */
int dvbt2_demodulator_pull(dvbt2_demodulator *d);

#endif
