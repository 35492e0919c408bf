/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trains the equaliser with the known symbols of a frame. */
#ifndef DVBS2_TRAINING_H
#define DVBS2_TRAINING_H

#include <stddef.h>

#include "dvbs2/phase/carrier.h"
#include "dvbs2/sync/equaliser.h"

/* Trains with headers and pilots, except the last reference, which is the next header. frame: first symbol of the
 * frame. */
void dvbs2_train_with_references(dvbs2_equaliser *equaliser, const float complex *frame,
                                 const dvbs2_reference *references, size_t count,
                                 const dvbs2_carrier *carrier);

/* Trains with cells of a decoded frame. received: the first cell. points: constellation points of `count` cells.
 * turns: factors that descramble them. */
void dvbs2_train_with_cells(dvbs2_equaliser *equaliser, const float complex *received,
                            const float complex *points, const float complex *turns, size_t count,
                            const dvbs2_carrier *carrier);

#endif
