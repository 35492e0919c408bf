/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a trellis that are compiled for each instruction set. */
#ifndef DVBS2_TRELLIS_KERNELS_H
#define DVBS2_TRELLIS_KERNELS_H

#include "dvbs2/phase/trellis.h"

enum {
    DVBS2_PHASES = 64,
    DVBS2_PARTS = 8,   /* angles are rounded to 1 / DVBS2_PARTS of the distance between phases */
    DVBS2_LEVELS = 176 /* number of sharpnesses in the table of shapes */
};

/* Maximum variance of the phase change between two blocks, in squared steps. */
static const double dvbs2_most_share = 0.5;
static const double dvbs2_phase_step = 6.283185307179586 / DVBS2_PHASES;
static const float dvbs2_least_level = 0.1f, dvbs2_level_ratio = 1.05f;

/* Allocates `count` floats for forward probabilities, and the table of shapes. Returns false if out of memory. */
bool dvbs2_trellis_reserve(dvbs2_trellis *trellis, size_t count);

typedef bool dvbs2_trellis_function(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr);

dvbs2_trellis_function dvbs2_trellis_run_baseline, dvbs2_trellis_run_avx2, dvbs2_trellis_run_avx512;

#endif
