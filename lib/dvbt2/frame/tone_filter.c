/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/tone_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/fft_plan.h"
#include "dvbt2/channel/tones.h"

bool dvbt2_tone_filter_init(dvbt2_tone_filter *filter, size_t most)
{
    filter->time = fftwf_malloc(DVBT2_TONE_BLOCK * sizeof *filter->time);
    filter->bins = fftwf_malloc(DVBT2_TONE_BLOCK * sizeof *filter->bins);
    filter->clean = ldpc_allocate(most, sizeof *filter->clean);
    if (!filter->time || !filter->bins || !filter->clean)
        return false;
    filter->forward = rx_fft_plan(DVBT2_TONE_BLOCK, filter->time, filter->bins, FFTW_FORWARD);
    filter->backward = rx_fft_plan(DVBT2_TONE_BLOCK, filter->bins, filter->time, FFTW_BACKWARD);
    return filter->forward && filter->backward;
}

void dvbt2_tone_filter_free(dvbt2_tone_filter *filter)
{
    rx_fft_destroy(filter->forward);
    rx_fft_destroy(filter->backward);
    fftwf_free(filter->time);
    fftwf_free(filter->bins);
    free(filter->clean);
    memset(filter, 0, sizeof *filter);
}

static bool clean_block(dvbt2_tone_filter *filter, const float complex *samples, float complex *clean)
{
    dvbt2_tone tone[DVBT2_MOST_TONES];
    memcpy(filter->time, samples, DVBT2_TONE_BLOCK * sizeof *samples);
    fftwf_execute(filter->forward);
    if (dvbt2_remove_tones(filter->bins, DVBT2_TONE_BLOCK, 0, tone) == 0)
        return false;
    fftwf_execute(filter->backward);
    for (size_t i = 0; i < DVBT2_TONE_BLOCK; i++)
        clean[i] = filter->time[i] * (1.0f / DVBT2_TONE_BLOCK);
    return true;
}

const float complex *dvbt2_tone_filter_run(dvbt2_tone_filter *filter, const float complex *samples,
                                           size_t count)
{
    bool any = false;
    for (size_t at = 0; at < count && count >= DVBT2_TONE_BLOCK; at += DVBT2_TONE_BLOCK) {
        const size_t from =
            at + DVBT2_TONE_BLOCK <= count ? at : count - DVBT2_TONE_BLOCK; /* the last block may overlap */
        float complex block[DVBT2_TONE_BLOCK];
        if (!clean_block(filter, samples + from, block))
            continue;
        if (!any)
            memcpy(filter->clean, samples, count * sizeof *samples);
        any = true;
        memcpy(filter->clean + at, block + (at - from), (DVBT2_TONE_BLOCK - (at - from)) * sizeof *block);
    }
    return any ? filter->clean : samples;
}
