/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects and decodes P1 in samples at 1/T (EN 302 755, clause 9.8).
 *
 * C and B repeat parts of A, shifted up by one carrier (f_SH = 1 / 1024 T). Two normalised correlations of
 * fixed lag detect P1 at any carrier offset and level:
 *
 *     start                                                        542        482
 *     | C (542) | A (1024)                      | B (482) |    C with the start of A, the end of A with B
 *
 * The quotient of the correlations gives the carrier offset modulo 1 / 1024 T, because both correlations
 * contain the same phase of f_SH.
 *
 * In a mirrored spectrum (I and Q exchanged) C and B are shifted down. Both orientations are searched. */
#ifndef DVBT2_P1_H
#define DVBT2_P1_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

#include "dvbt2/standard/p1_table.h"

enum {
    DVBT2_P1_LENGTH = DVBT2_P1_C + DVBT2_P1_A + DVBT2_P1_B,
    DVBT2_P1_HISTORY = 4096, /* stored samples, a power of two */
};

/* A detected P1. */
typedef struct dvbt2_p1_result {
    uint64_t start; /* first sample of P1 */
    bool mirrored;  /* true: the spectrum is mirrored, so P1 is found in the conjugate samples */
    double carrier; /* carrier offset in Hz, of the conjugate samples if `mirrored` */
    float correlation;
    float margin; /* best metric of S1 and S2, relative to the second best */
    dvbt2_p1_info info;
} dvbt2_p1_result;

typedef struct dvbt2_p1_sums {
    float complex front[DVBT2_P1_HISTORY];
    float complex back[DVBT2_P1_HISTORY];
    double complex front_sum, back_sum;
    float complex front_sums[DVBT2_P1_HISTORY];
} dvbt2_p1_sums;

/* Sample n of the stream is history[n % DVBT2_P1_HISTORY]. */
typedef struct dvbt2_p1_search {
    double rate;           /* 1/T */
    uint32_t max_carriers; /* maximum carrier offset in units of 1 / 1024 T */
    uint64_t next;         /* number of the next sample */
    /* P1 does not start before this sample */
    uint64_t first;
    float complex history[DVBT2_P1_HISTORY];
    double energy;         /* energy of the newest 2048 samples */
    dvbt2_p1_sums sums[2]; /* [0] samples, [1] conjugate samples */
    /* highest correlation of the current peak, or 0 */
    float best;
    bool best_mirrored;
    uint64_t best_start;
    float complex best_front, best_back;
    float complex wave[1024]; /* exp(-2 pi i n / 1024) */
    fftwf_plan plan;
    float complex *time, *frequency; /* input and output of `plan` */
} dvbt2_p1_search;

/* Returns the maximum carrier offset in Hz. rate: 1/T. */
double dvbt2_most_offset(double rate);

bool dvbt2_p1_search_init(dvbt2_p1_search *p1, double rate);
void dvbt2_p1_search_free(dvbt2_p1_search *p1);

/* Restarts the search at sample number `next`. */
void dvbt2_p1_search_reset(dvbt2_p1_search *p1, uint64_t next);

/* Searches until a P1 is detected, then returns true. A P1 is detected some hundred samples after its end.
 * *used: number of samples read. */
bool dvbt2_p1_search_push(dvbt2_p1_search *p1, const float complex *samples, uint32_t count, uint32_t *used,
                          dvbt2_p1_result *result);

/* Searches for a P1 within +-`tolerance` samples of samples[tolerance]. The array has 2048 + 2 * tolerance
 * samples. result->start is an index of `samples`. Returns false if there is no P1. */
bool dvbt2_p1_check(dvbt2_p1_search *p1, const float complex *samples, uint32_t tolerance,
                    dvbt2_p1_result *result);

#endif
