/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the phase of unknown symbols by soft decisions.
 *
 * The derivative of the log-likelihood of a cell y with respect to its phase is 2 / noise * Im(y conj(s)).
 * s is the posterior mean of the constellation point. Im(y conj(s)) is read from a table over y. */
#ifndef DVBS2_DECISIONS_H
#define DVBS2_DECISIONS_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct dvbs2_decisions {
    float *points; /* 2^bits points, I and Q alternating; index: label */
    uint32_t bits;
    float *table;       /* Im(y conj(s)), one row for each Im(y) */
    float noise;        /* mean power of the noise for which the table was computed; 0: no table */
    double information; /* Fisher information about the phase, per cell */
} dvbs2_decisions;

/* Returns false if out of memory. index: index for dvbs2_modcod(). */
bool dvbs2_decisions_prepare(dvbs2_decisions *d, uint32_t modcod, float noise);

/* Sets the points of later tables, after dvbs2_decisions_prepare(). Changes that are small relative to the noise are
 * ignored. */
void dvbs2_decisions_set_points(dvbs2_decisions *d, const float *points);
void dvbs2_decisions_free(dvbs2_decisions *d);

/* phase: phase at the first cell. The variance of the result is 1 / (count * d->information). */
double dvbs2_decisions_phase(const dvbs2_decisions *d, const float complex *cells, uint32_t count,
                             double phase, double frequency);

#endif
