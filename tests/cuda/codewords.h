/* SPDX-License-Identifier: BSD-3-Clause */
/* Codewords for the driver of host_driver.h, whose kernel decides bits by the signs of LLRs. */
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

/* Kernel for host_driver.launch: decides bits by the signs of LLRs. */
void decide_by_signs(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);

void codewords_make(codewords *w);
void codewords_free(codewords *w);
/* Clears the results before a batch. */
void codewords_clear(codewords *w);
/* Returns the number of codewords that are marked as not decoded. All other codewords must be correct. */
size_t codewords_check(const codewords *w);

ldpc_decoder_params codewords_parameters(const char *kernel);

#endif
