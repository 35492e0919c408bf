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
    uint64_t end;   /* number of the next sample that will be read from the resampler */
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

/* Returns the number of the sample that is `count` samples before sample `number`, or the number of the
 * oldest sample if that is later. */
static inline uint64_t rx_stream_before(const rx_stream *stream, uint64_t number, uint64_t count)
{
    const uint64_t first = rx_stream_first(stream);
    return number > first + count ? number - count : first;
}

/* Returns a pointer to sample `number`. `span` samples from there on are contiguous. */
static inline const float complex *rx_stream_at(const rx_stream *stream, uint64_t number)
{
    return stream->samples + number % stream->ring;
}

/* Resamples up to sample number `end`. Returns false if more input is needed. */
bool rx_stream_fetch(rx_stream *stream, uint64_t end);

/* Adds the given values to the corrections of carrier (Hz) and clock (ppm). The change takes effect at the
 * next sample. */
void rx_stream_correct(rx_stream *stream, double carrier, double ppm);

/* Mirrors the spectrum of all samples in the ring and of all later samples. */
void rx_stream_mirror(rx_stream *stream);

/* Corrects the carrier before the low-pass filter, which would otherwise cut the edge of a signal that is not
 * centred. Sample number `from` and all later samples are resampled again. If their input is no longer in the
 * buffer, returns false and corrects nothing. */
bool rx_stream_retune(rx_stream *stream, uint64_t from, double carrier);

/* Corrects carrier and clock in sample number `from` and in all later samples, including samples that are
 * already in the ring. The clock changes by at most most_ppm of the resampler. Sample `from` keeps its
 * number, and earlier samples are dropped. */
void rx_stream_correct_from(rx_stream *stream, uint64_t from, double carrier, double ppm);

#endif
