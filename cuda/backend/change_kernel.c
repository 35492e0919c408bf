/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces a decoder's kernel programs while it is in use.
 *
 * Loading a program may wait for the GPU. Therefore the completion thread loads it to loaded[], and the
 * submitting thread uses it from the next batch on. */
#include "cuda/backend/cuda_state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/host/choose.h"
#include "cuda/host/program.h"

static ldpc_status extend_stream(const ldpc_cuda_state *cuda, ldpc_cuda_stream *stream,
                                 const ldpc_cuda_engine *next, ldpc_error *err)
{
    size_t limit = 0;
    if (ldpc_cuda_scratch_bytes(next, cuda->max_codewords, SIZE_MAX) <= stream->scratch_bytes)
        return LDPC_OK;
    ldpc_status status = ldpc_cuda_scratch_limit(next, cuda->n_streams / cuda->n_engines, &limit, err);
    return status ? status : ldpc_cuda_stream_extend(stream, next, limit, err);
}

static ldpc_status extend_streams(ldpc_cuda_state *cuda, const ldpc_cuda_engine *next, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (size_t i = 0; i < cuda->n_streams && !status; i++)
        status = extend_stream(cuda, &cuda->streams[i], &next[i % cuda->n_engines], err);
    if (!status && cuda->device_calls.done)
        status = extend_stream(cuda, &cuda->device_calls, &next[0], err);
    return status;
}

ldpc_status ldpc_cuda_rebuild_engines(ldpc_cuda_state *cuda, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_end_load(cuda, err);
    if (!status)
        status = ldpc_cuda_await_device_calls(cuda, err);
    if (status)
        return status;
    ldpc_cuda_engine *next = ldpc_allocate(cuda->n_engines, sizeof *next);
    if (!next)
        return ldpc_fail_memory(err);
    size_t built = 0;
    for (; built < cuda->n_engines && !status; built += !status)
        if (cuda->engines[built].chosen->baked)
            status = ldpc_cuda_engine_rebuild(&cuda->engines[built], &next[built], err);
        else
            next[built] = cuda->engines[built];
    if (!status)
        status = extend_streams(cuda, next, err);
    for (size_t i = 0; i < built; i++) {
        if (!cuda->engines[i].chosen->baked)
            continue;
        ldpc_cuda_engine_drop(status ? &next[i] : &cuda->engines[i]);
        if (!status) {
            cuda->engines[i] = next[i];
            cuda->chosen_status = LDPC_OK;
        }
    }
    free(next);
    return status;
}

bool ldpc_cuda_is_compiling(const ldpc_cuda_state *cuda)
{
    for (size_t i = 0; i < cuda->n_engines; i++)
        if (cuda->engines[i].compilation)
            return true;
    return false;
}

void ldpc_cuda_drop_compilations(ldpc_cuda_state *cuda)
{
    for (size_t i = 0; i < cuda->n_engines; i++)
        ldpc_cuda_forget_next(&cuda->engines[i]);
}

static ldpc_status tell_chosen(const ldpc_cuda_state *cuda, ldpc_error *err)
{
    if (cuda->chosen_status && err)
        *err = cuda->chosen_error;
    return cuda->chosen_status;
}

static bool has_scratch(const ldpc_cuda_state *cuda, size_t i)
{
    const size_t needed = cuda->engines[i].next.scratch_bytes;
    for (size_t s = i; s < cuda->n_streams; s += cuda->n_engines)
        if (cuda->streams[s].scratch_bytes < needed)
            return false;
    return i > 0 || !cuda->device_calls.done || cuda->device_calls.scratch_bytes >= needed;
}

static ldpc_status await_compilation(ldpc_cuda_state *cuda, size_t i, const struct timespec *until,
                                     ldpc_error *why)
{
    ldpc_cuda_engine *engine = &cuda->engines[i];
    ldpc_status status = ldpc_cuda_wait_chosen(engine, until, why);
    while (status && status != LDPC_AGAIN && ldpc_cuda_skip_chosen(engine, status, why)) {
        status = ldpc_cuda_begin_next(engine, why);
        if (!status && !has_scratch(cuda, i))
            status = ldpc_fail(why, LDPC_ERR_UNSUPPORTED,
                               "the kernel needs more scratch memory than the decoder has");
        if (!status && engine->compilation)
            status = ldpc_cuda_wait_chosen(engine, until, why);
    }
    return status;
}

static ldpc_status await_chosen(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        if (cuda->engines[i].compilation)
            status = await_compilation(cuda, i, until, &cuda->chosen_error);
    if (!status)
        return ldpc_cuda_is_compiling(cuda) ? ldpc_cuda_await_load(cuda, until, err) : LDPC_OK;
    if (status == LDPC_AGAIN)
        return status;
    cuda->chosen_status = status;
    return LDPC_OK;
}

/* Batches in flight keep their program. After a failure, later batches also use the old program. */
ldpc_status ldpc_cuda_change_kernel(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err)
{
    if (!ldpc_cuda_is_compiling(cuda))
        return tell_chosen(cuda, err);
    ldpc_status status = await_chosen(cuda, until, err);
    if (status)
        return status;
    for (size_t i = 0; i < cuda->n_engines && !cuda->chosen_status; i++)
        if (cuda->engines[i].compilation)
            ldpc_cuda_take_over(&cuda->engines[i], &cuda->loaded[i]);
    ldpc_cuda_drop_compilations(cuda);
    return tell_chosen(cuda, err);
}
