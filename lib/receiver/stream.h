/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives random access to samples at 1/T by sample number. A stream consists of the resampler and a ring
 * buffer of its latest output, which reaches back to the start of a frame.
 *
 *     ring     | sample n at n mod `ring` ...                          | copy of the first `span` |
 *
 * The copy makes any `span` consecutive samples contiguous in memory. */
#ifndef RX_STREAM_H
#define RX_STREAM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/resampler.h"

typedef struct rx_stream {
    rx_resampler resampler;
    rx_resampler again; /* second resampler, which corrects the samples in the ring */
    float complex *samples;
    size_t ring;    /* size of the ring in samples */
    size_t span;    /* maximum number of samples in one access */
    uint64_t start; /* number of the oldest valid sample */
    uint64_t end;   /* number of the next sample that the resampler will output */
} rx_stream;

/* Initialises a stream. The caller has already initialised the resampler. Returns false if out of memory. */
bool rx_stream_init(rx_stream *stream, size_t ring, size_t span);
void rx_stream_free(rx_stream *stream);

/* Returns the number of the oldest sample in the ring. */
static inline uint64_t rx_stream_first(const rx_stream *stream)
{
    uint64_t oldest = stream->end > stream->ring ? stream->end - stream->ring : 0;
    return oldest > stream->start ? oldest : stream->start;
}

/* Returns the number of the sample that is `count` samples before sample `number`. If that sample is not in
 * the ring, returns the number of the oldest sample. */
static inline uint64_t rx_stream_before(const rx_stream *stream, uint64_t number, uint64_t count)
{
    const uint64_t first = rx_stream_first(stream);
    return number > first + count ? number - count : first;
}

/* Returns a pointer to sample `number`. The `span` samples from this sample on are contiguous in memory. */
static inline const float complex *rx_stream_at(const rx_stream *stream, uint64_t number)
{
    return stream->samples + number % stream->ring;
}

/* Resamples up to sample number `end`. Returns false if more input is needed. */
bool rx_stream_fetch(rx_stream *stream, uint64_t end);

/* Adds these values to the corrections of carrier (Hz) and clock (ppm). The next sample is the first sample
 * with the new corrections. */
void rx_stream_correct(rx_stream *stream, double carrier, double ppm);

/* Mirrors the spectrum, in all samples of the ring and in all later samples. */
void rx_stream_mirror(rx_stream *stream);

/* Corrects the carrier before the low-pass filter, which would cut off an edge of a signal that is not
 * centred. Resamples all samples from number `from` on. Returns false, and corrects nothing, if their input
 * is no longer in the buffer. */
bool rx_stream_retune(rx_stream *stream, uint64_t from, double carrier);

/* Corrects carrier and clock in all samples from number `from` on, including samples in the ring. The clock
 * changes by at most most_ppm of the resampler. Sample `from` keeps its number. Earlier samples are
 * dropped. */
void rx_stream_correct_from(rx_stream *stream, uint64_t from, double carrier, double ppm);

#endif
