/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a signal of any mode through a channel and the whole receiver, and counts the frames in which all
 * cells are right. */
#ifndef DVBT2_TEST_MODE_TRIAL_H
#define DVBT2_TEST_MODE_TRIAL_H

#include <complex.h>

#include "dvbt2/standard/parameters.h"
#include "dvbt2/support/trial_code.h"
#include "ldpc/dvbt2.h"

/* Impairments of the signal; a struct of zeros has no impairment. */
typedef struct mode_trial_way {
    double gap_at, gap;       /* start and length of lost samples, frames */
    double echo;              /* delay of a second path in guard intervals; negative: the second path
                                       * arrives first */
    float complex echo_gain;  /* gain of the second path; 0: no second path */
    double noise;             /* ratio of the noise power to the power of the main path */
    double carrier;           /* carrier offset, Hz */
    double bandwidth;         /* MHz; 0: 8 MHz */
    bool doubled;             /* the sampling rate is 2/T instead of 1/T */
    bool mirrored;            /* I and Q are exchanged */
    double rate_ppm;          /* error of the sampling rate given to the receiver, ppm */
    const dvbt2_mode *before; /* mode of three preceding frames, which are not counted; NULL: no
                                       * preceding frames */
    uint32_t frames;          /* number of frames to send; 0: enough for the loops to settle */
    const trial_code *code;   /* code of the cells; NULL: QPSK without a code */
    bool dense;               /* 256-QAM cells instead of QPSK */
    /* function that impairs the samples of all frames, back to back; NULL: no function */
    void (*spoil)(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count);
    const void *how;
    const float complex *interferer; /* interferer added to the samples; NULL: no interferer */
    uint32_t interferer_samples;     /* period of `interferer`, samples */
    double step_at;                  /* time of the steps that the next three fields give, frames */
    double carrier_step;             /* carrier step, Hz */
    double clock_step;               /* step of the receiver's clock, ppm; positive: faster */
    double gain_step_db;
    double carrier_drift, clock_drift; /* drift from the start, Hz/s and ppm/s */
} mode_trial_way;

typedef struct mode_trial_result {
    uint32_t sent, right;     /* number of frames sent; number of frames received without error */
    uint32_t codewords, lost; /* number of codewords sent; number of codewords not decoded (both 0 without a
                               * code) */
    bool beyond_pilots;       /* status.message has reported an echo beyond the pilots */
    uint32_t not_finite;      /* cells with a non-finite value or noise */
    /* Mutual information of a cell, in bits, for a decoder that relies on the reported noise, mean over all
     * cells after the first frame: log2(1 + 1 / v) + (|y|^2 / (1 + v) - |y - x|^2 / v) / ln 2, which is
     * log2(1 + C/N) in white noise. */
    double information;
    uint32_t cells; /* number of cells in the mean above */
    double error; /* mean squared error of the cells relative to their power, in the worst correct frame after
                   * the first frame */
    dvbt2_status status; /* final status, without the message */
} mode_trial_result;

/* Runs a trial with one PLP of QPSK cells or of codewords. Without a code, a cell is right if its error is
 * less than 0.3. With a code, a frame is right if all of its codewords are decoded. */
mode_trial_result mode_trial_run(const dvbt2_mode *mode, const mode_trial_way *way);

/* L1-pre of this mode; L1-post uses QPSK. */
dvbt2_l1_pre mode_trial_l1_pre(const dvbt2_mode *mode);

#endif
