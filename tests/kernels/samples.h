/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes and LLRs for kernel tests. */
#ifndef LDPC_TEST_SAMPLES_H
#define LDPC_TEST_SAMPLES_H

#include "code/code_internal.h"
#include "ldpc/ldpc.h"

/* The i-th code of the kernel tests, NULL past the end. Besides names of the registry:
 *   "tiny"       4 checks, 6 bits
 *   "irregular"  checks of degree 1 to 40, a column without checks, one with many
 *   "folded"     z = 5, columns two and three times in a layer, missing edges, punctured, known and constant
 *                symbols
 *   "wide"       z = 67, degrees 2 and 3, every column twice in some layer
 *   "dense"      z = 260, rows of 66 edges, a missing edge, groups of columns of degree 1
 *   "dense-cut"  dense with z = 400; not in the list
 *   "alone"      z = 5, missing edges leave a check with one edge; not in the list */
const char *sample_code_name(size_t i);
ldpc_code *sample_code_create(const char *name);

/* Makes a code without rows and encoder. All columns are transmitted message columns. Layer l has degrees[l]
 * blocks. Column = lane * groups + group. Returns NULL if out of memory. */
ldpc_code *layers_create(uint32_t z, uint32_t groups, uint32_t layers, const uint32_t *degrees,
                         const ldpc_block *blocks);

/* Reproducible random numbers. */
typedef struct random_state {
    uint64_t x;
} random_state;
random_state random_of(uint64_t seed, const char *name);
uint32_t random_next(random_state *state);
uint32_t random_below(random_state *state, uint32_t limit);

/* Fills the n LLRs of a codeword with one of: noise, large values, uniform values (-128 .. 127), zeros,
 * saturated or alternating values. */
void sample_codeword(random_state *state, const ldpc_code *code, int8_t *llr);

/* Draws llr_limit: no limit, the default, or any value. */
uint32_t sample_llr_limit(random_state *state);

/* Makes erased bits (LLR 0) and certain bits. Usually there are too many erasures to resolve. */
void sample_erasures(random_state *state, const ldpc_code *code, int8_t *llr);

/* Returns true if a test includes this backend. asked: name of a backend, or NULL for all except OpenCL,
 * whose CPU compilers take up to a minute per program. */
bool backend_is_wanted(const char *asked, const char *backend);

/* Returns true and prints the reason if the backend or a device of these types is missing. Kernels run on the
 * first device; OpenCL lists GPUs first. asked: NULL: no backend is required. devices: NULL: any device. */
bool backend_is_unusable(const char *asked, const char *devices);

#endif
