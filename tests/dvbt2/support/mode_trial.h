/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DVBT2_TEST_MODE_TRIAL_H
#define DVBT2_TEST_MODE_TRIAL_H

#include <complex.h>

#include "dvbt2/standard/parameters.h"
#include "dvbt2/support/trial_code.h"
#include "ldpc/dvbt2.h"

/* Impairments. The value 0 disables an impairment. */
typedef struct mode_trial_way {
    double gap_at, gap;       /* position and length of the lost samples, in frames */
    double echo;              /* delay of the second path in guard intervals; negative if the second path
                               * arrives first */
    float complex echo_gain;  /* 0: no second path */
    double noise;             /* noise power divided by the power of the main path */
    double carrier;           /* carrier offset, Hz */
    double bandwidth;         /* MHz; 0: 8 MHz */
    bool doubled;             /* sample rate 2/T instead of 1/T */
    bool mirrored;            /* I and Q are exchanged */
    double rate_ppm;          /* error of the receiver's sample rate, ppm */
    const dvbt2_mode *before; /* mode of three frames that precede the signal, or NULL */
    uint32_t frames;
    const trial_code *code; /* code of the cells, or NULL for random QPSK */
    bool dense;             /* true: 256-QAM instead of QPSK */
    /* function that modifies the samples of all frames, or NULL */
    void (*spoil)(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count);
    const void *how;
    const float complex *interferer; /* periodic interferer, or NULL */
    uint32_t interferer_samples;     /* period of `interferer` in samples */
    double step_at;                  /* time of steps, frames */
    double carrier_step;             /* carrier step, Hz */
    double clock_step;               /* step of the receiver's clock, ppm; positive: faster */
    double gain_step_db;
    double carrier_drift, clock_drift;
} mode_trial_way;

typedef struct mode_trial_result {
    /* number of frames sent, and number received without errors and, without a code, with the right noise */
    uint32_t sent, right;
    uint32_t codewords, lost;
    /* true: status.message has reported an echo with a delay beyond the range of the pilots */
    bool beyond_pilots;
    uint32_t not_finite; /* number of cells whose value or noise is not finite */
    /* mean mutual information, bits per cell, without the first frame (noise v, at least 1e-3, received y, sent x):
     * log2(1 + 1 / v) + (|y|^2 / (1 + v) - |y - x|^2 / v) / ln 2 */
    double information;
    uint32_t cells;
    double error;
    dvbt2_status status; /* status at the end, without its message */
} mode_trial_result;

mode_trial_result mode_trial_run(const dvbt2_mode *mode, const mode_trial_way *way);

/* L1-post uses QPSK. */
dvbt2_l1_pre mode_trial_l1_pre(const dvbt2_mode *mode);

#endif
