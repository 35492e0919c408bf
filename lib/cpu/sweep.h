/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for everything that the layered integer kernels leave: flooding, floats, sum-product, any code. No
 * vector words: plain loops over CHUNK lanes that the compiler turns into vectors, compiled once per
 * instruction set (isa_sweep.c).
 *
 * V codewords stand side by side, as many as the batch has up to `words`: column group g of the code is a row
 * of V * z lanes, lane i * V + v belongs to codeword v, and a circulant of shift s is a rotation by V * s
 * lanes. V = 1 decodes a codeword on its own, z = 1 a code without structure.
 *
 *   row:  [lane 0 ....... lane V*z-1][the first chunk again]     each row starts on a chunk
 *
 * The mirror at the end lets any chunk of the rotated row be read in one piece; without rotations there is
 * none.
 */
#ifndef LDPC_SWEEP_H
#define LDPC_SWEEP_H

#include "cpu/cpu_kernel.h"

#define LDPC_SWEEP_MOST_WORDS 64 /* a set of codewords is a 64-bit mask */

/* Where a column stands: its group's row begins at lane `row` of all rows, codeword 0 is at lane * V in it.
 */
typedef struct ldpc_sweep_place {
    uint32_t lane;
    size_t row;
} ldpc_sweep_place;

typedef struct ldpc_sweep_engine ldpc_sweep_engine;

typedef struct ldpc_sweep {
    ldpc_cpu_tables base;
    const ldpc_sweep_engine *engine;
    ldpc_rule rule;
    bool *first_of_group;    /* [blocks]: no earlier block of its layer has the same column group */
    ldpc_sweep_place *place; /* [columns] */
    size_t row;              /* lanes from one row to the next */
    uint32_t max_degree;     /* blocks of the largest layer */
    int32_t lowest, highest; /* integer posteriors and Q saturate here */
    int32_t nobody;          /* smallest |Q| of no edges, integers */
} ldpc_sweep;

/* One kind of numbers and instruction set. */
struct ldpc_sweep_engine {
    size_t lane_bytes, chunk_bytes;
    size_t (*scratch_bytes)(const ldpc_sweep *tables);
    void (*decode)(const ldpc_sweep *tables, void *scratch, const ldpc_batch *batch);
};

#define LDPC_SWEEP_ENGINES(isa) extern const ldpc_sweep_engine ldpc_sweep_int_##isa, ldpc_sweep_float_##isa
LDPC_SWEEP_ENGINES(scalar);
LDPC_SWEEP_ENGINES(sse41);
LDPC_SWEEP_ENGINES(avx2);
LDPC_SWEEP_ENGINES(avx512);
LDPC_SWEEP_ENGINES(neon);

#endif
