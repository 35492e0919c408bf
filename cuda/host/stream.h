/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA stream and its buffers. One batch can be in flight on a stream. Bits are packed until they are
 * copied to the results of the caller.
 *
 *     caller's LLRs -> staging buffer -> device buffer -> kernel -> device buffer -> staging buffer -> results
 *                      (pinned host)     (GPU)                      (GPU)            (pinned host)     (caller's)
 *
 * If the caller's memory is pinned and has the GPU's format, no staging buffer is used. If two copies would take longer
 * than accesses over the link, no device buffers are used, and the kernel reads and writes the staging buffers over
 * the link.
 */
#ifndef LDPC_CUDA_STREAM_H
#define LDPC_CUDA_STREAM_H

#include "cuda/host/engine.h"

typedef struct ldpc_cuda_stream {
    const ldpc_cuda_engine *engine;
    size_t max_codewords; /* maximum number of codewords in a batch */
    cu_stream handle;
    cu_event done;                   /* event that is recorded at the end of a batch */
    uint8_t *staging[LDPC_BUFFERS];  /* pinned host memory; rarely used buffers are NULL until a batch needs
                                      * them */
    cu_pointer device[LDPC_BUFFERS]; /* buffers in device memory; rarely used buffers are NULL until a batch
                                      * needs them */
    cu_pointer scratch, counter;     /* scratch memory, and the work counter of a persistent kernel */
    size_t scratch_bytes;
    /* fields that describe the batch in flight */
    ldpc_batch batch;
    bool in_use;               /* whether some of the batch's commands may have been issued */
    bool direct[LDPC_BUFFERS]; /* for each buffer: whether the GPU copies directly from or to the caller's
                                * memory, without staging */
    bool over_link;            /* whether there are no copies, because the kernel accesses the staging buffers
                                * over the link */
} ldpc_cuda_stream;

ldpc_status ldpc_cuda_stream_open(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                  size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
/* Creates a stream with only scratch memory and an event, for ldpc_cuda_stream_launch_on(). */
ldpc_status ldpc_cuda_stream_open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                          size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
void ldpc_cuda_stream_close(ldpc_cuda_stream *stream);

/* Enlarges the scratch memory for the programs of `engine`, if they need more. These programs will replace
 * those of the stream's engine. No batch may be in flight. */
ldpc_status ldpc_cuda_stream_extend(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                    size_t max_scratch_bytes, ldpc_error *err);

/* The steps in which a batch is issued, in this order. */
typedef enum ldpc_cuda_step {
    LDPC_CUDA_STEP_INPUT,
    LDPC_CUDA_STEP_KERNEL,
    LDPC_CUDA_STEP_RESULTS
} ldpc_cuda_step;

/* Issues the steps `first` to `last` of stream->batch. After a failure, no command of the batch is in
 * flight. */
ldpc_status ldpc_cuda_stream_issue(ldpc_cuda_stream *stream, ldpc_cuda_step first, ldpc_cuda_step last,
                                   ldpc_error *err);

/* Issues all steps of a batch. */
ldpc_status ldpc_cuda_stream_start(ldpc_cuda_stream *stream, const ldpc_batch *batch, ldpc_error *err);

/* Issues only the kernel, for a batch in device memory, on a stream of the caller. Kernels that use the same
 * scratch memory run in the order of these calls, even on different streams. */
ldpc_status ldpc_cuda_stream_launch_on(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                       const ldpc_batch *batch, ldpc_error *err);

/* Waits in the driver until the batch has ended. */
ldpc_status ldpc_cuda_stream_wait(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Polls until the batch has ended. Returns LDPC_ERR_DEVICE if the decoder is abandoned. */
ldpc_status ldpc_cuda_stream_await(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Waits until no command of the stream is in flight, or until the decoder is abandoned. */
void ldpc_cuda_stream_await_issued(const ldpc_cuda_stream *stream);
/* Like ldpc_cuda_stream_await_issued(), for a batch of which only some steps have been issued. Marks the
 * codewords of the batch as not decoded. */
void ldpc_cuda_stream_drain(ldpc_cuda_stream *stream);

/* Copies the results of a finished batch to the caller's memory. If the batch has failed, marks its codewords
 * as not decoded. */
void ldpc_cuda_stream_hand_over(const ldpc_cuda_stream *stream, ldpc_status status);

/* Marks the codewords of a batch as not decoded. */
void ldpc_cuda_mark_lost(const ldpc_batch *batch);

#endif
