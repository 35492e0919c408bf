/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a batch on a stream. */
#define _POSIX_C_SOURCE 200809L
#include "cuda/host/stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/host/pinned.h"
#include "cuda/host/program.h"

#define CHECK(stream, call, what, err)                                                                       \
    ldpc_cuda_check((stream)->engine->driver, (stream)->engine->driver->call, what, err)

/* Up to this size, the kernel accesses LLRs over the link faster than they are copied. */
#define LINK_BYTES 65536

/* Returns the size of a buffer for `codewords` codewords with packed bits, bytes. */
static size_t bytes_of(const ldpc_cuda_stream *stream, ldpc_buffer buffer, size_t codewords)
{
    return codewords * ldpc_buffer_bytes(stream->engine->plan->code, buffer, true);
}

/* ---- open, close */

static bool on_demand(ldpc_buffer buffer)
{
    switch (buffer) {
    case LDPC_BUFFER_LLR:
    case LDPC_BUFFER_MESSAGE:
    case LDPC_BUFFER_CODEWORD:
    case LDPC_BUFFER_INFO:
        return false;
    default:
        return true;
    }
}

/* Allocates a device buffer and a staging buffer. After a failure, one buffer may remain allocated. */
static ldpc_status open_buffer(ldpc_cuda_stream *stream, ldpc_buffer buffer, ldpc_error *err)
{
    size_t bytes = bytes_of(stream, buffer, stream->max_codewords);
    void *host = NULL;
    ldpc_status status = LDPC_OK;
    if (!stream->device[buffer])
        status = CHECK(stream, memory_alloc(&stream->device[buffer], bytes + 1),
                       "device memory for a batch cannot be allocated", err);
    if (!status)
        status =
            ldpc_cuda_check(stream->engine->driver, ldpc_cuda_pinned_alloc(stream->engine, &host, bytes + 1),
                            "pinned memory for a batch cannot be allocated", err);
    stream->staging[buffer] = host;
    return status;
}

/* A persistent kernel counts codewords from 0, and resets the counter at its end. */
static ldpc_status open_counter(ldpc_cuda_stream *stream, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = stream->engine->driver;
    const uint32_t zero = 0;
    if (stream->counter)
        return LDPC_OK;
    ldpc_status status = ldpc_cuda_upload(driver, &zero, sizeof zero, &stream->counter, err);
    if (status && stream->counter) {
        driver->memory_free(stream->counter);
        stream->counter = 0;
    }
    return status;
}

static ldpc_status open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine, size_t max_bytes,
                                ldpc_error *err)
{
    size_t bytes = ldpc_cuda_scratch_bytes(engine, stream->max_codewords, max_bytes);
    cu_pointer scratch = 0;
    if (bytes <= stream->scratch_bytes)
        return LDPC_OK;
    ldpc_status status = open_counter(stream, err);
    if (!status)
        status = CHECK(stream, memory_alloc(&scratch, bytes),
                       "device memory for messages cannot be allocated", err);
    if (status)
        return status;
    if (stream->scratch)
        engine->driver->memory_free(stream->scratch);
    stream->scratch = scratch;
    stream->scratch_bytes = bytes;
    return LDPC_OK;
}

ldpc_status ldpc_cuda_stream_extend(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                    size_t max_scratch_bytes, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = open_scratch(stream, engine, max_scratch_bytes, err);
    ldpc_cuda_engine_leave(engine);
    return status;
}

static ldpc_status open_handle(ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_status status = CHECK(stream, stream_create(&stream->handle, CU_STREAM_NON_BLOCKING),
                               "the stream cannot be created", err);
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS && !status; i++)
        if (!on_demand(i))
            status = open_buffer(stream, i, err);
    return status;
}

static ldpc_status open_stream(ldpc_cuda_stream *stream, bool with_handle, size_t max_scratch_bytes,
                               ldpc_error *err)
{
    const ldpc_cuda_engine *engine = stream->engine;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    if (with_handle)
        status = open_handle(stream, err);
    if (!status)
        status = CHECK(stream, event_create(&stream->done, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING),
                       "the event cannot be created", err);
    if (!status)
        status = open_scratch(stream, engine, max_scratch_bytes, err);
    ldpc_cuda_engine_leave(engine);
    if (status)
        ldpc_cuda_stream_close(stream);
    return status;
}

ldpc_status ldpc_cuda_stream_open(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                  size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err)
{
    *stream = (ldpc_cuda_stream){.engine = engine, .max_codewords = max_codewords};
    return open_stream(stream, true, max_scratch_bytes, err);
}

ldpc_status ldpc_cuda_stream_open_scratch(ldpc_cuda_stream *stream, const ldpc_cuda_engine *engine,
                                          size_t max_codewords, size_t max_scratch_bytes, ldpc_error *err)
{
    *stream = (ldpc_cuda_stream){.engine = engine, .max_codewords = max_codewords};
    return open_stream(stream, false, max_scratch_bytes, err);
}

static void close_handles(const ldpc_cuda_stream *stream)
{
    const ldpc_cuda_driver *driver = stream->engine->driver;
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS; i++)
        if (stream->device[i])
            driver->memory_free(stream->device[i]);
    if (stream->scratch)
        driver->memory_free(stream->scratch);
    if (stream->counter)
        driver->memory_free(stream->counter);
    if (stream->done)
        driver->event_destroy(stream->done);
    if (stream->handle)
        driver->stream_destroy(stream->handle);
}

void ldpc_cuda_stream_close(ldpc_cuda_stream *stream)
{
    bool entered = !ldpc_cuda_engine_enter(stream->engine, NULL);
    if (ldpc_cuda_engine_has_context(stream->engine))
        close_handles(stream);
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS; i++)
        if (stream->staging[i])
            ldpc_cuda_pinned_free(stream->engine, stream->staging[i]);
    if (entered)
        ldpc_cuda_engine_leave(stream->engine);
    *stream = (ldpc_cuda_stream){.engine = stream->engine};
}

/* ---- start */

static ldpc_buffer input_of(const ldpc_batch *batch)
{
    ldpc_buffer input = 0;
    while (!ldpc_batch_get(batch, input))
        input++;
    return input;
}

/* For memory that is neither allocated nor registered with CUDA, cuPointerGetAttribute() fails.
 * cuPointerGetAttributes() sets the type to 0 instead. */
static bool pinned(const ldpc_cuda_driver *driver, const void *memory)
{
    const int wanted = CU_POINTER_MEMORY_TYPE;
    unsigned type = 0;
    void *to = &type;
    return !driver->pointer_attributes(1, &wanted, &to, (cu_pointer)(uintptr_t)memory) &&
           type == CU_MEMORY_TYPE_HOST;
}

static bool same_form(const ldpc_plan *plan, ldpc_buffer buffer)
{
    return plan->packed || (buffer != LDPC_BUFFER_MESSAGE && buffer != LDPC_BUFFER_CODEWORD);
}

static ldpc_status prepare(ldpc_cuda_stream *stream, ldpc_error *err)
{
    const ldpc_plan *plan = stream->engine->plan;
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS; i++) {
        void *memory = ldpc_batch_get(&stream->batch, i);
        if (memory && on_demand(i) && !stream->staging[i]) {
            ldpc_status status = open_buffer(stream, i, err);
            if (status)
                return status;
        }
        stream->direct[i] =
            memory && !stream->over_link && same_form(plan, i) && pinned(stream->engine->driver, memory);
    }
    ldpc_buffer input = input_of(&stream->batch);
    if (!stream->direct[input])
        memcpy(stream->staging[input], ldpc_batch_get(&stream->batch, input),
               bytes_of(stream, input, stream->batch.n_codewords));
    return LDPC_OK;
}

static cu_pointer address(const ldpc_cuda_stream *stream, ldpc_buffer buffer)
{
    if (!ldpc_batch_get(&stream->batch, buffer))
        return 0;
    return stream->over_link ? (cu_pointer)(uintptr_t)stream->staging[buffer] : stream->device[buffer];
}

static ldpc_cuda_batch batch_with_scratch(const ldpc_cuda_stream *stream, size_t codewords)
{
    return (ldpc_cuda_batch){
        .n_codewords = codewords,
        .scratch = stream->scratch,
        .counter = stream->counter,
        .scratch_bytes = stream->scratch_bytes,
    };
}

static ldpc_status launch(ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_cuda_batch batch = batch_with_scratch(stream, stream->batch.n_codewords);
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        batch.buffer[b] = address(stream, b);
    return ldpc_cuda_engine_launch(stream->engine, stream->handle, &batch, err);
}

static ldpc_status launch_in_order(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                   const ldpc_cuda_batch *batch, ldpc_error *err)
{
    if (stream->engine->now.scratch_bytes == 0)
        return ldpc_cuda_engine_launch(stream->engine, caller_stream, batch, err);
    ldpc_status status = CHECK(stream, stream_wait(caller_stream, stream->done, 0),
                               "the stream cannot wait for the previous batch", err);
    if (status)
        return status;
    status = ldpc_cuda_engine_launch(stream->engine, caller_stream, batch, err);
    const ldpc_status recorded = CHECK(stream, event_record(stream->done, caller_stream),
                                       "the event cannot be recorded", status ? NULL : err);
    return status ? status : recorded;
}

ldpc_status ldpc_cuda_stream_launch_on(const ldpc_cuda_stream *stream, cu_stream caller_stream,
                                       const ldpc_batch *batch, ldpc_error *err)
{
    ldpc_cuda_batch device = batch_with_scratch(stream, batch->n_codewords);
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        device.buffer[b] = (uintptr_t)ldpc_batch_get(batch, b);
    ldpc_status status = ldpc_cuda_engine_enter(stream->engine, err);
    if (status)
        return status;
    status = launch_in_order(stream, caller_stream, &device, err);
    ldpc_cuda_engine_leave(stream->engine);
    return status;
}

static ldpc_status copy_in(ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_buffer input = input_of(&stream->batch);
    size_t bytes = bytes_of(stream, input, stream->batch.n_codewords);
    const void *from = stream->direct[input] ? ldpc_batch_get(&stream->batch, input) : stream->staging[input];
    return CHECK(stream, copy_in_async(stream->device[input], from, bytes, stream->handle),
                 "LLRs cannot be copied to the GPU", err);
}

static ldpc_status copy_out(ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (ldpc_buffer i = LDPC_BUFFER_INPUTS; i < LDPC_BUFFERS && !status; i++) {
        void *memory = ldpc_batch_get(&stream->batch, i);
        size_t bytes = bytes_of(stream, i, stream->batch.n_codewords);
        if (memory)
            status = CHECK(stream,
                           copy_out_async(stream->direct[i] ? memory : stream->staging[i], stream->device[i],
                                          bytes, stream->handle),
                           "results cannot be copied from the GPU", err);
    }
    return status;
}

static ldpc_status issue_input(ldpc_cuda_stream *stream, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = stream->engine;
    stream->over_link =
        engine->now.over_link && stream->batch.n_codewords * engine->plan->code->n <= LINK_BYTES;
    stream->in_use = false;
    ldpc_status status = prepare(stream, err);
    if (status)
        return status;
    stream->in_use = true;
    return stream->over_link ? LDPC_OK : copy_in(stream, err);
}

static ldpc_status issue_results(ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_status status = stream->over_link ? LDPC_OK : copy_out(stream, err);
    return status ? status
                  : CHECK(stream, event_record(stream->done, stream->handle), "the event cannot be recorded",
                          err);
}

static ldpc_status issue(ldpc_cuda_stream *stream, ldpc_cuda_step step, ldpc_error *err)
{
    switch (step) {
    case LDPC_CUDA_STEP_INPUT:
        return issue_input(stream, err);
    case LDPC_CUDA_STEP_KERNEL:
        return launch(stream, err);
    default:
        return issue_results(stream, err);
    }
}

ldpc_status ldpc_cuda_stream_issue(ldpc_cuda_stream *stream, ldpc_cuda_step first, ldpc_cuda_step last,
                                   ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(stream->engine, err);
    if (!status) {
        for (ldpc_cuda_step step = first; step <= last && !status; step++)
            status = issue(stream, step, err);
        ldpc_cuda_engine_leave(stream->engine);
    }
    if (status)
        ldpc_cuda_stream_drain(stream);
    return status;
}

ldpc_status ldpc_cuda_stream_start(ldpc_cuda_stream *stream, const ldpc_batch *batch, ldpc_error *err)
{
    stream->batch = *batch;
    return ldpc_cuda_stream_issue(stream, LDPC_CUDA_STEP_INPUT, LDPC_CUDA_STEP_RESULTS, err);
}

void ldpc_cuda_stream_await_issued(const ldpc_cuda_stream *stream)
{
    const ldpc_cuda_driver *driver = stream->engine->driver;
    if (ldpc_cuda_engine_enter(stream->engine, NULL))
        return;
    if (driver->event_record(stream->done, stream->handle))
        driver->stream_synchronize(stream->handle);
    else
        ldpc_cuda_stream_await(stream, NULL);
    ldpc_cuda_engine_leave(stream->engine);
}

/* Issued copies may still access the caller's buffers. */
void ldpc_cuda_stream_drain(ldpc_cuda_stream *stream)
{
    if (stream->in_use)
        ldpc_cuda_stream_await_issued(stream);
    ldpc_cuda_mark_lost(&stream->batch);
}

/* ---- finish */

static ldpc_status check_batch(const ldpc_cuda_stream *stream, int result, ldpc_error *err)
{
    return ldpc_cuda_check(stream->engine->driver, result, "decoding failed", err);
}

ldpc_status ldpc_cuda_stream_wait(const ldpc_cuda_stream *stream, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(stream->engine, err);
    if (status)
        return status;
    status = check_batch(stream, stream->engine->driver->event_synchronize(stream->done), err);
    ldpc_cuda_engine_leave(stream->engine);
    return status;
}

static ldpc_status poll(const ldpc_cuda_stream *stream, int times, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = stream->engine->driver;
    int result = CU_NOT_READY;
    ldpc_status status = ldpc_cuda_engine_enter(stream->engine, err);
    if (status)
        return status;
    for (int i = 0; i < times && result == CU_NOT_READY; i++)
        result = driver->event_query(stream->done);
    status = result == CU_NOT_READY ? LDPC_AGAIN : check_batch(stream, result, err);
    ldpc_cuda_engine_leave(stream->engine);
    return status;
}

ldpc_status ldpc_cuda_stream_await(const ldpc_cuda_stream *stream, ldpc_error *err)
{
    enum { POLLS = 2000 /* about one millisecond */, LONGEST_NS = 1000000 };
    struct timespec pause = {.tv_nsec = 20000};
    ldpc_status status = poll(stream, POLLS, err);
    while (status == LDPC_AGAIN && !*stream->engine->abandoned) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < LONGEST_NS)
            pause.tv_nsec += pause.tv_nsec / 128;
        status = poll(stream, 1, err);
    }
    return status == LDPC_AGAIN ? ldpc_fail_abandoned(err) : status;
}

static void unstage_bits(const ldpc_cuda_stream *stream, ldpc_buffer buffer, uint8_t *to)
{
    const ldpc_code *code = stream->engine->plan->code;
    size_t bits = ldpc_buffer_bytes(code, buffer, false), bytes = ldpc_buffer_bytes(code, buffer, true);
    for (size_t w = 0; w < stream->batch.n_codewords; w++)
        ldpc_unpack(stream->staging[buffer] + w * bytes, bits, to + w * bits);
}

static void unstage(const ldpc_cuda_stream *stream)
{
    const ldpc_plan *plan = stream->engine->plan;
    for (ldpc_buffer i = LDPC_BUFFER_INPUTS; i < LDPC_BUFFERS; i++) {
        void *memory = ldpc_batch_get(&stream->batch, i);
        if (!memory || stream->direct[i])
            continue;
        if (same_form(plan, i))
            memcpy(memory, stream->staging[i], bytes_of(stream, i, stream->batch.n_codewords));
        else
            unstage_bits(stream, i, memory);
    }
}

void ldpc_cuda_stream_hand_over(const ldpc_cuda_stream *stream, ldpc_status status)
{
    if (status)
        ldpc_cuda_mark_lost(&stream->batch);
    else
        unstage(stream);
}

void ldpc_cuda_mark_lost(const ldpc_batch *batch)
{
    if (batch->info)
        memset(batch->info, 0, batch->n_codewords * sizeof *batch->info);
}
