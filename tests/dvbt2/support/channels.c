/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/channels.h"

#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/interferers.h"
#include "dvbt2/support/synthetic.h"

static const double step_at = 0.45; /* fraction of the signal */

static double amplitude_of(double db)
{
    return pow(10, db / 20);
}

/* Returns the root mean square of all samples except zeros. */
static double rms(const channel_signal *s)
{
    double power = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < s->count; n++) {
        power += (double)rx_power(s->samples[n]);
        count += s->samples[n] != 0;
    }
    return sqrt(power / count);
}

static uint32_t samples_of(const channel_signal *s, double seconds)
{
    return (uint32_t)lround(seconds * s->rate);
}

/* ---- interpolation */

enum { SIDE = 24, PHASES = 4096 };
static float taps[PHASES + 1][2 * SIDE];

/* sinc with a Hann window */
static void make_taps(void)
{
    if (taps[0][SIDE - 1] > 0)
        return;
    for (int phase = 0; phase <= PHASES; phase++)
        for (int i = 0; i < 2 * SIDE; i++) {
            const double x = i + 1 - SIDE - (double)phase / PHASES, hann = 0.5 + 0.5 * cos(RX_PI * x / SIDE);
            taps[phase][i] = (float)(fabs(x) < 1e-9 ? 1 : hann * sin(RX_PI * x) / (RX_PI * x));
        }
}

/* Returns the interpolated signal. The signal is 0 outside its samples. */
static float complex sample_at(const channel_signal *s, double at)
{
    const double whole = floor(at);
    if (whole < SIDE || whole + SIDE + 1 > s->count)
        return 0;
    const float complex *x = s->samples + (uint32_t)whole + 1 - SIDE;
    const float *tap = taps[(uint32_t)((at - whole) * PHASES + 0.5)];
    float re = 0, im = 0;
    for (int i = 0; i < 2 * SIDE; i++) {
        re += crealf(x[i]) * tap[i];
        im += cimagf(x[i]) * tap[i];
    }
    return rx_cplx(re, im);
}

static float complex *new_samples(uint32_t count)
{
    float complex *samples = calloc(count, sizeof *samples);
    assert_non_null(samples);
    make_taps();
    return samples;
}

static void replace(channel_signal *s, float complex *samples, uint32_t count)
{
    free(s->samples);
    s->samples = samples;
    s->count = count;
}

/* ---- oscillators */

static void turn(channel_signal *s, double (*turns)(const channel_signal *, const double *, double t),
                 const double *x)
{
    for (uint32_t n = 0; n < s->count; n++)
        s->samples[n] = rx_mul(s->samples[n], phasor(fmod(turns(s, x, n / s->rate), 1)));
}

static double after_step(const channel_signal *s, double t)
{
    return fmax(0, t - step_at * s->count / s->rate);
}

static double turns_of_carrier(const channel_signal *s, const double *x, double t)
{
    return x[0] * t + x[1] * t * t / 2 + x[2] * after_step(s, t);
}

void channel_carrier(channel_signal *s, const double *x)
{
    turn(s, turns_of_carrier, x);
}

static double turns_of_sine(const channel_signal *s, const double *x, double t)
{
    (void)s;
    return x[0] / x[1] / (2 * RX_PI) * (1 - cos(2 * RX_PI * x[1] * t));
}

void channel_carrier_sine(channel_signal *s, const double *x)
{
    turn(s, turns_of_sine, x);
}

void channel_clock(channel_signal *s, const double *x)
{
    float complex *samples = new_samples(s->count);
    const double w = 2 * RX_PI * x[3];
    for (uint32_t n = 0; n < s->count; n++) {
        const double t = n / s->rate;
        double late = x[0] * t * t / 2 + x[1] * after_step(s, t); /* delay, us */
        if (w > 0)
            late += x[2] / w * (1 - cos(w * t));
        samples[n] = sample_at(s, n - 1e-6 * late * s->rate);
    }
    replace(s, samples, s->count);
}

void channel_rate(channel_signal *s, const double *x)
{
    const uint32_t count = (uint32_t)(s->count / s->rate * x[0]);
    float complex *samples = new_samples(count);
    for (uint32_t n = 0; n < count; n++)
        samples[n] = sample_at(s, n * s->rate / x[0]);
    replace(s, samples, count);
    s->rate = x[0];
}

void channel_rate_error(channel_signal *s, const double *x)
{
    s->rate_error = x[0];
}

void channel_phase_noise(channel_signal *s, const double *x)
{
    const double step = 2 * RX_PI * 1000 * amplitude_of(x[0]) / sqrt(s->rate);
    const double keep = 1 - 2 * RX_PI * x[1] / s->rate;
    double phase = 0;
    for (uint32_t n = 0; n < s->count; n++) {
        phase = keep * phase + step * sqrt(2) * (double)crealf(noise(1));
        s->samples[n] = rx_mul(s->samples[n], phasor(phase / (2 * RX_PI)));
    }
}

/* ---- paths */

typedef struct path {
    double delay, level, doppler, phase; /* delay in us, level in dB, Doppler shift in Hz, phase in cycles */
} path;

static void add_paths(channel_signal *s, const path *paths, uint32_t count)
{
    float complex *samples = new_samples(s->count);
    for (uint32_t i = 0; i < count; i++) {
        const float amplitude = (float)amplitude_of(paths[i].level);
        const double late = 1e-6 * paths[i].delay * s->rate;
        for (uint32_t n = 0; n < s->count; n++) {
            const double turns = fmod(paths[i].doppler * n / s->rate, 1) + paths[i].phase;
            samples[n] += rx_mul(sample_at(s, n - late), phasor(turns)) * amplitude;
        }
    }
    replace(s, samples, s->count);
}

void channel_echo(channel_signal *s, const double *x)
{
    const path paths[] = {
        {.delay = fmax(0, -x[0])},
        { fmax(0, x[0]), x[1], x[2], x[3] / 360}
    };
    add_paths(s, paths, 2);
}

void channel_three_transmitters(channel_signal *s, const double *x)
{
    static const path paths[] = {
        {0,  0,  0,    0  },
        {8,  -1, 3.3,  0.3},
        {17, -3, -4.6, 0.7}
    };
    (void)x;
    add_paths(s, paths, 3);
}

void channel_short_echoes(channel_signal *s, const double *x)
{
    static const path paths[] = {
        {.delay = 0,    .level = -2.8},
        {.delay = 0.05, .level = 0   },
        {.delay = 0.4,  .level = -3.8},
        {.delay = 1.45, .level = -0.1},
        {.delay = 2.3,  .level = -2.6},
        {.delay = 2.8,  .level = -1.3}
    };
    (void)x;
    add_paths(s, paths, 6);
}

void channel_tu6(channel_signal *s, const double *x)
{
    enum { WAVES = 16, HELD = 16 /* samples */ };
    static const double delay[] = {0, 0.2, 0.5, 1.6, 2.3, 5}, level[] = {-3, 0, -2, -6, -8, -10};
    float complex *samples = new_samples(s->count);
    for (int i = 0; i < 6; i++) {
        double doppler[WAVES], phase[WAVES];
        const float amplitude = (float)(amplitude_of(level[i]) / sqrt(WAVES));
        const double late = 1e-6 * delay[i] * s->rate;
        float complex gain = 0;
        for (int w = 0; w < WAVES; w++) {
            doppler[w] = x[0] * cos(2 * RX_PI * (w + uniform()) / WAVES);
            phase[w] = uniform();
        }
        for (uint32_t n = 0; n < s->count; n++) {
            if (n % HELD == 0) {
                gain = 0;
                for (int w = 0; w < WAVES; w++)
                    gain += phasor(phase[w] + fmod(doppler[w] * n / s->rate, 1)) * amplitude;
            }
            samples[n] += rx_mul(sample_at(s, n - late), gain);
        }
    }
    replace(s, samples, s->count);
}

void channel_noise(channel_signal *s, const double *x)
{
    const double symbol_rate = 64e6 / 7, density = pow(rms(s), 2) * pow(10, -x[0] / 10) / s->p.carriers;
    const double power = density * s->p.fft_length * s->rate / symbol_rate;
    for (uint32_t n = 0; n < s->count; n++)
        s->samples[n] += noise(power);
}

/* ---- interferers */

void channel_tones(channel_signal *s, const double *x)
{
    const double amplitude = rms(s) * amplitude_of(x[0]);
    for (int i = 0; i < fmax(1, x[2]); i++)
        interferer_tone(s->samples, s->count, s->rate, x[1] + 400e3 * i, amplitude);
}

void channel_sweep(channel_signal *s, const double *x)
{
    const float amplitude = (float)(rms(s) * amplitude_of(x[0]));
    double turns = 0;
    for (uint32_t n = 0; n < s->count; n++) {
        turns = fmod(turns + (fmod(x[1] * n / s->rate, 7) - 3.5) * 1e6 / s->rate, 1);
        s->samples[n] += phasor(turns) * amplitude;
    }
}

void channel_fm(channel_signal *s, const double *x)
{
    interferer_fm(s->samples, s->count, s->rate, x[1], 40e3, rms(s) * amplitude_of(x[0]));
}

void channel_narrow(channel_signal *s, const double *x)
{
    interferer_narrow(s->samples, s->count, s->rate, x[1], rms(s) * amplitude_of(x[0]));
}

void channel_pal(channel_signal *s, const double *x)
{
    interferer_pal(s->samples, s->count, s->rate, rms(s) * amplitude_of(x[0]));
}

/* Removes all frequencies beyond 3.9 MHz, like the mask filter of a transmitter. */
static void filter(channel_signal *s)
{
    fftwf_plan to = fftwf_plan_dft_1d((int)s->count, s->samples, s->samples, FFTW_FORWARD, FFTW_ESTIMATE);
    fftwf_plan back = fftwf_plan_dft_1d((int)s->count, s->samples, s->samples, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftwf_execute(to);
    for (uint32_t k = 0; k < s->count; k++) {
        const double f = fabs(k < s->count / 2 ? k : k - (double)s->count) / s->count * s->rate;
        const double pass = fmin(1, fmax(0, (4.05e6 - f) / 0.15e6));
        s->samples[k] *= (float)(pass / s->count);
    }
    fftwf_execute(back);
    fftwf_destroy_plan(to);
    fftwf_destroy_plan(back);
}

/* Adds two adjacent channels. Each contains a copy of the signal, delayed by half of its length. */
void channel_neighbours(channel_signal *s, const double *x)
{
    const double rate = 20e6;
    channel_rate(s, &rate);
    s->count -= s->count % 4096;
    channel_signal other = *s;
    other.samples = new_samples(s->count);
    memcpy(other.samples, s->samples, s->count * sizeof *s->samples);
    filter(&other);
    const float amplitude = (float)(rms(s) / rms(&other) * amplitude_of(x[0]));
    for (uint32_t n = 0; n < s->count; n++) {
        const float complex lower = other.samples[(n + s->count / 2) % s->count],
                            upper = other.samples[(n + s->count / 3) % s->count];
        const float complex shift = phasor(fmod(8e6 / rate * n, 1));
        s->samples[n] += (rx_mul(upper, shift) + rx_mul_conj(lower, shift)) * amplitude;
    }
    free(other.samples);
}

/* ---- disturbances */

/* Replaces samples with noise. If the power is 0, replaces them with zeros. */
static void strike(channel_signal *s, uint32_t at, uint32_t count, double power)
{
    for (uint32_t n = at; n < at + count && n < s->count; n++)
        s->samples[n] = power > 0 ? s->samples[n] + noise(power) : 0;
}

void channel_bursts(channel_signal *s, const double *x)
{
    const double power = pow(rms(s) * amplitude_of(x[2]), 2);
    for (double t = 1.37e-3; t < s->count / s->rate; t += 1e-3 * x[1])
        strike(s, samples_of(s, t), samples_of(s, 1e-6 * x[0]), power);
}

void channel_bursts_in_symbols(channel_signal *s, const double *x)
{
    const double power = pow(rms(s) * amplitude_of(x[1]), 2);
    const uint32_t length = samples_of(s, 1e-6 * x[0]), third = s->p.fft_length / 3;
    const uint32_t latest = s->p.fft_length - length;
    const uint32_t places[] = {0, s->p.n_p2 - 1, s->p.n_p2, s->p.n_symbols / 2, s->p.n_symbols - 1};
    for (uint32_t f = 1; f * s->p.frame_length < s->count; f++) {
        const uint32_t symbol =
            f * s->p.frame_length + DVBT2_P1_SAMPLES + places[(f - 1) % 5] * s->p.symbol_length;
        strike(s, symbol + s->p.guard_length + (third < latest ? third : latest), length, power);
    }
}

void channel_absurd(channel_signal *s, const double *x)
{
    const uint32_t start = (uint32_t)(step_at * s->count), end = start + samples_of(s, 10e-3);
    const float value = (float)x[0];
    for (uint32_t n = start; n < end; n += fabsf(value) < 1e6F ? 997 : 3)
        s->samples[n] = rx_cplx(n % 2 ? value : -value, n % 5 ? 0 : value);
}

void channel_gaps(channel_signal *s, const double *x)
{
    for (double t = 0.2; t < s->count / s->rate; t += 1e-3 * x[1]) {
        const uint32_t at = samples_of(s, t), count = (uint32_t)fmin(x[0], s->count - at);
        memmove(s->samples + at, s->samples + at + count, (s->count - count - at) * sizeof *s->samples);
        s->count -= count;
    }
}

void channel_levels(channel_signal *s, const double *x)
{
    const float gain = (float)amplitude_of(x[0]);
    for (uint32_t n = 0; n < s->count; n++) {
        const bool up = x[1] > 0 ? (uint32_t)(1e3 * n / s->rate / x[1]) % 2 : n > step_at * s->count;
        s->samples[n] *= up ? gain : 1;
    }
}

void channel_level_sine(channel_signal *s, const double *x)
{
    for (uint32_t n = 0; n < s->count; n++)
        s->samples[n] *= (float)amplitude_of(x[0] * sin(2 * RX_PI * x[1] * n / s->rate));
}

/* ---- tuner and converter */

void channel_imbalance(channel_signal *s, const double *x)
{
    const double gain = amplitude_of(x[0] / 2), angle = RX_PI / 180 * x[1];
    const float complex dc = (float)(rms(s) * amplitude_of(x[2]));
    for (uint32_t n = 0; n < s->count; n++) {
        const double i = crealf(s->samples[n]), q = cimagf(s->samples[n]);
        s->samples[n] = rx_cplx((float)(gain * i), (float)((q * cos(angle) + i * sin(angle)) / gain)) + dc;
    }
}

void channel_clip(channel_signal *s, const double *x)
{
    const float most = (float)(rms(s) * amplitude_of(x[0]));
    for (uint32_t n = 0; n < s->count; n++)
        s->samples[n] *= fminf(1, most / fmaxf(cabsf(s->samples[n]), 1e-9F));
}

void channel_quantise(channel_signal *s, const double *x)
{
    const float full = powf(2, (float)x[0] - 1), gain = full * (float)(amplitude_of(x[1]) / rms(s));
    for (uint32_t n = 0; n < s->count; n++) {
        const float i = fmaxf(-full, fminf(full - 1, roundf(gain * crealf(s->samples[n]))));
        const float q = fmaxf(-full, fminf(full - 1, roundf(gain * cimagf(s->samples[n]))));
        s->samples[n] = rx_cplx(i / full, q / full);
    }
}

void channel_mirror(channel_signal *s, const double *x)
{
    (void)x;
    for (uint32_t n = 0; n < s->count; n++)
        s->samples[n] = rx_cplx(cimagf(s->samples[n]), crealf(s->samples[n]));
}

void channel_cut(channel_signal *s, const double *x)
{
    const uint32_t first = (uint32_t)(x[0] * s->p.frame_length),
                   last = s->count - (uint32_t)(x[1] * s->p.frame_length);
    memmove(s->samples, s->samples + first, (last - first) * sizeof *s->samples);
    s->count = last - first;
}
