/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/ofdm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/median.h"

enum { BLOCK = 8 }; /* samples per power measurement */

/* Power limits of a block, relative to the median: burst, block next to a burst, silence. Noise exceeds the
 * first limit in 1e-10 of the blocks. Radios replace lost samples by zeros. */
static const float burst_power = 6, beside_burst = 2, silence_power = 0.01f;
/* Power limits of blocks in symbols without bursts and silence. */
static const float usual_most = 4.5f, usual_least = 0.05f;
/* If blanking increases the power outside the band by more than this factor, it has blanked the signal. */
static const float more_outside = 1.2f;
/* Minimum fraction of a symbol that must remain after blanking. */
static const float least_left = 0.25f;
static const float nothing_left = 100;

bool dvbt2_ofdm_init(dvbt2_ofdm *ofdm, const dvbt2_parameters *parameters)
{
    memset(ofdm, 0, sizeof *ofdm);
    ofdm->length = parameters->fft_length;
    ofdm->time_zero = (int32_t)(parameters->guard_length / 2);
    ofdm->carriers = parameters->carriers;
    ofdm->first_bin = parameters->first_bin;
    ofdm->in = fftwf_malloc(ofdm->length * sizeof *ofdm->in);
    ofdm->out = fftwf_malloc(ofdm->length * sizeof *ofdm->out);
    ofdm->power = ldpc_allocate(ofdm->length / BLOCK, sizeof *ofdm->power);
    if (!ofdm->in || !ofdm->out || !ofdm->power)
        return false;
    ofdm->plan = rx_fft_plan((int)ofdm->length, ofdm->in, ofdm->out, FFTW_FORWARD);
    return ofdm->plan != NULL;
}

void dvbt2_ofdm_free(dvbt2_ofdm *ofdm)
{
    rx_fft_destroy(ofdm->plan);
    fftwf_free(ofdm->in);
    fftwf_free(ofdm->out);
    free(ofdm->power);
    memset(ofdm, 0, sizeof *ofdm);
}

static float power_outside(const dvbt2_ofdm *ofdm, uint32_t first_bin)
{
    enum { DISTANCE = 4 };
    const uint32_t n = ofdm->length, count = (n - ofdm->carriers) / 4;
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += rx_power(ofdm->out[(first_bin + ofdm->carriers + DISTANCE + i) % n]);
        sum += rx_power(ofdm->out[(first_bin + n - 1 - DISTANCE - i) % n]);
    }
    return sum / (float)(2 * count);
}

/* Mean power of BLOCK samples. GCC 12 does not vectorise a loop over an array of four sums. */
static float power_of_block(const float *x)
{
    typedef float v4 __attribute__((vector_size(16)));
    v4 sum = {0};
    for (size_t i = 0; i < 2 * BLOCK; i += sizeof sum / sizeof *x) {
        v4 next;
        memcpy(&next, x + i, sizeof next);
        sum += next * next;
    }
    return (sum[0] + sum[1] + sum[2] + sum[3]) / BLOCK;
}

/* Measures the power of each block. Returns false if the symbol has no bursts and no silence. */
static bool measure_blocks(dvbt2_ofdm *ofdm)
{
    const uint32_t count = ofdm->length / BLOCK;
    float most = 0, least = INFINITY, sum = 0;
    for (uint32_t b = 0; b < count; b++) {
        const float power = power_of_block((const float *)(ofdm->in + b * BLOCK));
        most = power > most ? power : most;
        least = power < least ? power : least;
        sum += ofdm->power[b] = power;
    }
    const float mean = sum / (float)count;
    return most > usual_most * mean || least < usual_least * mean;
}

static bool in_burst(const dvbt2_ofdm *ofdm, uint32_t b, float median)
{
    const uint32_t last = ofdm->length / BLOCK - 1;
    const float before = ofdm->power[b > 0 ? b - 1 : last], after = ofdm->power[b < last ? b + 1 : 0];
    return ofdm->power[b] > burst_power * median ||
           (ofdm->power[b] > beside_burst * median && fmaxf(before, after) > burst_power * median);
}

/* If a fraction s of the symbol is blanked, each carrier receives noise of power s / (1 - s). */
static bool blank(dvbt2_ofdm *ofdm)
{
    const uint32_t count = ofdm->length / BLOCK;
    const float silence = silence_power * rx_median(ofdm->power, count, 0);
    uint32_t silent = 0, blanked = 0;
    for (uint32_t b = 0; b < count; b++)
        silent += ofdm->power[b] <= silence;
    const float median = rx_median(ofdm->power, count, silent);
    for (uint32_t b = 0; b < count; b++) {
        const bool no_signal = ofdm->power[b] <= silence || in_burst(ofdm, b, median);
        blanked += no_signal;
        if (no_signal)
            memset(ofdm->in + b * BLOCK, 0, BLOCK * sizeof *ofdm->in);
    }
    const float left = 1 - (float)blanked / (float)count, scale = 1 / fmaxf(left, least_left);
    ofdm->lost = left < least_left ? nothing_left : (1 - left) / left;
    for (uint32_t i = 0; i < ofdm->length && blanked > 0; i++)
        ofdm->in[i] *= scale;
    return blanked > 0;
}

/* Renumbers the bins of the tones: carrier 0 becomes bin 0. */
static void number_tones(dvbt2_ofdm *ofdm, uint32_t first_bin)
{
    const double n = ofdm->length, middle = ofdm->carriers / 2.0;
    for (uint32_t i = 0; i < ofdm->n_tones; i++) {
        const double carrier = ofdm->tone[i].bin - first_bin;
        ofdm->tone[i].bin = carrier - n * floor((carrier - middle) / n + 0.5);
    }
}

/* Returns the rotation in samples. */
static uint32_t rotate(const dvbt2_ofdm *ofdm, const float complex *window)
{
    const uint32_t n = ofdm->length, first = (n + (uint32_t)ofdm->time_zero) % n;
    memcpy(ofdm->in, window + first, (n - first) * sizeof *window);
    memcpy(ofdm->in + n - first, window, first * sizeof *window);
    return first;
}

static uint32_t transform(dvbt2_ofdm *ofdm, uint32_t first, int shift)
{
    const uint32_t n = ofdm->length;
    fftwf_execute(ofdm->plan);
    ofdm->n_tones = dvbt2_remove_tones(ofdm->out, n, first, ofdm->tone);
    const uint32_t bin = (ofdm->first_bin + n / 2 + n + (uint32_t)shift) % n;
    ofdm->outside = power_outside(ofdm, bin);
    return bin;
}

void dvbt2_ofdm_transform(dvbt2_ofdm *ofdm, const float complex *window, int shift, float complex *carriers)
{
    const uint32_t first = rotate(ofdm, window), bin = transform(ofdm, first, shift);
    const float outside = ofdm->outside;
    ofdm->lost = 0;
    if (measure_blocks(ofdm) && blank(ofdm)) {
        transform(ofdm, first, shift);
        const float scale = 1 + ofdm->lost;
        if (ofdm->outside > scale * scale * more_outside * outside) {
            rotate(ofdm, window);
            ofdm->lost = 0;
            transform(ofdm, first, shift);
        }
    }
    const uint32_t upper = ofdm->length - bin < ofdm->carriers ? ofdm->length - bin : ofdm->carriers;
    memcpy(carriers, ofdm->out + bin, upper * sizeof *carriers);
    memcpy(carriers + upper, ofdm->out, (ofdm->carriers - upper) * sizeof *carriers);
    number_tones(ofdm, bin);
}
