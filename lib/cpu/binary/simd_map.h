/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of the SIMD kernels: where posteriors and messages of a group of codewords are, worked out
 * once per decoder.
 *
 * Lanes. V codewords are interleaved lane by lane: a column group (the z columns of one column of the base
 * matrix) is a row of V * z lanes, and lane i * V + v holds column i of codeword v. A z x z circulant of
 * shift s then is a rotation by V * s lanes, and a layer is V * z checks side by side, whatever z and V are:
 * V = 1 decodes one codeword at full speed, z = 1 decodes any code at all. In this header, lanes are numbered
 * 0 .. V * z - 1.
 *
 *   V = 2, z = 5:   lane   0  1  2  3  4  5  6  7  8  9
 *                   holds  a0 b0 a1 b1 a2 b2 a3 b3 a4 b4     column 0 .. 4 of the codewords a and b
 *
 * Slots. All posteriors are in slots of equal size, each of which holds the row of one column group:
 *
 *   slot:  | register 0 | register 1 | ... | last register | one more register |
 *          |<-------- V * z lanes -------->|<-- mirror -->|
 *                                          lanes 0, 1, 2 ... again
 *
 * Rotations (for V = 1; for more codewords all lane numbers are multiplied by V). Check i of a block of shift
 * s needs column (i + s) mod z of the group. The block reads each register with one unaligned load, and the
 * posteriors that it writes back stay in its own order: lane 0 of the slot now holds column s. So a group is
 * always in the rotation of its last writer, all stores are aligned, and the next block of the group, of
 * shift t, loads from lane (t - s) mod z of the slot on:
 *
 *   written with shift 1:    slot  1 2 3 4 0 | 1 2 ...         z = 5
 *   read with shift 3:           -> 3 4 0 1 2                  one load from lane 2 on, because the row
 *                                                              goes on with its first lanes
 *
 * Mirrors. The lanes after a row repeat its first ones. Those in the last register do so by themselves: whole
 * registers are read, updated and written, and the messages of these lanes repeat too, as all start at 0. A
 * load that begins in the last register also needs lanes of the register after it. For these the mirror is
 * written, a copy of the first register to lane V * z, at any alignment. It costs a load and a store for each
 * write of the row. Which check of a layer is lane 0 is free, and is chosen so that few rows need a mirror
 * (layer_rotation.h). In a layer with missing edges (below) all rows get one.
 *
 *   z = 10, registers of 4 lanes, column group in rotation 3:
 *
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | . . . . |     without the mirror
 *     | 3 4 5 6 | 7 8 9 0 | 1 2 3 4 | 5 6 . . |     with it: the copy of 3 4 5 6 begins at lane 10
 *                             ^^^^^^^^^^^
 *
 * Other slots to write than to read. A layer is processed register by register, and a later register reads
 * lanes of the old row that a store in place would overwrite (unless the rotation is 0). So a layer writes a
 * group to a free slot, and its old slot becomes free: the one freed last is taken first, because it is still
 * in L1. Usually there are as many slots as groups plus about the largest check degree, at worst one more for
 * each block. Between iterations group g is in its home slot, number g, where the interleaver finds it:
 *
 *   layer l, one column group:        before      after
 *     slot 4 (home of group 4)         group 2     free
 *     slot 7                           free        group 2
 *
 * The last layer of group g writes it to its home slot. So another group may take slot g only if it is read
 * again before that layer. With z = 1 all rotations are 0 and groups never change slots. If a group's only
 * layer repeats it, the layer writes it to a free slot, and the last addition of a difference (below) brings
 * it home.
 *
 * Repeated blocks. A layer may have several blocks of one group (DVB). The first one, the owner, writes
 * Q + R'. Each further block writes the difference R' - R of its messages to a slot after all others; it is
 * then rotated and added to what the owner wrote.
 *
 * Messages. In layered decoding they are written and read by their own layer only, which clears them in the
 * first iteration, and have no mirrors:
 *
 *   | layer 0: [register][block] | layer 1: [register][block] | ...
 *
 * Example: z = 5, V = 1, lanes of a byte, registers of 4 lanes; a slot has 2 registers and one for mirrors, 12 bytes. The
 * base matrix, and where each column group is between iterations:
 *
 *   layer 0:   shift 1   3   0          group 0: slot 0 (bytes  0 ..), in the rotation of shift 2
 *   layer 1:   shift 2   -   4          group 1: slot 1 (bytes 12 ..), in the rotation of shift 3
 *                                       group 2: slot 2 (bytes 24 ..), in the rotation of shift 4
 *
 *   accesses           register 0     register 1
 *   layer 0  group 0    4 -> 36        3 -> 40     lane (1 - 2) mod 5 = 4 of slot 0; to slot 3, which is free
 *            group 1   12 -> 12       16 -> 16     rotation 0: in place
 *            group 2   25 -> 48       24 -> 52     lane (0 - 4) mod 5 = 1 of slot 2; to slot 4
 *   layer 1  group 0   37 -> 0        36 -> 4      lane (2 - 1) mod 5 = 1 of slot 3; home
 *            group 2   52 -> 24       51 -> 28     lane (4 - 0) mod 5 = 4 of slot 4; home
 *
 * Register 1 holds checks 4, 0, 1 and 2: its first load of group 0 begins at lane (4 + 4) mod 5 = 3, so it needs no mirror. The
 * messages of layer 0 take bytes 0 .. 23 (3 blocks of 2 registers), those of layer 1 bytes 24 .. 39.
 *
 * Missing edges. One check of a block may have no edge (the first check of the DVB accumulator). These lanes
 * are listed so that a layer can repair them, see layer_generic.h.
 *
 * Flooding. Posteriors stay in their home slots, in the rotation of the group's last block. The messages of
 * each block are a row of its own, in the order of the block, with a mirror. After the last layer of a group
 * its messages, rotated into the order of the slot, and its channel LLRs are summed to its next posteriors.
 * All messages are cleared before the first iteration.
 *
 *   messages:  | row of block 0, mirror | row of block 1, mirror | ...
 *
 * Dyadic codes (code/dyadic.h). All of this holds with xor in place of addition modulo z: a block reads whole
 * registers and then permutes their bytes. A row is a number of full registers, without mirrors.
 *
 * Stages. One codeword of a code without structure (z = 1) would use one lane of each register. There the
 * layers of the map are parts of stages (code/schedule.h): up to a register of checks that share no column.
 * Posteriors are an array in column order; a part gathers those of its checks into registers, processes them
 * like a layer of one register and scatters them again. */
#ifndef LDPC_SIMD_MAP_H
#define LDPC_SIMD_MAP_H

#include "plan/plan.h"

#define LDPC_MAX_INTERLEAVED 64 /* codewords: sets of them are 64-bit masks */

/* One register of one block: offsets in bytes of what it reads and writes. Layered: posteriors, from the
 * start of the slots. Flooding: `from` is an offset of posteriors, `to` one of messages, which are read there
 * and then overwritten. In a dyadic code byte i is read at `from` ^ i. */
typedef struct ldpc_simd_access {
    uint32_t from, to;
} ldpc_simd_access;

/* Accesses after those of the last layer, which kernels may prefetch from. */
#define LDPC_PREFETCHED_ACCESSES 64

/* A repeated block: writes the posteriors at `from` plus the block's difference, rotated, to `to`. */
typedef struct ldpc_simd_repeat {
    uint32_t block;    /* position in the layer */
    uint32_t from, to; /* offsets of slots in bytes */
    uint32_t rotation; /* lane 0 of the slots is at this offset in bytes of the difference */
} ldpc_simd_repeat;

/* A lane of a block without an edge. All offsets are in bytes. */
typedef struct ldpc_missing_edge {
    uint32_t from, to; /* the lane where the block's access reads and writes */
    bool in_first;     /* `to` is in the first register, so that a mirror may repeat it */
    size_t message;    /* the lane in the layer's messages. Flooding: the same number, which here only tells
                        * register, block and lane of the access */
    /* for the syndrome: */
    uint32_t home; /* the lane between iterations */
    uint32_t check_register, check_lane;
} ldpc_missing_edge;

/* A layer with more of them is processed with masks (layer_generic.h). */
#define LDPC_MOST_MISSING_EDGES 16

/* Flooding: a column group and the messages to it. */
typedef struct ldpc_flooding_group {
    uint32_t home, degree;
    const uint32_t *from; /* [register][degree] in the messages; of a dyadic code as in an access */
} ldpc_flooding_group;

/* A layer, or a part of a stage. */
typedef struct ldpc_simd_layer {
    uint32_t degree; /* blocks: first the owners of their column groups, then `repeats` others */
    uint32_t repeats;
    uint32_t mirrors; /* the rows that the first `mirrors` blocks write get mirrors */
    size_t messages;  /* layered: offset in bytes of the layer's messages: [register][block] */
    const ldpc_simd_access *accesses; /* [register][block] */
    const ldpc_simd_repeat *repeat;   /* [repeats] */
    const ldpc_missing_edge *missing; /* [n_missing] */
    uint32_t n_missing;
    const ldpc_flooding_group *group; /* [n_groups] flooding: groups whose last layer this is */
    uint32_t n_groups;
    const uint32_t *columns; /* part of a stage: [degree][checks] */
    uint32_t checks;         /* part of a stage */
    bool careful; /* processed with masks: for missing edges that a saturated input cannot replace, or because
                   * 16-bit lanes may exceed i16's limit */
} ldpc_simd_layer;

typedef struct ldpc_simd_map {
    const ldpc_code *code;
    bool flooding;
    uint32_t n_codewords; /* V */
    uint32_t lane_bytes;  /* 1, 2, or 4: floats */
    uint32_t register_bytes;
    uint32_t lanes; /* of one register */
    uint32_t row_bytes;
    uint32_t row_lanes; /* V * z */
    uint32_t registers; /* of one row */
    bool has_mirrors;   /* slots have one more register for mirrors */
    uint32_t slot_bytes;
    uint32_t slots;
    uint32_t max_repeats;
    bool saturates; /* 16-bit lanes may exceed i16's limit */

    /* posteriors:  | slots | differences (stages: registers of a part) | scratch of sum-product | */
    size_t posterior_bytes; /* of all of it */
    size_t differences;     /* offset */
    size_t edge_scratch;    /* offset: LDPC_SUM_PRODUCT_REGISTERS for each edge of a check */
    size_t message_bytes;
    size_t channel_bytes; /* flooding: a copy of the home slots as they were loaded */

    ldpc_simd_layer *layers;
    uint32_t n_layers;  /* those of the code, or the parts of stages */
    uint32_t *home;     /* [groups] offset in bytes of the home slot */
    uint32_t *rotation; /* [groups] lane 0 of the home slot is lane rotation[group] of the group */
    uint32_t *home_of;  /* [blocks] home of the block's group */
    uint32_t *home_at;  /* [blocks][registers] what the register of checks reads of the block's home slot, an
                         * offset in bytes of the posteriors */

    ldpc_simd_access *access_memory; /* what the layers point into */
    ldpc_simd_repeat *repeat_memory;
    ldpc_missing_edge *missing_memory;
    ldpc_flooding_group *group_memory;
    uint32_t *from_memory;
    uint32_t *column_memory; /* NULL: no stages */
} ldpc_simd_map;

#define LDPC_SUM_PRODUCT_REGISTERS 3

/* Do all offsets of such a map fit 32 bits, and can the code have it? */
bool ldpc_simd_map_fits(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                        uint32_t register_bytes);

/* LDPC_OK or LDPC_ERR_MEMORY; ldpc_simd_map_fits() must have been true. */
ldpc_status ldpc_simd_map_create(const ldpc_code *code, bool flooding, uint32_t n_codewords,
                                 uint32_t lane_bytes, uint32_t register_bytes, ldpc_simd_map **map);
void ldpc_simd_map_destroy(ldpc_simd_map *map);

/* The map with stages: a code with z = 1, one codeword, layered. *map is NULL where parts would hold too few
 * checks to be worth it. */
ldpc_status ldpc_simd_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                    ldpc_simd_map **map);

/* Computes sizes only; the caller fills the map. NULL when there is no memory. */
ldpc_simd_map *ldpc_simd_map_open(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                                  uint32_t register_bytes);

/* Adds the scratch of sum-product to the posteriors of a map whose layers are known. */
void ldpc_simd_map_add_edge_scratch(ldpc_simd_map *map);

#endif
