/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the positions of PLPs. L1-post may have any contents. */
#ifndef DVBT2_TEST_L1_RUNS_H
#define DVBT2_TEST_L1_RUNS_H

#include "dvbt2/standard/frame_map.h"

bool l1_runs_fit(const dvbt2_parameters *p, const dvbt2_frame_map *map, const dvbt2_l1_post *post);

#endif
