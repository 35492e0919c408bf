/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples at 1/T by their number: the resampler and the part of its output that is still needed. */
#ifndef DVBT2_STREAM_H
#define DVBT2_STREAM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/resampler.h"

typedef struct dvbt2_stream {
    dvbt2_resampler resampler;
    float complex *samples;
    size_t held, room;
    uint64_t first; /* number of samples[0] */
} dvbt2_stream;

/* room: samples at 1/T. The resampler is initialised by the caller. false: out of memory. */
bool dvbt2_stream_init(dvbt2_stream *stream, size_t room);
void dvbt2_stream_free(dvbt2_stream *stream);

/* Number of the next sample that the resampler will give. */
static inline uint64_t dvbt2_stream_end(const dvbt2_stream *stream)
{
    return stream->first + stream->held;
}

static inline const float complex *dvbt2_stream_at(const dvbt2_stream *stream, uint64_t number)
{
    return stream->samples + (number - stream->first);
}

/* Forget samples before number `keep` and get those before number `end`; false: not all of them are there
 * yet. end - keep is at most `room`. */
bool dvbt2_stream_fetch(dvbt2_stream *stream, uint64_t keep, uint64_t end);

/* Correct carrier and clock from the next sample on; Hz and millionths, added to what is corrected already.
 */
void dvbt2_stream_correct(dvbt2_stream *stream, double carrier, double ppm);

/* Correct the carrier in the samples that are held and in all that follow. */
void dvbt2_stream_shift(dvbt2_stream *stream, double carrier);

#endif
