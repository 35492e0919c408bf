/* SPDX-License-Identifier: BSD-3-Clause */
/* Codewords for decoders that use the driver in host_driver.h. The kernel of that driver decides each bit by
 * the sign of its LLR. */
#ifndef LDPC_TEST_CUDA_CODEWORDS_H
#define LDPC_TEST_CUDA_CODEWORDS_H

#include "cuda/kernels/kernel.h"
#include "ldpc/ldpc.h"

enum { CODEWORDS = 37 };

typedef struct codewords {
    ldpc_code *code;
    uint32_t n, k;
    int8_t *llr;
    uint8_t *message, *codeword;
    int16_t *posterior;
    ldpc_codeword_info info[CODEWORDS];
    ldpc_batch batch;
} codewords;

/* A value for host_driver.launch; this kernel decides each bit by the sign of its LLR. */
void decide_by_signs(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);

void codewords_make(codewords *w);
void codewords_free(codewords *w);
/* Clears the results. Tests call this function before they decode a batch. */
void codewords_clear(codewords *w);
/* Checks that every codeword marked as decoded is correct. Returns the number of codewords that were not
 * decoded. */
size_t codewords_check(const codewords *w);

/* Returns parameters of a decoder for these codewords. */
ldpc_decoder_params codewords_parameters(const char *kernel);

#endif
