/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A signal of any mode through a channel and the whole receiver: which frames come out with all cells as they were sent? */
#ifndef DVBT2_TEST_MODE_TRIAL_H
#define DVBT2_TEST_MODE_TRIAL_H

#include <complex.h>

#include "dvbt2/standard/parameters.h"
#include "dvbt2/support/trial_code.h"
#include "ldpc/dvbt2.h"

/* What happens to the signal. All zero: nothing. */
typedef struct mode_trial_way {
    double gap_at, gap;               /* lost samples, in frames */
    double echo;                      /* guard intervals by which a second path is later; below 0: earlier */
    float complex echo_gain;          /* of that path; 0: there is none */
    double noise;                     /* power over that of the other path's samples */
    double carrier;                   /* Hz */
    const dvbt2_bandwidth *bandwidth; /* NULL: 8 MHz */
    bool doubled;                     /* the sampling rate is 2/T, not 1/T */
    bool mirrored;                    /* I and Q are exchanged */
    double rate_ppm;                  /* error of the sampling rate that the receiver is given */
    const dvbt2_mode *before; /* of three frames before, which are not counted; NULL: there are none */
    uint32_t frames;          /* sent; 0: enough for the loops to settle */
    const trial_code *code;   /* of the cells; NULL: QPSK without a code */
    bool dense;               /* cells are points of 256-QAM, not of QPSK */
    /* what else happens to the samples of all frames, back to back; NULL: nothing */
    void (*spoil)(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count);
    const void *how;
    const float complex *interferer; /* added to the samples; NULL: nothing */
    uint32_t interferer_samples;     /* after which it comes again */
    double step_at;      /* from here on, in frames, carrier, clock and gain differ by the next three */
    double carrier_step; /* Hz */
    double clock_step;   /* ppm by which the receiver's clock is faster */
    double gain_step_db;
    double carrier_drift, clock_drift; /* Hz and ppm per second, from the start on */
} mode_trial_way;

typedef struct mode_trial_result {
    uint32_t sent, right;     /* frames */
    uint32_t codewords, lost; /* that were sent, and those of them that were not decoded; without a code 0 */
    bool beyond_pilots;       /* status.message has reported an echo beyond the pilots */
    uint32_t not_finite;      /* cells that are not finite, or whose noise is not */
    /* Bits in a cell for a decoder that believes the noise that comes with it, mean of all cells after the first frame:
     * log2(1 + 1 / v) + (|y|^2 / (1 + v) - |y - x|^2 / v) / ln 2, which is log2(1 + C/N) in white noise. */
    double information;
    uint32_t cells; /* that it is the mean of */
    double
        error; /* mean power of the error of the cells over that of a cell, of the worst right frame after the first one */
    dvbt2_status status; /* at the end, without the message */
} mode_trial_result;

/* One PLP of QPSK, or of codewords; a cell is right when it is less than 0.3 away, and with a code a frame when all of its
 * codewords are decoded. */
mode_trial_result mode_trial_run(const dvbt2_mode *mode, const mode_trial_way *way);

/* L1-pre of this mode, with L1-post in QPSK. */
dvbt2_l1_pre mode_trial_l1_pre(const dvbt2_mode *mode);

#endif
