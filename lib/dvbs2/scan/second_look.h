/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identifies a carrier that is much narrower than the band. Its part of the band is kept at a lower sample rate, so that more signal fits into
 * memory. */
#ifndef DVBS2_SECOND_LOOK_H
#define DVBS2_SECOND_LOOK_H

#include "dvbs2/scan/identify.h"
#include "receiver/decimator.h"

enum { DVBS2_LOOK_SYMBOLS = 1 << 18 /* as many as of wider carriers */ };

typedef struct dvbs2_second_look {
    dvbs2_candidate *candidate;
    rx_decimator decimator;
    double rate;         /* sample rate after the decimator, Hz */
    float *iq;           /* [2 * room] */
    size_t count, room;  /* number of samples */
    size_t sample_bytes; /* of a sample before the decimator */
} dvbs2_second_look;

/* Returns whether more signal may identify a carrier of which `seconds` were examined. */
bool dvbs2_needs_second_look(const dvbs2_survey_carrier *carrier, double band_rate, double seconds);

/* Returns false if there is not enough memory. */
bool dvbs2_second_look_init(dvbs2_second_look *look, dvbs2_candidate *candidate, ldpc_sample_format format,
                            double band_rate);
void dvbs2_second_look_free(dvbs2_second_look *look);

/* Adds samples of the band. Returns whether more are needed. */
bool dvbs2_second_look_add(dvbs2_second_look *look, const void *samples, size_t count);

/* Replaces the results of the candidate, if the standard or the gold code is found. Returns false if there is not enough memory. */
bool dvbs2_second_look_run(dvbs2_second_look *look, const dvbs2_gold_list *gold);

#endif
