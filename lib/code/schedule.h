/* SPDX-License-Identifier: BSD-3-Clause */
/* Data dependences between the layers of a code, for kernels of all backends:
 *   occurrences  blocks of one layer in the same column group;
 *   stages       sets of layers that share no column and can be processed together;
 *   barriers     layers after which threads must wait for each other;
 *   links        the block that writes a column group before a given block reads it.
 *
 * All functions take time linear in the number of blocks. With z = 1, a layer is one check and a column group
 * is one column.
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
 * If a layer has several blocks in a column group, a column is in several checks of the layer, and their
 * updates are summed. block->occurrence numbers these blocks 0, 1 ... in table order. */

/* Returns false if out of memory. */
bool ldpc_code_number_occurrences(ldpc_code *code);

/* ---- stages
 *
 * A stage is a set of layers without a common column group. Each layer is in the first stage after the
 * earlier layers with a common group. The layers of a stage may be processed in any order.
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
    /* [count + 1] index in `order` */
    uint32_t *start;
    uint32_t *order; /* [layers] layers sorted by stage */
    uint32_t *of;    /* [layers] stage of each layer */
} ldpc_stages;

/* Returns false if out of memory. */
bool ldpc_stages_make(const ldpc_code *code, const uint32_t *key, ldpc_stages *stages);
void ldpc_stages_free(ldpc_stages *stages);

/* ---- barriers
 *
 * Threads process layers in table order, each in its own lanes. A barrier must separate the layer that writes
 * a column group from the layer that reads it. */

typedef enum ldpc_block_write {
    LDPC_BLOCK_WRITES,
    LDPC_BLOCK_WRITES_LATER,
    LDPC_BLOCK_KEEPS,
} ldpc_block_write;

/* barrier[l]: a barrier follows layer l. Barriers are as late as possible, and one follows the last layer.
 * write[block] is an ldpc_block_write; NULL: LDPC_BLOCK_WRITES for all. Returns false if out of memory. */
bool ldpc_code_find_barriers(const ldpc_code *code, const uint8_t *write, bool *barrier);

/* ---- links */

/* Returns false if out of memory. */
bool ldpc_code_link_blocks(const ldpc_code *code, uint32_t *previous, uint32_t *next);

/* ---- exactness */

uint64_t ldpc_code_posterior_bound(const ldpc_code *code, uint32_t max_channel, uint32_t max_message);

#ifdef __cplusplus
}
#endif

#endif
