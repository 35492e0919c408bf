/* SPDX-License-Identifier: BSD-3-Clause */
/* Small codes, decoders and batches for the fuzz targets that decode. */
#ifndef LDPC_FUZZ_BATCHES_H
#define LDPC_FUZZ_BATCHES_H

#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { FUZZ_CODES = 10, FUZZ_MOST_CODEWORDS = 70, FUZZ_MOST_ITERATIONS = 7 };

/* The i-th code, i < FUZZ_CODES; made when it is asked for first, never destroyed. */
const ldpc_code *fuzz_code(uint32_t i);

/* Parameters from an input, mostly allowed ones; with one thread. */
ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code);

/* Codewords of a batch: mostly one to three, seldom more than a register has lanes; few over large fields. */
size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code);

/* The reference decoder for the same parameters, NULL where there is none. */
ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params);

/* Input and all outputs of a batch, each in memory of exactly its size. */
typedef struct fuzz_batch {
    ldpc_batch batch;
    void *input;
    size_t message_bytes, codeword_bytes, posteriors, symbol_posteriors;
} fuzz_batch;

/* LLRs from the input, or symbol costs; floats where the decoder takes them and the input asks for them. */
fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count);

/* The same input, outputs of its own, which hold other bytes until they are written. */
fuzz_batch fuzz_batch_twin(const fuzz_batch *other);

/* Frees some of the outputs: a bit of `which` for each of the five. */
void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which);

void fuzz_batch_free(fuzz_batch *b, bool with_input);

/* Integer arithmetic: two results are equal byte for byte, as far as the second one has outputs. */
void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b);

/* What holds for every result. */
void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b);

#endif
