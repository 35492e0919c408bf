/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything between the cells of a FEC block and its baseband frame, for one format of cells.
 *
 *     cells ──> TI block deinterleaver ──> demapper ──> LLRs ──┐ submit: batches of codewords in flight,
 *                                                              │ decoded by threads or a GPU
 *     baseband frames <── BCH decoder <── codewords <─────┘ collect: the oldest batch
 *
 * submit() and collect() are called by one thread; a batch is a number of consecutive FEC blocks of a TI
 * block.
 */
#ifndef DVBT2_FEC_CHAIN_H
#define DVBT2_FEC_CHAIN_H

#include <time.h>

#include "dvbt2/plp/baseband.h"
#include "dvbt2/plp/mer.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbt2_plp.h"

/* Consecutive FEC blocks that are decoded together. */
typedef struct dvbt2_fec_batch {
    int8_t *llr;                   /* [batch][n] */
    int16_t *posterior;            /* [batch][n], where they are wanted; else NULL */
    uint8_t *codeword;             /* [batch][n / 8], packed */
    ldpc_codeword_info *info;      /* [batch] */
    size_t count;                  /* FEC blocks in it */
    struct timespec late;          /* from then on, by gpu_timeout_ms */
    bool begins;                   /* it has the first FEC block of an interleaving frame */
    dvbt2_interleaving_info about; /* this one */
    bool kept;                     /* and its cells are in `kept` of the chain */
} dvbt2_fec_batch;

typedef struct dvbt2_fec_chain {
    dvbt2_plp_format format; /* fec_blocks is 0 */
    ldpc_cell_deinterleaver *deinterleaver;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
    size_t n, cells;          /* bits and cells of a FEC block */
    size_t batch;             /* most FEC blocks of a batch */
    size_t depth;             /* batches that may be in flight */
    uint32_t gpu_timeout_ms;  /* 0 on the CPU */
    bool given_up;            /* the GPU has not kept it: ldpc_decoder_abandon() */
    dvbt2_fec_batch *batches; /* ring of `depth` */
    size_t oldest, in_flight; /* of the ring */
    float *iq, *noise;        /* deinterleaved cells of a batch */
    uint8_t *frame;           /* baseband frame of one FEC block, packed */
    dvbt2_kept_cells kept;    /* of the first FEC block of one interleaving frame, for the MER */
} dvbt2_fec_chain;

/* *chain is NULL after a failure. */
ldpc_status dvbt2_fec_chain_create(const dvbt2_plp_decoder_params *params, const dvbt2_plp_format *format,
                                   dvbt2_fec_chain **chain, ldpc_error *err);
void dvbt2_fec_chain_destroy(dvbt2_fec_chain *chain); /* nothing is in flight; NULL is allowed */

/* Do both formats need the same chain? */
bool dvbt2_fec_chain_fits(const dvbt2_fec_chain *chain, const dvbt2_plp_format *format);

/* Consecutive FEC blocks of a TI block. */
typedef struct dvbt2_fec_blocks {
    uint32_t ti_size;                      /* FEC blocks of the TI block */
    uint32_t first, count;                 /* those meant, count <= batch */
    const float *iq, *noise;               /* cells of the whole TI block */
    const dvbt2_interleaving_info *begins; /* `first` begins this interleaving frame; else NULL */
} dvbt2_fec_blocks;

/* Batches have posteriors from now on. false: out of memory. */
bool dvbt2_fec_chain_want_posteriors(dvbt2_fec_chain *chain);

/* At least one of the `depth` batches is free. */
ldpc_status dvbt2_fec_chain_submit(dvbt2_fec_chain *chain, const dvbt2_fec_blocks *blocks);

/* Takes the oldest batch in flight back, which stays as it is until its place in the ring is used again. Returns as
 * collect() does. */
ldpc_status dvbt2_fec_chain_take(dvbt2_fec_chain *chain, bool wait, const dvbt2_fec_batch **taken);

/* Takes the oldest batch in flight back and hands its frames on. LDPC_AGAIN: it is not ready, and `wait` is
 * false. LDPC_ERR_DEVICE, LDPC_ERR_MEMORY (queues): it has been taken back all the same. */
ldpc_status dvbt2_fec_chain_collect(dvbt2_fec_chain *chain, bool wait, dvbt2_plp_counters *counters,
                                    dvbt2_baseband *baseband);

/* The sentence about a failure of one of these calls. */
ldpc_status dvbt2_fec_chain_fail(const dvbt2_fec_chain *chain, ldpc_status status, ldpc_error *err);

#endif
