/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Received and decoded cells of one PLP in one T2 frame.
 *
 *     received cells ──> TI blocks ──> LDPC decoder ──┬──> BCH syndrome 0: cells are known
 *                                                     └──> else: mean and variance from the posteriors
 *                                                                 ──> position of the received cells
 *
 * PLPs with interleaving frames over several T2 frames are not decoded. */
#ifndef DVBT2_DECODED_PLP_H
#define DVBT2_DECODED_PLP_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvbt2/plp/fec_chain.h"
#include "dvbt2/plp/interleaving_frame.h"

/* State of one FEC block. */
typedef struct dvbt2_decoded_block {
    size_t cell; /* first cell of the TI block */
    uint32_t ti_size;
    uint32_t place; /* index of the FEC block in the TI block */
    bool right;     /* true: the message is decoded */
    bool mapped;    /* true: mean and variance are set */
} dvbt2_decoded_block;

typedef struct dvbt2_decoded_plp {
    uint32_t cells, end, room;
    float complex *cell; /* the received cells after equalisation */
    float *noise;        /* noise of each cell */
    float complex *mean; /* mean of each transmitted cell; 0 (with variance 0) if unknown */
    float *variance;     /* variance of each transmitted cell */
    /* 0, 1, 2 ... through the deinterleaver: cell indices */
    float *number;
    dvbt2_fec_chain *chain; /* FEC chain for the latest format, or NULL */
    bool decodes;           /* true: codewords of this frame are decoded */
    /* FEC blocks of the frame: number, capacity */
    uint32_t n_blocks, blocks_room;
    dvbt2_decoded_block *block;
    uint8_t *codeword;
    uint32_t *queue, queued, taken;
    dvbt2_ti_progress progress; /* submitted TI blocks */
    float *source;
    float *probability; /* probability that a bit is 1, for each bit of a codeword */
    float complex *sent;
    float *sent_variance;
    uint8_t *index;
} dvbt2_decoded_plp;

void dvbt2_decoded_plp_free(dvbt2_decoded_plp *p);

/* Returns false if out of memory. */
bool dvbt2_decoded_plp_begin(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame);

void dvbt2_decoded_plp_add(dvbt2_decoded_plp *p, const float complex *cells, const float *noise,
                           uint32_t count);

/* Waits for all codewords. Returns the number of failed codewords. */
uint32_t dvbt2_decoded_plp_wait(dvbt2_decoded_plp *p);

void dvbt2_decoded_plp_map(dvbt2_decoded_plp *p);

void dvbt2_decoded_plp_decode_again(dvbt2_decoded_plp *p);

#endif
