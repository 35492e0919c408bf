/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA stream with its buffers: one batch is in flight on it. Bits are packed until the last step.
 *
 *     caller's LLRs -> staging buffer -> device buffer -> kernel -> device buffer -> staging buffer -> results
 *                      (pinned host)     (GPU)                      (GPU)            (pinned host)     (caller's)
 *
 * There is no staging buffer if the caller's memory is pinned and has the GPU's format. A batch for which two
 * copies cost more than they gain uses no device buffers: the kernel reads and writes the staging buffers
 * over the link.
 */
#ifndef LDPC_CUDA_STREAM_H
#define LDPC_CUDA_STREAM_H

#include "cuda/host/engine.h"

typedef struct ldpc_cuda_stream {
    const ldpc_cuda_engine *engine;
    size_t max_codewords; /* largest batch, codewords */
    cu_stream handle;
    cu_event done;                   /* recorded at the end of the batch */
    uint8_t *staging[LDPC_BUFFERS];  /* pinned memory; rarely used buffers are NULL until a batch needs them
                                      * */
    cu_pointer device[LDPC_BUFFERS]; /* as above */
    cu_pointer scratch, counter;     /* the counter of a persistent kernel */
    size_t scratch_bytes;
    /* the batch in flight */
    ldpc_batch batch;
    bool in_use;               /* some of its commands may have been issued */
    bool direct[LDPC_BUFFERS]; /* no staging: the GPU copies from or to the caller's memory */
    bool over_link;            /* no copies: the kernel reads and writes the staging buffers */
} ldpc_cuda_stream;

ldpc_status ldpc_cuda_stream_open(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                  size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
/* Creates scratch memory and event only, for ldpc_cuda_stream_launch_on(). */
ldpc_status ldpc_cuda_stream_open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                          size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
void ldpc_cuda_stream_close(ldpc_cuda_stream *stream);

/* Enlarges the scratch memory if a new engine, whose programs will replace those of the stream's engine,
 * needs more memory. No batch may be in flight. */
ldpc_status ldpc_cuda_stream_extend(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                    size_t max_scratch_bytes, ldpc_error *err);

/* The steps of a batch, in order. */
typedef enum ldpc_cuda_step {
    LDPC_CUDA_STEP_INPUT,
    LDPC_CUDA_STEP_KERNEL,
    LDPC_CUDA_STEP_RESULTS
} ldpc_cuda_step;

/* Issues the steps first .. last of stream->batch. After a failure nothing of the batch is in flight. */
ldpc_status ldpc_cuda_stream_issue(ldpc_cuda_stream *stream, ldpc_cuda_step first, ldpc_cuda_step last,
                                   ldpc_error *err);

/* Issues all steps of a batch. */
ldpc_status ldpc_cuda_stream_start(ldpc_cuda_stream *stream, const ldpc_batch *batch, ldpc_error *err);

/* Issues only the kernel, on a stream of the caller, for a batch in device memory. Kernels that use the
 * scratch memory run in the order of these calls, even on different streams. */
ldpc_status ldpc_cuda_stream_launch_on(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                       const ldpc_batch *batch, ldpc_error *err);

/* Waits in the driver until the batch has ended. */
ldpc_status ldpc_cuda_stream_wait(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Polls until the batch has ended; LDPC_ERR_DEVICE if the decoder is abandoned. */
ldpc_status ldpc_cuda_stream_await(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Waits until no command of the stream is in flight, or until the decoder is abandoned. */
void ldpc_cuda_stream_await_issued(const ldpc_cuda_stream *stream);
/* As above for a batch that was issued in part; marks its codewords as not decoded. */
void ldpc_cuda_stream_drain(ldpc_cuda_stream *stream);

/* Copies the results of a finished batch to the caller's memory. If the batch failed, marks its results as
 * lost. */
void ldpc_cuda_stream_hand_over(const ldpc_cuda_stream *stream, ldpc_status status);

/* Marks the codewords of a batch as not decoded. */
void ldpc_cuda_mark_lost(const ldpc_batch *batch);

#endif
