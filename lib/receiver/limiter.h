/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits impulses in the samples of a radio: a few samples of one would hide preambles and cyclic prefixes, and the low-pass
 * would spread them over many. The demodulator blanks the limited impulse. */
#ifndef RX_LIMITER_H
#define RX_LIMITER_H

#include <stddef.h>

typedef struct rx_limiter {
    float level; /* mean power of the last samples; 0: not known */
} rx_limiter;

/* `count` samples in place, I and Q alternating. */
void rx_limiter_run(rx_limiter *limiter, float *iq, size_t count);

#endif
