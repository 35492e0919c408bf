/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the samples of one symbol to its cells, for one mode: everything that has to be allocated for it.
 *
 *     window ──> ofdm ──> pilots ──> phase, timing ─────────────────┐
 *     cells <── frequency deinterleaver <── equaliser <── channel <──┘
 *
 * Symbols go in one by one. Cells of the P2 symbols come out when the last of them is in, those of a normal
 * symbol when the pilots after it are. */
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

/* Symbols whose cells lie alike: even and odd P2 symbols, normal ones by l mod Dy, frame-closing. */
enum { DVBT2_KINDS = 2 + DVBT2_MAX_DY + 1 };

typedef struct dvbt2_demodulator {
    const rx_kernels *kernels;
    dvbt2_parameters parameters;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *order;
    uint16_t *source[DVBT2_KINDS]; /* carrier of each cell in the order of the frame map */
    dvbt2_pilot_grid grid;
    dvbt2_ofdm ofdm;
    dvbt2_channel channel;
    dvbt2_carrier_noise interference;
    dvbt2_tracking tracking;
    uint32_t ring;               /* symbols that are kept */
    float complex **carriers;    /* of symbol l: carriers[l % ring] */
    float complex *now, *before; /* pilots that are compared from symbol to symbol, phase taken out */
    float
        disturbance[DVBT2_MAX_P2 + DVBT2_MAX_DY + 1]; /* noise of symbol l over that of others, at l % ring */
    float incoherence;                                /* mean of 1 - coherence; 0: not known yet */
    float outside;                                    /* mean of ofdm.outside; 0: not known yet */
    float incoherence_at_start;                       /* the same when the frame began */
    uint32_t disturbed;                               /* symbols with disturbances, one after the other */
    float complex *h[2];                              /* channel on all carriers */
    float complex *cells;                             /* of one symbol, in the order of the frame map */
    float *noise;                                     /* of each */
    int32_t origin;                                   /* of delays, see dvbt2_demodulator_set_origin() */
    uint32_t received, handed;                        /* symbols of this frame that went in, and came out */
} dvbt2_demodulator;

/* LDPC_ERR_PARAM, LDPC_ERR_MEMORY. A mode with pilot_pattern 0 has P2 symbols only. */
ldpc_status dvbt2_demodulator_create(const dvbt2_mode *mode, dvbt2_demodulator **demodulator,
                                     ldpc_error *err);
void dvbt2_demodulator_destroy(dvbt2_demodulator *d); /* NULL is allowed */

/* The carrier of each cell of symbol l. */
const uint16_t *dvbt2_demodulator_sources(const dvbt2_demodulator *d, uint32_t l);

/* Mean power of the noise that all carriers of symbol l have. */
float dvbt2_demodulator_noise(const dvbt2_demodulator *d, uint32_t l);

/* Time 0 of the following symbols: so many samples from the middle of the guard interval's tolerance. */
void dvbt2_demodulator_set_origin(dvbt2_demodulator *d, int32_t origin);

/* Does the channel move so much that pilots tell little about carrier and clock from symbol to symbol? */
bool dvbt2_demodulator_moves(const dvbt2_demodulator *d);

/* After lost samples an FFT window may cover parts of two symbols. Its coherence is then below that at the start of the frame, but
 * not low enough to be taken for a lost signal. */
bool dvbt2_demodulator_may_be_none(const dvbt2_demodulator *d, float coherence);

/* A signal that was lost is received again. */
void dvbt2_demodulator_forget(dvbt2_demodulator *d);

/* The samples that follow are of another channel, perhaps with another noise and gain. */
void dvbt2_demodulator_retune(dvbt2_demodulator *d);

/* Begin a frame. */
void dvbt2_demodulator_start(dvbt2_demodulator *d);

/* Measure the impulse response of P2 symbol 0, without taking the symbol: d->channel.delays. Returns how much its
 * highest tap stands out. shift: the carriers lie so many bins higher than they should. search: nothing is known about
 * delays. */
float dvbt2_demodulator_measure(dvbt2_demodulator *d, const float complex *window, int shift, bool search);

/* Take the next symbol. */
void dvbt2_demodulator_push(dvbt2_demodulator *d, const float complex *window);

/* The next symbol that is ready: its number, or -1. d->cells and d->noise have its cells until the next call.
 */
int dvbt2_demodulator_pull(dvbt2_demodulator *d);

#endif
