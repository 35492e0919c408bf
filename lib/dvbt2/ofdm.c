/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One OFDM symbol from samples to active carriers. */
#include "dvbt2/ofdm.h"

#include <string.h>

#include "dvbt2/complex.h"
#include "dvbt2/fft_plan.h"

bool dvbt2_ofdm_init(dvbt2_ofdm *ofdm, const dvbt2_parameters *parameters)
{
    memset(ofdm, 0, sizeof *ofdm);
    ofdm->length = parameters->fft_length;
    ofdm->time_zero = (int32_t)(parameters->guard_length / 2);
    ofdm->carriers = parameters->carriers;
    ofdm->first_bin = parameters->first_bin;
    ofdm->in = fftwf_malloc(ofdm->length * sizeof *ofdm->in);
    ofdm->out = fftwf_malloc(ofdm->length * sizeof *ofdm->out);
    if (!ofdm->in || !ofdm->out)
        return false;
    ofdm->plan = dvbt2_fft_plan((int)ofdm->length, ofdm->in, ofdm->out, FFTW_FORWARD);
    return ofdm->plan != NULL;
}

void dvbt2_ofdm_free(dvbt2_ofdm *ofdm)
{
    dvbt2_fft_destroy(ofdm->plan);
    fftwf_free(ofdm->in);
    fftwf_free(ofdm->out);
    memset(ofdm, 0, sizeof *ofdm);
}

/* Mean power on both sides of the band, as far as the resampler's low-pass leaves it. */
static float power_outside(const dvbt2_ofdm *ofdm, uint32_t first_bin)
{
    enum { DISTANCE = 4 }; /* from the outermost carrier, which leaks when the channel moves */
    const uint32_t n = ofdm->length, count = (n - ofdm->carriers) / 4;
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += dvbt2_power(ofdm->out[(first_bin + ofdm->carriers + DISTANCE + i) % n]);
        sum += dvbt2_power(ofdm->out[(first_bin + n - 1 - DISTANCE - i) % n]);
    }
    return sum / (float)(2 * count);
}

void dvbt2_ofdm_transform(dvbt2_ofdm *ofdm, const float complex *window, int shift, float complex *carriers)
{
    const uint32_t n = ofdm->length, first = (n + (uint32_t)ofdm->time_zero) % n;
    memcpy(ofdm->in, window + first, (n - first) * sizeof *window);
    memcpy(ofdm->in + n - first, window, first * sizeof *window);
    fftwf_execute(ofdm->plan);
    /* bin n / 2 of the numbering with 0 Hz in the middle is bin 0 of the transform */
    uint32_t bin = (ofdm->first_bin + n / 2 + n + (uint32_t)shift) % n;
    uint32_t upper = n - bin < ofdm->carriers ? n - bin : ofdm->carriers;
    memcpy(carriers, ofdm->out + bin, upper * sizeof *carriers);
    memcpy(carriers + upper, ofdm->out, (ofdm->carriers - upper) * sizeof *carriers);
    ofdm->outside = power_outside(ofdm, bin);
}
