/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the cells of one PLP in one T2 frame, both as received and as decoded.
 *
 *     received cells ──> TI blocks ──> LDPC decoder ──┬──> BCH syndrome 0: cells are known
 *                                                     └──> else: mean and variance from the posteriors
 *                                                                 ──> position of the received cells
 *
 * Cells are known if all checks of the LDPC code are satisfied and the BCH decoder finds no errors. If the
 * BCH decoder corrects bits, the message is correct, but the cells are computed from the posteriors. PLPs
 * whose interleaving frames span several T2 frames are not decoded. */
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
    size_t cell;      /* for the TI block that contains this FEC block: the index of its first cell */
    uint32_t ti_size; /* number of FEC blocks in that TI block */
    uint32_t place;   /* index of this FEC block within the TI block */
    bool right;       /* true: the message of the FEC block has been decoded */
    bool mapped;      /* true: mean and variance of the FEC block's cells have been set */
} dvbt2_decoded_block;

typedef struct dvbt2_decoded_plp {
    /* number of cells in the frame, number of cells received so far, and capacity in cells */
    uint32_t cells, end, room;
    float complex *cell; /* the received cells after equalisation */
    float *noise;        /* noise of each cell */
    float complex *mean; /* mean of each transmitted cell; mean and variance of an unknown cell are 0 */
    float *variance;     /* variance of each transmitted cell */
    /* the numbers 0, 1, 2 ...; the deinterleaver turns them into the index of each cell */
    float *number;
    dvbt2_fec_chain *chain; /* FEC chain of the last format; NULL if there is none */
    bool decodes;           /* true: the codewords of this frame are decoded */
    /* number of FEC blocks in the frame, and capacity in FEC blocks */
    uint32_t n_blocks, blocks_room;
    dvbt2_decoded_block *block;
    uint8_t *codeword; /* for each decoded block, its packed codeword */
    /* FEC blocks in decoding order; number of submitted blocks; number of collected blocks */
    uint32_t *queue, queued, taken;
    dvbt2_ti_progress progress; /* TI blocks that have been submitted so far */
    float *source;              /* for each cell of an FEC block, its index within the TI block */
    float *probability;         /* for each bit of a codeword, the probability that it is 1 */
    float complex *sent;        /* transmitted cells of an FEC block */
    float *sent_variance;
    uint8_t *index;
} dvbt2_decoded_plp;

void dvbt2_decoded_plp_free(dvbt2_decoded_plp *p);

/* Begins a frame. Returns false if out of memory. */
bool dvbt2_decoded_plp_begin(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame);

/* Adds the next cells. TI blocks that are complete are submitted for decoding. */
void dvbt2_decoded_plp_add(dvbt2_decoded_plp *p, const float complex *cells, const float *noise,
                           uint32_t count);

/* Waits for all codewords. Returns the number of codewords that could not be decoded. */
uint32_t dvbt2_decoded_plp_wait(dvbt2_decoded_plp *p);

/* Writes mean and variance of the cells of all decoded codewords. The values for failed codewords have
 * already been written. */
void dvbt2_decoded_plp_map(dvbt2_decoded_plp *p);

/* Decodes the failed codewords again after their cells have changed. */
void dvbt2_decoded_plp_decode_again(dvbt2_decoded_plp *p);

#endif
