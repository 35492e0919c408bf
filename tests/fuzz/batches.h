/* SPDX-License-Identifier: BSD-3-Clause */
/* Small codes, decoders and batches for the fuzz targets that decode. */
#ifndef LDPC_FUZZ_BATCHES_H
#define LDPC_FUZZ_BATCHES_H

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { FUZZ_CODES = 10, FUZZ_MOST_CODEWORDS = 70, FUZZ_MOST_ITERATIONS = 7 };

/* Returns the i-th code, i < FUZZ_CODES; the first call creates it, and it is never destroyed. */
const ldpc_code *fuzz_code(uint32_t i);

/* Reads parameters from the input: mostly valid parameters, with one thread. */
ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code);

/* Returns the number of codewords of a batch: mostly one to three, rarely more than the lanes of a register;
 * only a few codewords over large fields. */
size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code);

/* Returns the reference decoder for the same parameters; NULL if there is none. */
ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params);

/* Input and all outputs of a batch, each in memory of exactly its size. */
typedef struct fuzz_batch {
    ldpc_batch batch;
    void *input;
    size_t message_bytes, codeword_bytes, posteriors, symbol_posteriors;
} fuzz_batch;

/* Fills a batch with LLRs or symbol costs from the input; floats if the decoder accepts them and the input
 * selects them. */
fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count);

/* Returns a batch with the same input and its own outputs, whose initial bytes differ. */
fuzz_batch fuzz_batch_twin(const fuzz_batch *other);

/* Frees each of the five outputs whose bit in `which` is set. */
void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which);

void fuzz_batch_free(fuzz_batch *b, bool with_input);

/* Checks, in integer arithmetic, that two results are equal byte for byte in all outputs that b has. */
void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b);

/* Checks properties that every result must have. */
void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b);

#endif
