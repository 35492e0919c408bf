/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the codewords of several threads in batches, on a GPU.
 *
 *     threads ──> places of the open batch ──> thread of the decoder: submits full batches, collects results
 *
 * A batch that is not full is submitted after some milliseconds. */
#ifndef DVBS2_BATCH_DECODER_H
#define DVBS2_BATCH_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "ldpc/decoder.h"

enum { DVBS2_MOST_MESSAGE_BYTES = 58320 / 8 };

/* A codeword after decoding. The caller owns it until it is done. */
typedef struct dvbs2_batch_result {
    bool done;    /* read it with dvbs2_batch_decoder_done() */
    bool failed;  /* whether the GPU has failed */
    bool decoded; /* whether the decoder has found a codeword */
    uint32_t iterations;
    uint8_t message[DVBS2_MOST_MESSAGE_BYTES]; /* packed */
} dvbs2_batch_result;

typedef struct dvbs2_batch_decoder dvbs2_batch_decoder;

/* The decoders of a band, one for each code and number of iterations. */
typedef struct dvbs2_batch_decoders dvbs2_batch_decoders;

/* backend: as chosen by ldpc_backend_choose(), a static string. fallback: whether a CPU decodes codes that the GPU cannot.
 * size: codewords of a batch. Returns NULL if out of memory. */
dvbs2_batch_decoders *dvbs2_batch_decoders_create(const char *backend, bool fallback, size_t size);
void dvbs2_batch_decoders_destroy(dvbs2_batch_decoders *all); /* all results are done; NULL is allowed */

/* Returns the decoder of a code. It is created when it is first used. Any thread may call this function. code: a static
 * string */
ldpc_status dvbs2_batch_decoders_get(dvbs2_batch_decoders *all, const char *code, uint32_t max_iterations,
                                     dvbs2_batch_decoder **decoder, ldpc_error *err);

/* Returns the place for the LLRs of a codeword; waits until there is one. Then the caller writes the LLRs and calls
 * dvbs2_batch_decoder_ready() with the same place. */
typedef struct dvbs2_batch_place {
    int8_t *llr;
    size_t batch;
} dvbs2_batch_place;
dvbs2_batch_place dvbs2_batch_decoder_reserve(dvbs2_batch_decoder *decoder, dvbs2_batch_result *result);
void dvbs2_batch_decoder_ready(dvbs2_batch_decoder *decoder, dvbs2_batch_place place);

/* Returns whether the result is done. wait: waits until it is. */
bool dvbs2_batch_decoder_done(dvbs2_batch_decoder *decoder, const dvbs2_batch_result *result, bool wait);

uint32_t dvbs2_batch_decoder_n(const dvbs2_batch_decoder *decoder); /* LLRs of a codeword */

/* Copies the first error message of the GPU, or "". */
void dvbs2_batch_decoder_message(dvbs2_batch_decoder *decoder, ldpc_error *err);

#endif
