/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes the interference between symbols that a nonlinear amplifier causes from the cells of a frame. */
#ifndef DVBS2_INTERFERENCE_H
#define DVBS2_INTERFERENCE_H

#include <complex.h>

#include "dvbs2/standard/pl_header.h"

/* All members are 0 before the first frame. */
typedef struct dvbs2_interference {
    float complex *sent;  /* decided symbols after the header, as they were sent, with neighbours */
    float complex *clear; /* cells without interference */
} dvbs2_interference;

/* points: the decided points of all cells. turns: factors that descramble the symbols after the header. Returns the cells
 * without interference, valid until the next call, or NULL if there is not enough memory. */
const float complex *dvbs2_interference_remove(dvbs2_interference *interference,
                                               const dvbs2_frame_format *format, const float complex *turns,
                                               const float complex *cells, const float complex *points);

void dvbs2_interference_free(dvbs2_interference *interference);

#endif
