/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The median of powers, without sorting. */
#ifndef DVBT2_MEDIAN_H
#define DVBT2_MEDIAN_H

#include <stdint.h>

/* Of `count` values that are not negative, to 1e-4 of it. */
float dvbt2_median(const float *power, uint32_t count);

#endif
