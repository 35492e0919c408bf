/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From carriers and channel to cells and their noise. */
#ifndef DVBT2_EQUALISER_H
#define DVBT2_EQUALISER_H

#include <complex.h>
#include <stdint.h>

#include "dvbt2/standard/pilots.h"

/* Carriers of one symbol and the channel on them. */
typedef struct dvbt2_equaliser_input {
    const float complex *received;
    const float complex *h1, *h2; /* channels of transmitter groups 1 and 2 */
    const float *interference;    /* power on each carrier, to which `noise` is added */
    float noise;                  /* mean power, with the error of the channel estimate */
} dvbt2_equaliser_input;

/* MISO: the data cells of a symbol, cell q of the layout at place order[q], and the noise of each. */
void dvbt2_equalise_miso(const dvbt2_equaliser_input *symbol, const dvbt2_symbol_layout *layout,
                         const uint16_t *order, float complex *cells, float *noise);

#endif
