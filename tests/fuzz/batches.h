/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes, decoders and batches of fuzz targets. */
#ifndef LDPC_FUZZ_BATCHES_H
#define LDPC_FUZZ_BATCHES_H

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { FUZZ_CODES = 10, FUZZ_MOST_CODEWORDS = 70, FUZZ_MOST_ITERATIONS = 7 };

/* Returns code i < FUZZ_CODES. Created once, never destroyed. */
const ldpc_code *fuzz_code(uint32_t i);

/* Reads decoder parameters: mostly valid, one thread. */
ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code);

/* Returns one to three codewords, rarely more than lanes, few for large fields. */
size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code);

/* Returns the reference decoder, or NULL if it does not support the parameters. */
ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params);

/* A batch in buffers of exact size. */
typedef struct fuzz_batch {
    ldpc_batch batch;
    void *input;
    size_t message_bytes, codeword_bytes, posteriors, symbol_posteriors;
} fuzz_batch;

/* Fills a batch with LLRs or symbol costs. Floats if the decoder and the input allow them. */
fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count);

/* Returns a batch with equal input and different output bytes. */
fuzz_batch fuzz_batch_twin(const fuzz_batch *other);

/* Frees the outputs whose bit in `which` is set. */
void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which);

void fuzz_batch_free(fuzz_batch *b, bool with_input);

/* Integer arithmetic: all outputs of b must be equal. */
void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b);

void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b);

#endif
