/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends a signal of any mode through a channel to the whole receiver, and counts the frames in which all
 * cells are correct. */
#ifndef DVBT2_TEST_MODE_TRIAL_H
#define DVBT2_TEST_MODE_TRIAL_H

#include <complex.h>

#include "dvbt2/standard/parameters.h"
#include "dvbt2/support/trial_code.h"
#include "ldpc/dvbt2.h"

/* Impairments of the signal. A struct of zeros means no impairment. */
typedef struct mode_trial_way {
    double gap_at, gap;       /* position and length of the lost samples, in frames */
    double echo;              /* delay of a second path in guard intervals; it is negative if the second path
                               * arrives first */
    float complex echo_gain;  /* gain of the second path; 0 means no second path */
    double noise;             /* ratio of the noise power to the power of the main path */
    double carrier;           /* carrier offset, Hz */
    double bandwidth;         /* MHz; 0: 8 MHz */
    bool doubled;             /* if set, the sample rate is 2/T instead of 1/T */
    bool mirrored;            /* I and Q are exchanged */
    double rate_ppm;          /* error in ppm of the sample rate that the receiver is given */
    const dvbt2_mode *before; /* mode of three frames that are sent first and not counted, or NULL */
    uint32_t frames;          /* number of frames to send; 0 selects as many as the loops need to settle */
    const trial_code *code;   /* code whose codewords the cells carry; NULL means random QPSK cells */
    bool dense;               /* if set, the cells are 256-QAM instead of QPSK */
    /* function that modifies the samples of all frames, or NULL */
    void (*spoil)(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count);
    const void *how;
    const float complex *interferer; /* periodic interferer that is added to the samples, or NULL */
    uint32_t interferer_samples;     /* period of `interferer` in samples */
    double step_at;                  /* time in frames at which the steps of the next three fields occur */
    double carrier_step;             /* carrier step, Hz */
    double clock_step;               /* step of the receiver's clock in ppm; a positive step makes it
                                      * faster */
    double gain_step_db;
    double carrier_drift, clock_drift; /* carrier drift in Hz/s and clock drift in ppm/s, from the first
                                        * sample on */
} mode_trial_way;

typedef struct mode_trial_result {
    uint32_t sent, right;     /* number of frames sent, and number of frames received without error */
    uint32_t codewords, lost; /* number of codewords sent, and number not decoded; both are 0 without a
                               * code */
    bool beyond_pilots;       /* whether status.message has reported an echo beyond the pilots */
    uint32_t not_finite;      /* number of cells whose value or noise is not finite */
    /* Mutual information of a cell, in bits, for a decoder that relies on the reported noise, mean over all
     * cells after the first frame: log2(1 + 1 / v) + (|y|^2 / (1 + v) - |y - x|^2 / v) / ln 2, which is
     * log2(1 + C/N) in white noise. */
    double information;
    uint32_t cells; /* number of cells over which the mean is taken */
    double error;   /* mean squared error of the cells, relative to their power, in the correct frame with the
                   * largest error; the first frame does not count */
    dvbt2_status status; /* status at the end of the trial, without the message */
} mode_trial_result;

/* Runs a trial with one PLP, which carries QPSK cells or codewords. Without a code, a cell is correct if its
 * error is less than 0.3. With a code, a frame is correct if all of its codewords are decoded. */
mode_trial_result mode_trial_run(const dvbt2_mode *mode, const mode_trial_way *way);

/* Returns the L1-pre signalling of this mode. L1-post uses QPSK. */
dvbt2_l1_pre mode_trial_l1_pre(const dvbt2_mode *mode);

#endif
