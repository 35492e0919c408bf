/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the standard of a carrier, and with PL headers the MODCODs and the gold code. */
#ifndef DVBS2_IDENTIFY_H
#define DVBS2_IDENTIFY_H

#include "dvbs2/scan/spectrum.h"
#include "ldpc/dvbs2_survey.h"

enum { DVBS2_SURVEY_MODCODS = 256 };

typedef struct dvbs2_candidate {
    dvbs2_survey_carrier found; /* symbol_rate and about the frequency are given */
    dvbs2_survey_modcod modcods[DVBS2_SURVEY_MODCODS];
} dvbs2_candidate;

/* Gold codes that are tried first. */
typedef struct dvbs2_gold_list {
    const uint32_t *codes;
    size_t count;
} dvbs2_gold_list;

/* Returns false if there is not enough memory. */
bool dvbs2_identify(dvbs2_spectrum *spectrum, const dvbs2_gold_list *gold, dvbs2_candidate *candidate);

#endif
