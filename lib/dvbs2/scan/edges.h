/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where the spectrum of a band rises and falls. Two such edges may bound a carrier. */
#ifndef DVBS2_EDGES_H
#define DVBS2_EDGES_H

#include "dvbs2/scan/spectrum.h"

/* A part of the band that a carrier may occupy. At its edges, the spectrum has half the power of the carrier. */
typedef struct dvbs2_span {
    double centre, width; /* Hz; the width is about the symbol rate */
    double flatness;      /* lowest power inside the span relative to the mean; 0 .. 1 */
} dvbs2_span;

/* Returns whether two spans are equal up to the errors of their edges. */
bool dvbs2_same_span(const dvbs2_span *a, const dvbs2_span *b);

/* The spans of a spectrum, widest first. */
typedef struct dvbs2_spans {
    dvbs2_span *spans;
    size_t count, room;
    bool cut; /* whether there are more spans than room, or too many edges */
} dvbs2_spans;

/* Finds spans at least `narrowest` Hz wide, for which skips(context, span) is false. Returns false if there is not enough
 * memory. */
bool dvbs2_find_spans(const dvbs2_spectrum *spectrum, double narrowest, dvbs2_spans *list,
                      bool (*skips)(const void *context, const dvbs2_span *span), const void *context);

#endif
