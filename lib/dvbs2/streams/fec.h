/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of PL frames to baseband frames: demapper, LDPC and BCH decoder of each MODCOD. They are created with
 * the first frame of the MODCOD. */
#ifndef DVBS2_FEC_H
#define DVBS2_FEC_H

#include "dvbs2/sync/synchroniser.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvb_fec.h"

typedef struct dvbs2_fec_chain {
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
} dvbs2_fec_chain;

typedef struct dvbs2_fec {
    uint32_t max_iterations;
    dvbs2_fec_chain chains[DVBS2_MOST_MODCODS]; /* by index of ldpc_dvbs2_modcod_list() */
    int8_t *llr;
    int16_t *posterior;       /* LLRs after decoding */
    float *cell_llr;          /* the same in the order of the cells */
    float complex *expected;  /* mean of the points of each cell after decoding */
    double certainty;         /* sum of the powers of `expected` */
    uint8_t *message, *frame; /* packed: message of the LDPC code; of the BCH code */
} dvbs2_fec;

/* A decoded frame. */
typedef struct dvbs2_fec_result {
    const uint8_t *frame; /* baseband frame, packed and scrambled */
    bool converged;       /* the LDPC decoder found a codeword */
    bool broken;          /* the frame has bit errors */
    uint32_t iterations;
    int32_t corrected; /* bits corrected by the BCH decoder, or LDPC_BCH_FAILED */
} dvbs2_fec_result;

bool dvbs2_fec_init(dvbs2_fec *fec, uint32_t max_iterations);
void dvbs2_fec_free(dvbs2_fec *fec);

/* Decodes a data frame. */
ldpc_status dvbs2_fec_decode(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                             ldpc_error *err);

/* Returns the mean of the points of each cell, weighted with their probabilities after the last decoding, and
 * sets fec->certainty. */
const float complex *dvbs2_fec_expected(dvbs2_fec *fec, const dvbs2_pl_frame *frame);

#endif
