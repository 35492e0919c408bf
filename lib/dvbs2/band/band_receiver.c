/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public interface: parameters, samples, status. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <volk/volk.h>

#include "base/memory.h"
#include "base/thread.h"
#include "base/versioned.h"
#include "dvbs2/band/band_threads.h"
#include "dvbs2/frame/layouts.h"
#include "dvbs2/frame/proving.h"
#include "receiver/samples.h"

enum {
    MOST_THREADS = 1024,
    MOST_CARRIERS = 1000,
    MOST_BATCH = 128, /* codewords for a GPU */
};

static const double piece_seconds = 1e-3;   /* least duration of a piece */
static const double queue_seconds = 0.05;   /* least duration of full pieces, which a live radio needs */
static const double widest_roll_off = 0.35; /* if it is unknown */
/* Half width of a channel in symbol rates, beside the carrier and at least: 1.1 samples per symbol. */
static const double shoulder = 0.01, least_pass = 0.56;
static const double beyond = 0.05; /* part of a carrier that may be outside of the band, in symbol rates */
static const double most_samples = 50; /* per symbol, for the transition of a filter */

static const ldpc_layout params_layout = LDPC_LAYOUT(dvbs2_band_params, fallback);

void dvbs2_band_params_init_sized(dvbs2_band_params *params, size_t size)
{
    const dvbs2_band_params defaults = {.size = size, .backend = "cpu"};
    if (params)
        ldpc_write_struct(&params_layout, params, size, &defaults);
}

static size_t piece_samples(const dvbs2_band *band)
{
    return band->blocks * band->channeliser.hop + 2 * (size_t)band->channeliser.margin;
}

/* Writes zeros. */
static void fill(const dvbs2_band *band, char *samples, size_t count)
{
    memset(samples, band->params.format == LDPC_CU8 ? 128 : 0, count * band->sample_bytes);
}

/* ---- creation */

static ldpc_status check_params(dvbs2_band_params *p, size_t count, ldpc_error *err)
{
    if (!rx_format_bytes(p->format))
        return ldpc_fail(err, LDPC_ERR_PARAM, "unknown sample format %d (expected cf32, cs16, cs8 or cu8)",
                         (int)p->format);
    if (!(p->sample_rate > 0 && isfinite(p->sample_rate)))
        return ldpc_fail(err, LDPC_ERR_RANGE, "sample rate %g Hz out of range (expected a positive number)",
                         p->sample_rate);
    if (p->threads > MOST_THREADS)
        return ldpc_fail(err, LDPC_ERR_RANGE, "threads %u out of range (expected 0 .. %d)", p->threads,
                         MOST_THREADS);
    if (count < 1 || count > MOST_CARRIERS)
        return ldpc_fail(err, LDPC_ERR_RANGE, "%zu carriers (expected 1 .. %d)", count, MOST_CARRIERS);
    if (p->threads == 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        p->threads = cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (uint32_t)cores;
    }
    return LDPC_OK;
}

/* Reads the parameters of a carrier and writes the part of the band that it occupies. */
static ldpc_status read_carrier(const dvbs2_band *band, const dvbs2_receiver_params *given, size_t number,
                                dvbs2_receiver_params *own, rx_channel_band *occupied, ldpc_error *err)
{
    if (given->size == 0)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "size of the parameters of the first carrier is 0 (expected the size that "
                         "dvbs2_receiver_params_init() sets)");
    const ldpc_status status =
        ldpc_read_struct(&dvbs2_receiver_params_layout, own, (const char *)given + number * given->size, err);
    if (status)
        return status;
    const double rate = own->symbol_rate, roll_off = own->roll_off > 0 ? own->roll_off : widest_roll_off;
    if (!(rate > 0 && rate <= band->params.sample_rate / 1.1))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "symbol rate %g baud of carrier %zu out of range (expected at most %.10g)", rate,
                         number, band->params.sample_rate / 1.1);
    const double inside = (band->params.sample_rate - rate) / 2, most = inside + beyond * rate;
    if (!(fabs(own->offset) <= most))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "offset %g Hz of carrier %zu out of range (expected at most +-%.10g for %.10g baud)",
                         own->offset, number, most, rate);
    *occupied = (rx_channel_band){fmax(-inside, fmin(inside, own->offset)),
                                  rate * fmax(least_pass, (1 + roll_off) / 2 + shoulder)};
    return LDPC_OK;
}

/* Creates the FEC of a carrier on a GPU. */
static ldpc_status create_fec(dvbs2_band *band, size_t number, const dvbs2_receiver_params *params)
{
    dvbs2_carrier_fec *fec = ldpc_allocate(1, sizeof *fec);
    if (!fec)
        return LDPC_ERR_MEMORY;
    fec->decoders = band->decoders;
    fec->max_iterations = params->max_iterations;
    fec->take = band->params.frame;
    fec->context = band->params.context;
    fec->carrier = number;
    band->carriers[number].fec = fec;
    return dvbs2_carrier_fec_init(fec, params->stream) ? LDPC_OK : LDPC_ERR_MEMORY;
}

static ldpc_status create_receiver(dvbs2_band *band, size_t number, dvbs2_receiver_params *params,
                                   ldpc_error *err)
{
    const rx_channel *channel = &band->channeliser.channels[number];
    ldpc_error cause = {{0}};
    params->sample_rate = channel->rate;
    params->format = LDPC_CF32;
    params->threads = 1;
    params->offset -= channel->centre;
    params->offset_range = 0;
    if (band->decoders && !params->cells_only && create_fec(band, number, params))
        return ldpc_fail_memory(err);
    params->cells_only |= band->carriers[number].fec != NULL;
    const ldpc_status status = dvbs2_receiver_create(params, &band->carriers[number].receiver, &cause);
    if (status)
        return ldpc_fail(err, status, "carrier %zu: %s", number, cause.message);
    if (band->carriers[number].fec)
        dvbs2_receiver_prove_carrier(band->carriers[number].receiver);
    dvbs2_band_measure(&band->carriers[number]);
    return LDPC_OK;
}

static ldpc_status create_receivers(dvbs2_band *band, const dvbs2_receiver_params *given,
                                    dvbs2_receiver_params *own, rx_channel_band *bands, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    double narrowest = band->params.sample_rate;
    for (size_t i = 0; i < band->count && !status; i++) {
        status = read_carrier(band, given, i, &own[i], &bands[i], err);
        narrowest = fmin(narrowest, own[i].symbol_rate);
    }
    if (!status && !rx_channeliser_init(&band->channeliser, band->params.format, band->params.sample_rate,
                                        most_samples * narrowest, bands, band->count))
        status = ldpc_fail_memory(err);
    for (size_t i = 0; i < band->count && !status; i++)
        status = create_receiver(band, i, &own[i], err);
    return status;
}

/* Allocates the ring. The first block begins before the first sample. */
static bool allocate_pieces(dvbs2_band *band)
{
    const rx_channeliser *c = &band->channeliser;
    band->blocks = (size_t)ceil(piece_seconds * c->rate / c->hop);
    const double full = ceil(queue_seconds * c->rate / ((double)band->blocks * c->hop));
    band->n_pieces = 1 + (size_t)fmax(DVBS2_SPECTRA, full); /* one is being written */
    band->held = c->margin;
    band->pieces = ldpc_allocate(band->n_pieces, sizeof *band->pieces);
    for (size_t i = 0; i < DVBS2_SPECTRA; i++)
        if (!(band->spectra[i] = rx_channeliser_allocate(band->blocks * c->fft)))
            return false;
    for (size_t i = 0; band->pieces && i < band->n_pieces; i++)
        if (!(band->pieces[i].samples = ldpc_allocate(piece_samples(band), band->sample_bytes)))
            return false;
    if (!band->pieces)
        return false;
    fill(band, band->pieces[0].samples, c->margin);
    return true;
}

static ldpc_status start_threads(dvbs2_band *band)
{
    band->workers = ldpc_allocate(band->params.threads, sizeof *band->workers);
    for (size_t i = 0; band->workers && i < band->params.threads; i++) {
        dvbs2_worker *w = &band->workers[i];
        w->band = band;
        w->transform = rx_channeliser_allocate(band->channeliser.fft);
        w->channel = rx_channeliser_allocate(2 * (size_t)band->channeliser.fft);
        if (!w->transform || !w->channel)
            return LDPC_ERR_MEMORY;
    }
    while (band->workers && band->running < band->params.threads)
        if (!ldpc_thread_start(&band->workers[band->running].thread, dvbs2_band_work,
                               &band->workers[band->running]))
            return LDPC_ERR_THREAD;
        else
            band->running++;
    return band->workers ? LDPC_OK : LDPC_ERR_MEMORY;
}

ldpc_status dvbs2_band_create(const dvbs2_band_params *given, const dvbs2_receiver_params *carriers,
                              size_t count, dvbs2_band **made, ldpc_error *err)
{
    if (!given || !carriers || !made)
        return ldpc_fail(err, LDPC_ERR_NULL, "params, carriers and band must not be NULL");
    *made = NULL;
    dvbs2_band_params params;
    ldpc_error reason = {{0}};
    ldpc_status status = ldpc_read_struct(&params_layout, &params, given, err);
    if (!status)
        status = check_params(&params, count, err);
    if (!status && (status = ldpc_backend_choose(params.backend, params.fallback, &params.backend, &reason)))
        ldpc_fail(err, status, "%s", reason.message);
    if (status)
        return status;
    dvbs2_band *band = ldpc_allocate(1, sizeof *band);
    if (!band)
        return ldpc_fail_memory(err);
    *band = (dvbs2_band){
        .params = params, .count = count, .sample_bytes = rx_format_bytes(params.format), .gap = -1};
    pthread_mutex_init(&band->mutex, NULL);
    pthread_cond_init(&band->work, NULL);
    pthread_cond_init(&band->progress, NULL);
    band->waiting = count;
    band->carriers = ldpc_allocate(count, sizeof *band->carriers);
    const bool gpu = strcmp(params.backend, "cpu") != 0;
    if (gpu)
        band->decoders = dvbs2_batch_decoders_create(
            params.backend, params.fallback,
            count * DVBS2_WAITING_FRAMES / 2 < MOST_BATCH ? count * DVBS2_WAITING_FRAMES / 2 : MOST_BATCH);
    dvbs2_receiver_params *own = ldpc_allocate(count, sizeof *own);
    rx_channel_band *bands = ldpc_allocate(count, sizeof *bands);
    status = band->carriers && own && bands && (band->decoders || !gpu)
                 ? create_receivers(band, carriers, own, bands, err)
                 : ldpc_fail_memory(err);
    free(own);
    free(bands);
    if (!status && !allocate_pieces(band))
        status = ldpc_fail_memory(err);
    if (!status && (status = start_threads(band)) != LDPC_OK)
        status = status == LDPC_ERR_MEMORY ? ldpc_fail_memory(err)
                                           : ldpc_fail(err, status, "the system cannot start a thread");
    if (status) {
        dvbs2_band_destroy(band);
        return status;
    }
    if (err)
        *err = reason;
    *made = band;
    return LDPC_OK;
}

static void destroy_carrier(dvbs2_carrier *c)
{
    dvbs2_receiver_destroy(c->receiver);
    if (c->fec)
        dvbs2_carrier_fec_free(c->fec);
    free(c->fec);
}

void dvbs2_band_destroy(dvbs2_band *band)
{
    if (!band)
        return;
    pthread_mutex_lock(&band->mutex);
    band->quit = true;
    pthread_cond_broadcast(&band->work);
    pthread_mutex_unlock(&band->mutex);
    for (size_t i = 0; i < band->running; i++)
        pthread_join(band->workers[i].thread, NULL);
    for (size_t i = 0; band->workers && i < band->params.threads; i++) {
        volk_free(band->workers[i].transform);
        volk_free(band->workers[i].channel);
    }
    for (size_t i = 0; band->carriers && i < band->count; i++)
        destroy_carrier(&band->carriers[i]);
    dvbs2_batch_decoders_destroy(band->decoders);
    for (size_t i = 0; band->pieces && i < band->n_pieces; i++)
        free(band->pieces[i].samples);
    for (size_t i = 0; i < DVBS2_SPECTRA; i++)
        volk_free(band->spectra[i]);
    rx_channeliser_free(&band->channeliser);
    free(band->pieces);
    free(band->workers);
    free(band->carriers);
    pthread_cond_destroy(&band->work);
    pthread_cond_destroy(&band->progress);
    pthread_mutex_destroy(&band->mutex);
    free(band);
}

/* ---- samples */

/* Passes the piece with its whole blocks to the threads, and begins the next one with its last samples. */
static void pass_on(dvbs2_band *band)
{
    const size_t overlap = 2 * (size_t)band->channeliser.margin, kept = band->held - overlap;
    dvbs2_piece *full = dvbs2_band_piece(band, band->written),
                *next = dvbs2_band_piece(band, band->written + 1);
    const bool here = band->gap < (int64_t)kept;
    full->blocks = kept / band->channeliser.hop;
    full->gap = here ? band->gap : -1;
    full->ready = false;
    band->gap = here ? -1 : band->gap - (int64_t)kept;
    pthread_mutex_lock(&band->mutex);
    band->written++;
    pthread_cond_broadcast(&band->work);
    while (band->written - band->oldest == band->n_pieces)
        pthread_cond_wait(&band->progress, &band->mutex);
    pthread_mutex_unlock(&band->mutex);
    memcpy(next->samples, full->samples + kept * band->sample_bytes, overlap * band->sample_bytes);
    band->held = overlap;
}

/* samples: NULL for zeros */
static void write_samples(dvbs2_band *band, const char *samples, size_t count)
{
    for (size_t done = 0, n; done < count; done += n) {
        char *to = dvbs2_band_piece(band, band->written)->samples + band->held * band->sample_bytes;
        const size_t room = piece_samples(band) - band->held;
        n = count - done < room ? count - done : room;
        if (samples)
            memcpy(to, samples + done * band->sample_bytes, n * band->sample_bytes);
        else
            fill(band, to, n);
        band->held += n;
        if (n == room)
            pass_on(band);
    }
}

void dvbs2_band_push(dvbs2_band *band, const void *samples, size_t count)
{
    if (band && samples && !band->finished)
        write_samples(band, samples, count);
}

void dvbs2_band_gap(dvbs2_band *band)
{
    if (band && !band->finished)
        band->gap = (int64_t)(band->held - band->channeliser.margin);
}

void dvbs2_band_finish(dvbs2_band *band)
{
    if (!band || band->finished)
        return;
    const size_t margin = band->channeliser.margin, hop = band->channeliser.hop;
    band->finished = true;
    write_samples(band, NULL, margin); /* for the outputs at the last samples */
    write_samples(band, NULL, (hop - (band->held - 2 * margin) % hop) % hop);
    if (band->held > 2 * margin)
        pass_on(band);
    pthread_mutex_lock(&band->mutex);
    band->ending = true;
    pthread_cond_broadcast(&band->work);
    while (band->n_finished < band->count)
        pthread_cond_wait(&band->progress, &band->mutex);
    pthread_mutex_unlock(&band->mutex);
}

/* ---- status */

void dvbs2_band_status_sized(dvbs2_band *band, size_t number, dvbs2_status *status, size_t size)
{
    if (!band || !status || number >= band->count) {
        dvbs2_receiver_status_sized(NULL, status, size);
        return;
    }
    pthread_mutex_lock(&band->mutex);
    dvbs2_status now = band->carriers[number].status;
    pthread_mutex_unlock(&band->mutex);
    if (now.locks > 0)
        now.carrier_hz += band->channeliser.channels[number].centre;
    now.size = size;
    ldpc_write_struct(&dvbs2_status_layout, status, size, &now);
}
