/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the interference on each carrier.
 *
 *     power    mean of |y|^2 - |h|^2 of the carrier over some tens of symbols
 *     pilots   mean of |y - h p|^2 of nearby pilots, for interferers wider than the pilot spacing
 *     leakage  an interferer between two carriers leaks into all others as 1 / d^2
 *     tones    residues of the tones that tones.h has subtracted */
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
    bool reserved; /* normal symbols contain reserved tones */
    float symbols;
    uint32_t waited; /* symbols since the last search */
    /* consecutive symbols whose pilot errors exceed noise and known interference, and their maximum number */
    uint32_t surprises, most_surprises;
    /* mean power of each carrier minus signal and noise */
    float *surplus;
    float *square; /* mean |h|^4 of each carrier */
    float signal;  /* mean |h|^2 of all carriers */
    /* mean power of all data cells divided by the nominal power */
    float gain;
    float *rest; /* mean |y - h p|^2 of each carrier's pilots */
    float *pilots;
    float usual; /* mean of `rest`; 0: unknown */
    float *tones;
    bool any_tones;
    float *power; /* interference power on each carrier */
} dvbt2_carrier_noise;

/* A received symbol and its channel. */
typedef struct dvbt2_received_symbol {
    const dvbt2_symbol_layout *layout;
    const float complex *y;
    const float complex *h[2]; /* h[1]: second transmitter group, or NULL */
    float sign;
    float noise; /* of a cell */
    float error; /* mean squared error of h */
} dvbt2_received_symbol;

/* Returns false if out of memory. */
bool dvbt2_carrier_noise_init(dvbt2_carrier_noise *c, const dvbt2_parameters *parameters);
void dvbt2_carrier_noise_free(dvbt2_carrier_noise *c);

/* Call this after a change of signal or frequency. */
void dvbt2_carrier_noise_forget(dvbt2_carrier_noise *c);

/* Scales all powers after the gain changed. gain: amplitude factor. */
void dvbt2_carrier_noise_scale(dvbt2_carrier_noise *c, float gain);

/* tone[i].bin = 0 is carrier 0. */
void dvbt2_carrier_noise_tones(dvbt2_carrier_noise *c, const dvbt2_tone *tone, uint32_t count);

/* Returns the noise of the symbol. If most pilots contradict the channel estimate, it exceeds symbol->noise,
 * and the interference is not measured. */
float dvbt2_carrier_noise_measure(dvbt2_carrier_noise *c, const dvbt2_received_symbol *symbol);

#endif
