/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes batches in device memory on the caller's stream.
 *
 * These batches share one scratch memory and run in the order of the calls. The decoder is not notified of
 * their end. Therefore it waits for the GPU before it frees memory. */
#include "cuda/backend/cuda_state.h"

static bool is_open(const ldpc_cuda_state *cuda)
{
    return cuda->device_calls.done != NULL;
}

static ldpc_status open_scratch(ldpc_cuda_state *cuda, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    size_t limit = 0;
    ldpc_status status = ldpc_cuda_scratch_limit(engine, 1, &limit, err);
    return status
               ? status
               : ldpc_cuda_stream_open_scratch(&cuda->device_calls, engine, cuda->max_codewords, limit, err);
}

ldpc_status ldpc_cuda_decode_device(void *state, void *caller_stream, const ldpc_batch *batch,
                                    ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    ldpc_status status = is_open(cuda) ? LDPC_OK : open_scratch(cuda, err);
    return status ? status : ldpc_cuda_stream_launch_on(&cuda->device_calls, caller_stream, batch, err);
}

ldpc_status ldpc_cuda_await_device_calls(const ldpc_cuda_state *cuda, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = cuda->device_calls.engine;
    ldpc_status status = LDPC_OK;
    if (!is_open(cuda) || (status = ldpc_cuda_engine_enter(engine, err)))
        return status;
    status = ldpc_cuda_check(engine->driver, engine->driver->context_synchronize(), "decoding failed", err);
    ldpc_cuda_engine_leave(engine);
    return status;
}
