/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a radio to floats. */
#ifndef RX_SAMPLES_H
#define RX_SAMPLES_H

#include <stddef.h>

#include "ldpc/sample_format.h"

/* Bytes of a complex sample; 0 for a format that does not exist. */
size_t rx_format_bytes(ldpc_sample_format format);

/* count samples to 2 * count floats, full scale to -1 .. 1. */
void rx_samples_to_float(ldpc_sample_format format, const void *samples, size_t count, float *out);

#endif
