/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The median of powers, without sorting. */
#ifndef RX_MEDIAN_H
#define RX_MEDIAN_H

#include <stdint.h>

/* Of `count` values that are not negative, without the `skipped` lowest ones, to 1e-4 of it. */
float rx_median(const float *power, uint32_t count, uint32_t skipped);

#endif
