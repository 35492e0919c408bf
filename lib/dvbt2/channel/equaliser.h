/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MISO equaliser: computes cells and their noise from the carriers and channels. */
#ifndef DVBT2_EQUALISER_H
#define DVBT2_EQUALISER_H

#include <complex.h>
#include <stdint.h>

#include "dvbt2/standard/pilots.h"

/* Carriers of a symbol and their channels. */
typedef struct dvbt2_equaliser_input {
    const float complex *received;
    const float complex *h1, *h2; /* channels from transmitter groups 1 and 2 */
    const float *interference;    /* in addition to `noise` */
    float noise;                  /* mean noise power, including the channel estimation error */
} dvbt2_equaliser_input;

/* order[q]: output index of cell q of the layout */
void dvbt2_equalise_miso(const dvbt2_equaliser_input *symbol, const dvbt2_symbol_layout *layout,
                         const uint16_t *order, float complex *cells, float *noise);

#endif
