/* SPDX-License-Identifier: BSD-3-Clause */
/* What the order of a code's layers implies, for kernels of any backend: which blocks repeat a column group
 * of their layer, which layers share no column and can be processed together (stages), where threads that
 * process consecutive layers must wait for each other (barriers), and which block writes a column group
 * before another one reads it.
 *
 * All functions walk the layers of ldpc_code (code_internal.h) and take time linear in the number of
 * blocks. In codes without circulants (z = 1), binary or not, a layer is one check and a column group is one
 * column.
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
 * A layer may hold several blocks of one column group: a column then takes part in several checks of the
 * layer, and what the layer writes to it must be summed up. block->occurrence numbers these blocks 0, 1, ...
 * in table order; code->max_occurrence is the largest number, 0 where no layer has a group twice. */

/* Sets block->occurrence and code->max_occurrence, once for each code. False: memory is short. */
bool ldpc_code_number_occurrences(ldpc_code *code);

/* ---- stages
 *
 * A stage is a set of layers of which no two share a column group. A layer belongs to the first stage after
 * those of all earlier layers that it shares a group with, so that processing stage after stage, in any order
 * within a stage, gives what processing layer after layer gives.
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
    uint32_t count;  /* number of stages */
    uint32_t *start; /* [count + 1] stage s holds order[start[s]] .. order[start[s + 1] - 1] */
    uint32_t *order; /* [layers] */
    uint32_t *of;    /* [layers] stage of each layer */
} ldpc_stages;

/* Within a stage, layers are sorted by `key` [layers], those with equal keys (or all, if key is NULL) by
 * their number. Memory grows with the largest key. False: memory is short, and there is nothing to free. */
bool ldpc_stages_make(const ldpc_code *code, const uint32_t *key, ldpc_stages *stages);
void ldpc_stages_free(ldpc_stages *stages);

/* ---- barriers
 *
 * Threads that process the layers in table order, each its own lanes, need a barrier between a layer that
 * writes a column group and a later one that reads it. */

/* When the threads write the new values of a block's column group. */
typedef enum ldpc_block_write {
    LDPC_BLOCK_WRITES,       /* in its own layer */
    LDPC_BLOCK_WRITES_LATER, /* while the next layer is processed, before that layer's own writes */
    LDPC_BLOCK_KEEPS,        /* not into memory that other threads read */
} ldpc_block_write;

/* barrier[l]: is there a barrier between layer l and the next one? Barriers are as late as possible, which
 * gives the smallest number of them; there always is one after the last layer. `write` is [blocks] of
 * ldpc_block_write, NULL: all write in their own layer. All blocks read. False: memory is short. */
bool ldpc_code_find_barriers(const ldpc_code *code, const uint8_t *write, bool *barrier);

/* ---- readers and writers */

/* The block of the same column group that is processed before and after each block, layer after layer and in
 * table order within a layer; the last block of an iteration is followed by the first one of the next. Both
 * arrays are [blocks]; a group's only block follows itself. False: memory is short. */
bool ldpc_code_link_blocks(const ldpc_code *code, uint32_t *previous, uint32_t *next);

/* ---- exactness */

/* Largest magnitude that a posterior can reach without saturation: the channel LLR and one message from each
 * check. Arithmetic that holds this number exactly need not test for overflow. */
uint64_t ldpc_code_posterior_bound(const ldpc_code *code, uint32_t max_channel, uint32_t max_message);

#ifdef __cplusplus
}
#endif

#endif
