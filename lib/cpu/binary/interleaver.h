/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves the LLRs of codewords into the lanes of a memory map (simd_map.h), and deinterleaves decisions
 * and posteriors.
 *
 * Entry i of V codewords occupies V adjacent lanes. All entries are interleaved in one call. Then each
 * segment is copied to a home slot. A segment is a run of entries whose columns are adjacent in the slot:
 *
 *   codeword 0   a0 a1 a2 a3 ...
 *   codeword 1   b0 b1 b2 b3 ...             interleaved entries:  a0 b0 a1 b1 a2 b2 a3 b3 ...
 *
 * In DVB, a column group is a row of a matrix whose columns are transmitted in order. Such groups are first
 * transposed, codeword by codeword, into a copy in lane order:
 *
 *   codeword:  first + i + j * stride               transposed copy:  to + i * z + j
 *              j = 0   g0 g1 g2 ...                 group i = 0   g0[0] g0[1] g0[2] ...
 *              j = 1   g0 g1 g2 ...                 group i = 1   g1[0] g1[1] g1[2] ...
 *
 * All other entries, and float LLRs, are copied lane by lane. Copies move bytes; 16-bit posteriors are
 * converted after loading and before storing. */
#ifndef LDPC_INTERLEAVER_H
#define LDPC_INTERLEAVER_H

#include "cpu/simd/interleave_ops.h"
#include "cpu/binary/simd_map.h"

typedef struct ldpc_segment {
    uint32_t at;
    uint32_t first;
    uint32_t count;
    bool transposed;
} ldpc_segment;

typedef struct ldpc_transposition {
    uint32_t first, stride, groups, to;
} ldpc_transposition;

/* One entry of codeword 0. */
typedef struct ldpc_single_lane {
    uint32_t at, position;
} ldpc_single_lane;

typedef struct ldpc_constant_lanes {
    uint32_t at, count;
    int8_t llr;
} ldpc_constant_lanes;

#define LDPC_POSITION_PUNCTURED (UINT32_MAX - 1) /* the initial LLR is 0 */
#define LDPC_POSITION_KNOWN     UINT32_MAX       /* initial LLR: LDPC_KNOWN_LLR */

typedef struct ldpc_lane_copies {
    ldpc_segment *segments;
    ldpc_transposition *transpositions;
    ldpc_single_lane *singles;
    ldpc_constant_lanes *constants;
    size_t n_segments, n_transpositions, n_singles, n_constants;
    size_t transposed_entries;
    size_t first_entry, end_entry;
    bool gaps;
    uint32_t groups; /* column groups with entries */
} ldpc_lane_copies;

typedef struct ldpc_interleaver {
    const ldpc_simd_map *map;
    ldpc_lane_copies symbols, message;
    uint32_t *lane_of; /* [columns] lane in codeword 0 */
    size_t scratch_bytes;
    const ldpc_interleave_ops *ops;
    ldpc_interleave_shuffles shuffles;
} ldpc_interleaver;

/* Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_interleaver_create(const ldpc_simd_map *map, const ldpc_interleave_ops *ops,
                                    ldpc_interleaver **interleaver);
void ldpc_interleaver_destroy(ldpc_interleaver *interleaver);

/* Writes the LLRs of codeword codewords[w] to lane w, for each bit w of `lanes`. Other lanes become
 * undefined. If V is a multiple of 16, blocks of 16 lanes without a set bit stay unchanged. */
void ldpc_interleaver_load(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                           const ldpc_batch *batch, const uint32_t *codewords, uint64_t lanes,
                           void *posteriors, void *scratch);

/* Stores the results in lane w for codeword codewords[w], for each bit w of `lanes`. */
void ldpc_interleaver_store(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                            const void *posteriors, const uint32_t *codewords, uint64_t lanes,
                            const ldpc_batch *batch, void *scratch);

uint32_t ldpc_interleaver_groups(const ldpc_interleaver *interleaver, const ldpc_batch *batch);

/* ---- interleaver_copies.c */

/* Returns false if out of memory. */
bool ldpc_lane_copies_make(const ldpc_simd_map *map, ldpc_lane_copies *symbols, ldpc_lane_copies *message);
void ldpc_lane_copies_free(ldpc_lane_copies *copies);

/* Lane in codeword 0. */
uint32_t ldpc_home_lane(const ldpc_simd_map *map, uint32_t group, uint32_t lane);

#endif
