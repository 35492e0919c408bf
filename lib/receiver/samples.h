/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts sample formats to floats. */
#ifndef RX_SAMPLES_H
#define RX_SAMPLES_H

#include <stddef.h>

#include "ldpc/sample_format.h"

/* Returns the number of bytes of a complex sample, or 0 for an unknown format. */
size_t rx_format_bytes(ldpc_sample_format format);

/* Converts `count` complex samples to 2 * count floats; full scale -1 .. 1. */
void rx_samples_to_float(ldpc_sample_format format, const void *samples, size_t count, float *out);

#endif
