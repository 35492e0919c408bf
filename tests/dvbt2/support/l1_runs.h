/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks properties that the PLP positions in a frame must have for any contents of L1-post. */
#ifndef DVBT2_TEST_L1_RUNS_H
#define DVBT2_TEST_L1_RUNS_H

#include "dvbt2/standard/frame_map.h"

/* Checks all PLPs of L1-post in all symbols of the frame: every run of cells lies within its symbol, and the
 * runs cover all cells of the PLP in order. */
bool l1_runs_fit(const dvbt2_parameters *p, const dvbt2_frame_map *map, const dvbt2_l1_post *post);

#endif
