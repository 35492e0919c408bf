/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracking loop of a value and its rate: phase and carrier offset, or timing and clock offset.
 *
 * A second-order loop fits a line (least squares). A third-order loop fits a parabola and follows a drift. */
#ifndef RX_LOOP_H
#define RX_LOOP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct rx_loop {
    /* value; change of the value per symbol; change of the rate per symbol */
    double value, rate, drift;
    double removed; /* part of `drift` that is removed before the measurement */
    bool drifts;
    uint32_t count;  /* number of measurements */
    uint32_t memory; /* averaging length, symbols */
    uint32_t jumps;  /* consecutive jumps */
    double jumped;   /* error of the last jump */
    double run;
} rx_loop;

static inline void rx_loop_start(rx_loop *loop, uint32_t memory, bool drifts)
{
    *loop = (rx_loop){.memory = memory, .drifts = drifts};
}

/* Returns the part of the drift that the measured samples still contain. */
static inline double rx_loop_drift(const rx_loop *loop)
{
    return loop->drift - loop->removed;
}

/* Returns the prediction for the next symbol. */
static inline double rx_loop_expected(const rx_loop *loop)
{
    return loop->value + loop->rate + rx_loop_drift(loop) / 2;
}

/* Advances by a symbol without measurement. */
static inline void rx_loop_coast(rx_loop *loop)
{
    loop->value = rx_loop_expected(loop);
    loop->rate += rx_loop_drift(loop);
}

enum {
    RX_LOOP_PARABOLA = 6,
    /* measurements before jumps are detected */
    RX_LOOP_SETTLED = 24,
    RX_LOOP_LONG_RUN = 16, /* longest run of errors with equal signs in noise */
    RX_LOOP_SHORT_RUN = 4,
};

/* Resets step detection. */
static inline void rx_loop_no_step(rx_loop *loop)
{
    loop->jumps = 0;
    loop->run = 0;
}

/* Returns true after a jump of the rate: two similar errors, or a long run of errors with one sign. */
static inline bool rx_loop_stepped(rx_loop *loop, double error, double jump)
{
    const bool settled = loop->count >= RX_LOOP_SETTLED;
    const double weight = fmin(10 * fabs(error) / jump, (double)RX_LOOP_LONG_RUN / RX_LOOP_SHORT_RUN);
    loop->jumps = settled && fabs(error) > jump ? loop->jumps + 1 : 0;
    if (!settled || weight < 1)
        loop->run = 0;
    else
        loop->run = copysign(loop->run * error > 0 ? fabs(loop->run) + weight : weight, error);
    const bool again = loop->jumps > 1 && fabs(error - loop->jumped) < jump / 4;
    loop->jumped = error;
    return again || fabs(loop->run) >= RX_LOOP_LONG_RUN;
}

/* Updates value and rate. After an error above `jump`, the rate is unchanged. trust: fraction of the error
 * that changes the rate. */
static inline void rx_loop_update(rx_loop *loop, double error, double jump, double trust)
{
    const bool stepped = rx_loop_stepped(loop, error, jump);
    loop->count += loop->count < loop->memory;
    rx_loop_coast(loop);
    if (stepped) {
        loop->rate += loop->jumps > 1 ? trust * error : 0;
        loop->drift = 0;
        loop->count = loop->jumps > 1; /* a line through both jumps */
        loop->run = 0;
    }
    if (stepped || loop->jumps > 0) {
        loop->value += error;
        return;
    }
    /* gains of a recursive least-squares polynomial fit to n equidistant points */
    const double n = loop->count + 1, line = n * (n + 1), parabola = line * (n + 2);
    const bool bent = loop->drifts && loop->count >= RX_LOOP_PARABOLA;
    loop->value += (bent ? 3 * (3 * n * n - 3 * n + 2) / parabola : 2 * (2 * n - 1) / line) * error;
    loop->rate += (bent ? 18 * (2 * n - 1) / parabola : 6 / line) * trust * error;
    loop->drift += bent ? 60 / parabola * trust * error : 0;
}

static inline double rx_loop_take_rate(rx_loop *loop, double share)
{
    const double rate = loop->rate + rx_loop_drift(loop);
    loop->value += share * rate;
    loop->rate -= rate;
    return rate;
}

/* The caller removes the returned rate and loop->drift from later samples. These samples start at the
 * fraction `share` of a symbol. */
static inline double rx_loop_take_drift(rx_loop *loop, double share)
{
    const double bend = share * rx_loop_drift(loop), rate = loop->rate + bend;
    loop->value += share * (rate - bend / 2);
    loop->rate = 0;
    loop->removed = loop->drift;
    return rate;
}

#endif
