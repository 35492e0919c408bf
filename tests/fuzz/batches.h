/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes, decoders and batches for fuzz targets. */
#ifndef LDPC_FUZZ_BATCHES_H
#define LDPC_FUZZ_BATCHES_H

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { FUZZ_CODES = 10, FUZZ_MOST_CODEWORDS = 70, FUZZ_MOST_ITERATIONS = 7 };

/* Codes are never destroyed. */
const ldpc_code *fuzz_code(uint32_t i);

/* Reads decoder parameters from the input. Most of the values are valid. The number of threads is 1. */
ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code);

size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code);

/* Returns the reference decoder, or NULL if it does not support the parameters. */
ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params);

/* A batch. Its buffers have exactly the required size. */
typedef struct fuzz_batch {
    ldpc_batch batch;
    void *input;
    size_t message_bytes, codeword_bytes, posteriors, symbol_posteriors;
} fuzz_batch;

/* Fills a batch with LLRs or symbol costs, as int8 or float. */
fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count);

/* Returns a batch with equal inputs and different initial bytes in the outputs. */
fuzz_batch fuzz_batch_twin(const fuzz_batch *other);

/* which: bit mask of outputs */
void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which);

void fuzz_batch_free(fuzz_batch *b, bool with_input);

/* Outputs must be equal in integer arithmetic. */
void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b);

void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b);

#endif
