/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receives all carriers of a band.
 *
 *     push: samples ──> ring of pieces ──> spectra of a piece ──> channel of a carrier ──> its receiver
 *                                          one thread a piece     one thread a carrier
 *
 * A thread that is free takes the next piece without spectra, or else the carrier that has received the fewest pieces. A
 * piece is free when all carriers have received it. Only the DVBS2_SPECTRA oldest pieces have spectra, which need more
 * memory than the samples. So carriers may be at different pieces, and all threads are busy while
 * the number of carriers is larger than the number of threads, but not a multiple of it. */
#ifndef DVBS2_BAND_THREADS_H
#define DVBS2_BAND_THREADS_H

#include <pthread.h>

#include "dvbs2/band/carrier_fec.h"
#include "ldpc/dvbs2_band.h"
#include "receiver/channeliser.h"

enum { DVBS2_SPECTRA = 8 }; /* pieces with spectra */

typedef struct dvbs2_piece {
    char *samples;          /* of all blocks, with the margins of the first and the last one */
    size_t blocks;          /* fewer in the last piece */
    float complex *spectra; /* memory of the band */
    bool ready;             /* whether the spectra are computed */
    int64_t gap;            /* sample of the piece before which samples are missing; -1: none */
} dvbs2_piece;

typedef struct dvbs2_carrier {
    dvbs2_receiver *receiver;
    dvbs2_carrier_fec *fec; /* if a GPU decodes; otherwise NULL */
    uint64_t losses;        /* of the receiver, of which `fec` was informed */
    uint64_t received;      /* number of pieces */
    bool busy;              /* whether a thread uses the receiver */
    bool finished;
    dvbs2_status status; /* after the last piece */
    ldpc_error error;    /* the first one */
} dvbs2_carrier;

typedef struct dvbs2_worker {
    dvbs2_band *band;
    pthread_t thread;
    float complex *transform, *channel; /* memory for the channeliser */
} dvbs2_worker;

struct dvbs2_band {
    dvbs2_band_params params;
    rx_channeliser channeliser;
    size_t sample_bytes, blocks; /* most blocks of a piece */
    dvbs2_piece *pieces;         /* ring */
    size_t n_pieces;
    float complex *spectra[DVBS2_SPECTRA];
    dvbs2_batch_decoders *decoders; /* on a GPU, or NULL */
    dvbs2_carrier *carriers;
    size_t count;
    dvbs2_worker *workers;
    size_t running; /* number of workers with a thread */
    size_t held;    /* samples of the piece that is being written */
    int64_t gap;    /* as piece.gap, for this piece or a later one */
    bool finished;
    /* The mutex guards all following members, and those of pieces and carriers except the items. */
    pthread_mutex_t mutex;
    pthread_cond_t work, progress;
    bool quit;
    uint64_t written, transformed; /* number of pieces written; of those whose spectra are or were computed */
    uint64_t oldest;               /* number of pieces that all carriers have received */
    size_t waiting;                /* carriers that have received only those */
    size_t first;                  /* carrier from which the next one is searched */
    size_t n_finished;             /* carriers */
    bool ending;                   /* whether no piece follows */
};

static inline dvbs2_piece *dvbs2_band_piece(const dvbs2_band *band, uint64_t number)
{
    return &band->pieces[number % band->n_pieces];
}

/* Body of a thread. worker: a dvbs2_worker */
void *dvbs2_band_work(void *worker);

/* Copies the values of a carrier's receiver to carrier->status. */
void dvbs2_band_measure(dvbs2_carrier *carrier);

#endif
