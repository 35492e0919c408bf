/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool rx_stream_init(rx_stream *stream, size_t ring, size_t span)
{
    rx_resampler_params params = stream->resampler.params;
    params.format = LDPC_CF32;
    params.input_rate = params.output_rate;
    stream->start = stream->end = 0;
    stream->ring = ring;
    stream->span = span;
    stream->samples = ldpc_allocate(ring + span, sizeof *stream->samples);
    if (!stream->samples || !rx_resampler_init(&stream->again, &params))
        return false;
    /* The first resampler has already removed DC and image. */
    stream->again.imbalance.memory = 0;
    rx_resampler_keep(&stream->again, 0);
    return true;
}

void rx_stream_free(rx_stream *stream)
{
    rx_resampler_free(&stream->resampler);
    rx_resampler_free(&stream->again);
    free(stream->samples);
    stream->samples = NULL;
}

/* Copies the ring's first `span` samples to its end. */
static void copy_start(rx_stream *stream, size_t place, size_t count)
{
    if (place >= stream->span)
        return;
    if (count > stream->span - place)
        count = stream->span - place;
    memcpy(stream->samples + stream->ring + place, stream->samples + place, count * sizeof *stream->samples);
}

/* Reads samples up to number `end`, or until the resampler needs input. */
static void fill(rx_stream *stream, rx_resampler *resampler, uint64_t end)
{
    while (stream->end < end) {
        size_t place = (size_t)(stream->end % stream->ring), want = stream->ring - place;
        if (want > end - stream->end)
            want = (size_t)(end - stream->end);
        size_t got = rx_resampler_read(resampler, stream->samples + place, want);
        if (got == 0)
            return;
        copy_start(stream, place, got);
        stream->end += got;
    }
}

bool rx_stream_fetch(rx_stream *stream, uint64_t end)
{
    fill(stream, &stream->resampler, end);
    return stream->end >= end;
}

static void correct_clock(rx_resampler *r, double ppm)
{
    const double most = r->params.most_ppm;
    rx_resampler_set_clock(r, fmax(-most, fmin(most, r->clock_ppm + ppm)));
}

void rx_stream_correct(rx_stream *stream, double carrier, double ppm)
{
    rx_resampler *r = &stream->resampler;
    rx_resampler_set_carrier(r, r->carrier + carrier);
    correct_clock(r, ppm);
}

void rx_stream_mirror(rx_stream *stream)
{
    rx_resampler_mirror(&stream->resampler);
    for (size_t i = 0; i < stream->ring + stream->span; i++)
        stream->samples[i] = conjf(stream->samples[i]);
}

bool rx_stream_retune(rx_stream *stream, uint64_t from, double carrier)
{
    if (!rx_resampler_back(&stream->resampler, (double)(stream->end - from)))
        return false;
    rx_resampler_shift(&stream->resampler, carrier, 0, 0);
    stream->end = from;
    return true;
}

/* Each sample is read before it is overwritten. */
static void resample(rx_stream *stream, uint64_t end)
{
    for (uint64_t n = stream->end; n < end;) {
        const size_t place = (size_t)(n % stream->ring), left = (size_t)(end - n);
        const size_t whole = stream->ring - place;
        n += rx_resampler_write(&stream->again, stream->samples + place, left < whole ? left : whole);
        fill(stream, &stream->again, n);
    }
    fill(stream, &stream->again, UINT64_MAX); /* a slower clock gives more samples */
}

void rx_stream_correct_from(rx_stream *stream, uint64_t from, double carrier, double drift, double ppm)
{
    rx_resampler *r = &stream->resampler, *again = &stream->again;
    const double step = r->step, count = (double)(stream->end - from), t = count / r->params.output_rate;
    rx_resampler_shift(r, carrier + drift * t, drift, -(carrier + drift / 2 * t) * t);
    correct_clock(r, ppm);
    rx_resampler_reset(again);
    again->limiter.level = 0;
    rx_resampler_set_carrier(again, carrier);
    again->drift = drift;
    again->step = r->step / step;
    const uint64_t end = stream->end;
    stream->start = stream->end = from;
    resample(stream, end);
    rx_resampler_back(r, count / again->step - (double)(stream->end - from));
}
