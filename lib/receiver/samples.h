/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a radio to floats. */
#ifndef DVBT2_SAMPLES_H
#define DVBT2_SAMPLES_H

#include <stddef.h>

#include "ldpc/dvbt2.h"

/* Bytes of a complex sample; 0 for a format that does not exist. */
size_t dvbt2_format_bytes(dvbt2_format format);

/* count samples to 2 * count floats, full scale to -1 .. 1. */
void dvbt2_samples_to_float(dvbt2_format format, const void *samples, size_t count, float *out);

#endif
