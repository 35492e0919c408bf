/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects and decodes P1 in samples at 1/T (EN 302 755, clause 9.8).
 *
 * P1 is C A B, where C and B repeat parts of A shifted up by one carrier (f_SH = 1 / 1024 T). Two
 * correlations of fixed lag detect it at any carrier offset and, normalised by the energy, at any level:
 *
 *     start                                                        542        482
 *     | C (542) | A (1024)                      | B (482) |    C with the start of A, the end of A with B
 *
 * Both contain the same unknown phase of f_SH, which depends only on the start. Their quotient gives the
 * carrier offset modulo 1 / 1024 T.
 *
 * In a mirrored spectrum (I and Q exchanged) C and B are shifted down. Both orientations are searched
 * simultaneously. */
#ifndef DVBT2_P1_H
#define DVBT2_P1_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

#include "dvbt2/standard/p1_table.h"

enum {
    DVBT2_P1_LENGTH = DVBT2_P1_C + DVBT2_P1_A + DVBT2_P1_B,
    DVBT2_P1_HISTORY = 4096, /* number of samples that are stored, a power of two */
};

/* A detected P1. */
typedef struct dvbt2_p1_result {
    uint64_t start; /* number of the first sample of P1 */
    bool mirrored;  /* true: the spectrum is mirrored, and P1 is in the conjugate samples */
    double carrier; /* carrier offset in Hz; if `mirrored` is set, that of the conjugate samples */
    /* repeated energy divided by the total energy, 0 .. 1; with a single path S / (S + N) */
    float correlation;
    float margin; /* best metric of S1 and S2 divided by the second best metric */
    dvbt2_p1_info info;
} dvbt2_p1_result;

/* Correlations for one orientation of the spectrum. The values of sample n are at index n %
 * DVBT2_P1_HISTORY. */
typedef struct dvbt2_p1_sums {
    float complex front[DVBT2_P1_HISTORY]; /* products of two samples; the index is that of the later
                                            * sample */
    float complex back[DVBT2_P1_HISTORY];
    double complex front_sum, back_sum; /* sums at the newest sample */
    float complex front_sums[DVBT2_P1_HISTORY];
} dvbt2_p1_sums;

/* State of the search. Sample n of the stream is at history[n % DVBT2_P1_HISTORY]. */
typedef struct dvbt2_p1_search {
    double rate;           /* 1/T */
    uint32_t max_carriers; /* maximum carrier offset in units of 1 / 1024 T */
    uint64_t next;         /* number of the next sample */
    uint64_t first;        /* the P1 must not start before this sample */
    float complex history[DVBT2_P1_HISTORY];
    double energy;         /* energy of the newest 2048 samples */
    dvbt2_p1_sums sums[2]; /* sums[0]: sums of the samples; sums[1]: sums of the conjugate samples */
    float best;            /* highest correlation of the current peak; 0 if there is no peak yet */
    bool best_mirrored;
    uint64_t best_start;
    float complex best_front, best_back;
    float complex wave[1024]; /* exp(-2 pi i n / 1024) */
    fftwf_plan plan;
    float complex *time, *frequency; /* input and output of `plan` */
} dvbt2_p1_search;

/* Returns the maximum carrier offset of the search in Hz. rate: 1/T. */
double dvbt2_most_offset(double rate);

bool dvbt2_p1_search_init(dvbt2_p1_search *p1, double rate);
void dvbt2_p1_search_free(dvbt2_p1_search *p1);

/* Restarts the search at sample number `next`. */
void dvbt2_p1_search_reset(dvbt2_p1_search *p1, uint64_t next);

/* Pushes samples until a P1 is detected or all samples are used. Sets *used to the number of samples used.
 * Returns true if a P1 was detected. A P1 is detected some hundred samples after its end. */
bool dvbt2_p1_search_push(dvbt2_p1_search *p1, const float complex *samples, uint32_t count, uint32_t *used,
                          dvbt2_p1_result *result);

/* Searches for a P1 whose start is known within +-`tolerance` samples. The expected start is
 * samples[tolerance]; the array has 2048 + 2 * tolerance samples. result->start is an index of `samples`.
 * Returns false if no P1 is found. */
bool dvbt2_p1_check(dvbt2_p1_search *p1, const float complex *samples, uint32_t tolerance,
                    dvbt2_p1_result *result);

#endif
