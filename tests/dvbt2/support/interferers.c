/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/interferers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/synthetic.h"

/* Fills x with random values of unit power and a bandwidth of about rate / width. */
static void fill_smooth(double *x, uint32_t count, uint32_t width)
{
    for (uint32_t i = 0; i < count; i += width) {
        const double value = uniform() - 0.5;
        for (uint32_t k = i; k < count && k < i + width; k++)
            x[k] = value;
    }
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0;
        for (uint32_t i = count; i-- > 0;) {
            if (i == count - 1)
                for (uint32_t k = 0; k < width; k++)
                    sum += x[i - k];
            const double last = x[i];
            x[i] = sum / width;
            sum += x[i >= width ? i - width : i] - last;
        }
    }
    double power = 0;
    for (uint32_t i = 0; i < count; i++)
        power += x[i] * x[i] / count;
    for (uint32_t i = 0; i < count; i++)
        x[i] /= sqrt(power);
}

void interferer_tone(float complex *samples, uint32_t count, double rate, double frequency, double amplitude)
{
    const double phase = uniform();
    for (uint32_t n = 0; n < count; n++)
        samples[n] += phasor(phase + fmod(frequency / rate * n, 1)) * (float)amplitude;
}

void interferer_fm(float complex *samples, uint32_t count, double rate, double frequency, double deviation,
                   double amplitude)
{
    double *audio = malloc(count * sizeof *audio), turns = 0;
    assert_non_null(audio);
    fill_smooth(audio, count, 400);
    for (uint32_t n = 0; n < count; n++) {
        samples[n] += phasor(turns) * (float)amplitude;
        turns = fmod(turns + (frequency + deviation * audio[n]) / rate, 1);
    }
    free(audio);
}

void interferer_narrow(float complex *samples, uint32_t count, double rate, double frequency,
                       double amplitude)
{
    double *i = malloc(2 * count * sizeof *i), *q = i + count;
    assert_non_null(i);
    fill_smooth(i, count, 1000);
    fill_smooth(q, count, 1000);
    for (uint32_t n = 0; n < count; n++)
        samples[n] += rx_mul(rx_cplx((float)i[n], (float)q[n]), phasor(fmod(frequency / rate * n, 1))) *
                      (float)(amplitude / sqrt(2));
    free(i);
}

/* Computes a PAL signal: lines of 64 us with sync pulses, 312 lines per picture, colour carrier, sound. White
 * is the lowest level. */
void interferer_pal(float complex *samples, uint32_t count, double rate, double amplitude)
{
    enum { LINES = 312, DOTS = 26 };
    static double picture[LINES][DOTS];
    const double line = 64e-6 * rate;
    for (int i = 0; i < LINES * DOTS; i++)
        picture[i / DOTS][i % DOTS] = 0.25 + 0.45 * uniform();
    for (uint32_t n = 0; n < count; n++) {
        const double at = fmod(n, line) / line, dot = (at - 0.19) / 0.81 * (DOTS - 1);
        const double *row = picture[(uint32_t)(n / line) % LINES];
        const int d = dot < 0 ? 0 : (int)dot;
        double level = at < 0.073 ? 1 : 0.76;
        if (at >= 0.19)
            level = row[d] + (row[d + 1 < DOTS ? d + 1 : d] - row[d]) * (dot - d);
        float complex x = rx_cplx((float)level, 0);
        if (at >= 0.19)
            x += phasor(fmod(4.43361875e6 / rate * n, 1)) * 0.1F;
        samples[n] += rx_mul(x, phasor(fmod(-2.75e6 / rate * n, 1))) * (float)(1.6 * amplitude);
    }
    interferer_fm(samples, count, rate, 2.75e6, 20e3, 0.36 * amplitude);
}
