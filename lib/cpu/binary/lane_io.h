/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in and out of the lanes of a layered map: LLRs to posteriors at the start, posteriors to bits at the
 * end. */
#ifndef LDPC_LANE_IO_H
#define LDPC_LANE_IO_H

#include "cpu/binary/layered.h"
#include "cpu/binary/weave.h"

/* `count` entries of a word from `first` on stand at lane `at` (that of codeword 0) and every V lanes. */
typedef struct ldpc_segment {
    uint32_t at;
    uint32_t first; /* in the word itself, or in its image */
    uint32_t count;
    bool image;
} ldpc_segment;

/* Entries first + i + j * stride of a word are image entries to + i * z + j: i < groups, j < z. */
typedef struct ldpc_turned {
    uint32_t first, stride, groups, to;
} ldpc_turned;

/* One entry of a word and its lane (of codeword 0), where neighbours lie anywhere. */
typedef struct ldpc_loose {
    uint32_t at, place;
} ldpc_loose;

/* `count` lanes of each word, from `at` on, that no word has entries for. */
typedef struct ldpc_constant {
    uint32_t at, count;
    int8_t llr;
} ldpc_constant;

/* The way between words and lanes. Groups whose lanes are the columns of a matrix that lies in the word row
 * by row go through an image of the word, in the order of the lanes. */
typedef struct ldpc_order {
    ldpc_segment *segments;
    ldpc_turned *turned;
    ldpc_loose *loose;
    ldpc_constant *constants;
    size_t n_segments, n_turned, n_loose, n_constants, image_entries;
    bool gaps; /* some entries of a word have no lane: constant zero symbols */
} ldpc_order;

typedef struct ldpc_lane_io {
    const ldpc_layered_map *map;
    ldpc_order symbols, message; /* transmitted symbols; message bits */
    uint32_t *lane_of;           /* [columns] lane of codeword 0, for posteriors */
    size_t scratch_bytes;
    const ldpc_weaver *weaver;
    ldpc_weave_index weave_index;
} ldpc_lane_io;

ldpc_status ldpc_lane_io_create(const ldpc_layered_map *map, const ldpc_weaver *weaver, ldpc_lane_io **io);
void ldpc_lane_io_destroy(ldpc_lane_io *io);

/* Put the LLRs of batch->n_codewords (<= map->words) words into the posteriors; what lanes without a word
 * hold means nothing. */
void ldpc_lane_load(const ldpc_lane_io *io, const ldpc_plan *plan, const ldpc_batch *batch, void *posteriors,
                    void *scratch);

/* Write the bits and posteriors of the words w with bit w of `words` set to the batch. */
void ldpc_lane_store(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors, uint64_t words,
                     const ldpc_batch *batch, void *scratch);

#endif
