/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding and reading P1 in samples at 1/T (EN 302 755, clause 9.8).
 *
 * P1 is C A B, where C and B repeat parts of A one carrier (f_SH = 1 / 1024 T) higher. Two correlations of
 * fixed lag find it at any carrier offset and, divided by the energy of what they correlate, at any level:
 *
 *     start                                                        542        482
 *     | C (542) | A (1024)                      | B (482) |    C with the start of A, the end of A with B
 *
 * Both contain the same unknown phase of f_SH, which depends on the start only; their quotient has the
 * carrier offset modulo 1 / 1024 T.
 *
 * In a mirrored spectrum (I and Q exchanged) C and B are one carrier lower. Both orientations are searched at once. */
#ifndef DVBT2_P1_H
#define DVBT2_P1_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

#include "dvbt2/standard/p1_table.h"

enum {
    DVBT2_P1_LENGTH = DVBT2_P1_C + DVBT2_P1_A + DVBT2_P1_B,
    DVBT2_P1_HISTORY = 4096, /* samples that the search remembers, a power of two */
};

/* What was found. */
typedef struct dvbt2_p1_result {
    uint64_t start;    /* number of the P1's first sample */
    bool mirrored;     /* the spectrum is mirrored: the conjugate samples hold the P1 */
    double carrier;    /* carrier offset in Hz; where mirrored, of the conjugate samples */
    float correlation; /* 0 .. 1: how much of the energy repeats; S / (S + N) of one path */
    float margin;      /* how much better S1 and S2 fit than the second best choice */
    dvbt2_p1_info info;
} dvbt2_p1_result;

/* Correlations of one orientation of the spectrum. Term and sum of sample n are at [n % DVBT2_P1_HISTORY]. */
typedef struct dvbt2_p1_sums {
    float complex front[DVBT2_P1_HISTORY]; /* terms of the sums by the number of their later sample */
    float complex back[DVBT2_P1_HISTORY];
    double complex front_sum, back_sum; /* newest values */
    float complex front_sums[DVBT2_P1_HISTORY];
} dvbt2_p1_sums;

/* The search. Sample n of the stream is at history[n % DVBT2_P1_HISTORY]. */
typedef struct dvbt2_p1_search {
    double rate;           /* 1/T */
    uint32_t max_carriers; /* carrier offsets that are looked for, in units of 1 / 1024 T */
    uint64_t next;         /* number of the next sample */
    uint64_t first;        /* no P1 starts before this sample */
    float complex history[DVBT2_P1_HISTORY];
    double energy;         /* of the newest 2048 samples */
    dvbt2_p1_sums sums[2]; /* of the samples, and of their conjugates */
    float best;            /* highest correlation of the peak that is being followed; 0: none */
    bool best_mirrored;
    uint64_t best_start;
    float complex best_front, best_back;
    float complex wave[1024]; /* exp(-2 pi i n / 1024) */
    fftwf_plan plan;
    float complex *time, *frequency; /* of `plan` */
} dvbt2_p1_search;

bool dvbt2_p1_search_init(dvbt2_p1_search *p1, double rate);
void dvbt2_p1_search_free(dvbt2_p1_search *p1);

/* Start anew with sample number `next`. */
void dvbt2_p1_search_reset(dvbt2_p1_search *p1, uint64_t next);

/* Takes samples until a P1 is found (true, *used tells how many were taken) or all of them. A P1 is reported
 * some hundred samples after its end. */
bool dvbt2_p1_search_push(dvbt2_p1_search *p1, const float complex *samples, uint32_t count, uint32_t *used,
                          dvbt2_p1_result *result);

/* Reads a P1 whose start is known to about `tolerance` samples: samples[0] is `tolerance`
 * samples before the place where it should start, and there are 2048 + 2 * tolerance of them. result->start
 * is then an offset into samples. False: no P1 there. */
bool dvbt2_p1_check(dvbt2_p1_search *p1, const float complex *samples, uint32_t tolerance,
                    dvbt2_p1_result *result);

#endif
