/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What samples hold in which no P1 is found: a sentence for the user.
 *
 * The power spectrum gives the width of the signal, and the autocorrelation of the whitened samples the length of OFDM
 * symbols, whose guard interval repeats their end. Both together give the sample rate or the channel bandwidth that would
 * fit. Symbols of 2K or 8K are DVB-T at the right rate, or where pilots are repeated after four of them; those of ISDB-T have
 * another product of length and width. */
#ifndef DVBT2_SURVEY_H
#define DVBT2_SURVEY_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fftw3.h>

#include "ldpc/dvbt2.h"

typedef struct dvbt2_survey {
    ldpc_sample_format format;
    dvbt2_bandwidth bandwidth;
    double rate, offset;   /* Hz, as given by the user */
    fftwf_plan plan;       /* in place */
    float complex *work;   /* one segment, zeros appended */
    float *power, *smooth; /* power spectrum, and its moving average */
    uint32_t filled;       /* samples in `work` */
    uint32_t segments;     /* in `power` */
    char message[256];     /* the sentence; "" until enough samples were taken */
} dvbt2_survey;

/* false: out of memory. */
bool dvbt2_survey_init(dvbt2_survey *survey, const dvbt2_receiver_params *params);
void dvbt2_survey_free(dvbt2_survey *survey);

/* A signal was found: forget everything. */
void dvbt2_survey_reset(dvbt2_survey *survey);

/* The next `count` samples of the format. After 2^21 samples message has a sentence, and a new one after each further 2^21. */
void dvbt2_survey_add(dvbt2_survey *survey, const void *samples, size_t count);

#endif
