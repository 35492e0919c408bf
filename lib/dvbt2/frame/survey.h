/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses samples without P1 and writes a message for the user.
 *
 * The power spectrum gives the bandwidth, the autocorrelation gives the symbol length. Bandwidth and symbol
 * length show the correct sample rate or channel bandwidth. In DVB-T, pilots repeat after four symbols.
 * ISDB-T has another product of symbol length and bandwidth. */
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
    double bandwidth;      /* channel bandwidth that the user has set, MHz */
    double rate, offset;   /* sample rate and frequency offset that the user has set, Hz */
    fftwf_plan plan;       /* in-place transform */
    float complex *work;   /* one segment, zero-padded */
    float *power, *smooth; /* power spectrum and its moving average */
    uint32_t filled;       /* number of samples in `work` */
    uint32_t segments;     /* segments in `power` */
    char message[256];     /* message; empty until enough samples have been analysed */
} dvbt2_survey;

bool dvbt2_survey_init(dvbt2_survey *survey, const dvbt2_receiver_params *params);
void dvbt2_survey_free(dvbt2_survey *survey);

/* Discards all results. */
void dvbt2_survey_reset(dvbt2_survey *survey);

/* Analyses `count` samples in the format of the parameters. Updates the message after every 2^21 samples. */
void dvbt2_survey_add(dvbt2_survey *survey, const void *samples, size_t count);

#endif
