/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples at 1/T by their number. */
#include "dvbt2/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/complex.h"

bool dvbt2_stream_init(dvbt2_stream *stream, size_t span)
{
    stream->start = stream->end = 0;
    stream->span = span;
    stream->samples = ldpc_allocate(DVBT2_STREAM_RING + span, sizeof *stream->samples);
    return stream->samples != NULL;
}

void dvbt2_stream_free(dvbt2_stream *stream)
{
    dvbt2_resampler_free(&stream->resampler);
    free(stream->samples);
    stream->samples = NULL;
}

/* What was written at the start of the ring is copied behind its end. */
static void copy_start(dvbt2_stream *stream, size_t place, size_t count)
{
    if (place >= stream->span)
        return;
    if (count > stream->span - place)
        count = stream->span - place;
    memcpy(stream->samples + DVBT2_STREAM_RING + place, stream->samples + place,
           count * sizeof *stream->samples);
}

bool dvbt2_stream_fetch(dvbt2_stream *stream, uint64_t end)
{
    while (stream->end < end) {
        size_t place = (size_t)(stream->end % DVBT2_STREAM_RING), want = DVBT2_STREAM_RING - place;
        if (want > end - stream->end)
            want = (size_t)(end - stream->end);
        size_t got = dvbt2_resampler_read(&stream->resampler, stream->samples + place, want);
        if (got == 0)
            return false;
        copy_start(stream, place, got);
        stream->end += got;
    }
    return true;
}

void dvbt2_stream_correct(dvbt2_stream *stream, double carrier, double ppm)
{
    dvbt2_resampler *r = &stream->resampler;
    dvbt2_resampler_set_carrier(r, r->carrier + carrier);
    dvbt2_resampler_set_clock(r, r->clock_ppm + ppm);
}

void dvbt2_stream_shift(dvbt2_stream *stream, uint64_t from, double carrier)
{
    const double turns = -carrier / stream->resampler.output_rate;
    stream->start = from;
    for (uint64_t n = from; n < stream->end; n++) {
        double angle = 2 * DVBT2_PI * turns * (double)(n - from);
        size_t place = (size_t)(n % DVBT2_STREAM_RING);
        stream->samples[place] =
            dvbt2_mul(stream->samples[place], dvbt2_cplx((float)cos(angle), (float)sin(angle)));
        copy_start(stream, place, 1);
    }
    dvbt2_resampler_shift(&stream->resampler, carrier, turns * (double)(stream->end - from));
}
