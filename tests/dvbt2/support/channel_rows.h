/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels that test_t2_channels tests. */
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
    uint8_t plp_mod, plp_cod; /* as in L1-post */
    uint32_t ti_blocks, frames;
} channel_mode;

typedef struct channel_step {
    channel change;
    double x[CHANNEL_NUMBERS];
} channel_step;

typedef struct channel_row {
    const char *name, *text;
    const channel_mode *mode;
    double cn; /* C/N, dB */
    /* maximum number of lost T2 frames; ANY_LOSS: any number, but no wrong packet */
    double most;
    channel_step air[CHANNEL_STEPS];   /* applied before the noise */
    channel_step tuner[CHANNEL_STEPS]; /* applied after the noise */
    const char *asked;
    bool quick;
    const channel_mode *then; /* second signal, or NULL */
    double pause;        /* seconds between the signals; if negative, the first signal is cut off inside a
                          * frame */
    double then_carrier; /* carrier offset of the second signal, Hz */
} channel_row;

extern const channel_row channel_rows[];
extern const size_t channel_row_count;

#endif
