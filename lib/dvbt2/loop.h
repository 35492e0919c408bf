/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop of second order that starts as a straight line fitted to all measurements and ends with constant
 * gains.
 *
 * It follows a value that moves at a rate: phase and carrier offset, timing and clock offset. */
#ifndef DVBT2_LOOP_H
#define DVBT2_LOOP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dvbt2_loop {
    double value, rate; /* per symbol */
    uint32_t count;     /* measurements */
    uint32_t memory;    /* symbols after which old measurements are forgotten */
} dvbt2_loop;

static inline void dvbt2_loop_start(dvbt2_loop *loop, uint32_t memory)
{
    loop->value = loop->rate = 0;
    loop->count = 0;
    loop->memory = memory;
}

/* One symbol later; `error` is measured minus expected value. A loop that has settled takes errors above
 * `jump` for a jump of the value, which says nothing about its rate. trust: 0 .. 1, how much of the error is due
 * to the rate. */
static inline void dvbt2_loop_update(dvbt2_loop *loop, double error, double jump, double trust)
{
    bool settled = loop->count >= loop->memory;
    if (!settled)
        loop->count++;
    loop->value += loop->rate;
    if (settled && (error > jump || error < -jump)) {
        loop->value += error;
        return;
    }
    /* gains of the line through n points that are equally far apart */
    double n = loop->count + 1;
    loop->value += 2 * (2 * n - 1) / (n * (n + 1)) * error;
    loop->rate += trust * 6 / (n * (n + 1)) * error;
}

#endif
