/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples at 1/T by their number: the resampler and its latest output, long enough to look back to the start
 * of a frame.
 *
 *     ring     | sample n at n mod `ring` ...                          | copy of the first `span` |
 *
 * With the copy, up to `span` samples from any number on are contiguous. */
#ifndef RX_STREAM_H
#define RX_STREAM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/resampler.h"

typedef struct rx_stream {
    rx_resampler resampler;
    rx_resampler again; /* corrects samples that are in the ring */
    float complex *samples;
    size_t ring;    /* the latest samples that are kept */
    size_t span;    /* most samples that are looked at together */
    uint64_t start; /* number of the oldest sample that may be used */
    uint64_t end;   /* number of the next sample that the resampler will give */
} rx_stream;

/* The resampler is initialised by the caller. false: out of memory. */
bool rx_stream_init(rx_stream *stream, size_t ring, size_t span);
void rx_stream_free(rx_stream *stream);

/* Number of the oldest sample in the ring. */
static inline uint64_t rx_stream_first(const rx_stream *stream)
{
    uint64_t oldest = stream->end > stream->ring ? stream->end - stream->ring : 0;
    return oldest > stream->start ? oldest : stream->start;
}

/* Number of the sample `count` before one in the ring, at least that of the oldest one. */
static inline uint64_t rx_stream_before(const rx_stream *stream, uint64_t number, uint64_t count)
{
    const uint64_t first = rx_stream_first(stream);
    return number > first + count ? number - count : first;
}

/* The samples from a number on. */
static inline const float complex *rx_stream_at(const rx_stream *stream, uint64_t number)
{
    return stream->samples + number % stream->ring;
}

/* Resamples up to sample number `end`; false: more input is needed. */
bool rx_stream_fetch(rx_stream *stream, uint64_t end);

/* Correct carrier and clock from the next sample on; Hz and millionths, added to what is corrected already. */
void rx_stream_correct(rx_stream *stream, double carrier, double ppm);

/* Mirror the spectrum of all samples, those that are in the ring and those that follow. */
void rx_stream_mirror(rx_stream *stream);

/* Correct the carrier before the low-pass, which cuts the edges of a signal that lies beside the middle: sample number
 * `from` and all that follow come again. false: they are not there any more, and nothing was corrected. */
bool rx_stream_retune(rx_stream *stream, uint64_t from, double carrier);

/* Correct carrier and clock, by the resampler's most_ppm at most, also in the samples already received: in number `from` and all that
 * follow. `from` stays where it is, and samples before are forgotten. */
void rx_stream_correct_from(rx_stream *stream, uint64_t from, double carrier, double ppm);

#endif
