/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses samples in which no P1 is found and composes a message for the user.
 *
 * The power spectrum gives the bandwidth of the signal. The autocorrelation of the whitened samples gives the
 * length of OFDM symbols, whose guard interval repeats their end. Both together give the sample rate or the
 * channel bandwidth that would fit. 2K or 8K symbols are DVB-T if the sample rate is right, or if pilots
 * repeat after four symbols. ISDB-T has another product of symbol length and bandwidth. */
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
    double bandwidth;      /* channel bandwidth given by the user, in MHz */
    double rate, offset;   /* sample rate and frequency offset given by the user, in Hz */
    fftwf_plan plan;       /* in-place transform */
    float complex *work;   /* one segment, zero-padded */
    float *power, *smooth; /* power spectrum, and moving average of the power spectrum */
    uint32_t filled;       /* number of samples in `work` */
    uint32_t segments;     /* number of segments summed in `power` */
    char message[256];     /* message; "" until enough samples have been analysed */
} dvbt2_survey;

/* Returns false if out of memory. */
bool dvbt2_survey_init(dvbt2_survey *survey, const dvbt2_receiver_params *params);
void dvbt2_survey_free(dvbt2_survey *survey);

/* Discards all results after a signal has been found. */
void dvbt2_survey_reset(dvbt2_survey *survey);

/* Analyses `count` more samples in the sample format of the parameters. Updates the message after every 2^21
 * samples. */
void dvbt2_survey_add(dvbt2_survey *survey, const void *samples, size_t count);

#endif
