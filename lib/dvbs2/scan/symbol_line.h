/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the symbol rate of a carrier. The power of a linearly modulated carrier varies with the symbol rate, because the
 * upper edge of its spectrum repeats the lower edge (sync/cyclic_spectrum.h). */
#ifndef DVBS2_SYMBOL_LINE_H
#define DVBS2_SYMBOL_LINE_H

#include "dvbs2/scan/edges.h"

typedef struct dvbs2_line {
    double symbol_rate; /* baud */
    double
        strength; /* power of the line relative to the mean around it; noise reaches 25 in one of 10^6 spans */
} dvbs2_line;

/* Finds the strongest line near the width of a span. Returns false if there is not enough memory. */
bool dvbs2_find_line(dvbs2_spectrum *spectrum, const dvbs2_span *span, dvbs2_line *line);

static const double dvbs2_least_strength = 25;

#endif
