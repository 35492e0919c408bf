/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the cells of FEC blocks to baseband frames, for one cell format.
 *
 *     cells ──> TI block deinterleaver ──> demapper ──> LLRs ──┐ submit: batches of codewords in flight,
 *                                                              │ decoded by threads or a GPU
 *     baseband frames <── BCH decoder <── codewords <─────┘ collect: the oldest batch
 *
 * A batch consists of consecutive FEC blocks of a TI block. Call submit() and collect() from one thread. */
#ifndef DVBT2_FEC_CHAIN_H
#define DVBT2_FEC_CHAIN_H

#include <time.h>

#include "dvbt2/plp/baseband.h"
#include "dvbt2/plp/mer.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbt2_plp.h"

typedef struct dvbt2_fec_batch {
    int8_t *llr;              /* LLRs [batch][n] */
    int16_t *posterior;       /* posteriors [batch][n], or NULL if not requested */
    uint8_t *codeword;        /* packed codewords [batch][n / 8] */
    ldpc_codeword_info *info; /* decoder records: [batch] */
    size_t count;             /* number of FEC blocks */
    struct timespec late;     /* time limit for the GPU (gpu_timeout_ms) */
    bool begins;              /* begins an interleaving frame */
    dvbt2_interleaving_info about;
    bool kept; /* chain->kept contains the cells of this batch */
} dvbt2_fec_batch;

typedef struct dvbt2_fec_chain {
    dvbt2_plp_format format; /* fec_blocks is 0 */
    ldpc_cell_deinterleaver *deinterleaver;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    ldpc_bch *bch;
    size_t n, cells; /* number of bits and cells of an FEC block */
    size_t batch;
    size_t depth;            /* maximum number of batches in flight */
    uint32_t gpu_timeout_ms; /* time limit of the GPU, ms; 0 for the CPU */
    /* after ldpc_decoder_abandon() */
    bool given_up;
    dvbt2_fec_batch *batches; /* ring of `depth` batches */
    size_t oldest, in_flight;
    float *iq, *noise; /* deinterleaved cells of a batch and their noise */
    uint8_t *frame;    /* packed baseband frame of one FEC block */
    dvbt2_kept_cells kept;
} dvbt2_fec_chain;

/* *chain is NULL after a failure. */
ldpc_status dvbt2_fec_chain_create(const dvbt2_plp_decoder_params *params, const dvbt2_plp_format *format,
                                   dvbt2_fec_chain **chain, ldpc_error *err);
void dvbt2_fec_chain_destroy(dvbt2_fec_chain *chain); /* No batch may be in flight. chain may be NULL. */

bool dvbt2_fec_chain_fits(const dvbt2_fec_chain *chain, const dvbt2_plp_format *format);

/* Consecutive FEC blocks of a TI block. */
typedef struct dvbt2_fec_blocks {
    uint32_t ti_size;
    /* index of the first FEC block, and number of blocks (at most `batch`) */
    uint32_t first, count;
    const float *iq, *noise;
    const dvbt2_interleaving_info *begins; /* may be NULL */
} dvbt2_fec_blocks;

/* Requests posteriors for all later batches. Returns false if out of memory. */
bool dvbt2_fec_chain_want_posteriors(dvbt2_fec_chain *chain);

/* A slot for the batch must be free. */
ldpc_status dvbt2_fec_chain_submit(dvbt2_fec_chain *chain, const dvbt2_fec_blocks *blocks);

/* Removes the oldest batch. *taken is valid until its slot is used again. Returns the same values as
 * dvbt2_fec_chain_collect(). */
ldpc_status dvbt2_fec_chain_take(dvbt2_fec_chain *chain, bool wait, const dvbt2_fec_batch **taken);

/* Removes the oldest batch and pushes its frames into the baseband. Returns LDPC_AGAIN if `wait` is false and
 * the batch is not finished. LDPC_ERR_DEVICE and LDPC_ERR_MEMORY also remove the batch. */
ldpc_status dvbt2_fec_chain_collect(dvbt2_fec_chain *chain, bool wait, dvbt2_plp_counters *counters,
                                    dvbt2_baseband *baseband);

/* Writes the message of an error to *err, after a function of the chain has failed. */
ldpc_status dvbt2_fec_chain_fail(const dvbt2_fec_chain *chain, ldpc_status status, ldpc_error *err);

#endif
