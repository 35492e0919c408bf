/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/band/band_threads.h"

#include <stdio.h>

#include "dvbs2/frame/proving.h"

enum { MOST_PIECES = 4 };

static void transform(const dvbs2_band *band, const dvbs2_piece *p, float complex *work)
{
    const rx_channeliser *c = &band->channeliser;
    for (size_t b = 0; b < p->blocks; b++)
        rx_channeliser_transform(c, p->samples + b * c->hop * band->sample_bytes, work,
                                 p->spectra + b * c->fft);
}

/* Frames for a GPU. */
static void decode_later(dvbs2_carrier *c, const dvbs2_frame *frame)
{
    dvbs2_status status;
    uint64_t losses = 0;
    dvbs2_receiver_status(c->receiver, &status);
    for (int i = 0; i < DVBS2_LOSSES; i++)
        losses += status.losses[i];
    if (losses != c->losses)
        dvbs2_carrier_fec_break(c->fec);
    c->losses = losses;
    if (dvbs2_carrier_fec_is_lost(c->fec))
        dvbs2_receiver_prove_carrier(c->receiver);
    dvbs2_carrier_fec_add(c->fec, frame);
}

static void take_frames(const dvbs2_band *band, size_t number)
{
    const dvbs2_frame *frame;
    dvbs2_carrier *c = &band->carriers[number];
    while ((frame = dvbs2_receiver_pull(c->receiver)) != NULL)
        if (c->fec)
            decode_later(c, frame);
        else if (band->params.frame)
            band->params.frame(band->params.context, number, frame);
}

static void push(const dvbs2_band *band, size_t number, const float complex *samples, size_t count)
{
    for (size_t done = 0; done < count;) {
        done += dvbs2_receiver_push(band->carriers[number].receiver, samples + done, count - done);
        take_frames(band, number);
    }
}

static void receive(const dvbs2_band *band, size_t number, const dvbs2_piece *p, float complex *work)
{
    const rx_channeliser *c = &band->channeliser;
    const rx_channel *channel = &c->channels[number];
    const size_t outputs = rx_channel_outputs(c, channel);
    for (size_t b = 0; b < p->blocks; b++) {
        const float complex *samples = rx_channeliser_outputs(c, channel, p->spectra + b * c->fft, work);
        const int64_t gap = p->gap - (int64_t)(b * c->hop);
        const bool missing = gap >= 0 && gap < (int64_t)c->hop;
        const size_t before = missing ? (size_t)gap * outputs / c->hop : 0;
        push(band, number, samples, before);
        if (missing)
            dvbs2_receiver_gap(band->carriers[number].receiver);
        push(band, number, samples + before, outputs - before);
    }
}

/* Returns the carrier with the fewest pieces that has work and that no thread uses, or `count`. Searches from the carrier
 * after the last one, so that one of the oldest piece is found in a few steps. */
static size_t next_carrier(dvbs2_band *band)
{
    size_t next = band->count;
    for (size_t i = 0; i < band->count; i++) {
        const size_t number = (band->first + i) % band->count;
        const dvbs2_carrier *c = &band->carriers[number];
        const bool more = c->received < band->transformed && dvbs2_band_piece(band, c->received)->ready,
                   last = band->ending && c->received == band->written && !c->finished;
        if (!c->busy && (more || last) &&
            (next == band->count || c->received < band->carriers[next].received))
            next = number;
        if (next < band->count && band->carriers[next].received == band->oldest)
            break;
    }
    band->first = next < band->count ? next + 1 : band->first;
    return next;
}

/* Counts pieces that a carrier has received. */
static void advance(dvbs2_band *band, dvbs2_carrier *c, uint64_t pieces)
{
    const bool was_oldest = c->received == band->oldest;
    c->received += pieces;
    if (!was_oldest || pieces == 0 || --band->waiting > 0)
        return;
    band->oldest = c->received;
    for (size_t i = 0; i < band->count; i++) {
        const uint64_t received = band->carriers[i].received;
        band->waiting = received < band->oldest ? 1 : band->waiting + (received == band->oldest);
        band->oldest = received < band->oldest ? received : band->oldest;
    }
    pthread_cond_broadcast(&band->progress);
    pthread_cond_broadcast(&band->work);
}

void dvbs2_band_measure(dvbs2_carrier *c)
{
    dvbs2_receiver_status(c->receiver, &c->status);
    if (c->fec)
        dvbs2_carrier_fec_count(c->fec, &c->status);
    if (c->fec && c->fec->error.message[0])
        c->status.message = c->fec->error.message;
    if (!c->error.message[0])
        snprintf(c->error.message, sizeof c->error.message, "%s", c->status.message);
    c->status.message = c->error.message[0] ? c->error.message : ""; /* callers read it without the mutex */
}

/* Unlocks the mutex while it works. */
static void transform_next(dvbs2_band *band, float complex *work)
{
    dvbs2_piece *p = dvbs2_band_piece(band, band->transformed);
    p->spectra = band->spectra[band->transformed++ % DVBS2_SPECTRA];
    pthread_mutex_unlock(&band->mutex);
    transform(band, p, work);
    pthread_mutex_lock(&band->mutex);
    p->ready = true;
    pthread_cond_broadcast(&band->work);
}

/* Returns how many pieces a thread receives of a carrier at a time. With a few, the state of its receiver is loaded into the
 * cache of the processor less often. */
static uint64_t ready_pieces(const dvbs2_band *band, const dvbs2_carrier *c)
{
    uint64_t n = 0;
    while (n < MOST_PIECES && c->received + n < band->transformed &&
           dvbs2_band_piece(band, c->received + n)->ready)
        n++;
    return n;
}

static void receive_next(dvbs2_band *band, size_t number, float complex *work)
{
    dvbs2_carrier *c = &band->carriers[number];
    const bool last = c->received == band->written && band->ending;
    const uint64_t pieces = ready_pieces(band, c);
    c->busy = true;
    pthread_mutex_unlock(&band->mutex);
    if (last) {
        dvbs2_receiver_finish(c->receiver);
        take_frames(band, number);
        if (c->fec)
            dvbs2_carrier_fec_finish(c->fec);
    }
    for (uint64_t i = 0; i < pieces; i++)
        receive(band, number, dvbs2_band_piece(band, c->received + i), work);
    pthread_mutex_lock(&band->mutex);
    c->busy = false;
    c->finished = last;
    dvbs2_band_measure(c);
    advance(band, c, pieces);
    band->n_finished += last;
    if (band->n_finished == band->count)
        pthread_cond_broadcast(&band->progress);
}

void *dvbs2_band_work(void *argument)
{
    dvbs2_worker *w = argument;
    dvbs2_band *band = w->band;
    pthread_mutex_lock(&band->mutex);
    while (!band->quit) {
        size_t number;
        if (band->transformed < band->written && band->transformed < band->oldest + DVBS2_SPECTRA)
            transform_next(band, w->transform);
        else if ((number = next_carrier(band)) < band->count)
            receive_next(band, number, w->channel);
        else
            pthread_cond_wait(&band->work, &band->mutex);
    }
    pthread_mutex_unlock(&band->mutex);
    return NULL;
}
