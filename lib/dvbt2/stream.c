/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples at 1/T by their number. */
#include "dvbt2/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/complex.h"

bool dvbt2_stream_init(dvbt2_stream *stream, size_t room)
{
    stream->held = 0;
    stream->first = 0;
    stream->room = room;
    stream->samples = ldpc_allocate(room, sizeof *stream->samples);
    return stream->samples != NULL;
}

void dvbt2_stream_free(dvbt2_stream *stream)
{
    dvbt2_resampler_free(&stream->resampler);
    free(stream->samples);
    stream->samples = NULL;
}

/* Forget samples before number `keep`, also those that are still to come. */
static bool drop(dvbt2_stream *stream, uint64_t keep)
{
    while (keep > dvbt2_stream_end(stream)) {
        stream->first = dvbt2_stream_end(stream);
        stream->held = 0;
        uint64_t want = keep - stream->first < stream->room ? keep - stream->first : stream->room;
        stream->held = dvbt2_resampler_read(&stream->resampler, stream->samples, (size_t)want);
        if (stream->held == 0)
            return false;
    }
    if (keep > stream->first) {
        size_t gone = (size_t)(keep - stream->first);
        stream->held -= gone;
        stream->first = keep;
        memmove(stream->samples, stream->samples + gone, stream->held * sizeof *stream->samples);
    }
    return true;
}

bool dvbt2_stream_fetch(dvbt2_stream *stream, uint64_t keep, uint64_t end)
{
    if (end <= dvbt2_stream_end(stream))
        return true; /* the next call forgets */
    if (!drop(stream, keep))
        return false;
    size_t want = (size_t)(end - dvbt2_stream_end(stream));
    if (want > stream->room - stream->held)
        want = stream->room - stream->held;
    stream->held += dvbt2_resampler_read(&stream->resampler, stream->samples + stream->held, want);
    return dvbt2_stream_end(stream) >= end;
}

void dvbt2_stream_correct(dvbt2_stream *stream, double carrier, double ppm)
{
    dvbt2_resampler *r = &stream->resampler;
    dvbt2_resampler_set_carrier(r, r->carrier + carrier);
    dvbt2_resampler_set_clock(r, r->clock_ppm + ppm);
}

void dvbt2_stream_shift(dvbt2_stream *stream, double carrier)
{
    double turns = -carrier / stream->resampler.output_rate;
    for (size_t n = 0; n < stream->held; n++) {
        double angle = 2 * DVBT2_PI * turns * (double)n;
        stream->samples[n] = dvbt2_mul(stream->samples[n], dvbt2_cplx((float)cos(angle), (float)sin(angle)));
    }
    dvbt2_stream_correct(stream, carrier, 0);
}
