/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the interference on each carrier beyond the noise that all carriers share.
 *
 * Four sources are combined:
 *
 *     power    mean of |y|^2 - |h|^2 of the carrier over some tens of symbols
 *     pilots   mean of |y - h p|^2 of nearby pilots; more sensitive, but only for interferers wider than the pilot spacing
 *     leakage  an interferer between two carriers raises the power of both, and leaks into all others as 1 / d^2
 *     tones    residues of the tones that tones.h has subtracted
 *
 * A carrier is marked only if its excess power is statistically significant. Without an interferer all powers
 * are 0. */
#ifndef DVBT2_CARRIER_NOISE_H
#define DVBT2_CARRIER_NOISE_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/kernels.h"
#include "dvbt2/standard/pilots.h"
#include "dvbt2/channel/tones.h"

typedef struct dvbt2_carrier_noise {
    const rx_kernels *kernels;
    uint32_t carriers;
    bool reserved;   /* whether normal symbols contain reserved tones */
    float symbols;   /* effective length of the running means in symbols */
    uint32_t waited; /* number of symbols since the last search for interference */
    float *surplus;  /* for each carrier, the mean power minus the expected signal and noise power */
    float *square;   /* mean |h|^4 of each carrier */
    float signal;    /* mean |h|^2 of all carriers */
    float gain;      /* ratio of the mean power of all data cells to the nominal power */
    float *rest;     /* mean |y - h p|^2 of the pilots on each carrier */
    float *pilots;   /* number of pilots averaged in `rest`; 0 if the carrier has no pilots */
    float usual;     /* mean of `rest` over all carriers; 0 before the first measurement */
    float *tones;    /* for each carrier, the power that remains after tones have been subtracted */
    bool any_tones;
    float *power; /* interference power on each carrier */
} dvbt2_carrier_noise;

/* One received symbol and its channel estimate. */
typedef struct dvbt2_received_symbol {
    const dvbt2_symbol_layout *layout;
    const float complex *y;
    const float complex *h[2]; /* h[1]: channel of the second transmitter group with MISO, otherwise NULL */
    float sign, noise;         /* PN sign of the symbol, and noise power of a carrier */
} dvbt2_received_symbol;

/* Returns false if out of memory. */
bool dvbt2_carrier_noise_init(dvbt2_carrier_noise *c, const dvbt2_parameters *parameters);
void dvbt2_carrier_noise_free(dvbt2_carrier_noise *c);

/* Resets the estimate. Call this function after a change of the signal or of the frequency. */
void dvbt2_carrier_noise_forget(dvbt2_carrier_noise *c);

/* Scales all stored powers. Call this function after the receiver's amplitude gain has changed by the factor
 * `gain`. */
void dvbt2_carrier_noise_scale(dvbt2_carrier_noise *c, float gain);

/* Adds the residues of the tones that were subtracted from the next symbol. tone[i].bin = 0 is carrier 0. */
void dvbt2_carrier_noise_tones(dvbt2_carrier_noise *c, const dvbt2_tone *tone, uint32_t count);

/* Updates the estimate with the next symbol. */
void dvbt2_carrier_noise_measure(dvbt2_carrier_noise *c, const dvbt2_received_symbol *symbol);

#endif
