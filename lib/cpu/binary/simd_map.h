/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of the SIMD kernels. It determines the positions of the posteriors and the messages of the codewords
 * that are decoded side by side, and is computed once per decoder.
 *
 * Lanes. V codewords are interleaved lane by lane. A column group consists of the z columns that one column of the
 * base matrix describes. It is a row of V * z lanes: lane i * V + v contains column i of codeword v. A z x z circulant
 * of shift s is then a rotation by V * s lanes, and a layer consists of V * z checks side by side. With V = 1, a
 * single codeword is decoded at full speed. With z = 1, codes without structure are decoded. In this header, lanes are
 * numbered 0 .. V * z - 1.
 *
 *   V = 2, z = 5:   lane   0  1  2  3  4  5  6  7  8  9
 *                   holds  a0 b0 a1 b1 a2 b2 a3 b3 a4 b4     column 0 .. 4 of the codewords a and b
 *
 * Slots. Posteriors are stored in slots of equal size. A slot contains the row of one column group:
 *
 *   slot:  | register 0 | register 1 | ... | last register | one more register |
 *          |<-------- V * z lanes -------->|<-- mirror -->|
 *                                          lanes 0, 1, 2 ... again
 *
 * Rotations. (This paragraph assumes V = 1; for other V, multiply lane numbers by V.) Check i of a block with shift s
 * reads column (i + s) mod z of the group. The block reads each register with one unaligned load. It writes the
 * updated posteriors in its own order, with aligned stores, so that lane 0 of the slot contains column s afterwards.
 * Therefore the rotation of a group is always that of the block that wrote it last. The next block of the group, with
 * shift t, loads from lane (t - s) mod z of the slot:
 *
 *   written with shift 1:    slot  1 2 3 4 0 | 1 2 ...         z = 5
 *   read with shift 3:           -> 3 4 0 1 2                  one load from lane 2: the first lanes of
 *                                                              the row are repeated after its end
 *
 * Mirrors. The lanes after the end of a row must repeat its first lanes. For the other lanes of the last register, this
 * needs no additional work: complete registers are read, updated and written, and the messages of these lanes are
 * repeated too, because all messages start at 0. However, a load that starts in the last register also reads lanes of
 * the register after it. For such loads a mirror is written, which is a copy of the first register at lane V * z,
 * with an unaligned store. A mirror costs one load and one store each time the row is written. Any check of a layer
 * may be in lane 0; it is chosen such that few rows need a mirror (layer_rotation.h). In a layer with missing edges
 * (see below), all rows have a mirror.
 *
 *   z = 10, registers of 4 lanes, column group in rotation 3:
 *
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | . . . . |     without mirror
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | 5 6 . . |     with mirror: the copy of 3 4 5 6 begins at lane 10
 *                             ^^^^^^^^^^^
 *
 * A layer reads a group from one slot and writes it to another slot. The reason is that a layer is processed register by
 * register: unless the rotation is 0, an in-place store would overwrite lanes that a later register must still read.
 * The layer therefore writes the group to a free slot, and the old slot becomes free. The slot that was freed last is
 * used first, because it is still in L1. The number of slots is usually the number of groups plus about the largest
 * check degree; it is at most the number of groups plus one per block. Between iterations, group g is in its home
 * slot, which is slot g. There the interleaver reads and writes it:
 *
 *   layer l, one column group:        before      after
 *     slot 4 (home of group 4)         group 2     free
 *     slot 7                           free        group 2
 *
 * The last layer of group g writes the group to its home slot. Therefore another group may use slot g only if that group
 * is read again before this layer. If z = 1, all rotations are 0, and groups stay in their home slots. If a group has
 * only one layer, and this layer has several blocks in the group, the layer writes the group to a free slot. The last
 * addition of a difference (see below) then moves the group to its home slot.
 *
 * Repeated blocks. A layer may have several blocks in one group (DVB). The first of these blocks is the owner and
 * writes Q + R'. Each of the other blocks writes the difference R' - R of its messages to a slot after all other
 * slots. Then the difference is rotated and added to the row that the owner has written.
 *
 * Messages. In the layered schedule, only the layer itself reads and writes its messages. The layer clears them in the
 * first iteration. The messages have no mirrors:
 *
 *   | layer 0: [register][block] | layer 1: [register][block] | ...
 *
 * Example: z = 5, V = 1, lanes of 1 byte, registers of 4 lanes. A slot consists of 2 registers and one register for
 * the mirror, that is, of 12 bytes. This is the base matrix, with the position of each column group between iterations:
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
 * Register 1 contains checks 4, 0, 1 and 2. In layer 0, its load of group 0 starts at lane (4 + 4) mod 5 = 3 and needs
 * no mirror. The messages of layer 0 occupy bytes 0 .. 23 (3 blocks of 2 registers), and the messages of layer 1
 * occupy bytes 24 .. 39.
 *
 * Missing edges. One check of a block may have no edge, such as the first check of the DVB accumulator. The map lists
 * the lanes of these checks, so that a layer can correct them (layer_generic.h).
 *
 * Flooding. Posteriors stay in their home slots, in the rotation of the last block of the group. The messages of each
 * block are a row with a mirror, in the order of the block. After the last layer of a group, the messages of the group
 * are rotated to the order of the slot. The sum of these messages and of the channel LLRs gives the next posteriors.
 * All messages are cleared before the first iteration.
 *
 *   messages:  | row of block 0, mirror | row of block 1, mirror | ...
 *
 * Dyadic codes (code/dyadic.h). The map is as described above, but with XOR instead of addition modulo z: a block reads
 * complete registers and permutes their bytes. A row is a whole number of registers and has no mirror.
 *
 * Stages. A single codeword of a code without structure (z = 1) would use only one lane of each register. Therefore the
 * layers of the map are parts of stages (code/schedule.h). A part has at most as many checks as a register has lanes,
 * and its checks share no column. Posteriors are an array in column order. A part gathers the posteriors of its checks
 * in registers, processes them like a layer of one register, and scatters them back. */
#ifndef LDPC_SIMD_MAP_H
#define LDPC_SIMD_MAP_H

#include "plan/plan.h"

/* Maximum number of interleaved codewords, because sets of codewords are 64-bit masks. */
#define LDPC_MAX_INTERLEAVED 64

/* One register of one block, with the byte offsets that the block reads and writes. In the layered schedule,
 * both are offsets into the slots of posteriors. In the flooding schedule, `from` is an offset of posteriors,
 * and `to` is an offset of messages, which are read and then overwritten. In a dyadic code, byte i is read at
 * `from` ^ i. */
typedef struct ldpc_simd_access {
    uint32_t from, to;
} ldpc_simd_access;

/* Kernels may read this many accesses after those of the last layer, for prefetching. */
#define LDPC_PREFETCHED_ACCESSES 64

/* A repeated block: its rotated difference is added to the posteriors at `from`, and the sums are written to
 * `to`. */
typedef struct ldpc_simd_repeat {
    uint32_t block;    /* index of the block in the layer */
    uint32_t from, to; /* offsets of the slots in bytes */
    uint32_t rotation; /* offset in the difference, in bytes, of the value that is added to lane 0 of the
                        * slots */
} ldpc_simd_repeat;

/* A lane in which a block has no edge. All offsets are in bytes. */
typedef struct ldpc_missing_edge {
    uint32_t from, to; /* positions where the block reads and writes this lane */
    bool in_first;     /* whether `to` is in the first register of the row, so that a mirror may repeat it */
    /* position of the lane in the messages of the layer; in flooding, it only identifies the register, the
     * block and the lane */
    size_t message;
    /* for the syndrome: */
    uint32_t home; /* position of the lane between iterations */
    uint32_t check_register, check_lane;
} ldpc_missing_edge;

/* Maximum number of missing edges in a layer that is processed without masks (layer_generic.h). */
#define LDPC_MOST_MISSING_EDGES 16

/* For flooding: a column group and the messages for its columns. */
typedef struct ldpc_flooding_group {
    uint32_t home, degree;
    const uint32_t *from; /* [register][degree] offsets into the messages; in a dyadic code they are used as
                           * in an access */
} ldpc_flooding_group;

/* A layer of the code, or a part of a stage. */
typedef struct ldpc_simd_layer {
    uint32_t degree; /* number of blocks; the owners come first, then `repeats` repeated blocks */
    uint32_t repeats;
    uint32_t mirrors;                 /* the first `mirrors` blocks write rows that have a mirror */
    size_t messages;                  /* layered: offset in bytes of the layer's messages,
                                       * [register][block] */
    const ldpc_simd_access *accesses; /* [register][block] */
    const ldpc_simd_repeat *repeat;   /* [repeats] */
    const ldpc_missing_edge *missing; /* [n_missing] */
    uint32_t n_missing;
    const ldpc_flooding_group *group; /* [n_groups] flooding: the groups whose last layer is this layer */
    uint32_t n_groups;
    const uint32_t *columns; /* if the layer is part of a stage: [degree][checks] column of each edge */
    uint32_t checks;         /* if the layer is part of a stage: number of its checks */
    /* whether the layer is processed with masks; reasons are missing edges that a saturated input cannot
     * replace, and 16-bit lanes that may exceed the limit of i16 */
    bool careful;
} ldpc_simd_layer;

typedef struct ldpc_simd_map {
    const ldpc_code *code;
    bool flooding;
    uint32_t n_codewords; /* V */
    uint32_t lane_bytes;  /* size of a lane in bytes: 1, 2, or 4 for floats */
    uint32_t register_bytes;
    uint32_t lanes; /* number of lanes of a register */
    uint32_t row_bytes;
    uint32_t row_lanes; /* V * z */
    uint32_t registers; /* number of registers of a row */
    bool has_mirrors;   /* whether each slot has an additional register for mirrors */
    uint32_t slot_bytes;
    uint32_t slots;
    uint32_t max_repeats;
    bool saturates; /* whether 16-bit lanes may exceed the limit of i16 */

    /* posteriors:  | slots | differences (stages: registers of a part) | scratch of sum-product | */
    size_t posterior_bytes; /* total size */
    size_t differences;     /* offset of the differences */
    size_t edge_scratch;    /* offset of the scratch memory for sum-product: LDPC_SUM_PRODUCT_REGISTERS
                             * registers for each edge of a check */
    size_t message_bytes;
    size_t channel_bytes; /* flooding: size of the copy of the home slots that is made after loading */

    ldpc_simd_layer *layers;
    uint32_t n_layers;  /* number of layers of the code, or of parts of all stages */
    uint32_t *home;     /* [groups] offset of the group's home slot in bytes */
    uint32_t *rotation; /* [groups] column of the group that is in lane 0 of its home slot */
    uint32_t *home_of;  /* [blocks] offset of the home slot of the block's group */
    /* [blocks][registers] offset in bytes at which the checks of a register read the home slot of the
     * block */
    uint32_t *home_at;

    ldpc_simd_access *access_memory; /* memory for the arrays to which the layers point */
    ldpc_simd_repeat *repeat_memory;
    ldpc_missing_edge *missing_memory;
    ldpc_flooding_group *group_memory;
    uint32_t *from_memory;
    uint32_t *column_memory; /* memory for `columns` of the layers; NULL if there are no stages */
} ldpc_simd_map;

#define LDPC_SUM_PRODUCT_REGISTERS 3

/* Returns whether the code supports a map of this shape, and all its offsets fit in 32 bits. */
bool ldpc_simd_map_fits(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                        uint32_t register_bytes);

/* Creates a map. ldpc_simd_map_fits() must have returned true. Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_simd_map_create(const ldpc_code *code, bool flooding, uint32_t n_codewords,
                                 uint32_t lane_bytes, uint32_t register_bytes, ldpc_simd_map **map);
void ldpc_simd_map_destroy(ldpc_simd_map *map);

/* Creates a map with stages, for a single codeword of a code with z = 1 and for the layered schedule. If the
 * parts of stages would have too few parity checks to be faster, sets *map to NULL. */
ldpc_status ldpc_simd_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                    ldpc_simd_map **map);

/* Creates a map in which only the sizes are set; the caller fills in the layers and the slots. Returns NULL
 * if there is not enough memory. */
ldpc_simd_map *ldpc_simd_map_open(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                                  uint32_t register_bytes);

/* Appends the scratch memory for sum-product to the posteriors of a map. The layers of the map must have been
 * filled in. */
void ldpc_simd_map_add_edge_scratch(ldpc_simd_map *map);

#endif
