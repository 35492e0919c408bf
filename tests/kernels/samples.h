/* SPDX-License-Identifier: BSD-3-Clause */
/* Input for the kernel tests: codes of many kinds, and LLRs from realistic to extreme. */
#ifndef LDPC_TEST_SAMPLES_H
#define LDPC_TEST_SAMPLES_H

#include "code/code_internal.h"
#include "ldpc/ldpc.h"

/* The i-th code of the kernel tests, NULL past the end. Besides names of the registry:
 *   "tiny"       4 checks, 6 bits
 *   "irregular"  no structure: checks of degree 1 to 40, a column without checks, one with many
 *   "folded"     z = 5, columns that stand two and three times in one layer, missing edges, punctured, known
 *                and constant zero symbols
 *   "wide"       z = 67, degrees 2 and 3, every column twice in some layer
 *   "dense"      z = 260, rows of 66 edges, a missing edge, groups of columns of degree 1
 *   "dense-cut"  the same, z = 400; not in the list
 *   "alone"      z = 5, a check of which missing edges leave one; not in the list */
const char *sample_code_name(size_t i);
ldpc_code *sample_code_create(const char *name);

/* Makes a code from layers, without rows and without an encoder. Every column is transmitted and is part of
 * the message. Layer l has degrees[l] blocks. The number of a column is lane * groups + group. Returns NULL
 * if an allocation fails. */
ldpc_code *layers_create(uint32_t z, uint32_t groups, uint32_t layers, const uint32_t *degrees,
                         const ldpc_block *blocks);

/* A small random generator that gives the same numbers in every run. */
typedef struct random_state {
    uint64_t x;
} random_state;
random_state random_of(uint64_t seed, const char *name);
uint32_t random_next(random_state *state);
uint32_t random_below(random_state *state, uint32_t limit);

/* Fills the n LLRs of one codeword. There are several kinds: noisy codewords, codewords with large LLRs,
 * uniform numbers from -128 to 127, zeros, saturated LLRs, alternating LLRs. */
void sample_codeword(random_state *state, const ldpc_code *code, int8_t *llr);

/* Draws ldpc_decoder_params.llr_limit: no limit, the default, or any other value. */
uint32_t sample_llr_limit(random_state *state);

/* Makes a codeword whose bits are erased (LLR 0) or certain. Usually there are too many erasures to resolve
 * all of them. */
void sample_erasures(random_state *state, const ldpc_code *code, int8_t *llr);

/* Returns true if a test includes this backend. asked: the only backend to test; NULL: all backends except
 * OpenCL, because compilers for CPUs take up to a minute for one OpenCL program. */
bool backend_is_wanted(const char *asked, const char *backend);

/* Returns true if the requested backend cannot be used on this machine, or has no device of the requested
 * types; then prints the reason. Kernels run on the first device of a backend; OpenCL lists GPUs first. NULL:
 * no backend is requested; any device is accepted. */
bool backend_is_unusable(const char *asked, const char *devices);

#endif
