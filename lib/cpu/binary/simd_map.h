/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of the SIMD kernels: the positions of posteriors and messages of a group of codewords.
 * Computed once per decoder.
 *
 * Lanes. V codewords are interleaved lane by lane. A column group (the z columns of one column of the base
 * matrix) is a row of V * z lanes: lane i * V + v holds column i of codeword v. A z x z circulant of shift s
 * is then a rotation by V * s lanes, and a layer is V * z checks side by side. V = 1 decodes a single
 * codeword at full speed; z = 1 decodes codes without structure. In this header, lanes are numbered 0 .. V *
 * z - 1.
 *
 *   V = 2, z = 5:   lane   0  1  2  3  4  5  6  7  8  9
 *                   holds  a0 b0 a1 b1 a2 b2 a3 b3 a4 b4     column 0 .. 4 of the codewords a and b
 *
 * Slots. Posteriors are stored in slots of equal size. A slot holds the row of one column group:
 *
 *   slot:  | register 0 | register 1 | ... | last register | one more register |
 *          |<-------- V * z lanes -------->|<-- mirror -->|
 *                                          lanes 0, 1, 2 ... again
 *
 * Rotations (V = 1; for other V, multiply lane numbers by V). Check i of a block with shift s reads column (i
 * + s) mod z of the group. The block reads each register with one unaligned load and writes the updated
 * posteriors in its own order, with aligned stores: lane 0 of the slot then holds column s. A group is always
 * in the rotation of the block that wrote it last. The next block of the group, with shift t, loads from lane
 * (t - s) mod z of the slot:
 *
 *   written with shift 1:    slot  1 2 3 4 0 | 1 2 ...         z = 5
 *   read with shift 3:           -> 3 4 0 1 2                  one load from lane 2: the first lanes of
 *                                                              the row are repeated after its end
 *
 * Mirrors. The lanes after the end of a row must repeat its first lanes. In the last register this holds
 * without further
 * work: complete registers are read, updated and written, and the messages of these lanes repeat too, because
 * all messages start at 0. A load that begins in the last register also reads lanes of the register after it.
 * For such loads a mirror is written: a copy of the first register at lane V * z, unaligned. A mirror costs
 * one load and one store for each write of the row. The check in lane 0 of a layer can be chosen freely, and
 * is chosen such that few rows need a mirror (layer_rotation.h). In a layer with missing edges (below), all
 * rows have a mirror.
 *
 *   z = 10, registers of 4 lanes, column group in rotation 3:
 *
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | . . . . |     without mirror
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | 5 6 . . |     with mirror: the copy of 3 4 5 6 begins at lane 10
 *                             ^^^^^^^^^^^
 *
 * A layer writes a group to another slot than it reads. A layer is processed register by register, and an
 * in-place store would overwrite lanes that a later register reads (unless the rotation is 0). The layer
 * therefore writes the group to a free slot, and the old slot becomes free. The slot freed last is used
 * first, because it is still in L1. The number of slots is usually the number of groups plus about the
 * largest check degree, and at most one more per block. Between iterations group g is in its home slot,
 * number g, where the interleaver reads and writes it:
 *
 *   layer l, one column group:        before      after
 *     slot 4 (home of group 4)         group 2     free
 *     slot 7                           free        group 2
 *
 * The last layer of group g writes it to its home slot. Therefore another group may use slot g only if it is
 * read again before that layer. With z = 1 all rotations are 0, and groups stay in their home slots. If a
 * group has a single layer, which repeats it, the layer writes the group to a free slot, and the last
 * addition of a difference (below) moves it to its home slot.
 *
 * Repeated blocks. A layer may have several blocks in one group (DVB). The first block, the owner, writes Q +
 * R'. Each further block writes the difference R' - R of its messages to a slot after all others; the
 * difference is then rotated and added to the row that the owner wrote.
 *
 * Messages. In the layered schedule, the messages of a layer are read and written by that layer only, which
 * clears them in the first iteration. They have no mirrors:
 *
 *   | layer 0: [register][block] | layer 1: [register][block] | ...
 *
 * Example: z = 5, V = 1, 1-byte lanes, registers of 4 lanes. A slot has 2 registers and one for the mirror:
 * 12 bytes. The base matrix, and the position of each column group between iterations:
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
 * Register 1 holds checks 4, 0, 1 and 2. Its load of group 0 in layer 0 begins at lane (4 + 4) mod 5 = 3 and
 * needs no mirror. The messages of layer 0 occupy bytes 0 .. 23 (3 blocks of 2 registers), those of layer 1
 * bytes 24 .. 39.
 *
 * Missing edges. One check of a block may have no edge (the first check of the DVB accumulator). The map
 * lists these lanes, so that a layer can correct them (layer_generic.h).
 *
 * Flooding. Posteriors stay in their home slots, in the rotation of the last block of the group. The messages
 * of each block form a row with a mirror, in the order of the block. After the last layer of a group, its
 * messages, rotated to the order of the slot, and its channel LLRs are summed to the next posteriors. All
 * messages are cleared before the first iteration.
 *
 *   messages:  | row of block 0, mirror | row of block 1, mirror | ...
 *
 * Dyadic codes (code/dyadic.h). As above, with XOR instead of addition modulo z: a block reads complete
 * registers and permutes their bytes. A row is a whole number of registers, without mirrors.
 *
 * Stages. A single codeword of a code without structure (z = 1) would use one lane per register. The layers
 * of the map are therefore parts of stages (code/schedule.h): up to one register of checks that share no
 * column. Posteriors are an array in column order. A part gathers the posteriors of its checks into
 * registers, processes them like a layer of one register and scatters them. */
#ifndef LDPC_SIMD_MAP_H
#define LDPC_SIMD_MAP_H

#include "plan/plan.h"

#define LDPC_MAX_INTERLEAVED 64 /* codewords: sets of them are 64-bit masks */

/* One register of one block: byte offsets that it reads and writes. Layered: both are offsets into the slots
 * of posteriors.
 * Flooding: `from` is an offset of posteriors; `to` is an offset of messages, which are read and then
 * overwritten. In a dyadic code, byte i is read at `from` ^ i. */
typedef struct ldpc_simd_access {
    uint32_t from, to;
} ldpc_simd_access;

/* Number of accesses after those of the last layer that kernels may read for prefetching. */
#define LDPC_PREFETCHED_ACCESSES 64

/* A repeated block: adds its rotated difference to the posteriors at `from`, and writes the sums to `to`. */
typedef struct ldpc_simd_repeat {
    uint32_t block;    /* index of the block in the layer */
    uint32_t from, to; /* offsets of slots, bytes */
    uint32_t rotation; /* offset of the slots' lane 0 in the difference, bytes */
} ldpc_simd_repeat;

/* A lane of a block without an edge. All offsets are in bytes. */
typedef struct ldpc_missing_edge {
    uint32_t from, to; /* position of the lane where the access of the block reads and writes */
    bool in_first;     /* `to` is in the first register, so a mirror may repeat it */
    /* position of the lane in the messages of the layer. Flooding: the same index, used only to identify
     * register, block and lane of the access */
    size_t message;
    /* for the syndrome: */
    uint32_t home; /* position of the lane between iterations */
    uint32_t check_register, check_lane;
} ldpc_missing_edge;

/* A layer with more missing edges is processed with masks (layer_generic.h). */
#define LDPC_MOST_MISSING_EDGES 16

/* Flooding: a column group, and the messages to its columns. */
typedef struct ldpc_flooding_group {
    uint32_t home, degree;
    const uint32_t *from; /* [register][degree] offset into the messages; in a dyadic code as in an access */
} ldpc_flooding_group;

/* A layer, or a part of a stage. */
typedef struct ldpc_simd_layer {
    uint32_t degree; /* number of blocks: owners first, then `repeats` repeated blocks */
    uint32_t repeats;
    uint32_t mirrors;                 /* the first `mirrors` blocks write rows with a mirror */
    size_t messages;                  /* layered: offset of the layer's messages [register][block], bytes */
    const ldpc_simd_access *accesses; /* [register][block] */
    const ldpc_simd_repeat *repeat;   /* [repeats] */
    const ldpc_missing_edge *missing; /* [n_missing] */
    uint32_t n_missing;
    const ldpc_flooding_group *group; /* [n_groups] flooding: groups for which this layer is the last layer */
    uint32_t n_groups;
    const uint32_t *columns; /* part of a stage: [degree][checks] */
    uint32_t checks;         /* part of a stage */
    /* process with masks: for missing edges that a saturated input cannot replace, or because 16-bit *
     * lanes may exceed the limit of i16 */
    bool careful;
} ldpc_simd_layer;

typedef struct ldpc_simd_map {
    const ldpc_code *code;
    bool flooding;
    uint32_t n_codewords; /* V */
    uint32_t lane_bytes;  /* 1, 2, or 4: floats */
    uint32_t register_bytes;
    uint32_t lanes; /* lanes per register */
    uint32_t row_bytes;
    uint32_t row_lanes; /* V * z */
    uint32_t registers; /* registers per row */
    bool has_mirrors;   /* each slot has an additional register for mirrors */
    uint32_t slot_bytes;
    uint32_t slots;
    uint32_t max_repeats;
    bool saturates; /* 16-bit lanes may exceed the limit of i16 */

    /* posteriors:  | slots | differences (stages: registers of a part) | scratch of sum-product | */
    size_t posterior_bytes; /* total size */
    size_t differences;     /* offset of the differences */
    size_t edge_scratch;    /* offset of the scratch: LDPC_SUM_PRODUCT_REGISTERS for each edge of a check */
    size_t message_bytes;
    size_t channel_bytes; /* flooding: size of the copy of the home slots made after loading */

    ldpc_simd_layer *layers;
    uint32_t n_layers;  /* number of layers of the code, or of parts of stages */
    uint32_t *home;     /* [groups] offset of the home slot, bytes */
    uint32_t *rotation; /* [groups] lane of the group that is in lane 0 of its home slot */
    uint32_t *home_of;  /* [blocks] home[group of the block] */
    /* [blocks][registers] offset at which the register of checks reads the home slot of the block, *
     * bytes */
    uint32_t *home_at;

    ldpc_simd_access *access_memory; /* the arrays that the layers point into */
    ldpc_simd_repeat *repeat_memory;
    ldpc_missing_edge *missing_memory;
    ldpc_flooding_group *group_memory;
    uint32_t *from_memory;
    uint32_t *column_memory; /* NULL: no stages */
} ldpc_simd_map;

#define LDPC_SUM_PRODUCT_REGISTERS 3

/* Returns whether a map of this shape is possible: the code supports it, and all offsets fit in 32 bits. */
bool ldpc_simd_map_fits(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                        uint32_t register_bytes);

/* Creates a map. Requires ldpc_simd_map_fits(). Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_simd_map_create(const ldpc_code *code, bool flooding, uint32_t n_codewords,
                                 uint32_t lane_bytes, uint32_t register_bytes, ldpc_simd_map **map);
void ldpc_simd_map_destroy(ldpc_simd_map *map);

/* Creates a map with stages, for a single codeword of a code with z = 1 and the layered schedule. *map is
 * NULL if the parts would have too few checks to be faster. */
ldpc_status ldpc_simd_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                    ldpc_simd_map **map);

/* Creates a map with its sizes only; the caller fills in layers and slots. Returns NULL if out of memory. */
ldpc_simd_map *ldpc_simd_map_open(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                                  uint32_t register_bytes);

/* Appends the scratch of sum-product to the posteriors of a map whose layers are filled. */
void ldpc_simd_map_add_edge_scratch(ldpc_simd_map *map);

#endif
