/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of the SIMD kernels: the positions of the posteriors and messages of the codewords that are
 * decoded side by side. It is computed once per decoder.
 *
 * Lanes. V codewords are interleaved lane by lane. A column group is the z columns of one column of the base
 * matrix. It is a row of V * z lanes: lane i * V + v holds column i of codeword v. A z x z circulant of shift
 * s is a rotation by V * s lanes, and a layer is V * z checks side by side. V = 1: a single codeword. z = 1:
 * a code without structure.
 *
 *   V = 2, z = 5:   lane   0  1  2  3  4  5  6  7  8  9
 *                   holds  a0 b0 a1 b1 a2 b2 a3 b3 a4 b4     column 0 .. 4 of the codewords a and b
 *
 * Slots. A slot holds the posteriors of one column group. All slots have the same size:
 *
 *   slot:  | register 0 | register 1 | ... | last register | one more register |
 *          |<-------- V * z lanes -------->|<-- mirror -->|
 *                                          lanes 0, 1, 2 ... again
 *
 * Rotations (for V = 1; otherwise multiply lane numbers by V). Check i of a block with shift s reads column
 * (i + s) mod z of the group, with one unaligned load per register. The block writes the updated posteriors
 * in its own order with aligned stores. Lane 0 of the slot then contains column s. A later block with shift t
 * loads from lane (t - s) mod z:
 *
 *   written with shift 1:    slot  1 2 3 4 0 | 1 2 ...         z = 5
 *   read with shift 3:           -> 3 4 0 1 2                  one load from lane 2: the first lanes of
 *                                                              the row are repeated after its end
 *
 * Mirrors. The lanes after the end of a row repeat its first lanes. In the last register, this needs no work:
 * complete registers are processed, and all messages start at 0. Loads that start in the last register also
 * read the register after it. For these loads, a layer writes a mirror: a copy of the first register at lane
 * V * z. Layers are rotated such that few rows need a mirror (layer_rotation.h). In a layer with missing
 * edges, all rows have one.
 *
 *   z = 10, registers of 4 lanes, column group in rotation 3:
 *
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | . . . . |     without mirror
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | 5 6 . . |     with mirror: the copy of 3 4 5 6 begins at lane 10
 *                             ^^^^^^^^^^^
 *
 * A layer writes a rotated group to a free slot, because an in-place store would overwrite lanes that later
 * registers need. The old slot becomes free. The newest free slot is used first, because it is in L1. Between
 * iterations, group g is in its home slot, slot g, for the interleaver:
 *
 *   layer l, one column group:        before      after
 *     slot 4 (home of group 4)         group 2     free
 *     slot 7                           free        group 2
 *
 * The last layer of group g writes slot g. Another group may use slot g only if it is read again before this
 * layer. If z = 1, groups stay in their home slots. If a group is in only one layer, but in several of its
 * blocks, the layer writes the group to a free slot, and the last addition of a difference moves it to the
 * home slot.
 *
 * Repeated blocks. A layer may have several blocks in one group (DVB). The first block is the owner and
 * writes Q + R'. All other blocks write differences R' - R to slots after all other slots. The differences
 * are then rotated and added to the row of the owner.
 *
 * Messages (layered). Each layer has its own messages, and clears them in the first iteration. They have no
 * mirrors:
 *
 *   | layer 0: [register][block] | layer 1: [register][block] | ...
 *
 * Example: z = 5, V = 1, lanes of 1 byte, registers of 4 lanes. A slot is 2 registers and one for the mirror,
 * 12 bytes. The base matrix, with the position of each column group between iterations:
 *
 *   layer 0:   shift 1   3   0          group 0: slot 0 (bytes  0 ..), in the rotation of shift 2
 *   layer 1:   shift 2   -   4          group 1: slot 1 (bytes 12 ..), in the rotation of shift 3
 *                                       group 2: slot 2 (bytes 24 ..), in the rotation of shift 4
 *
 *   accesses           register 0     register 1
 *   layer 0  group 0    4 -> 36        3 -> 40     lane (1 - 2) mod 5 = 4 of slot 0; to free slot 3
 *            group 1   12 -> 12       16 -> 16     rotation 0: in place
 *            group 2   25 -> 48       24 -> 52     lane (0 - 4) mod 5 = 1 of slot 2; to free slot 4
 *   layer 1  group 0   37 -> 0        36 -> 4      lane (2 - 1) mod 5 = 1 of slot 3; to the home slot
 *            group 2   52 -> 24       51 -> 28     lane (4 - 0) mod 5 = 4 of slot 4; to the home slot
 *
 * Register 1 contains checks 4, 0, 1 and 2. In layer 0, its load of group 0 starts at lane (4 + 4) mod 5 = 3
 * and needs no mirror. The messages of layer 0 occupy bytes 0 .. 23, those of layer 1 bytes 24 .. 39.
 *
 * Missing edges. One check of a block may have no edge, as in the DVB accumulator. The map lists these lanes
 * for layer_generic.h.
 *
 * Flooding. Posteriors stay in their home slots, in the rotation of the last block of the group. The messages
 * of each block are a row with a mirror. After the last layer of a group, the messages are rotated to the
 * order of the slot and added to the channel LLRs. All messages are cleared before the first iteration.
 *
 *   messages:  | row of block 0, mirror | row of block 1, mirror | ...
 *
 * Dyadic codes (code/dyadic.h) use XOR instead of addition modulo z: a block reads complete registers and
 * permutes their bytes. A row is a whole number of registers and has no mirror.
 *
 * Stages. A single codeword of a code with z = 1 would use one lane per register. Instead, the layers of the
 * map are parts of stages (code/schedule.h). The checks of a part share no column and fit in a register.
 * Posteriors are in column order; a part gathers them, processes them like a layer of one register, and
 * scatters them. */
#ifndef LDPC_SIMD_MAP_H
#define LDPC_SIMD_MAP_H

#include "plan/plan.h"

#define LDPC_MAX_INTERLEAVED 64

typedef struct ldpc_simd_access {
    uint32_t from, to;
} ldpc_simd_access;

#define LDPC_PREFETCHED_ACCESSES 64

typedef struct ldpc_simd_repeat {
    uint32_t block;    /* index in the layer */
    uint32_t from, to; /* offsets of the slots, bytes */
    uint32_t rotation;
} ldpc_simd_repeat;

typedef struct ldpc_missing_edge {
    uint32_t from, to;
    bool in_first;
    size_t message;
    /* members for the syndrome: */
    uint32_t home; /* offset between iterations */
    uint32_t check_register, check_lane;
} ldpc_missing_edge;

#define LDPC_MOST_MISSING_EDGES 16

/* Column group for flooding. */
typedef struct ldpc_flooding_group {
    uint32_t home, degree;
    const uint32_t *from;
} ldpc_flooding_group;

/* Layer, or part of a stage. */
typedef struct ldpc_simd_layer {
    uint32_t degree;
    uint32_t repeats;
    uint32_t mirrors;
    size_t messages;
    const ldpc_simd_access *accesses; /* [register][block] */
    const ldpc_simd_repeat *repeat;   /* [repeats] */
    const ldpc_missing_edge *missing; /* [n_missing] */
    uint32_t n_missing;
    const ldpc_flooding_group *group;
    uint32_t n_groups;
    const uint32_t *columns; /* stages: [degree][checks] columns */
    uint32_t checks;         /* stages: number of checks */
    bool careful;
} ldpc_simd_layer;

typedef struct ldpc_simd_map {
    const ldpc_code *code;
    bool flooding;
    uint32_t n_codewords; /* V */
    uint32_t lane_bytes;  /* 1, 2, or 4 for floats */
    uint32_t register_bytes;
    uint32_t lanes; /* lanes per register */
    uint32_t row_bytes;
    uint32_t row_lanes; /* V * z */
    uint32_t registers; /* registers per row */
    bool has_mirrors;   /* a slot has one more register */
    uint32_t slot_bytes;
    uint32_t slots;
    uint32_t max_repeats;
    bool saturates;

    /* posteriors:  | slots | differences (stages: registers) | scratch of sum-product | */
    size_t posterior_bytes; /* total size */
    size_t differences;     /* offset of the differences */
    size_t edge_scratch;
    size_t message_bytes;
    size_t channel_bytes;

    ldpc_simd_layer *layers;
    uint32_t n_layers; /* layers, or parts of stages */
    uint32_t *home;
    uint32_t *rotation;
    uint32_t *home_of;
    uint32_t *home_at;

    ldpc_simd_access *access_memory;
    ldpc_simd_repeat *repeat_memory;
    ldpc_missing_edge *missing_memory;
    ldpc_flooding_group *group_memory;
    uint32_t *from_memory;
    uint32_t *column_memory;
} ldpc_simd_map;

#define LDPC_SUM_PRODUCT_REGISTERS 3

bool ldpc_simd_map_fits(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                        uint32_t register_bytes);

/* ldpc_simd_map_fits() must be true. Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_simd_map_create(const ldpc_code *code, bool flooding, uint32_t n_codewords,
                                 uint32_t lane_bytes, uint32_t register_bytes, ldpc_simd_map **map);
void ldpc_simd_map_destroy(ldpc_simd_map *map);

/* Creates a map with stages for a single codeword, z = 1. Sets *map to NULL if stages are not faster. */
ldpc_status ldpc_simd_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                    ldpc_simd_map **map);

/* Creates a map and computes only its sizes. Returns NULL if out of memory. */
ldpc_simd_map *ldpc_simd_map_open(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                                  uint32_t register_bytes);

void ldpc_simd_map_add_edge_scratch(ldpc_simd_map *map);

#endif
