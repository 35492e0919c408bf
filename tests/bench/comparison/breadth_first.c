/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/comparison/breadth_first.h"

#include "cuda/backend/cuda_state.h"

/* All or nothing. */
static ldpc_status issue_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (ldpc_cuda_step step = LDPC_CUDA_STEP_INPUT; step <= LDPC_CUDA_STEP_RESULTS; step++)
        for (size_t i = 0; i < parts && !status; i++)
            status = ldpc_cuda_stream_issue(&cuda->streams[i], step, step, err);
    for (size_t i = 0; i < parts && status; i++)
        ldpc_cuda_stream_drain(&cuda->streams[i]);
    return status;
}

ldpc_status ldpc_cuda_decode_breadth_first(void *state, const ldpc_batch *batch, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    size_t parts = ldpc_cuda_deal_parts(cuda, batch);
    ldpc_status status = issue_parts(cuda, parts, err);
    return status ? status : ldpc_cuda_finish_parts(cuda, parts, status, err);
}
