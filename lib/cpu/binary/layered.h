/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the layered SIMD kernels keep a group of codewords: the memory map, worked out once per decoder.
 *
 * V codewords are interleaved lane by lane: column group g of the code is a row of V * z lanes, lane i * V +
 * v belongs to codeword v. A z x z circulant of shift s then is a rotation by V * s lanes, and a layer is V *
 * z checks side by side, whatever z and V are: V = 1 decodes one codeword at full speed, z = 1 any code at
 * all.
 *
 * In a translated view of a code (code/dyadic.h) all of this holds with xor for plus: a block reads its
 * group by whole registers, whose bytes are then mixed. There a row is a number of full registers.
 *
 * One word of a code without structure goes by stages: checks that share no column take the lanes of a
 * register, their posteriors are gathered from anywhere and scattered again.
 *
 *   slot:  [lane 0 ...... lane V*z-1][mirror of the first register]     each slot starts on a register
 *
 * A group lives in the rotation of the block that wrote it last, so that stores are aligned and a block reads
 * its group, rotated by the difference, in one unaligned load per register; the mirror serves the load that
 * wraps. Whole registers are read and written, so that the lanes of the last one behind the row repeat its
 * first ones; only a load that goes beyond them needs the mirror. Which check of a layer takes lane 0 is
 * chosen so that few do (layered_turn.h). A layer writes its groups into other slots than it reads them from
 * (a register of the layer still has to read the old lanes): a slot is taken from the last ones freed, which
 * are still in L1.
 *
 * Flooding moves nothing: a group stays at home, and the messages of a block have a slot of their own, among
 * the messages. Its layers read posteriors and write messages; after the last layer of a group its messages,
 * rotated back, and its channel LLRs are summed up to its next posteriors.
 */
#ifndef LDPC_LAYERED_H
#define LDPC_LAYERED_H

#include "plan/plan.h"

/* One circulant's register: where its lanes are read and where they are written, in bytes from the slots. Of
 * a translation: byte i is read at `from` ^ i. Flooding: posteriors are read, messages are written (and
 * those of the last iteration read) at `to` of the messages. */
typedef struct ldpc_layered_step {
    uint32_t from, to;
} ldpc_layered_step;

/* Behind the last layer's: what is fetched ahead. */
#define LDPC_LAYERED_SPARE_STEPS 64

/* A block whose column group stands in the layer already: the change of its message is added to what the
 * layer's first block of the group has written, at `from`, and goes to `to` (all offsets in bytes). */
typedef struct ldpc_layered_repeat {
    uint32_t block; /* position in the layer */
    uint32_t from, to;
    uint32_t rotation; /* lane 0 of the slot stands at this offset of the change */
} ldpc_layered_repeat;

#define LDPC_LAYERED_KEPT         3  /* registers */
#define LDPC_LAYERED_MOST_ABSENTS 16 /* in one layer that is not careful */

/* A lane without an edge (the first check of the DVB accumulator). */
typedef struct ldpc_layered_absent {
    uint32_t from, to; /* the posterior's place before and after the layer; flooding: `to` is the message's */
    bool in_first;     /* `to` is in the first register: its mirror follows */
    size_t message;    /* the message's place, from the start of the layer's; flooding: as if it were so */
    /* for the syndrome: posterior between iterations, register and lane of the check */
    uint32_t home, check_register, check_lane;
} ldpc_layered_absent;

/* Flooding: a column group and the messages to it. */
typedef struct ldpc_layered_group {
    uint32_t home, degree;
    const uint32_t *from; /* [register][degree] in the messages; of a translation as in a step */
} ldpc_layered_group;

typedef struct ldpc_layered_layer {
    uint32_t degree; /* blocks: first those that own their group in this layer, then `repeats` others */
    uint32_t repeats;
    uint32_t mirrors; /* the first `mirrors` blocks are read beyond their registers next time, or by the
                       * groups of flooding: their mirror is kept */
    size_t messages;  /* offset of the layer's messages in bytes: [register][block] (not flooding) */
    const ldpc_layered_step *steps;    /* [register][block] */
    const ldpc_layered_repeat *repeat; /* [repeats] */
    const ldpc_layered_absent *absent; /* [absents] */
    uint32_t absents;
    const ldpc_layered_group *group; /* [groups] flooding: whose last layer this is */
    uint32_t groups;
    const uint32_t *places; /* of a stage: [degree][checks] the groups that its checks meet */
    uint32_t checks;
    bool careful; /* lanes are absent where hiding their posteriors is not enough, or 16 bits may saturate */
} ldpc_layered_layer;

typedef struct ldpc_layered_map {
    const ldpc_code *code;
    bool flooding;
    uint32_t words;      /* V */
    uint32_t lane_bytes; /* 1, 2, or 4: floats */
    uint32_t register_bytes;
    uint32_t lanes;     /* of one register */
    uint32_t row_bytes; /* V * z lanes */
    uint32_t row_lanes;
    uint32_t registers; /* of one row */
    bool rotates;       /* slots have a mirror */
    uint32_t slot_bytes;
    uint32_t slots;
    uint32_t max_repeats;
    bool saturates;         /* 16-bit lanes may reach their limit */
    size_t posterior_bytes; /* all slots, the space for repeated blocks, and the spare one */
    size_t changes;         /* offset of the space for repeated blocks */
    size_t spare;           /* and of what sum-product keeps of a register: LDPC_LAYERED_KEPT for each edge */
    size_t message_bytes;
    size_t channel_bytes; /* flooding: a copy of the homes as they were loaded */
    ldpc_layered_layer *layers;
    uint32_t n_layers;       /* those of the code, or the stages */
    uint32_t *home;          /* [groups] offset of the slot that holds the group between iterations */
    uint32_t *rotation;      /* [groups] lane 0 of that slot is lane rotation[group] of the group */
    uint32_t *home_of;       /* [blocks] home of the block's group */
    uint32_t *home_rotation; /* [blocks] offset in the home slot that lane 0 of the block meets */
    ldpc_layered_step *step_memory;
    ldpc_layered_repeat *repeat_memory;
    ldpc_layered_absent *absent_memory;
    ldpc_layered_group *group_memory;
    uint32_t *from_memory;
    uint32_t *place_memory; /* NULL: no stages */
} ldpc_layered_map;

/* LDPC_OK or LDPC_ERR_MEMORY. ldpc_layered_map_fits() has been asked before. */
bool ldpc_layered_map_fits(const ldpc_code *code, uint32_t words, uint32_t lane_bytes,
                           uint32_t register_bytes);
ldpc_status ldpc_layered_map_create(const ldpc_code *code, bool flooding, uint32_t words, uint32_t lane_bytes,
                                    uint32_t register_bytes, ldpc_layered_map **map);
void ldpc_layered_map_destroy(ldpc_layered_map *map);

/* The stages of a code with z = 1, for one word. *map is NULL where there are too many to be worth it. */
ldpc_status ldpc_layered_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                       ldpc_layered_map **map);

/* Sizes alone, for those who make the rest of a map; NULL when there is no memory. */
ldpc_layered_map *ldpc_layered_map_open(const ldpc_code *code, uint32_t words, uint32_t lane_bytes,
                                        uint32_t register_bytes);

/* Adds the spare space to what has been built. */
void ldpc_layered_map_add_spare(ldpc_layered_map *map);

#endif
