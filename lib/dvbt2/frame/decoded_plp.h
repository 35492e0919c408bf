/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of one PLP in one T2 frame: as received, and as decoded.
 *
 *     received cells ──> TI blocks ──> LDPC decoder ──┬──> BCH syndrome 0: cells are known
 *                                                     └──> else: mean and variance from the posteriors
 *                                                                 ──> position of the received cells
 *
 * Cells are known if all checks of the LDPC code are satisfied and the BCH decoder has nothing to correct. If
 * the BCH decoder corrects bits, the message is right, but the cells are taken from the posteriors. PLPs
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
    size_t cell;      /* index of the first cell of the TI block that contains it */
    uint32_t ti_size; /* FEC blocks in the TI block */
    uint32_t place;   /* index of the FEC block within the TI block */
    bool right;       /* the message of the FEC block has been decoded */
    bool mapped;      /* mean and variance of its cells are set */
} dvbt2_decoded_block;

typedef struct dvbt2_decoded_plp {
    uint32_t cells, end, room;      /* number of cells in the frame; number received; capacity */
    float complex *cell;            /* received cells, equalised */
    float *noise;                   /* noise of each cell */
    float complex *mean;            /* mean of each transmitted cell; an unknown cell has mean 0 and variance
                                     * 0 */
    float *variance;                /* variance of each transmitted cell */
    float *number;                  /* 0, 1, 2 ...: cell indices for the deinterleaver */
    dvbt2_fec_chain *chain;         /* FEC chain of the last format, or NULL */
    bool decodes;                   /* the codewords of this frame are decoded */
    uint32_t n_blocks, blocks_room; /* number of FEC blocks in the frame; capacity */
    dvbt2_decoded_block *block;
    uint8_t *codeword;              /* packed codeword of each decoded block */
    uint32_t *queue, queued, taken; /* blocks in decoding order; number submitted; number collected */
    dvbt2_ti_progress progress;     /* TI blocks submitted so far */
    float *source;                  /* index within the TI block of each cell of an FEC block */
    float *probability;             /* probability of a 1 for each bit of a codeword */
    float complex *sent;            /* transmitted cells of an FEC block */
    float *sent_variance;
    uint8_t *index;
} dvbt2_decoded_plp;

void dvbt2_decoded_plp_free(dvbt2_decoded_plp *p);

/* Begin a frame. Returns false if out of memory. */
bool dvbt2_decoded_plp_begin(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame);

/* Add the next cells. Complete TI blocks are submitted for decoding. */
void dvbt2_decoded_plp_add(dvbt2_decoded_plp *p, const float complex *cells, const float *noise,
                           uint32_t count);

/* Wait for all codewords; returns the number that failed. */
uint32_t dvbt2_decoded_plp_wait(dvbt2_decoded_plp *p);

/* Write mean and variance of the cells of all decoded codewords. The cells of failed codewords have been
 * written before. */
void dvbt2_decoded_plp_map(dvbt2_decoded_plp *p);

/* Decode the failed codewords again after their cells have changed. */
void dvbt2_decoded_plp_decode_again(dvbt2_decoded_plp *p);

#endif
