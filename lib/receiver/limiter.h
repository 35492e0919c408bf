/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits impulses before the low-pass filter spreads them over preambles and cyclic prefixes. The demodulator
 * blanks the remaining impulses. */
#ifndef RX_LIMITER_H
#define RX_LIMITER_H

#include <stddef.h>

#include "receiver/kernels.h"

typedef struct rx_limiter {
    float level; /* mean power; 0: unknown */
} rx_limiter;

/* Limits `count` samples in place; I and Q alternate. */
void rx_limiter_run(rx_limiter *limiter, const rx_kernels *kernels, float *iq, size_t count);

#endif
