/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves the LLRs of codewords into the lanes of a memory map (simd_map.h), and deinterleaves decisions
 * and posteriors.
 *
 * Entry i of V codewords occupies V adjacent lanes. First, all entries are interleaved in one call. Then each segment
 * is copied to its position in a home slot. A segment is a run of entries whose columns are adjacent in the slot:
 *
 *   codeword 0   a0 a1 a2 a3 ...
 *   codeword 1   b0 b1 b2 b3 ...             interleaved entries:  a0 b0 a1 b1 a2 b2 a3 b3 ...
 *
 * If there is only one codeword, its segments are copied directly.
 *
 * An interleaver is a list of such copy operations. It is computed once per decoder, for the transmitted symbols and
 * for the message bits. A column group is not always a run: in DVB and other standards, the column groups are the
 * rows of a matrix whose columns are transmitted in order. Such groups are transposed, codeword by
 * codeword, into a copy in lane order. The segments of this copy are then interleaved:
 *
 *   codeword:  first + i + j * stride               transposed copy:  to + i * z + j
 *              j = 0   g0 g1 g2 ...                 group i = 0   g0[0] g0[1] g0[2] ...
 *              j = 1   g0 g1 g2 ...                 group i = 1   g1[0] g1[1] g1[2] ...
 *
 * All other entries are copied lane by lane. The copy operations move bytes. If lanes are wider than a byte,
 * they use a copy of the posteriors with one byte per lane. After LLRs were loaded, this copy is converted to
 * posteriors. Before bits are stored, the signs of the posteriors are converted back to bytes. Float LLRs are
 * always copied lane by lane. */
#ifndef LDPC_INTERLEAVER_H
#define LDPC_INTERLEAVER_H

#include "cpu/simd/interleave_ops.h"
#include "cpu/binary/simd_map.h"

/* Entries first .. first + count - 1 of a codeword. They occupy the lanes at, at + V, at + 2 V ... The lane
 * numbers are those of codeword 0. */
typedef struct ldpc_segment {
    uint32_t at;
    uint32_t first; /* index of the first entry: in the transposed copy if it is transposed, otherwise in the
                     * codeword */
    uint32_t count;
    bool transposed;
} ldpc_segment;

/* Transposes some entries of a codeword: entry first + i + j * stride of the codeword is copied to entry to +
 * i * z + j of the transposed copy, for i < groups and j < z. */
typedef struct ldpc_transposition {
    uint32_t first, stride, groups, to;
} ldpc_transposition;

/* One entry of a codeword and its lane. The lane number is that of codeword 0. */
typedef struct ldpc_single_lane {
    uint32_t at, position;
} ldpc_single_lane;

/* Lanes that are initialised with a constant: `count` lanes of each codeword, starting with lane `at`. */
typedef struct ldpc_constant_lanes {
    uint32_t at, count;
    int8_t llr;
} ldpc_constant_lanes;

/* Values of ldpc_single_lane.position for columns that are not transmitted. */
#define LDPC_POSITION_PUNCTURED (UINT32_MAX - 1) /* not transmitted: the LLR in the lane is initially 0 */
#define LDPC_POSITION_KNOWN     UINT32_MAX       /* the lane is initialised with LDPC_KNOWN_LLR */

/* The copy operations between the lanes and the codewords or messages. */
typedef struct ldpc_lane_copies {
    ldpc_segment *segments;
    ldpc_transposition *transpositions;
    ldpc_single_lane *singles;
    ldpc_constant_lanes *constants;
    size_t n_segments, n_transpositions, n_singles, n_constants;
    size_t transposed_entries;     /* number of entries of the transposed copy */
    size_t first_entry, end_entry; /* first entry in segments that are not transposed, and the entry after the
                                    * last of them */
    bool gaps;                     /* whether some entries have no lane, because they are transmitted constant
                                    * zeros */
    uint32_t groups;               /* the lanes of all entries are in this many column groups at the start */
} ldpc_lane_copies;

typedef struct ldpc_interleaver {
    const ldpc_simd_map *map;
    ldpc_lane_copies symbols, message; /* copy operations for the transmitted symbols, and for the message
                                        * bits */
    uint32_t *lane_of;                 /* [columns] lane of each column for codeword 0; used for posteriors
                                        * and float LLRs */
    size_t scratch_bytes;
    const ldpc_interleave_ops *ops;
    ldpc_interleave_shuffles shuffles;
} ldpc_interleaver;

/* Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_interleaver_create(const ldpc_simd_map *map, const ldpc_interleave_ops *ops,
                                    ldpc_interleaver **interleaver);
void ldpc_interleaver_destroy(ldpc_interleaver *interleaver);

/* For each bit w that is set in the mask `lanes`, writes the LLRs of codeword codewords[w] of the batch to
 * lane w of the posteriors. All other lanes become undefined, with one exception: if V is a multiple of 16
 * and the mask has no bit for a block of sixteen lanes, this block keeps the values of the last call with
 * this scratch memory. */
void ldpc_interleaver_load(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                           const ldpc_batch *batch, const uint32_t *codewords, uint64_t lanes,
                           void *posteriors, void *scratch);

/* For each bit w that is set in the mask `lanes`, writes the bits and the posteriors of lane w to codeword
 * codewords[w] of the batch. */
void ldpc_interleaver_store(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                            const void *posteriors, const uint32_t *codewords, uint64_t lanes,
                            const ldpc_batch *batch, void *scratch);

/* Returns the number of column groups that ldpc_interleaver_store() reads. They are the first column
 * groups. */
uint32_t ldpc_interleaver_groups(const ldpc_interleaver *interleaver, const ldpc_batch *batch);

/* ---- interleaver_copies.c */

/* Computes the copy operations for the transmitted symbols and for the message. Returns false if there is not
 * enough memory. */
bool ldpc_lane_copies_make(const ldpc_simd_map *map, ldpc_lane_copies *symbols, ldpc_lane_copies *message);
void ldpc_lane_copies_free(ldpc_lane_copies *copies);

/* Returns where lane `lane` of a column group is stored between iterations. The returned lane number is that
 * of codeword 0. */
uint32_t ldpc_home_lane(const ldpc_simd_map *map, uint32_t group, uint32_t lane);

#endif
