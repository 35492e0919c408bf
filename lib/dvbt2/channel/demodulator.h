/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demodulates the symbols of one mode: converts the samples of a symbol to its cells. The demodulator owns
 * all memory of the mode.
 *
 *     window ──> ofdm ──> pilots ──> phase, timing ─────────────────┐
 *     cells <── frequency deinterleaver <── equaliser <── channel <──┘
 *
 * Symbols are pushed one at a time. The cells of the P2 symbols are available after the last P2 symbol. The
 * cells of a normal symbol are available after the following pilots. */
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

/* Number of kinds of symbols: even P2 symbols, odd P2 symbols, normal symbols by l mod Dy, and frame-closing
 * symbols. Each kind has its own order of carriers. */
enum { DVBT2_KINDS = 2 + DVBT2_MAX_DY + 1 };

typedef struct dvbt2_demodulator {
    const rx_kernels *kernels;
    dvbt2_parameters parameters;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *order;
    uint16_t *source[DVBT2_KINDS]; /* for each cell, its carrier; cells are in the order of the frame map */
    dvbt2_pilot_grid grid;
    dvbt2_ofdm ofdm;
    dvbt2_channel channel;
    dvbt2_carrier_noise interference;
    dvbt2_tracking tracking;
    uint32_t ring;            /* number of symbols stored */
    float complex **carriers; /* the carriers of symbol l are carriers[l % ring] */
    /* pilots of this symbol, and of the previous symbol, without the common phase */
    float complex *now, *before;
    float disturbance[DVBT2_MAX_P2 + DVBT2_MAX_DY +
                      1];       /* at index l % ring: the noise of symbol l divided by the usual noise */
    float incoherence;          /* running mean of 1 - coherence; 0 before the first measurement */
    float outside;              /* running mean of ofdm.outside; 0 before the first measurement */
    float incoherence_at_start; /* value of `incoherence` at the start of the frame */
    uint32_t disturbed;         /* number of consecutive disturbed symbols */
    /* P2 symbol that gives the impulse response and the phase of the frame: the first P2 symbol without a
     * noise burst */
    uint32_t reference;
    float complex *h[2];       /* channel estimate on all carriers */
    float complex *cells;      /* cells of one symbol, in the order of the frame map */
    float *noise;              /* for each cell in `cells`, its noise */
    int32_t origin;            /* time 0 of the delays, see dvbt2_demodulator_set_origin() */
    uint32_t received, handed; /* number of symbols of this frame that were pushed so far, and that were
                                * pulled so far */
} dvbt2_demodulator;

/* Creates the demodulator of a mode. A mode with pilot_pattern 0 has P2 symbols only. Returns LDPC_OK,
 * LDPC_ERR_PARAM or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_demodulator_create(const dvbt2_mode *mode, dvbt2_demodulator **demodulator,
                                     ldpc_error *err);
void dvbt2_demodulator_destroy(dvbt2_demodulator *d); /* NULL is allowed */

/* Returns the carrier of each cell of symbol l. */
const uint16_t *dvbt2_demodulator_sources(const dvbt2_demodulator *d, uint32_t l);

/* Returns the noise power of a carrier in symbol l, without interference. */
float dvbt2_demodulator_noise(const dvbt2_demodulator *d, uint32_t l);

/* Sets time 0 of the following symbols to `origin` samples after the middle of the guard interval's
 * tolerance. */
void dvbt2_demodulator_set_origin(dvbt2_demodulator *d, int32_t origin);

/* Returns true if the channel varies too fast to measure carrier and clock errors with the pilots of
 * consecutive symbols. */
bool dvbt2_demodulator_moves(const dvbt2_demodulator *d);

/* Returns true if the FFT window may cover parts of two symbols because samples were lost. In this case the
 * coherence is lower than at the start of the frame, but not low enough to indicate a loss of the signal. */
bool dvbt2_demodulator_may_be_none(const dvbt2_demodulator *d, float coherence);

/* Restarts the statistics when a lost signal is received again. */
void dvbt2_demodulator_forget(dvbt2_demodulator *d);

/* Restarts after a change of the channel frequency. Channel, noise and gain may be different now. */
void dvbt2_demodulator_retune(dvbt2_demodulator *d);

/* Starts a frame. */
void dvbt2_demodulator_start(dvbt2_demodulator *d);

/* Returns true if a noise burst has made the pilots of the P2 symbol in this window useless. */
bool dvbt2_demodulator_hit(dvbt2_demodulator *d, const float complex *window);

/* Measures the impulse response in P2 symbol d->reference and writes it to d->channel.delays. The symbol is
 * not consumed.
 *
 * shift: frequency offset of the carriers, bins. search: true while the delays are unknown. Returns the ratio
 * of the highest tap's power to the mean tap power. */
float dvbt2_demodulator_measure(dvbt2_demodulator *d, const float complex *window, int shift, bool search);

/* Pushes the next symbol. */
void dvbt2_demodulator_push(dvbt2_demodulator *d, const float complex *window);

/* Pulls the next finished symbol. Returns its number, or -1 if no symbol is finished. d->cells and d->noise
 * hold the cells of the symbol until the next call. */
int dvbt2_demodulator_pull(dvbt2_demodulator *d);

#endif
