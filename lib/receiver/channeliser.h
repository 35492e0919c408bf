/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a wide band into channels of lower rates with FFTs (overlap-save).
 *
 *     block of samples ──> FFT of `fft` bins ──> bins of a channel, times its filter ──> inverse FFT of `size` bins
 *                          once for all channels                                         outputs of the channel
 *
 * A block has `fft` samples and begins `hop` samples after the previous block. Its first and last `margin` samples overlap
 * with other blocks: without them, each block gives hop * size / fft outputs of a channel, without delay. The functions
 * that process blocks keep no state, so threads may process different blocks and channels at the same time. */
#ifndef RX_CHANNELISER_H
#define RX_CHANNELISER_H

#include <complex.h>
#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/sample_format.h"

/* The part of the band that a channel passes: frequency +- pass, in Hz. */
typedef struct rx_channel_band {
    double frequency, pass;
} rx_channel_band;

typedef struct rx_channel {
    double rate;         /* of the outputs, Hz */
    double centre;       /* frequency at which the outputs have 0 Hz; close to the frequency of the band */
    uint32_t size;       /* bins of the inverse FFT */
    int32_t middle;      /* bin of `centre` */
    int32_t first, last; /* bins that the filter passes, relative to the middle: first <= bin < last */
    float *filter;       /* of these bins */
    fftwf_plan inverse;
} rx_channel;

typedef struct rx_channeliser {
    ldpc_sample_format format;
    double rate;
    uint32_t fft, hop, margin; /* samples; hop + 2 * margin = fft */
    fftwf_plan forward;
    size_t count;
    rx_channel *channels;
} rx_channeliser;

/* Chooses the lengths and plans the FFTs, which takes about a second for long ones. most_transition: maximum width of the
 * transition of a filter, in Hz. Returns false if out of memory. */
bool rx_channeliser_init(rx_channeliser *c, ldpc_sample_format format, double rate, double most_transition,
                         const rx_channel_band *bands, size_t count);
void rx_channeliser_free(rx_channeliser *c);

/* Allocates aligned memory for `count` complex values, for the functions below. NULL: out of memory. Release it with
 * volk_free(). */
float complex *rx_channeliser_allocate(size_t count);

/* Computes the spectrum of the `fft` samples of a block. work: `fft` values. */
void rx_channeliser_transform(const rx_channeliser *c, const void *samples, float complex *work,
                              float complex *spectrum);

/* Returns the outputs of a channel, hop * size / fft values, which are in `work`. work: 2 * channel->size values. */
const float complex *rx_channeliser_outputs(const rx_channeliser *c, const rx_channel *channel,
                                            const float complex *spectrum, float complex *work);

/* Returns the number of outputs of a channel in a block. */
static inline size_t rx_channel_outputs(const rx_channeliser *c, const rx_channel *channel)
{
    return (size_t)channel->size * c->hop / c->fft;
}

#endif
