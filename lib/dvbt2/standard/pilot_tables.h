/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carriers of continual pilots and reserved tones (EN 302 755, annexes G and H). */
#ifndef DVBT2_PILOT_TABLES_H
#define DVBT2_PILOT_TABLES_H

#include "ldpc/dvbt2_l1.h"

typedef struct dvbt2_carrier_list {
    const uint16_t *carrier;
    uint16_t count;
} dvbt2_carrier_list;

enum { DVBT2_PILOT_PATTERNS = 8, DVBT2_CONTINUAL_GROUPS = 6 };

/* Continual pilots, indexed by pilot pattern - 1 and group - 1. */
extern const dvbt2_carrier_list dvbt2_continual_group[DVBT2_PILOT_PATTERNS][DVBT2_CONTINUAL_GROUPS];
extern const dvbt2_carrier_list dvbt2_continual_extended[DVBT2_FFT_SIZES][DVBT2_PILOT_PATTERNS];

extern const dvbt2_carrier_list dvbt2_p2_tones[DVBT2_FFT_SIZES];
extern const dvbt2_carrier_list dvbt2_normal_tones[DVBT2_FFT_SIZES];

#endif
