/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/reestimation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum { MOST_STEPS = 12 }; /* maximum conjugate-gradient iterations */

/* The iteration ends at this fraction of the initial squared residual. */
static const double small_rest = 1e-4;

/* ---- memory */

bool dvbt2_reestimation_init(dvbt2_reestimation *a, uint32_t length, uint32_t carriers)
{
    memset(a, 0, sizeof *a);
    a->length = length;
    a->carriers = carriers;
    a->in = fftwf_malloc(length * sizeof *a->in);
    a->out = fftwf_malloc(length * sizeof *a->out);
    a->matrix = ldpc_allocate(length, sizeof *a->matrix);
    a->taps = ldpc_allocate(length / 2, sizeof *a->taps);
    a->rest = ldpc_allocate(length / 2, sizeof *a->rest);
    a->direction = ldpc_allocate(length / 2, sizeof *a->direction);
    a->product = ldpc_allocate(length / 2, sizeof *a->product);
    bool made = a->in && a->out && a->matrix && a->taps && a->rest && a->direction && a->product;
    for (int i = 0; made && length >> i; i++) {
        a->forward[i] = rx_fft_plan(1 << i, a->in, a->out, FFTW_FORWARD);
        a->backward[i] = rx_fft_plan(1 << i, a->in, a->out, FFTW_BACKWARD);
        made = a->forward[i] && a->backward[i];
    }
    return made;
}

void dvbt2_reestimation_free(dvbt2_reestimation *a)
{
    for (int i = 0; i <= DVBT2_LOG_FFT; i++) {
        rx_fft_destroy(a->forward[i]);
        rx_fft_destroy(a->backward[i]);
    }
    fftwf_free(a->in);
    fftwf_free(a->out);
    free(a->matrix);
    free(a->taps);
    free(a->rest);
    free(a->direction);
    free(a->product);
    memset(a, 0, sizeof *a);
}

/* ---- the linear system */

static int log_of(uint32_t length)
{
    int log = 0;
    while (1u << log < length)
        log++;
    return log;
}

static void clear(float complex *values, uint32_t from, uint32_t to)
{
    memset(values + from, 0, (to - from) * sizeof *values);
}

static uint32_t place_of(const dvbt2_reestimation *a, uint32_t tap, uint32_t taps)
{
    return (a->length + tap - taps / 2) % a->length;
}

static float weight_of(const dvbt2_reestimated_symbol *s, uint32_t k)
{
    return s->noise / (s->noise + s->interference[k] + s->variance[k] * rx_power(s->channel[k]));
}

/* Writes the eigenvalues of a circulant extension of the Toeplitz matrix to a->matrix. Returns the diagonal
 * element. */
static double make_matrix(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *s, uint32_t taps, int log)
{
    double energy = 0;
    for (uint32_t k = 0; k < a->carriers; k++) {
        const float power = rx_power(s->mean[k]) * weight_of(s, k);
        a->in[k] = power;
        energy += (double)power;
    }
    clear(a->in, a->carriers, a->length);
    fftwf_execute(a->backward[log_of(a->length)]);
    memcpy(a->in, a->out, taps * sizeof *a->in);
    clear(a->in, taps, 1u << log);
    for (uint32_t i = 1; i < taps; i++)
        a->in[(1u << log) - i] = conjf(a->in[i]);
    fftwf_execute(a->forward[log]);
    for (uint32_t i = 0; i < 1u << log; i++)
        a->matrix[i] = crealf(a->out[i]) / (float)(1u << log);
    return energy;
}

static void make_side(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *s, uint32_t taps)
{
    for (uint32_t k = 0; k < a->carriers; k++)
        a->in[k] =
            rx_mul_conj(s->received[k] - rx_mul(s->channel[k], s->mean[k]), s->mean[k]) * weight_of(s, k);
    clear(a->in, a->carriers, a->length);
    fftwf_execute(a->backward[log_of(a->length)]);
    for (uint32_t i = 0; i < taps; i++)
        a->rest[i] = a->out[place_of(a, i, taps)];
}

static double multiply(dvbt2_reestimation *a, float load, uint32_t taps, int log)
{
    memcpy(a->in, a->direction, taps * sizeof *a->in);
    clear(a->in, taps, 1u << log);
    fftwf_execute(a->forward[log]);
    for (uint32_t i = 0; i < 1u << log; i++)
        a->in[i] = a->out[i] * a->matrix[i];
    fftwf_execute(a->backward[log]);
    double sum = 0;
    for (uint32_t i = 0; i < taps; i++) {
        a->product[i] = a->out[i] + a->direction[i] * load;
        sum += (double)crealf(rx_mul_conj(a->product[i], a->direction[i]));
    }
    return sum;
}

static double squares(const float complex *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)rx_power(values[i]);
    return sum;
}

/* Solves (matrix + load) a->taps = a->rest. */
static void solve(dvbt2_reestimation *a, float load, uint32_t taps, int log)
{
    double rest = squares(a->rest, taps);
    const double enough = small_rest * rest;
    clear(a->taps, 0, taps);
    memcpy(a->direction, a->rest, taps * sizeof *a->rest);
    for (int step = 0; step < MOST_STEPS && rest > enough; step++) {
        const float length = (float)(rest / multiply(a, load, taps, log));
        for (uint32_t i = 0; i < taps; i++) {
            a->taps[i] += a->direction[i] * length;
            a->rest[i] -= a->product[i] * length;
        }
        const double before = rest;
        rest = squares(a->rest, taps);
        for (uint32_t i = 0; i < taps; i++)
            a->direction[i] = a->rest[i] + a->direction[i] * (float)(rest / before);
    }
}

float dvbt2_reestimation_correct(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *symbol,
                                 float complex *h)
{
    const uint32_t most = a->length / 2, wanted = (uint32_t)(symbol->spread * (float)a->length) + 1;
    const uint32_t taps = wanted < most ? wanted : most;
    const int log = log_of(2 * taps);
    memcpy(h, symbol->channel, a->carriers * sizeof *h);
    const double energy = make_matrix(a, symbol, taps, log);
    if (!(energy > 0 && symbol->error > 0 && symbol->noise > 0))
        return symbol->error;
    const float load = symbol->noise * (float)taps / symbol->error;
    make_side(a, symbol, taps);
    solve(a, load, taps, log);
    clear(a->in, 0, a->length);
    for (uint32_t i = 0; i < taps; i++)
        a->in[place_of(a, i, taps)] = a->taps[i];
    fftwf_execute(a->forward[log_of(a->length)]);
    for (uint32_t k = 0; k < a->carriers; k++)
        h[k] += a->out[k];
    return symbol->noise * (float)taps / (float)(energy + (double)load);
}
