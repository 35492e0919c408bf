/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA stream and its buffers, with at most one batch in flight. Bits stay packed until they are copied to the
 * results of the caller.
 *
 *     caller's LLRs -> staging buffer -> device buffer -> kernel -> device buffer -> staging buffer -> results
 *                      (pinned host)     (GPU)                      (GPU)            (pinned host)     (caller's)
 *
 * Pinned memory of the caller in the GPU's format needs no staging buffer. If accesses over the link are
 * faster than two copies, the kernel uses the staging buffers instead of device buffers. */
#ifndef LDPC_CUDA_STREAM_H
#define LDPC_CUDA_STREAM_H

#include "cuda/host/engine.h"

typedef struct ldpc_cuda_stream {
    const ldpc_cuda_engine *engine;
    size_t max_codewords;
    cu_stream handle;
    cu_event done;
    uint8_t *staging[LDPC_BUFFERS];
    cu_pointer device[LDPC_BUFFERS];
    cu_pointer scratch, counter;
    size_t scratch_bytes;
    /* batch in flight */
    ldpc_batch batch;
    bool in_use;
    bool direct[LDPC_BUFFERS]; /* needs no staging buffer */
    bool over_link;
} ldpc_cuda_stream;

ldpc_status ldpc_cuda_stream_open(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                  size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
ldpc_status ldpc_cuda_stream_open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                          size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err);
void ldpc_cuda_stream_close(ldpc_cuda_stream *stream);

/* No batch may be in flight. */
ldpc_status ldpc_cuda_stream_extend(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                    size_t max_scratch_bytes, ldpc_error *err);

typedef enum ldpc_cuda_step {
    LDPC_CUDA_STEP_INPUT,
    LDPC_CUDA_STEP_KERNEL,
    LDPC_CUDA_STEP_RESULTS
} ldpc_cuda_step;

/* Issues the steps first .. last. After a failure, it waits for the steps already issued. */
ldpc_status ldpc_cuda_stream_issue(ldpc_cuda_stream *stream, ldpc_cuda_step first, ldpc_cuda_step last,
                                   ldpc_error *err);

ldpc_status ldpc_cuda_stream_start(ldpc_cuda_stream *stream, const ldpc_batch *batch, ldpc_error *err);

/* Issues the kernel on a caller's stream. The buffers of the batch are in device memory. These kernels run in
 * the order of the calls. */
ldpc_status ldpc_cuda_stream_launch_on(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                       const ldpc_batch *batch, ldpc_error *err);

ldpc_status ldpc_cuda_stream_wait(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Polls for the end of the batch. Returns LDPC_ERR_DEVICE if the decoder is abandoned. */
ldpc_status ldpc_cuda_stream_await(const ldpc_cuda_stream *stream, ldpc_error *err);

/* Returns early if the decoder is abandoned. */
void ldpc_cuda_stream_await_issued(const ldpc_cuda_stream *stream);
/* Waits for a partly issued batch, and marks its codewords as not decoded. */
void ldpc_cuda_stream_drain(ldpc_cuda_stream *stream);

void ldpc_cuda_stream_hand_over(const ldpc_cuda_stream *stream, ldpc_status status);

void ldpc_cuda_mark_lost(const ldpc_batch *batch);

#endif
