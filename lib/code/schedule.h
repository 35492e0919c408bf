/* SPDX-License-Identifier: BSD-3-Clause */
/* Data dependences between the layers of a code, for kernels of all backends:
 *   occurrences  blocks of one layer in the same column group;
 *   stages       sets of layers that share no column and can be processed together;
 *   barriers     layers after which threads must wait for each other;
 *   links        the block that writes a column group before a given block reads it.
 *
 * All functions take time linear in the number of blocks of ldpc_code (code_internal.h). In codes without
 * circulants (z = 1), binary or not, a layer is one check and a column group is one column.
 */
#ifndef LDPC_SCHEDULE_H
#define LDPC_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- occurrences
 *
 * A layer may have several blocks in one column group. A column of the group then takes part in several
 * checks of the layer, and the updates from these checks must be summed. block->occurrence numbers the blocks
 * 0, 1, ... in table order; code->max_occurrence is the largest number, 0 if no layer has two blocks in one
 * group. */

/* Sets block->occurrence and code->max_occurrence. Called once per code. Returns false if out of memory. */
bool ldpc_code_number_occurrences(ldpc_code *code);

/* ---- stages
 *
 * A stage is a set of layers of which no two share a column group. A layer is in the first stage after the
 * stages of all earlier layers with which it shares a group. Processing the stages in order, with the layers
 * of a stage in any order, therefore gives the same result as processing the layers in order.
 *
 *   layer  column groups   stage
 *     0    a b             0
 *     1    c d             0
 *     2    b e             1      after layer 0
 *     3    f               0
 *     4    d e             2      after layers 1 and 2
 *
 *   order: 0 1 3 | 2 | 4        start: 0 3 4 5
 */
typedef struct ldpc_stages {
    uint32_t count; /* number of stages */
    /* [count + 1] stage s consists of the layers order[start[s]] .. order[start[s + 1] - 1] */
    uint32_t *start;
    uint32_t *order; /* [layers] layers, sorted by stage */
    uint32_t *of;    /* [layers] number of each layer's stage */
} ldpc_stages;

/* Computes the stages. Within a stage, layers are sorted by `key` [layers], then by number; NULL: by number
 * only. The memory needed grows with the largest key. Returns false if out of memory; then the caller has
 * nothing to free. */
bool ldpc_stages_make(const ldpc_code *code, const uint32_t *key, ldpc_stages *stages);
void ldpc_stages_free(ldpc_stages *stages);

/* ---- barriers
 *
 * Threads process the layers in table order, and each thread processes its own lanes. They need a barrier
 * between a layer that writes a column group and a later layer that reads this group. */

/* When the threads write the updated column group of a block. */
typedef enum ldpc_block_write {
    LDPC_BLOCK_WRITES,       /* while they process the layer of the block */
    LDPC_BLOCK_WRITES_LATER, /* while they process the next layer, before that layer writes its own groups */
    LDPC_BLOCK_KEEPS,        /* never into memory that other threads read */
} ldpc_block_write;

/* Sets barrier[l] if a barrier is needed between layer l and the next layer. The last layer always has a
 * barrier. Each barrier is as late as possible; this minimises their number. Each block reads its group, and
 * writes it at the time write[block] (ldpc_block_write; NULL: LDPC_BLOCK_WRITES for all blocks). Returns
 * false if out of memory. */
bool ldpc_code_find_barriers(const ldpc_code *code, const uint8_t *write, bool *barrier);

/* ---- links */

/* For each block, finds the previous and the next block in the same column group. Blocks are ordered by
 * layer, then by table order. The order is cyclic: the first block of the next iteration follows the last
 * block. The only block of a group is its own neighbour. Both arrays have one entry per block. Returns false
 * if out of memory. */
bool ldpc_code_link_blocks(const ldpc_code *code, uint32_t *previous, uint32_t *next);

/* ---- exactness */

/* Returns the largest magnitude that a posterior can reach without saturation: the channel LLR plus one
 * message from each check. If the arithmetic represents this value exactly, overflow need not be tested. */
uint64_t ldpc_code_posterior_bound(const ldpc_code *code, uint32_t max_channel, uint32_t max_message);

#ifdef __cplusplus
}
#endif

#endif
