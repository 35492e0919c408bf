/* SPDX-License-Identifier: BSD-3-Clause */
/* Small codes, decoders and batches for the fuzz targets that decode codewords. */
#ifndef LDPC_FUZZ_BATCHES_H
#define LDPC_FUZZ_BATCHES_H

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { FUZZ_CODES = 10, FUZZ_MOST_CODEWORDS = 70, FUZZ_MOST_ITERATIONS = 7 };

/* Returns the i-th code, i < FUZZ_CODES. The code is created by the first call and never destroyed. */
const ldpc_code *fuzz_code(uint32_t i);

/* Reads decoder parameters from the input. They are mostly valid and request one thread. */
ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code);

/* Returns the number of codewords of a batch: mostly one to three, rarely more than a register has lanes, and
 * always small for large fields. */
size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code);

/* Returns the reference decoder with the same parameters, or NULL if the reference does not support them. */
ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params);

/* The input and all outputs of a batch. Each buffer has exactly the size that is needed. */
typedef struct fuzz_batch {
    ldpc_batch batch;
    void *input;
    size_t message_bytes, codeword_bytes, posteriors, symbol_posteriors;
} fuzz_batch;

/* Fills a batch with LLRs or symbol costs from the input. They are floats if the decoder accepts floats and
 * the input selects them. */
fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count);

/* Returns a batch with the same input, but with its own outputs, which initially contain different bytes. */
fuzz_batch fuzz_batch_twin(const fuzz_batch *other);

/* Frees each of the five outputs whose bit is set in `which`. */
void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which);

void fuzz_batch_free(fuzz_batch *b, bool with_input);

/* For integer arithmetic, checks that two results are equal byte for byte in all outputs of b. */
void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b);

/* Checks the properties that every result must have. */
void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b);

#endif
