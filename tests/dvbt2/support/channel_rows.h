/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels that test_t2_channels runs, with what a receiver may lose. */
#ifndef DVBT2_TEST_CHANNEL_ROWS_H
#define DVBT2_TEST_CHANNEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "dvbt2/support/channels.h"

enum { CHANNEL_STEPS = 3, ANY_LOSS = -1 };

typedef struct channel_mode {
    const char *name;
    dvbt2_mode mode;
    const char *modulation;
    uint8_t plp_mod, plp_cod; /* as L1-post has them */
    uint32_t ti_blocks, frames;
} channel_mode;

typedef struct channel_step {
    channel change;
    double x[CHANNEL_NUMBERS];
} channel_step;

typedef struct channel_row {
    const char *name, *text;
    const channel_mode *mode;
    double cn;   /* dB */
    double most; /* T2 frames that may be lost; ANY_LOSS: any, but no packet may be wrong */
    channel_step air[CHANNEL_STEPS];   /* before the noise */
    channel_step tuner[CHANNEL_STEPS]; /* after it */
    const char *asked;                 /* of receivers, and by whom; NULL: not known */
    bool quick;                        /* run without arguments, too */
    const channel_mode *then;          /* another signal after it; NULL: none */
    double pause;        /* s between them; below 0: the first one ends in the middle of a frame */
    double then_carrier; /* Hz, offset of the second one */
} channel_row;

extern const channel_row channel_rows[];
extern const size_t channel_row_count;

#endif
