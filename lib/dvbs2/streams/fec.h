/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts cells of PL frames to baseband frames. Each MODCOD has a demapper, an LDPC decoder and a BCH
 * decoder, which are created for the first frame of the MODCOD. */
#ifndef DVBS2_FEC_H
#define DVBS2_FEC_H

#include "dvbs2/streams/rings.h"
#include "dvbs2/sync/synchroniser.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvb_fec.h"

enum { DVBS2_FEC_FRAME_BYTES = 64800 / 8 }; /* size of the buffer of a baseband frame */

typedef struct dvbs2_fec_chain {
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
    dvbs2_rings rings;
    ldpc_demapper *moved; /* demapper with the measured rings; NULL: the nominal points are used */
    float moved_power;    /* mean power of these points */
    uint32_t frames;      /* number of frames */
    uint32_t failures;    /* failed decodings in a row */
} dvbs2_fec_chain;

typedef struct dvbs2_fec {
    uint32_t max_iterations;
    dvbs2_fec_chain chains[DVBS2_MOST_MODCODS]; /* the index is that of dvbs2_modcod() */
    int8_t *llr;
    int16_t *posterior; /* LLRs after decoding; after dvbs2_fec_decode() only if it uses them */
    float *cell_llr;    /* extrinsic LLRs, in the order of the cells */
    double certainty;   /* sum of |posterior|; each term is limited like a channel LLR */
    float complex *scaled;
    float *cell_noise;
    int8_t *moved_llr;        /* LLRs in the order of the cells */
    uint8_t *labels;          /* of the cells after decoding */
    uint8_t *message, *frame; /* packed LDPC message; packed BCH message */
} dvbs2_fec;

/* A decoded frame. */
typedef struct dvbs2_fec_result {
    const uint8_t *frame; /* baseband frame, packed and scrambled */
    bool broken;
    uint32_t iterations; /* summed over all decodings */
    int32_t corrected;   /* number of bits that the BCH decoder has corrected, or LDPC_BCH_FAILED */
} dvbs2_fec_result;

bool dvbs2_fec_init(dvbs2_fec *fec, uint32_t max_iterations);
void dvbs2_fec_free(dvbs2_fec *fec);

/* Decodes a data frame. */
ldpc_status dvbs2_fec_decode(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                             ldpc_error *err);

ldpc_status dvbs2_fec_decode_again(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                                   ldpc_error *err);

/* Decodes the last frame again, with cells after another phase correction. It does not count as another frame. */
ldpc_status dvbs2_fec_decode_other_cells(dvbs2_fec *fec, const dvbs2_pl_frame *frame,
                                         dvbs2_fec_result *result, ldpc_error *err);

/* Decodes the last frame again with frame->clear. The rings of these cells are measured with the last decisions, and only
 * used once. */
ldpc_status dvbs2_fec_decode_clear(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                                   ldpc_error *err);

/* Writes the points of a MODCOD, I and Q alternating, if a frame of it was decoded. A nonlinear amplifier moves rings
 * relative to each other. The common rotation is removed. Returns false if no points were written. */
bool dvbs2_fec_points(const dvbs2_fec *fec, uint32_t modcod, float points[2 * DVBS2_RING_POINTS]);

/* Writes the points of the first `count` cells of the last frame, as the last decoding that wrote fec->posterior has
 * decided them. */
void dvbs2_fec_decided(dvbs2_fec *fec, const dvbs2_pl_frame *frame, size_t count, float complex *points);

/* Returns the extrinsic LLRs of the label bits of all cells: LLRs after decoding minus LLRs before decoding. Sets
 * fec->certainty. */
const float *dvbs2_fec_extrinsic(dvbs2_fec *fec, const dvbs2_pl_frame *frame);

/* Creates the demapper of a MODCOD. n: bits of a codeword */
ldpc_status dvbs2_fec_create_demapper(const ldpc_dvbs2_modcod *modcod, uint32_t n, ldpc_demapper **demapper,
                                      ldpc_error *err);

/* Decodes the BCH code. message: packed LDPC message; decoded: whether the LDPC decoder has decoded it. Writes the packed
 * baseband frame and the number of corrected bits, or LDPC_BCH_FAILED. Returns whether the frame has bit errors. */
bool dvbs2_fec_outer(const ldpc_bch *bch, const uint8_t *message, bool decoded, uint8_t *frame,
                     int32_t *corrected);

#endif
