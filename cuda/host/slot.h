/* SPDX-License-Identifier: BSD-3-Clause */
/* One batch under way on a GPU: a stream, pinned staging, device buffers. A batch goes through it as
 *
 *     LLRs (caller's) -> pinned staging -> device -> kernel -> device -> pinned staging -> caller's buffers
 *
 * with bits packed until the last step. Staging is left out where the caller's buffers are pinned and have
 * the right form; the device copies are left out where a batch is so small that the kernel may use the link
 * itself.
 */
#ifndef LDPC_CUDA_SLOT_H
#define LDPC_CUDA_SLOT_H

#include "cuda/host/engine.h"

typedef struct ldpc_cuda_slot {
    const ldpc_cuda_engine *engine;
    size_t max_words;
    cu_stream stream;
    cu_event done;
    uint8_t *host[LDPC_BUFFERS]; /* costs and posteriors: NULL until a batch has them */
    cu_pointer device[LDPC_BUFFERS];
    cu_pointer scratch;
    size_t scratch_blocks;
    /* the batch under way */
    ldpc_batch batch;
    bool direct[LDPC_BUFFERS]; /* no staging: the copy goes to the caller's buffer */
    bool through_link;         /* no copies: the kernel reads and writes the staging */
} ldpc_cuda_slot;

ldpc_status ldpc_cuda_slot_open(ldpc_cuda_slot *slot, const ldpc_cuda_engine *engine, size_t max_words,
                                size_t max_scratch_bytes, ldpc_error *err);
void ldpc_cuda_slot_close(ldpc_cuda_slot *slot);

/* Issue copies and the kernel. After a failure nothing of the batch is under way. */
ldpc_status ldpc_cuda_slot_start(ldpc_cuda_slot *slot, const ldpc_batch *batch, ldpc_error *err);

/* The same in steps, of slot->batch. After a failure nothing of it is under way. */
typedef enum ldpc_cuda_step {
    LDPC_CUDA_STEP_INPUT,
    LDPC_CUDA_STEP_KERNEL,
    LDPC_CUDA_STEP_RESULTS
} ldpc_cuda_step;
ldpc_status ldpc_cuda_slot_issue(ldpc_cuda_slot *slot, ldpc_cuda_step first, ldpc_cuda_step last,
                                 ldpc_error *err);

/* Wait until nothing of the batch is under way; its words are lost. */
void ldpc_cuda_slot_abandon(ldpc_cuda_slot *slot);

/* Wait for the batch and hand its results over. `spin`: the caller wants the lowest latency. */
ldpc_status ldpc_cuda_slot_finish(ldpc_cuda_slot *slot, bool spin, ldpc_error *err);

/* Words that were not decoded. */
void ldpc_cuda_mark_lost(const ldpc_batch *batch);

#endif
