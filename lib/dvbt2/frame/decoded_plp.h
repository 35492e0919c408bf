/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of one PLP in one T2 frame: as received, and what its codewords tell of them.
 *
 *     cells as they come ──> TI blocks ──> LDPC decoder ──> BCH code holds: cells are known
 *                                                      └──> else: mean and variance by the decoder's posteriors
 *                                                                  ──> where the cells were received
 *
 * Cells are known when all checks of the codeword are satisfied and its message is a codeword of the BCH code as it is. Where
 * the BCH code had to correct bits, the message is right, but the posteriors tell the cells. Of a PLP whose interleaving
 * frames take several T2 frames nothing is decoded. */
#ifndef DVBT2_DECODED_PLP_H
#define DVBT2_DECODED_PLP_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvbt2/plp/fec_chain.h"
#include "dvbt2/plp/interleaving_frame.h"

/* One FEC block: where it is, and what became of it. */
typedef struct dvbt2_decoded_block {
    size_t cell;      /* first one of its TI block */
    uint32_t ti_size; /* FEC blocks of that */
    uint32_t place;   /* its place among them */
    bool right;       /* its message is decoded */
    bool mapped;      /* mean and variance of its cells are set */
} dvbt2_decoded_block;

typedef struct dvbt2_decoded_plp {
    uint32_t cells, end, room;      /* of the frame; those that have come; memory */
    float complex *cell;            /* as received, equalised */
    float *noise;                   /* of each */
    float complex *mean;            /* what it was as sent; 0 with variance 0: nothing is known */
    float *variance;                /* of that */
    float *number;                  /* 0, 1, 2 ...: of each cell in its TI block */
    dvbt2_fec_chain *chain;         /* of the last format; NULL: none yet */
    bool decodes;                   /* the codewords of this frame are decoded */
    uint32_t n_blocks, blocks_room; /* FEC blocks of the frame; memory */
    dvbt2_decoded_block *block;
    uint8_t *codeword;              /* of each block that was decoded, packed */
    uint32_t *queue, queued, taken; /* blocks in the order in which they are decoded */
    dvbt2_ti_progress progress;     /* TI blocks that are being decoded */
    float *source;                  /* number of the cell that each cell of an FEC block comes from */
    float *probability;             /* of each bit of a codeword to be 1, in the order of the cells */
    float complex *sent;            /* cells of an FEC block */
    float *sent_variance;
    uint8_t *index;
} dvbt2_decoded_plp;

void dvbt2_decoded_plp_free(dvbt2_decoded_plp *p);

/* A frame begins. false: out of memory. */
bool dvbt2_decoded_plp_begin(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame);

/* Its next cells. TI blocks that are complete are decoded. */
void dvbt2_decoded_plp_add(dvbt2_decoded_plp *p, const float complex *cells, const float *noise,
                           uint32_t count);

/* Waits until all codewords are decoded; returns how many were not. */
uint32_t dvbt2_decoded_plp_wait(dvbt2_decoded_plp *p);

/* Writes mean and variance of the cells of the codewords that were decoded; the others have theirs. */
void dvbt2_decoded_plp_map(dvbt2_decoded_plp *p);

/* Cells have changed: decode the codewords that were not decoded once more. */
void dvbt2_decoded_plp_decode_again(dvbt2_decoded_plp *p);

#endif
