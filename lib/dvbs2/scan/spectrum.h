/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of a band: their mean power spectrum, and any part of the band at a lower sample rate.
 *
 * A part of the band is the inverse FFT of the bins around its centre, so its sample rate may have any ratio to that of
 * the band. */
#ifndef DVBS2_SPECTRUM_H
#define DVBS2_SPECTRUM_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "ldpc/sample_format.h"

typedef struct dvbs2_spectrum {
    double rate;            /* sample rate in Hz */
    float complex *samples; /* without DC, mean power 1 */
    size_t count;
    double level;  /* mean power of the samples; full scale is 1 */
    float *power;  /* spectrum; bin i is at (i - bins / 2) * rate / bins */
    float *before; /* the same, before carriers were removed */
    size_t bins;
    double floor;       /* lowest power over a part of the band */
    double spread;      /* standard deviation of a bin of the spectrum, relative to its mean */
    float complex *fft; /* FFT of the first `length` samples */
    size_t length, room;
} dvbs2_spectrum;

/* Copies the samples and computes the spectrum, which resolves carriers of symbol rate least_rate if there are enough
 * samples. The structure must be zero before. Returns false if there is not enough memory. */
bool dvbs2_spectrum_init(dvbs2_spectrum *spectrum, double rate, double least_rate, ldpc_sample_format format,
                         const void *samples, size_t count);
void dvbs2_spectrum_free(dvbs2_spectrum *spectrum);

/* Returns the mean power of the spectrum from `from` to `to`, Hz, and 0 outside the band. Noise of power 1 has power 1. */
double dvbs2_spectrum_power(const dvbs2_spectrum *spectrum, double from, double to);

/* Returns the share of this power that is left after the removal of carriers. */
double dvbs2_spectrum_left(const dvbs2_spectrum *spectrum, double from, double to);

/* Removes a carrier from the spectrum, so that the edges of weaker ones beside it are visible. signal: its power in the
 * spectrum. */
void dvbs2_spectrum_remove(dvbs2_spectrum *spectrum, double frequency, double symbol_rate, double roll_off,
                           double signal);

/* Part of a band. */
typedef struct dvbs2_part {
    float complex *samples;
    size_t count;
    double rate, centre; /* Hz */
} dvbs2_part;

/* Takes out the part of the band around `centre` at a sample rate of 0.8 to 1 times `rate`, both in Hz, from `seconds` of
 * signal or all of it. half_width: half the width of the part in Hz; edge: width of its edges in Hz, where the amplitude falls
 * as a cosine. Free part->samples with fftwf_free(). Returns false if there is not enough memory. */
bool dvbs2_spectrum_part(dvbs2_spectrum *spectrum, double centre, double rate, double half_width, double edge,
                         double seconds, dvbs2_part *part);

#endif
