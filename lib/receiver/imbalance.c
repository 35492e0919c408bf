/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/imbalance.h"

#include <math.h>

#include "receiver/complex.h"

enum { MEASURED_CALLS = 4 }; /* every MEASURED_CALLS-th call measures */

/* Averaging time, seconds. */
static const double seconds = 0.5;
/* From n samples without DC and image, the estimates are about 1 / n. Estimates below this multiple of 1 / n
 * are ignored. */
static const double significant = 12;
/* Minimum DC estimate relative to the noise floor. The carrier at 0 Hz may be a boosted pilot. */
static const double significant_dc = 300;
/* Maximum amplitude of a tuner's image relative to the signal. Larger estimates have other causes, e.g. a
 * tone. */
static const double most_image = 0.3;

void rx_imbalance_init(rx_imbalance *imbalance, double rate)
{
    *imbalance = (rx_imbalance){.memory = seconds * rate / MEASURED_CALLS};
}

static double norm(double complex a)
{
    return creal(a) * creal(a) + cimag(a) * cimag(a);
}

static void measure(rx_imbalance *m, const rx_kernels *kernels, const float *iq, size_t count)
{
    double sums[5]; /* I, Q, I^2, Q^2, I Q */
    kernels->moments(iq, count, sums);
    if (!isfinite(sums[2]) || !isfinite(sums[3]))
        return;
    m->count = fmin(m->count + (double)count, m->memory);
    double complex mean = sums[0] + I * sums[1], square = sums[2] - sums[3] + I * (2 * sums[4]);
    m->mean += (mean - (double)count * m->mean) / m->count;
    m->square += (square - (double)count * m->square) / m->count;
    m->power += (sums[2] + sums[3] - (double)count * m->power) / m->count;
}

void rx_imbalance_correct(rx_imbalance *imbalance, const rx_kernels *kernels, float *iq, size_t count)
{
    if (count == 0 || imbalance->memory <= 0)
        return;
    if (imbalance->calls++ % MEASURED_CALLS == 0)
        measure(imbalance, kernels, iq, count);
    double complex dc = imbalance->mean, image = 0;
    double power = imbalance->power - norm(dc), chance = significant / imbalance->count;
    double dc_chance = significant_dc / imbalance->count;
    if (power > 0)
        image = (imbalance->square - dc * dc) / (2 * power);
    if (norm(dc) < dc_chance * power)
        dc = 0;
    if (norm(image) < chance || norm(image) > most_image * most_image)
        image = 0;
    if (dc != 0 || image != 0)
        kernels->correct(iq, count, rx_cplx((float)creal(dc), (float)cimag(dc)),
                         rx_cplx((float)creal(image), (float)cimag(image)));
}
