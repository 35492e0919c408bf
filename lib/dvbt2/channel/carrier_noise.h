/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interference on each carrier beside the noise that all carriers have.
 *
 *     power:  mean of |y|^2 - |h|^2 of a carrier's cells over some tens of symbols
 *     pilots: mean of |y - h p|^2 of those nearby, for wide interferers: finer than power, but only where pilots are
 *     leak:   an interferer between two carriers is on both; it leaks into the others as 1 / d^2
 *     tones:  residues of those that were subtracted (tones.h)
 *
 * A carrier has interference only where chance does not explain its power: without interferers all is 0. */
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
    bool reserved;   /* the normal symbols have reserved tones */
    float symbols;   /* that the means remember */
    uint32_t waited; /* since interference was looked for */
    float *surplus;  /* mean power of a carrier beyond signal and noise */
    float *square;   /* mean of its |h|^4 */
    float signal;    /* mean |h|^2 of all carriers */
    float gain;      /* of data cells over their nominal power, as all carriers have it */
    float *rest;     /* mean power of what pilots are beside their expected value, of those of a carrier */
    float *pilots;   /* that it is the mean of; 0: the carrier has none */
    float usual;     /* rest of most pilots; 0: not known yet */
    float *tones;    /* what strong tones left in the last symbols */
    bool any_tones;
    float *power; /* interference of each carrier */
} dvbt2_carrier_noise;

/* One symbol as it was received. */
typedef struct dvbt2_received_symbol {
    const dvbt2_symbol_layout *layout;
    const float complex *y;
    const float complex *h[2]; /* h[1]: MISO, else NULL */
    float sign, noise;         /* of PN; of all carriers */
} dvbt2_received_symbol;

/* false: out of memory. */
bool dvbt2_carrier_noise_init(dvbt2_carrier_noise *c, const dvbt2_parameters *parameters);
void dvbt2_carrier_noise_free(dvbt2_carrier_noise *c);

/* Another signal, or other frequencies. */
void dvbt2_carrier_noise_forget(dvbt2_carrier_noise *c);

/* All carriers are stronger by `gain` from now on. */
void dvbt2_carrier_noise_scale(dvbt2_carrier_noise *c, float gain);

/* Tones that were subtracted from the next symbol; bin 0 of a tone is carrier 0. */
void dvbt2_carrier_noise_tones(dvbt2_carrier_noise *c, const dvbt2_tone *tone, uint32_t count);

/* The next symbol, with its channel. */
void dvbt2_carrier_noise_measure(dvbt2_carrier_noise *c, const dvbt2_received_symbol *symbol);

#endif
