/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Median of powers without sorting. */
#ifndef RX_MEDIAN_H
#define RX_MEDIAN_H

#include <stdint.h>

/* Returns the median of `count` values >= 0 without the `skipped` lowest ones, with a relative error of at
 * most 1e-4. */
float rx_median(const float *power, uint32_t count, uint32_t skipped);

#endif
