/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a signal to the whole receiver and compares the packets. */
#ifndef DVBS2_TEST_TRIAL_H
#define DVBS2_TEST_TRIAL_H

#include <stdbool.h>

#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2.h"

/* PLS codes, with pilots unless stated otherwise. */
enum {
    QPSK_1_4 = 4 * 1 + 1,
    QPSK_3_4 = 4 * 7 + 1,
    APSK16_3_4 = 4 * 19, /* without pilots */
    PSK8_2_3 = 4 * 13 + 1,
    PSK8_3_5_SHORT = 4 * 12 + 2, /* without pilots */
    PSK8_3_4_SHORT = 4 * 14 + 3,
    PSK8_2_3_SHORT = 4 * 13 + 3,
};

typedef struct trial {
    double ratio, roll_off, esn0_db, offset, ppm; /* ratio: samples per symbol; offset: cycles per symbol */
    uint8_t code;
    size_t frames;
    uint8_t odd;
    double cu8;   /* amplitude of 8-bit samples; 0 means floats */
    double walk;  /* variance of the random change of the carrier phase per symbol, rad^2 */
    double drift; /* cycles per symbol^2 */
    double step_db;
    size_t bad;
    double adjacent_db, adjacent_at; /* adjacent carriers: level; distance in symbol rates, 0 means 1.25 */
    double echo_db;                  /* an echo after one symbol; 0: no echo */
    double back_off_db;              /* input back-off of an amplifier; 0: no amplifier */
    double offset_range;             /* cycles per symbol; 0: `offset` is not a parameter of the receiver */
    size_t lead;                     /* number of samples of noise before the signal */
    size_t gap, gap_at;              /* number and position of missing samples */
    bool unmarked;                   /* whether the receiver is not informed about the gap */
    size_t hold;      /* number of pieces of samples to push before each pull; 0 is treated as 1 */
    uint32_t threads; /* 0 means 1 */
    uint8_t streams;  /* number of input streams; 0: single input stream */
    /* what is received */
    size_t packets, right, wrong, next;
    double first_carrier_hz; /* carrier_hz at the first frame */
    dvbs2_status status;
} trial;

/* Sends `frames` frames and receives them. */
void run(trial *t);

/* Also checks that no frame except the first one is lost, and that the status is right. */
void all_received(trial *t);

#endif
