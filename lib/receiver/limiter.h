/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits impulses in the samples of a radio: a few samples of one would hide P1 and guard intervals, and the low-pass would spread
 * them over many. ofdm.c blanks the limited impulse. */
#ifndef DVBT2_LIMITER_H
#define DVBT2_LIMITER_H

#include <stddef.h>

typedef struct dvbt2_limiter {
    float level; /* mean power of the last samples; 0: not known */
} dvbt2_limiter;

/* `count` samples in place, I and Q alternating. */
void dvbt2_limiter_run(dvbt2_limiter *limiter, float *iq, size_t count);

#endif
