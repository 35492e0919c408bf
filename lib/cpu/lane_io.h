/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in and out of the lanes of a layered map: LLRs to posteriors at the start, posteriors to bits at the
 * end. */
#ifndef LDPC_LANE_IO_H
#define LDPC_LANE_IO_H

#include "cpu/layered.h"
#include "cpu/weave.h"

/* `count` entries of a word from `first` on stand at lane `at` (that of codeword 0) and every V lanes. */
typedef struct ldpc_segment {
    uint32_t at;
    uint32_t first; /* in the word itself, or in its image */
    uint32_t count;
    bool image;
    bool message; /* holds message columns */
} ldpc_segment;

/* Entries first + i + j * stride of a word are image entries to + i * z + j: i < groups, j < z. */
typedef struct ldpc_turned {
    uint32_t first, stride, groups, to;
} ldpc_turned;

/* One entry of the image and its place in the word. */
typedef struct ldpc_gathered {
    uint32_t image, word;
} ldpc_gathered;

/* The way between words, in natural order, and lanes. Groups whose lanes are not neighbours in the word go
 * through an image of the word, in the order of the lanes. */
typedef struct ldpc_order {
    ldpc_segment *segments;
    ldpc_turned *turned;
    ldpc_gathered *gathered;
    size_t n_segments, n_turned, n_gathered, image_entries;
} ldpc_order;

typedef struct ldpc_lane_io {
    const ldpc_layered_map *map;
    ldpc_order in, out; /* LLR positions to lanes; lanes to columns */
    uint32_t *lane_of;  /* [columns] lane of codeword 0, for posteriors */
    bool message_first; /* message symbol i is column i */
    bool sent_first;    /* transmitted symbol i is column i */
    size_t scratch_bytes;
    const ldpc_weaver *weaver; /* NULL: so many words, or this instruction set, are left to interleave.h */
    ldpc_weave_index weave_index;
} ldpc_lane_io;

ldpc_status ldpc_lane_io_create(const ldpc_layered_map *map, const ldpc_weaver *weaver, ldpc_lane_io **io);
void ldpc_lane_io_destroy(ldpc_lane_io *io);

/* Put the LLRs of batch->n_words (<= map->words) words into the posteriors; lanes without a word get 0. */
void ldpc_lane_load(const ldpc_lane_io *io, const ldpc_batch *batch, void *posteriors, void *scratch);

/* Write the bits and posteriors of the words w with bit w of `words` set to the batch. */
void ldpc_lane_store(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors, uint64_t words,
                     const ldpc_batch *batch, void *scratch);

#endif
