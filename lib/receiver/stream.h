/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random access to samples at 1/T. A ring stores the resampler's output, back to the start of a frame.
 *
 *     ring     | sample n at n mod `ring` ...                          | copy of the first `span` |
 *
 * The copy makes `span` samples contiguous. */
#ifndef RX_STREAM_H
#define RX_STREAM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/resampler.h"

typedef struct rx_stream {
    rx_resampler resampler;
    rx_resampler again; /* corrects samples in the ring */
    float complex *samples;
    size_t ring;    /* samples */
    size_t span;    /* maximum number of samples per access */
    uint64_t start; /* oldest valid sample */
    uint64_t end;   /* next output of the resampler */
} rx_stream;

/* The caller must have initialised the resampler. Returns false if out of memory. */
bool rx_stream_init(rx_stream *stream, size_t ring, size_t span);
void rx_stream_free(rx_stream *stream);

static inline uint64_t rx_stream_first(const rx_stream *stream)
{
    uint64_t oldest = stream->end > stream->ring ? stream->end - stream->ring : 0;
    return oldest > stream->start ? oldest : stream->start;
}

/* Returns the sample `count` before `number`, or the oldest sample in the ring. */
static inline uint64_t rx_stream_before(const rx_stream *stream, uint64_t number, uint64_t count)
{
    const uint64_t first = rx_stream_first(stream);
    return number > first + count ? number - count : first;
}

/* Returns a pointer to `span` contiguous samples, starting with sample `number`. */
static inline const float complex *rx_stream_at(const rx_stream *stream, uint64_t number)
{
    return stream->samples + number % stream->ring;
}

/* Returns false if more input is needed before sample `end`. */
bool rx_stream_fetch(rx_stream *stream, uint64_t end);

/* Adds to the corrections of carrier (Hz) and clock (ppm), starting with the next sample. The sum of all clock
 * corrections is limited to most_ppm, also below. */
void rx_stream_correct(rx_stream *stream, double carrier, double ppm);

void rx_stream_mirror(rx_stream *stream);

/* Corrects the carrier before the low-pass filter. All samples from `from` on are resampled again. Returns
 * false, and changes nothing, if the input is no longer stored. */
bool rx_stream_retune(rx_stream *stream, uint64_t from, double carrier);

/* Corrects carrier (Hz at sample `from`), drift of the carrier (Hz/s) and clock from sample `from` on, also in
 * the ring. Earlier samples are dropped. */
void rx_stream_correct_from(rx_stream *stream, uint64_t from, double carrier, double drift, double ppm);

#endif
