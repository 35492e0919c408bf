/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves the LLRs of codewords into the lanes of a memory map (simd_map.h), and deinterleaves
 * decisions and posteriors.
 *
 * Entry i of V codewords goes to V neighbouring lanes, as LLRs come from `llr` and bits go to `message` and
 * `codeword`. All entries are interleaved in one call. Then each segment, a run of entries whose columns are
 * neighbours in a home slot, is copied to its place there:
 *
 *   codeword 0   a0 a1 a2 a3 ...
 *   codeword 1   b0 b1 b2 b3 ...             interleaved entries:  a0 b0 a1 b1 a2 b2 a3 b3 ...
 *
 * A single codeword needs no interleaving: its segments are copied from the codeword itself.
 *
 * An interleaver is a list of such copies, worked out once per decoder for all transmitted symbols and for
 * the message bits. Column groups are not always runs: bits of DVB and other standards may be transmitted
 * column by column of a matrix that has a column group in each row or column. Such groups are transposed,
 * codeword by codeword, into a copy in lane order, from which segments are then interleaved:
 *
 *   codeword:  first + i + j * stride               transposed copy:  to + i * z + j
 *              j = 0   g0 g1 g2 ...                 group i = 0   g0[0] g0[1] g0[2] ...
 *              j = 1   g0 g1 g2 ...                 group i = 1   g1[0] g1[1] g1[2] ...
 *
 * What neither segments nor transpositions serve is copied lane by lane. All of this moves bytes; with wider
 * lanes, posteriors have a byte copy that is widened after loading, and narrowed (signs kept) before bits are
 * stored. Float LLRs go lane by lane. */
#ifndef LDPC_INTERLEAVER_H
#define LDPC_INTERLEAVER_H

#include "cpu/simd/interleave_ops.h"
#include "cpu/binary/simd_map.h"

/* Entries first .. first + count - 1 of a codeword are lanes at, at + V, at + 2 V ... (those of codeword 0).
 */
typedef struct ldpc_segment {
    uint32_t at;
    uint32_t first; /* in the codeword itself, or in its transposed copy */
    uint32_t count;
    bool transposed;
} ldpc_segment;

/* Entries first + i + j * stride of a codeword are entries to + i * z + j of its transposed copy: i < groups,
 * j < z. */
typedef struct ldpc_transposition {
    uint32_t first, stride, groups, to;
} ldpc_transposition;

/* One entry of a codeword and its lane (that of codeword 0). */
typedef struct ldpc_single_lane {
    uint32_t at, position;
} ldpc_single_lane;

/* `count` lanes of each codeword, from `at` on, that start from a constant. */
typedef struct ldpc_constant_lanes {
    uint32_t at, count;
    int8_t llr;
} ldpc_constant_lanes;

/* What an ldpc_single_lane has for a position where its column is not in the codeword. */
#define LDPC_POSITION_PUNCTURED (UINT32_MAX - 1) /* starts from 0 */
#define LDPC_POSITION_KNOWN     UINT32_MAX       /* starts from LDPC_KNOWN_LLR */

/* The copies between codewords (or messages) and lanes. */
typedef struct ldpc_lane_copies {
    ldpc_segment *segments;
    ldpc_transposition *transpositions;
    ldpc_single_lane *singles;
    ldpc_constant_lanes *constants;
    size_t n_segments, n_transpositions, n_singles, n_constants;
    size_t transposed_entries;     /* of the transposed copy */
    size_t first_entry, end_entry; /* segments that are not transposed have entries between them */
    bool gaps;                     /* some entries have no lane: constant zero symbols */
    uint32_t groups;               /* all lanes of entries are in the first `groups` column groups */
} ldpc_lane_copies;

typedef struct ldpc_interleaver {
    const ldpc_simd_map *map;
    ldpc_lane_copies symbols, message; /* transmitted symbols; message bits */
    uint32_t *lane_of;                 /* [columns] lane of codeword 0, for posteriors and float LLRs */
    size_t scratch_bytes;
    const ldpc_interleave_ops *ops;
    ldpc_interleave_shuffles shuffles;
} ldpc_interleaver;

/* LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_interleaver_create(const ldpc_simd_map *map, const ldpc_interleave_ops *ops,
                                    ldpc_interleaver **interleaver);
void ldpc_interleaver_destroy(ldpc_interleaver *interleaver);

/* Writes the LLRs of codeword codewords[w] of the batch to lane w of the posteriors, for each w whose bit of
 * the mask `lanes` is set. Where V is a multiple of 16, sixteen neighbours of which none is set keep what the
 * last call with this scratch memory gave them; other lanes have any value. */
void ldpc_interleaver_load(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                           const ldpc_batch *batch, const uint32_t *codewords, uint64_t lanes,
                           void *posteriors, void *scratch);

/* Writes the bits and posteriors in lane w, for each w whose bit of `lanes` is set, to codeword codewords[w]
 * of the batch. */
void ldpc_interleaver_store(const ldpc_interleaver *interleaver, const ldpc_plan *plan,
                            const void *posteriors, const uint32_t *codewords, uint64_t lanes,
                            const ldpc_batch *batch, void *scratch);

/* So many column groups, the first ones, are read by ldpc_interleaver_store(). */
uint32_t ldpc_interleaver_groups(const ldpc_interleaver *interleaver, const ldpc_batch *batch);

/* ---- interleaver_copies.c */

/* Works out the copies of transmitted symbols, and of the message. False: memory is short. */
bool ldpc_lane_copies_make(const ldpc_simd_map *map, ldpc_lane_copies *symbols, ldpc_lane_copies *message);
void ldpc_lane_copies_free(ldpc_lane_copies *copies);

/* The lane of codeword 0 that holds lane `lane` of a column group between iterations. */
uint32_t ldpc_home_lane(const ldpc_simd_map *map, uint32_t group, uint32_t lane);

#endif
