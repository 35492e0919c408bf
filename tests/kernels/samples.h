/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes and LLRs for kernel tests. */
#ifndef LDPC_TEST_SAMPLES_H
#define LDPC_TEST_SAMPLES_H

#include "code/code_internal.h"
#include "ldpc/ldpc.h"

/* Returns the i-th code of the kernel tests, or NULL. Names are those of libldpc, and:
 *   "tiny"       4 checks, 6 bits
 *   "irregular"  checks of degree 1 to 40; a column without checks; a column with many checks
 *   "folded"     z = 5; columns that occur two or three times in a layer; missing edges; punctured, known and
 *                constant symbols
 *   "wide"       z = 67; checks of degree 2 and 3; each column occurs twice in a layer
 *   "dense"      z = 260; rows of 66 edges; a missing edge; column groups of degree 1
 *   "dense-cut"  "dense" with z = 400; only by name
 *   "alone"      z = 5; a check with a single edge; only by name */
const char *sample_code_name(size_t i);
ldpc_code *sample_code_create(const char *name);

/* Creates a code without encoder, in which all columns are transmitted message columns.
 * Column number: lane * groups + group. Layer l has degrees[l] blocks. Returns NULL if out of memory. */
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

/* Returns true if a test shall use this backend. asked: name of a backend, or NULL for all backends except
 * OpenCL. OpenCL compilers for CPUs need up to a minute per program. */
bool backend_is_wanted(const char *asked, const char *backend);

/* Returns true and prints the reason if the tests cannot use the backend. Kernels run on the first device.
 * NULL for `asked` or `devices` means any. */
bool backend_is_unusable(const char *asked, const char *devices);

#endif
