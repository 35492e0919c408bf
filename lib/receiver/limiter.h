/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits impulses in the received samples. Without this, the low-pass filter would spread them, and a few
 * strong samples would hide preambles and cyclic prefixes. The demodulator blanks the remainder of an
 * impulse. */
#ifndef RX_LIMITER_H
#define RX_LIMITER_H

#include <stddef.h>

typedef struct rx_limiter {
    float level; /* mean power of the latest samples; 0 if it has not been measured */
} rx_limiter;

/* Limits `count` samples in place; I and Q alternate. */
void rx_limiter_run(rx_limiter *limiter, float *iq, size_t count);

#endif
