/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA stream with its buffers: one batch is in flight on it. Bits are packed until the last step.
 *
 *     caller's LLRs -> staging buffer -> device buffer -> kernel -> device buffer -> staging buffer -> results
 *                      (pinned host)     (GPU)                      (GPU)            (pinned host)     (caller's)
 *
 * A staging buffer is left out where the caller's memory is pinned and has the GPU's form. A batch that is so
 * small that two copies cost more than they gain leaves out the device buffers: the kernel reads and writes
 * the staging buffers over the link.
 */
#ifndef LDPC_CUDA_STREAM_H
#define LDPC_CUDA_STREAM_H

#include "cuda/host/engine.h"

typedef struct ldpc_cuda_stream {
    const ldpc_cuda_engine *engine;
    size_t max_codewords; /* of a batch */
    cu_stream handle;
    cu_event done;                   /* reached when the batch is done */
    uint8_t *staging[LDPC_BUFFERS];  /* pinned; rare buffers are NULL until a batch has them */
    cu_pointer device[LDPC_BUFFERS]; /* the same */
    cu_pointer scratch, counter;     /* the kernel's, if it is persistent */
    size_t scratch_bytes;
    /* the batch in flight */
    ldpc_batch batch;
    bool in_use;               /* something of it may have been issued */
    bool direct[LDPC_BUFFERS]; /* no staging: the GPU copies from or to the caller's memory */
    bool over_link;            /* no copies: the kernel reads and writes the staging buffers */
} ldpc_cuda_stream;

ldpc_status ldpc_cuda_stream_open(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                  size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
/* Scratch memory and event only, for ldpc_cuda_stream_launch_on(). */
ldpc_status ldpc_cuda_stream_open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                          size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
void ldpc_cuda_stream_close(ldpc_cuda_stream *stream);

/* More scratch memory, if an engine with other programs, which is to take the place of the stream's, needs it. No batch is in
 * flight. */
ldpc_status ldpc_cuda_stream_extend(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                    size_t max_scratch_bytes, ldpc_error *err);

/* What a batch goes through, in this order. */
typedef enum ldpc_cuda_step {
    LDPC_CUDA_STEP_INPUT,
    LDPC_CUDA_STEP_KERNEL,
    LDPC_CUDA_STEP_RESULTS
} ldpc_cuda_step;

/* Issue the steps first .. last of stream->batch. After a failure nothing of the batch is in flight. */
ldpc_status ldpc_cuda_stream_issue(ldpc_cuda_stream *stream, ldpc_cuda_step first, ldpc_cuda_step last,
                                   ldpc_error *err);

/* Issue all steps of a batch. */
ldpc_status ldpc_cuda_stream_start(ldpc_cuda_stream *stream, const ldpc_batch *batch, ldpc_error *err);

/* Issue the kernel alone, on a stream of the caller's, for a batch in the GPU's memory. Kernels that use the scratch memory run
 * in the order of these calls, also on different streams. */
ldpc_status ldpc_cuda_stream_launch_on(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                       const ldpc_batch *batch, ldpc_error *err);

/* Wait until the batch has ended, inside of the driver. */
ldpc_status ldpc_cuda_stream_wait(const ldpc_cuda_stream *stream, ldpc_error *err);

/* The same, outside of it: LDPC_ERR_DEVICE when the decoder is abandoned. */
ldpc_status ldpc_cuda_stream_await(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Wait until nothing that was issued on the stream is in flight, or the decoder is abandoned. */
void ldpc_cuda_stream_await_issued(const ldpc_cuda_stream *stream);
/* The same, for a batch that was not issued as a whole; its codewords are marked as not decoded. */
void ldpc_cuda_stream_drain(ldpc_cuda_stream *stream);

/* Copy the results of a batch that has ended to the caller's memory; after a failure mark them as lost. */
void ldpc_cuda_stream_hand_over(const ldpc_cuda_stream *stream, ldpc_status status);

/* Mark the codewords of a batch as not decoded. */
void ldpc_cuda_mark_lost(const ldpc_batch *batch);

#endif
