/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the cells of an FEC block to its baseband frame, for one format of cells.
 *
 *     cells ──> TI block deinterleaver ──> demapper ──> LLRs ──┐ submit: batches of codewords in flight,
 *                                                              │ decoded by threads or a GPU
 *     baseband frames <── BCH decoder <── codewords <─────┘ collect: the oldest batch
 *
 * A batch is a number of consecutive FEC blocks of a TI block. submit() and collect() are called from one
 * thread. */
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
    int16_t *posterior;            /* [batch][n], or NULL if not requested */
    uint8_t *codeword;             /* [batch][n / 8], packed */
    ldpc_codeword_info *info;      /* [batch] */
    size_t count;                  /* number of FEC blocks */
    struct timespec late;          /* deadline of the GPU, from gpu_timeout_ms */
    bool begins;                   /* contains the first FEC block of an interleaving frame */
    dvbt2_interleaving_info about; /* metadata of that interleaving frame */
    bool kept;                     /* chain->kept holds cells of this batch */
} dvbt2_fec_batch;

typedef struct dvbt2_fec_chain {
    dvbt2_plp_format format; /* fec_blocks is 0 */
    ldpc_cell_deinterleaver *deinterleaver;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
    size_t n, cells;          /* bits and cells of an FEC block */
    size_t batch;             /* maximum FEC blocks per batch */
    size_t depth;             /* maximum batches in flight */
    uint32_t gpu_timeout_ms;  /* time limit of the GPU in ms; 0 for decoding on the CPU */
    bool given_up;            /* the GPU exceeded the time limit and was abandoned (ldpc_decoder_abandon()) */
    dvbt2_fec_batch *batches; /* ring of `depth` batches */
    size_t oldest, in_flight; /* index of the oldest batch in flight; batches in flight */
    float *iq, *noise;        /* deinterleaved cells of a batch */
    uint8_t *frame;           /* baseband frame of one FEC block, packed */
    dvbt2_kept_cells kept;    /* cells of the first FEC block of an interleaving frame, for the MER */
} dvbt2_fec_chain;

/* *chain is NULL after a failure. */
ldpc_status dvbt2_fec_chain_create(const dvbt2_plp_decoder_params *params, const dvbt2_plp_format *format,
                                   dvbt2_fec_chain **chain, ldpc_error *err);
void dvbt2_fec_chain_destroy(dvbt2_fec_chain *chain); /* no batch may be in flight; NULL is allowed */

/* Returns whether this format needs the same chain as chain->format. */
bool dvbt2_fec_chain_fits(const dvbt2_fec_chain *chain, const dvbt2_plp_format *format);

/* Consecutive FEC blocks of a TI block. */
typedef struct dvbt2_fec_blocks {
    uint32_t ti_size;                      /* FEC blocks in the TI block */
    uint32_t first, count;                 /* selected FEC blocks, count <= batch */
    const float *iq, *noise;               /* cells of the whole TI block */
    const dvbt2_interleaving_info *begins; /* metadata if `first` begins an interleaving frame, else NULL */
} dvbt2_fec_blocks;

/* Make all later batches compute posteriors. Returns false if out of memory. */
bool dvbt2_fec_chain_want_posteriors(dvbt2_fec_chain *chain);

/* Submit FEC blocks as one batch. At least one of the `depth` batches must be free. */
ldpc_status dvbt2_fec_chain_submit(dvbt2_fec_chain *chain, const dvbt2_fec_blocks *blocks);

/* Remove the oldest batch from flight; *taken remains valid until its slot in the ring is reused. Returns the
 * same codes as dvbt2_fec_chain_collect(). */
ldpc_status dvbt2_fec_chain_take(dvbt2_fec_chain *chain, bool wait, const dvbt2_fec_batch **taken);

/* Remove the oldest batch from flight and push its frames into the baseband. Returns LDPC_AGAIN if it is not
 * finished and `wait` is false. After LDPC_ERR_DEVICE or LDPC_ERR_MEMORY (queues) the batch has been removed
 * all the same. */
ldpc_status dvbt2_fec_chain_collect(dvbt2_fec_chain *chain, bool wait, dvbt2_plp_counters *counters,
                                    dvbt2_baseband *baseband);

/* Set the error message for a failure of one of these calls. */
ldpc_status dvbt2_fec_chain_fail(const dvbt2_fec_chain *chain, ldpc_status status, ldpc_error *err);

#endif
