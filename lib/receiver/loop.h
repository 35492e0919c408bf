/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop that starts as a polynomial fitted to all measurements and ends with constant gains.
 *
 * It follows a value that moves at a rate: phase and carrier offset, timing and clock offset. A loop of third order fits a
 * parabola, so that a rate that drifts evenly leaves no error; one of second order fits a straight line. */
#ifndef RX_LOOP_H
#define RX_LOOP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct rx_loop {
    double value, rate, drift; /* per symbol, per symbol and symbol */
    bool drifts;               /* of third order */
    uint32_t count;            /* measurements */
    uint32_t memory;           /* symbols after which old measurements are forgotten */
    uint32_t jumps;            /* consecutive ones */
    double jumped;             /* error of the last one */
    int32_t run;               /* consecutive errors of the same sign, negative for negative ones */
} rx_loop;

static inline void rx_loop_start(rx_loop *loop, uint32_t memory, bool drifts)
{
    *loop = (rx_loop){.memory = memory, .drifts = drifts};
}

/* The value that the next symbol should have. */
static inline double rx_loop_expected(const rx_loop *loop)
{
    return loop->value + loop->rate + loop->drift / 2;
}

/* One symbol later, without a measurement. */
static inline void rx_loop_coast(rx_loop *loop)
{
    loop->value = rx_loop_expected(loop);
    loop->rate += loop->drift;
}

enum {
    RX_LOOP_PARABOLA = 6,  /* measurements from which on a parabola is fitted, no longer a line, */
    RX_LOOP_SETTLED = 24,  /* and from which on the expected value is exact enough to show jumps */
    RX_LOOP_LONG_RUN = 16, /* errors of the same sign that chance does not give */
};

/* The next error is no part of a step. */
static inline void rx_loop_no_step(rx_loop *loop)
{
    loop->jumps = 0;
    loop->run = 0;
}

/* Has the rate made a step? Two equal consecutive jumps show a large one, a run of smaller errors a small one. */
static inline bool rx_loop_stepped(rx_loop *loop, double error, double jump)
{
    const bool settled = loop->count >= RX_LOOP_SETTLED;
    loop->jumps = settled && fabs(error) > jump ? loop->jumps + 1 : 0;
    if (!settled || fabs(error) < jump / 10)
        loop->run = 0;
    else if (error > 0)
        loop->run = loop->run > 0 ? loop->run + 1 : 1;
    else
        loop->run = loop->run < 0 ? loop->run - 1 : -1;
    const bool again = loop->jumps > 1 && fabs(error - loop->jumped) < jump / 4;
    loop->jumped = error;
    return again || loop->run >= RX_LOOP_LONG_RUN || loop->run <= -RX_LOOP_LONG_RUN;
}

/* One symbol later; `error` is measured minus expected value. One error above `jump` is taken for a jump of the value, which leaves
 * the rate as it is. After a step of the rate the loop begins again. trust: 0 .. 1, how much of the error is due to the rate. */
static inline void rx_loop_update(rx_loop *loop, double error, double jump, double trust)
{
    const bool stepped = rx_loop_stepped(loop, error, jump);
    loop->count += loop->count < loop->memory;
    rx_loop_coast(loop);
    if (stepped) {
        loop->rate += loop->jumps > 1 ? trust * error : 0;
        loop->drift = 0;
        loop->count = loop->jumps > 1; /* the line from the first jump to the second */
        loop->run = 0;
    }
    if (stepped || loop->jumps > 0) {
        loop->value += error;
        return;
    }
    /* gains of the polynomial through n points that are equally far apart */
    const double n = loop->count + 1, line = n * (n + 1), parabola = line * (n + 2);
    const bool bent = loop->drifts && loop->count >= RX_LOOP_PARABOLA;
    loop->value += (bent ? 3 * (3 * n * n - 3 * n + 2) / parabola : 2 * (2 * n - 1) / line) * error;
    loop->rate += (bent ? 18 * (2 * n - 1) / parabola : 6 / line) * trust * error;
    loop->drift += bent ? 60 / parabola * trust * error : 0;
}

/* Takes out the rate of the next symbol: it is corrected in the samples from `share` of a symbol after this one on. */
static inline double rx_loop_take_rate(rx_loop *loop, double share)
{
    const double rate = loop->rate + loop->drift;
    loop->value += share * rate;
    loop->rate -= rate;
    return rate;
}

#endif
