/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds carriers of a known symbol rate by the correlation of their band edges: the spectrum of a linearly modulated
 * carrier repeats at a distance of the symbol rate.
 *
 *          ___________
 *         /:         :\         X(f + rate / 2) and X(f - rate / 2) are correlated within roll-off / 2 of the
 *     ___/ :         : \___     carrier f, and only there.
 *          f - rate/2  f + rate/2
 *
 * Noise, adjacent carriers and carriers of other symbol rates do not correlate. */
#ifndef DVBS2_CYCLIC_SPECTRUM_H
#define DVBS2_CYCLIC_SPECTRUM_H

#include "dvbs2/sync/centring.h"

/* Finds the carrier next to frequency 0. *found: whether one is significant; otherwise *centre is not changed. Returns false
 * if out of memory. */
bool dvbs2_find_cyclic(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre, bool *found);

#endif
