/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/engine.h"

#include "base/status_internal.h"
#include "cuda/host/choose.h"
#include "cuda/host/pinned.h"
#include "cuda/host/program.h"

ldpc_status ldpc_cuda_check(const ldpc_cuda_driver *driver, int result, const char *what, ldpc_error *err)
{
    const char *reason = NULL;
    if (!result)
        return LDPC_OK;
    if (driver->error_string(result, &reason) || !reason)
        reason = "unknown error";
    return ldpc_fail(err, result == CU_OUT_OF_MEMORY ? LDPC_ERR_MEMORY : LDPC_ERR_DEVICE, "%s: %s: %s (%d)",
                     driver->name, what, reason, result);
}

#define CHECK(driver, call, what, err) ldpc_cuda_check(driver, (driver)->call, what, err)

bool ldpc_cuda_engine_has_context(const ldpc_cuda_engine *engine)
{
    unsigned long long id;
    return !engine->context_id ||
           (!engine->driver->context_id(engine->context, &id) && id == engine->context_id);
}

/* Tests whether the context exists, because the driver may accept a destroyed context. */
ldpc_status ldpc_cuda_engine_enter(const ldpc_cuda_engine *engine, ldpc_error *err)
{
    int result = ldpc_cuda_engine_has_context(engine) ? engine->driver->context_push(engine->context)
                                                      : CU_CONTEXT_IS_DESTROYED;
    return ldpc_cuda_check(engine->driver, result, "the GPU cannot be used", err);
}

void ldpc_cuda_engine_leave(const ldpc_cuda_engine *engine)
{
    cu_context context;
    engine->driver->context_pop(&context);
}

/* ---- the GPU */

static ldpc_status read_device(ldpc_cuda_engine *engine, int device, ldpc_error *err)
{
    const int wanted[] = {CU_CAPABILITY_MAJOR,    CU_CAPABILITY_MINOR, CU_SM_COUNT,    CU_SHARED_BYTES_OPT_IN,
                          CU_SHARED_BYTES_PER_SM, CU_L2_BYTES,         CU_MOST_THREADS};
    int value[7] = {0};
    for (int i = 0; i < 7; i++) {
        ldpc_status status = CHECK(engine->driver, device_attribute(&value[i], wanted[i], device),
                                   "the GPU's properties cannot be read", err);
        if (status)
            return status;
    }
    engine->device = (ldpc_cuda_device){.capability = 10 * value[0] + value[1],
                                        .sms = value[2],
                                        .shared_bytes = (size_t)value[3],
                                        .shared_bytes_per_sm = (size_t)value[4],
                                        .l2_bytes = (size_t)value[5],
                                        .most_threads = (unsigned)value[6],
                                        .warps = 10 * value[0] + value[1] >= LDPC_CUDA_LEAST_CAPABILITY,
                                        .opencl = engine->driver->build != NULL};
    if (engine->device.opencl && !engine->driver->device_attribute(&value[0], LDPC_DEVICE_IS_CPU, device))
        engine->device.cpu = value[0] != 0;
    if (!engine->device.opencl && !engine->device.warps)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "GPU %d has compute capability %d.%d: expected 7.5 or newer", engine->number,
                         value[0], value[1]);
    return LDPC_OK;
}

static ldpc_status upload_positions(ldpc_cuda_engine *engine, ldpc_error *err)
{
    const ldpc_code *code = engine->plan->code;
    ldpc_cuda_positions positions;
    if (ldpc_cuda_positions_make(code, &positions))
        return ldpc_fail_memory(err);
    ldpc_status status = ldpc_cuda_upload(engine->driver, positions.source,
                                          sizeof *positions.source * code->columns, &engine->source, err);
    if (!status)
        status = ldpc_cuda_upload(engine->driver, positions.codeword_at,
                                  sizeof *positions.codeword_at * code->n, &engine->codeword_at, err);
    if (!status)
        status = ldpc_cuda_upload(engine->driver, positions.message_at,
                                  sizeof *positions.message_at * code->k, &engine->message_at, err);
    ldpc_cuda_positions_free(&positions);
    return status;
}

static ldpc_status open_entered(ldpc_cuda_engine *engine, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_build_fastest(engine, err);
    if (!status && !engine->chosen->nonbinary)
        status = upload_positions(engine, err);
    engine->can_register = !status && ldpc_cuda_can_register(engine->driver);
    return status;
}

ldpc_status ldpc_cuda_engine_open(ldpc_cuda_engine *engine, const ldpc_cuda_driver *driver, int number,
                                  const ldpc_plan *plan, ldpc_error *err)
{
    int device;
    *engine = (ldpc_cuda_engine){.driver = driver, .plan = plan, .number = number};
    ldpc_status status = CHECK(driver, device_get(&device, number), "the GPU cannot be opened", err);
    if (!status)
        status = read_device(engine, device, err);
    if (!status)
        status = ldpc_cuda_choose_kernel(engine, err);
    if (!status)
        status = CHECK(driver, context_retain(&engine->context, device), "the GPU cannot be used", err);
    if (status)
        return status;
    if (driver->context_id && driver->context_id(engine->context, &engine->context_id))
        engine->context_id = 0;
    status = ldpc_cuda_engine_enter(engine, err);
    if (!status) {
        status = open_entered(engine, err);
        ldpc_cuda_engine_leave(engine);
    }
    if (status)
        ldpc_cuda_engine_close(engine);
    return status;
}

static void free_tables(const ldpc_cuda_engine *engine)
{
    const cu_pointer memory[] = {engine->source, engine->codeword_at, engine->message_at};
    if (!ldpc_cuda_engine_has_context(engine))
        return;
    bool entered = !ldpc_cuda_engine_enter(engine, NULL);
    for (int i = 0; i < 3; i++)
        if (memory[i])
            engine->driver->memory_free(memory[i]);
    if (entered)
        ldpc_cuda_engine_leave(engine);
}

void ldpc_cuda_engine_close(ldpc_cuda_engine *engine)
{
    if (!engine->context)
        return;
    free_tables(engine);
    ldpc_cuda_engine_drop(engine);
    engine->driver->context_release(engine->number);
    engine->context = NULL;
}

/* ---- launching */

ldpc_cuda_args ldpc_cuda_engine_args(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch)
{
    const ldpc_plan *plan = engine->plan;
    ldpc_rule rule = ldpc_plan_rule(plan);
    bool i8 = plan->arithmetic == LDPC_ARITHMETIC_I8;
    return (ldpc_cuda_args){
        .llr = batch->buffer[LDPC_BUFFER_LLR],
        .floats = batch->buffer[LDPC_BUFFER_LLR_FLOAT],
        .costs = batch->buffer[LDPC_BUFFER_SYMBOL_COSTS],
        .message = batch->buffer[LDPC_BUFFER_MESSAGE],
        .codeword = batch->buffer[LDPC_BUFFER_CODEWORD],
        .posterior = batch->buffer[LDPC_BUFFER_POSTERIOR],
        .symbols = batch->buffer[LDPC_BUFFER_SYMBOL_POSTERIOR],
        .info = batch->buffer[LDPC_BUFFER_INFO],
        .table = engine->now.table,
        .scratch = batch->scratch,
        .counter = batch->counter,
        .source = engine->source,
        .codeword_at = engine->codeword_at,
        .message_at = engine->message_at,
        .n_codewords = (uint32_t)batch->n_codewords,
        .n = plan->code->n,
        .k = plan->code->k,
        .positions = plan->code->columns,
        .max_iterations = plan->max_iterations,
        .early_stop = plan->early_stop,
        .flooding = plan->schedule == LDPC_SCHEDULE_FLOODING,
        .lowest = i8 ? LDPC_I8_MIN : -LDPC_I16_LIMIT,
        .highest = i8 ? LDPC_I8_MAX : LDPC_I16_LIMIT,
        .no_other = i8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT,
        .llr_limit = plan->llr_limit,
        .algorithm = (int32_t)rule.algorithm,
        .max_msg = rule.max_msg,
        .max_msg_others = rule.max_msg_others,
        .offset = rule.offset,
        .step = rule.step,
        .threshold = rule.threshold,
        .others_threshold = {{rule.others_threshold[0], rule.others_threshold[1], rule.others_threshold[2]}},
        .min_threshold = {{rule.min_threshold[0], rule.min_threshold[1], rule.min_threshold[2]}},
        .factor = rule.factor,
    };
}

ldpc_status ldpc_cuda_engine_start(const ldpc_cuda_engine *engine, cu_stream stream, void *args,
                                   size_t thread_blocks, ldpc_error *err)
{
    void *parameters[] = {args};
    return CHECK(engine->driver,
                 launch(engine->now.function, (unsigned)thread_blocks, 1, 1, engine->now.threads, 1, 1,
                        (unsigned)engine->now.shared_bytes, stream, parameters, NULL),
                 "the kernel cannot be launched", err);
}

size_t ldpc_cuda_engine_scratch_blocks(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch)
{
    size_t blocks = batch->scratch_bytes / engine->now.scratch_bytes;
    return blocks < engine->now.wave ? blocks : engine->now.wave;
}

ldpc_status ldpc_cuda_engine_launch(const ldpc_cuda_engine *engine, cu_stream stream,
                                    const ldpc_cuda_batch *batch, ldpc_error *err)
{
    const ldpc_cuda_loaded *l = &engine->now;
    if (l->kernel->launch)
        return l->kernel->launch(engine, stream, batch, err);
    ldpc_cuda_args args = ldpc_cuda_engine_args(engine, batch);
    size_t blocks = (batch->n_codewords + l->codewords - 1) / l->codewords;
    if (l->scratch_bytes && blocks > ldpc_cuda_engine_scratch_blocks(engine, batch))
        blocks = ldpc_cuda_engine_scratch_blocks(engine, batch);
    return ldpc_cuda_engine_start(engine, stream, &args, blocks, err);
}
