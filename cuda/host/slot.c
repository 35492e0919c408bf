/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/slot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "base/bits.h"

#define CHECK(slot, call, what, err)                                                                         \
    ldpc_cuda_check((slot)->engine->driver, (slot)->engine->driver->call, what, err)

/* Batches up to this many bytes of LLRs are read over the link by the kernel itself: two copies cost more. */
#define LINK_BYTES 65536

/* Polls before a spinning wait turns into a sleeping one: about a millisecond. */
#define SPINS 2000

/* Bytes of a number of codewords in the GPU's form of a buffer: bits are packed. */
static size_t bytes_of(const ldpc_cuda_slot *slot, ldpc_buffer buffer, size_t codewords)
{
    return codewords * ldpc_buffer_bytes(slot->engine->plan->code, buffer, true);
}

/* ---- open, close */

/* Buffers that most decoders never see are made when the first batch has them. */
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

/* Both halves of a buffer; what a failed attempt has got stays for the next one. */
static ldpc_status open_buffer(ldpc_cuda_slot *slot, ldpc_buffer buffer, ldpc_error *err)
{
    size_t bytes = bytes_of(slot, buffer, slot->max_words);
    void *host = NULL;
    ldpc_status status = LDPC_OK;
    if (!slot->device[buffer])
        status = CHECK(slot, memory_alloc(&slot->device[buffer], bytes + 1), "no memory for a batch", err);
    if (!status)
        status = CHECK(slot, host_alloc(&host, bytes + 1, CU_HOST_PORTABLE | CU_HOST_MAPPED),
                       "no pinned memory for a batch", err);
    slot->host[buffer] = host;
    return status;
}

static ldpc_status open_scratch(ldpc_cuda_slot *slot, size_t max_bytes, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = slot->engine;
    size_t blocks = (slot->max_words + engine->words - 1) / engine->words;
    if (!engine->scratch_bytes)
        return LDPC_OK;
    if (blocks > engine->wave)
        blocks = engine->wave;
    if (blocks > max_bytes / engine->scratch_bytes)
        blocks = max_bytes / engine->scratch_bytes;
    slot->scratch_blocks = blocks ? blocks : 1;
    size_t bytes = slot->scratch_blocks * engine->scratch_bytes;
    const uint32_t counter = 0;
    ldpc_status status = CHECK(slot, memory_alloc(&slot->scratch, bytes + LDPC_CUDA_COUNTER_BYTES),
                               "no memory for messages", err);
    return status ? status
                  : CHECK(slot, copy_in(slot->scratch + bytes, &counter, LDPC_CUDA_COUNTER_BYTES),
                          "no memory for messages", err);
}

static ldpc_status open_entered(ldpc_cuda_slot *slot, size_t max_scratch_bytes, ldpc_error *err)
{
    ldpc_status status = CHECK(slot, stream_create(&slot->stream, CU_STREAM_NON_BLOCKING), "no stream", err);
    if (!status)
        status = CHECK(slot, event_create(&slot->done, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING),
                       "no event", err);
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS && !status; i++)
        if (!on_demand(i))
            status = open_buffer(slot, i, err);
    return status ? status : open_scratch(slot, max_scratch_bytes, err);
}

ldpc_status ldpc_cuda_slot_open(ldpc_cuda_slot *slot, const ldpc_cuda_engine *engine, size_t max_words,
                                size_t max_scratch_bytes, ldpc_error *err)
{
    *slot = (ldpc_cuda_slot){.engine = engine, .max_words = max_words};
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = open_entered(slot, max_scratch_bytes, err);
    ldpc_cuda_engine_leave(engine);
    if (status)
        ldpc_cuda_slot_close(slot);
    return status;
}

void ldpc_cuda_slot_close(ldpc_cuda_slot *slot)
{
    const ldpc_cuda_driver *driver = slot->engine->driver;
    bool entered =
        !ldpc_cuda_engine_enter(slot->engine, NULL); /* if not, the calls below are refused: no harm */
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS; i++) {
        if (slot->device[i])
            driver->memory_free(slot->device[i]);
        if (slot->host[i])
            driver->host_free(slot->host[i]);
    }
    if (slot->scratch)
        driver->memory_free(slot->scratch);
    if (slot->done)
        driver->event_destroy(slot->done);
    if (slot->stream)
        driver->stream_destroy(slot->stream);
    if (entered)
        ldpc_cuda_engine_leave(slot->engine);
    *slot = (ldpc_cuda_slot){.engine = slot->engine};
}

/* ---- start */

/* check_batch() of lib/decode has made sure that there is one. */
static ldpc_buffer input_of(const ldpc_batch *batch)
{
    ldpc_buffer input = 0;
    while (!ldpc_batch_get(batch, input))
        input++;
    return input;
}

/* The question for one attribute fails for memory that the driver has never seen; that for several leaves 0.
 */
static bool pinned(const ldpc_cuda_driver *driver, const void *memory)
{
    const int wanted = CU_POINTER_MEMORY_TYPE;
    unsigned type = 0;
    void *to = &type;
    return !driver->pointer_attributes(1, &wanted, &to, (cu_pointer)(uintptr_t)memory) &&
           type == CU_MEMORY_TYPE_HOST;
}

/* Bits that the caller wants one per byte must be unpacked from staging. */
static bool same_form(const ldpc_plan *plan, ldpc_buffer buffer)
{
    return plan->packed || (buffer != LDPC_BUFFER_MESSAGE && buffer != LDPC_BUFFER_CODEWORD);
}

/* Choose the way of each buffer; stage the input. */
static ldpc_status prepare(ldpc_cuda_slot *slot, bool over_link, ldpc_error *err)
{
    const ldpc_plan *plan = slot->engine->plan;
    for (ldpc_buffer i = 0; i < LDPC_BUFFERS; i++) {
        void *memory = ldpc_batch_get(&slot->batch, i);
        if (memory && on_demand(i) && !slot->host[i]) {
            ldpc_status status = open_buffer(slot, i, err);
            if (status)
                return status;
        }
        slot->direct[i] = memory && !over_link && same_form(plan, i) && pinned(slot->engine->driver, memory);
    }
    ldpc_buffer input = input_of(&slot->batch);
    if (!slot->direct[input])
        memcpy(slot->host[input], ldpc_batch_get(&slot->batch, input),
               bytes_of(slot, input, slot->batch.n_codewords));
    return LDPC_OK;
}

static cu_pointer address(const ldpc_cuda_slot *slot, ldpc_buffer buffer, bool over_link)
{
    if (!ldpc_batch_get(&slot->batch, buffer))
        return 0;
    return over_link ? (cu_pointer)(uintptr_t)slot->host[buffer] : slot->device[buffer];
}

static ldpc_status launch(ldpc_cuda_slot *slot, bool over_link, ldpc_error *err)
{
    ldpc_cuda_batch batch = {
        .words = slot->batch.n_codewords,
        .scratch = slot->scratch,
        .scratch_blocks = slot->scratch_blocks,
    };
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        batch.buffer[b] = address(slot, b, over_link);
    return ldpc_cuda_engine_launch(slot->engine, slot->stream, &batch, err);
}

static ldpc_status copy_in(ldpc_cuda_slot *slot, ldpc_error *err)
{
    ldpc_buffer input = input_of(&slot->batch);
    size_t bytes = bytes_of(slot, input, slot->batch.n_codewords);
    const void *from = slot->direct[input] ? ldpc_batch_get(&slot->batch, input) : slot->host[input];
    return CHECK(slot, copy_in_async(slot->device[input], from, bytes, slot->stream),
                 "LLRs cannot be copied to the GPU", err);
}

static ldpc_status copy_out(ldpc_cuda_slot *slot, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (ldpc_buffer i = LDPC_BUFFER_INPUTS; i < LDPC_BUFFERS && !status; i++) {
        void *memory = ldpc_batch_get(&slot->batch, i);
        size_t bytes = bytes_of(slot, i, slot->batch.n_codewords);
        if (memory)
            status = CHECK(slot,
                           copy_out_async(slot->direct[i] ? memory : slot->host[i], slot->device[i], bytes,
                                          slot->stream),
                           "results cannot be copied from the GPU", err);
    }
    return status;
}

static ldpc_status issue_input(ldpc_cuda_slot *slot, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = slot->engine;
    slot->through_link = engine->over_link && slot->batch.n_codewords * engine->plan->code->n <= LINK_BYTES;
    ldpc_status status = prepare(slot, slot->through_link, err);
    return status || slot->through_link ? status : copy_in(slot, err);
}

static ldpc_status issue_results(ldpc_cuda_slot *slot, ldpc_error *err)
{
    ldpc_status status = slot->through_link ? LDPC_OK : copy_out(slot, err);
    return status ? status : CHECK(slot, event_record(slot->done, slot->stream), "no event", err);
}

static ldpc_status issue(ldpc_cuda_slot *slot, ldpc_cuda_step step, ldpc_error *err)
{
    switch (step) {
    case LDPC_CUDA_STEP_INPUT:
        return issue_input(slot, err);
    case LDPC_CUDA_STEP_KERNEL:
        return launch(slot, slot->through_link, err);
    default:
        return issue_results(slot, err);
    }
}

ldpc_status ldpc_cuda_slot_issue(ldpc_cuda_slot *slot, ldpc_cuda_step first, ldpc_cuda_step last,
                                 ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(slot->engine, err);
    if (!status) {
        for (ldpc_cuda_step step = first; step <= last && !status; step++)
            status = issue(slot, step, err);
        ldpc_cuda_engine_leave(slot->engine);
    }
    if (status)
        ldpc_cuda_slot_abandon(slot);
    return status;
}

ldpc_status ldpc_cuda_slot_start(ldpc_cuda_slot *slot, const ldpc_batch *batch, ldpc_error *err)
{
    slot->batch = *batch;
    return ldpc_cuda_slot_issue(slot, LDPC_CUDA_STEP_INPUT, LDPC_CUDA_STEP_RESULTS, err);
}

/* Copies that were issued use the caller's buffers. */
void ldpc_cuda_slot_abandon(ldpc_cuda_slot *slot)
{
    if (!ldpc_cuda_engine_enter(slot->engine, NULL)) {
        slot->engine->driver->stream_synchronize(slot->stream);
        ldpc_cuda_engine_leave(slot->engine);
    }
    ldpc_cuda_mark_lost(&slot->batch);
}

/* ---- finish */

static ldpc_status wait(ldpc_cuda_slot *slot, bool spin, ldpc_error *err)
{
    int result = CU_NOT_READY;
    for (int i = 0; spin && i < SPINS && result == CU_NOT_READY; i++)
        result = slot->engine->driver->event_query(slot->done);
    if (result == CU_NOT_READY)
        result = slot->engine->driver->event_synchronize(slot->done);
    return ldpc_cuda_check(slot->engine->driver, result, "decoding failed", err);
}

/* Bits of the staging buffer, one per byte for the caller. */
static void unstage_bits(const ldpc_cuda_slot *slot, ldpc_buffer buffer, uint8_t *to)
{
    const ldpc_code *code = slot->engine->plan->code;
    size_t bits = ldpc_buffer_bytes(code, buffer, false), bytes = ldpc_buffer_bytes(code, buffer, true);
    for (size_t w = 0; w < slot->batch.n_codewords; w++)
        ldpc_unpack(slot->host[buffer] + w * bytes, bits, to + w * bits);
}

static void unstage(const ldpc_cuda_slot *slot)
{
    const ldpc_plan *plan = slot->engine->plan;
    for (ldpc_buffer i = LDPC_BUFFER_INPUTS; i < LDPC_BUFFERS; i++) {
        void *memory = ldpc_batch_get(&slot->batch, i);
        if (!memory || slot->direct[i])
            continue;
        if (same_form(plan, i))
            memcpy(memory, slot->host[i], bytes_of(slot, i, slot->batch.n_codewords));
        else
            unstage_bits(slot, i, memory);
    }
}

ldpc_status ldpc_cuda_slot_finish(ldpc_cuda_slot *slot, bool spin, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(slot->engine, err);
    if (!status) {
        status = wait(slot, spin, err);
        ldpc_cuda_engine_leave(slot->engine);
    }
    if (status)
        ldpc_cuda_mark_lost(&slot->batch);
    else
        unstage(slot);
    return status;
}

void ldpc_cuda_mark_lost(const ldpc_batch *batch)
{
    if (batch->info)
        memset(batch->info, 0, batch->n_codewords * sizeof *batch->info);
}
