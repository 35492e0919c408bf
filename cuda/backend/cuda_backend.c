/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU backends, CUDA and OpenCL, with one engine per GPU.
 *
 * The engines share the streams evenly, and a stream has at most one batch in flight. The submitting thread
 * issues the copies and the kernel of a batch on one stream, so copies of one batch overlap with the kernel
 * of another batch. The completion thread (completion.c) returns the results.
 *
 * lib/decode has at most as many jobs in flight as there are streams. The next stream is therefore free. */
#include "cuda/backend/cuda_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/host/pinned.h"
#include "cuda/host/program.h"
#include "cuda/sim/simulate.h"

#define WAVES     8
#define LLR_BYTES (24u << 20)

#define DEFAULT_STREAMS 3

static const char *cuda_unusable(void)
{
    const char *why;
    return ldpc_cuda_open(&why) ? NULL : why;
}

static const char *cuda_kernel_name(size_t i)
{
    const ldpc_cuda_kernel *kernel = ldpc_cuda_kernel_at(i);
    return kernel ? kernel->name : NULL;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- create, destroy */

static void free_memory(ldpc_cuda_state *cuda)
{
    free(cuda->streams);
    free(cuda->jobs);
    free(cuda->loaded);
    free(cuda->engines);
    free(cuda);
}

/* A forked child must not use the parent's driver, thread and device memory. */
void ldpc_cuda_free_in_child(void *state)
{
    ldpc_cuda_state *cuda = state;
    ldpc_cuda_simulator_free_in_child(cuda->simulator);
    for (size_t i = 0; i < cuda->n_engines; i++)
        ldpc_cuda_engine_free_in_child(&cuda->engines[i]);
    free_memory(cuda);
}

/* ldpc_cuda_abandon() frees no memory, because freeing would wait for the GPU. */
void ldpc_cuda_destroy(void *state)
{
    ldpc_cuda_state *cuda = state;
    if (cuda->completing && ldpc_cuda_end_load(cuda, NULL)) {
        ldpc_cuda_leave_threads(cuda);
        return;
    }
    ldpc_cuda_stop_threads(cuda);
    ldpc_cuda_await_device_calls(cuda, NULL);
    ldpc_cuda_simulator_close(cuda->simulator);
    for (size_t i = 0; cuda->streams && i < cuda->n_streams; i++)
        if (cuda->streams[i].engine)
            ldpc_cuda_stream_close(&cuda->streams[i]);
    if (cuda->device_calls.engine)
        ldpc_cuda_stream_close(&cuda->device_calls);
    for (size_t i = 0; cuda->engines && i < cuda->n_engines; i++)
        ldpc_cuda_engine_close(&cuda->engines[i]);
    if (cuda->synchronised) { /* locked by ldpc_cuda_abandon() */
        pthread_cond_destroy(&cuda->changed);
        pthread_mutex_destroy(&cuda->mutex);
    }
    free_memory(cuda);
}

static ldpc_status refuse_list(const ldpc_cuda_state *cuda, const ldpc_cuda_driver *driver, const char *list,
                               int present, ldpc_error *err)
{
    char names[250] = "", name[128];
    size_t length = 0;
    for (int i = 0, device; i < present && length < sizeof names; i++)
        if (!driver->device_get(&device, i) && !driver->device_name(name, sizeof name, device))
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%d (%s)", i ? ", " : "", i, name);
    return ldpc_fail(err, LDPC_ERR_PARAM, "devices \"%.100s\": expected numbers below %d%s; present: %s",
                     list, present, cuda->platform->devices, names);
}

static ldpc_status open_engines(ldpc_cuda_state *cuda, const ldpc_cuda_driver *driver, ldpc_error *err)
{
    const char *list = cuda->plan->devices ? cuda->plan->devices : "0";
    int present = 0;
    ldpc_status status =
        ldpc_cuda_check(driver, driver->device_count(&present), "the GPUs cannot be counted", err);
    if (status)
        return status;
    int *numbers = ldpc_allocate((size_t)present, sizeof *numbers);
    size_t count = numbers ? cuda->platform->read_devices(list, present, numbers) : 0;
    cuda->engines = ldpc_allocate(count, sizeof *cuda->engines);
    cuda->loaded = ldpc_allocate(count, sizeof *cuda->loaded);
    if (!numbers || !cuda->engines || !cuda->loaded)
        status = ldpc_fail_memory(err);
    else if (!count)
        status = refuse_list(cuda, driver, list, present, err);
    for (size_t i = 0; i < count && !status; i++) {
        status = ldpc_cuda_engine_open(&cuda->engines[i], driver, numbers[i], cuda->plan, err);
        cuda->engines[i].abandoned = &cuda->abandoned;
        cuda->n_engines += !status;
    }
    free(numbers);
    return status;
}

static size_t chosen_lanes(const ldpc_cuda_engine *engine)
{
    return engine->compilation ? engine->next.codewords : engine->now.codewords;
}

static void choose_batch(ldpc_cuda_state *cuda)
{
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    size_t wave = ldpc_cuda_wave_codewords(engine), n = cuda->plan->code->n, lanes = chosen_lanes(engine);
    size_t codewords = least(WAVES * wave, LLR_BYTES / n);
    if (codewords < wave)
        codewords = least(wave, 2 * LLR_BYTES / n);
    codewords = codewords / lanes * lanes;
    if (codewords < lanes)
        codewords = lanes;
    cuda->max_codewords = cuda->plan->max_batch ? cuda->plan->max_batch : codewords;
}

ldpc_status ldpc_cuda_scratch_limit(const ldpc_cuda_engine *engine, size_t streams, size_t *limit,
                                    ldpc_error *err)
{
    size_t free_bytes = 0, total = 0;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = ldpc_cuda_check(engine->driver, engine->driver->memory_info(&free_bytes, &total),
                             "the GPU's free memory cannot be read", err);
    ldpc_cuda_engine_leave(engine);
    *limit = free_bytes / 2 / streams;
    return status;
}

static ldpc_status open_streams(ldpc_cuda_state *cuda, ldpc_error *err)
{
    size_t streams = cuda->plan->streams ? cuda->plan->streams : DEFAULT_STREAMS;
    cuda->n_streams = streams * cuda->n_engines;
    cuda->streams = ldpc_allocate(cuda->n_streams, sizeof *cuda->streams);
    cuda->jobs = ldpc_allocate(cuda->n_streams, sizeof(ldpc_job *));
    if (!cuda->streams || !cuda->jobs)
        return ldpc_fail_memory(err);
    size_t *limits = ldpc_allocate(cuda->n_engines, sizeof *limits);
    ldpc_status status = limits ? LDPC_OK : ldpc_fail_memory(err);
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        status = ldpc_cuda_scratch_limit(&cuda->engines[i], streams, &limits[i], err);
    for (size_t i = 0; i < cuda->n_streams && !status; i++)
        status = ldpc_cuda_stream_open(&cuda->streams[i], &cuda->engines[i % cuda->n_engines],
                                       cuda->max_codewords, limits[i % cuda->n_engines], err);
    free(limits);
    return status;
}

static void remember(ldpc_cuda_state *cuda)
{
    cuda->early_stop = cuda->plan->early_stop;
    cuda->offset = cuda->plan->offset;
    cuda->factor = cuda->plan->factor;
}

static ldpc_status open_all(ldpc_cuda_state *cuda, ldpc_error *err)
{
    const char *why;
    const ldpc_cuda_driver *driver = cuda->platform->open(&why);
    if (!driver)
        return ldpc_fail(err, LDPC_ERR_BACKEND, "%s", why);
    ldpc_status status = open_engines(cuda, driver, err);
    if (status)
        return status;
    choose_batch(cuda);
    status = open_streams(cuda, err);
    return status ? status : ldpc_cuda_start_threads(cuda, err);
}

static void tell_facts(ldpc_cuda_state *cuda, ldpc_backend_facts *facts)
{
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    *facts = (ldpc_backend_facts){
        .kernel = engine->now.kernel->name,
        .max_batch = cuda->max_codewords,
        .good_batch = least(cuda->max_codewords, WAVES / 2 * ldpc_cuda_wave_codewords(engine)),
        .depth = cuda->n_streams,
        .lanes = engine->now.codewords,
        .compiling = ldpc_cuda_is_compiling(cuda),
    };
    for (size_t i = 0; i < cuda->n_engines; i++) {
        if (cuda->engines[i].skipped.message[0])
            facts->skipped = cuda->engines[i].skipped;
        cuda->engines[i].skipped = (ldpc_error){""};
    }
}

ldpc_status ldpc_cuda_create(const ldpc_cuda_platform *platform, const ldpc_plan *plan, void **state,
                             ldpc_backend_facts *facts, ldpc_error *err)
{
    ldpc_cuda_state *cuda = ldpc_allocate(1, sizeof *cuda);
    if (!cuda)
        return ldpc_fail_memory(err);
    cuda->platform = platform;
    cuda->plan = plan;
    remember(cuda);
    ldpc_status status = open_all(cuda, err);
    if (status) {
        ldpc_cuda_destroy(cuda);
        return status;
    }
    tell_facts(cuda, facts);
    *state = cuda;
    return LDPC_OK;
}

/* ---- decode, submit, update */

ldpc_status ldpc_cuda_submit(void *state, ldpc_job *job, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    pthread_mutex_lock(&cuda->mutex);
    size_t i = cuda->issued % cuda->n_streams;
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_status status = ldpc_cuda_stream_start(&cuda->streams[i], &job->batch, err);
    if (!status)
        ldpc_cuda_await(cuda, job);
    return status;
}

static size_t part_codewords(const ldpc_cuda_state *cuda, size_t codewords)
{
    size_t wave = ldpc_cuda_wave_codewords(&cuda->engines[0]);
    size_t part = (codewords + cuda->n_streams - 1) / cuda->n_streams;
    part = (part + wave - 1) / wave * wave;
    return least(part, codewords);
}

size_t ldpc_cuda_deal_parts(ldpc_cuda_state *cuda, const ldpc_batch *batch)
{
    size_t part = part_codewords(cuda, batch->n_codewords), parts = 0;
    for (size_t first = 0; first < batch->n_codewords; first += part)
        cuda->streams[parts++].batch =
            ldpc_batch_slice(cuda->plan, batch, first, least(part, batch->n_codewords - first));
    return parts;
}

static size_t start_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status *status, ldpc_error *err)
{
    size_t started = 0;
    for (size_t i = 0; i < parts; i++) {
        if (!*status)
            *status =
                ldpc_cuda_stream_issue(&cuda->streams[i], LDPC_CUDA_STEP_INPUT, LDPC_CUDA_STEP_RESULTS, err);
        else
            ldpc_cuda_mark_lost(&cuda->streams[i].batch);
        started += !*status;
    }
    return started;
}

ldpc_status ldpc_cuda_finish_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status status, ldpc_error *err)
{
    for (size_t i = 0; i < parts; i++) {
        ldpc_error other = {""};
        ldpc_status finished = ldpc_cuda_stream_await(&cuda->streams[i], status ? &other : err);
        ldpc_cuda_stream_hand_over(&cuda->streams[i], finished);
        status = status ? status : finished;
    }
    return status;
}

ldpc_status ldpc_cuda_decode(void *state, const ldpc_batch *batch, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    ldpc_status status = LDPC_OK;
    size_t parts = start_parts(cuda, ldpc_cuda_deal_parts(cuda, batch), &status, err);
    return ldpc_cuda_finish_parts(cuda, parts, status, err);
}

void *ldpc_cuda_alloc(void *state, size_t bytes)
{
    const ldpc_cuda_state *cuda = state;
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    void *memory = NULL;
    if (ldpc_cuda_engine_enter(engine, NULL))
        return NULL;
    if (ldpc_cuda_pinned_alloc(engine, &memory, bytes ? bytes : 1))
        memory = NULL;
    ldpc_cuda_engine_leave(engine);
    return memory;
}

void ldpc_cuda_free(void *state, void *memory)
{
    const ldpc_cuda_state *cuda = state;
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    bool entered = !ldpc_cuda_engine_enter(engine, NULL);
    ldpc_cuda_pinned_free(engine, memory);
    if (entered)
        ldpc_cuda_engine_leave(engine);
}

ldpc_status ldpc_cuda_pin(void *state, void *memory, size_t bytes, ldpc_error *err)
{
    const ldpc_cuda_state *cuda = state;
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = ldpc_cuda_pinned_register(engine, memory, bytes, err);
    ldpc_cuda_engine_leave(engine);
    return status;
}

ldpc_status ldpc_cuda_unpin(void *state, void *memory, ldpc_error *err)
{
    const ldpc_cuda_state *cuda = state;
    const ldpc_cuda_engine *engine = &cuda->engines[0];
    if (!ldpc_cuda_engine_has_context(engine))
        return LDPC_OK;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = ldpc_cuda_pinned_unregister(engine, memory, err);
    ldpc_cuda_engine_leave(engine);
    return status;
}

static ldpc_status cuda_simulate(void *state, const struct ldpc_frames *frames, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    ldpc_status status = LDPC_OK;
    if (!cuda->simulator)
        status = ldpc_cuda_simulator_open(&cuda->simulator, cuda->streams, cuda->n_streams, err);
    return status ? status : ldpc_cuda_simulate(cuda->simulator, frames, err);
}

/* ---- changes */

static ldpc_status cuda_settle(void *state, const struct timespec *until, ldpc_backend_facts *facts,
                               ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    ldpc_status status = ldpc_cuda_change_kernel(cuda, until, err);
    tell_facts(cuda, facts);
    return status;
}

ldpc_status ldpc_cuda_update(void *state, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    const ldpc_plan *plan = cuda->plan;
    bool same =
        cuda->early_stop == plan->early_stop && cuda->offset == plan->offset && cuda->factor == plan->factor;
    ldpc_status status = same ? LDPC_OK : ldpc_cuda_rebuild_engines(cuda, err);
    if (!status)
        remember(cuda);
    return status;
}

/* ---- CUDA */

/* Returns 0 if the list is invalid. */
static size_t read_devices(const char *list, int present, int *numbers)
{
    size_t count = 0;
    if (strcmp(list, "all") == 0) {
        for (; count < (size_t)present; count++)
            numbers[count] = (int)count;
        return count;
    }
    for (const char *p = list;; p++) {
        char *end;
        long number = strtol(p, &end, 10);
        if (*p < '0' || *p > '9' || number >= present || count == (size_t)present || (*end && *end != ','))
            return 0;
        numbers[count++] = (int)number;
        if (!*end)
            return count;
        p = end;
    }
}

static ldpc_status cuda_create(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts,
                               ldpc_error *err)
{
    static const ldpc_cuda_platform platform = {
        .open = ldpc_cuda_open,
        .read_devices = read_devices,
        .devices = ", separated by commas, or \"all\"",
    };
    return ldpc_cuda_create(&platform, plan, state, facts, err);
}

const ldpc_backend ldpc_cuda_backend = {
    .name = "cuda",
    .arithmetic = LDPC_ARITHMETIC_I16,
    .nonbinary = true,
    .unusable = cuda_unusable,
    .no_gpu = cuda_unusable,
    .with_cpu = &ldpc_split_backend,
    .kernel = cuda_kernel_name,
    .create = cuda_create,
    .destroy = ldpc_cuda_destroy,
    .abandon = ldpc_cuda_abandon,
    .free_in_child = ldpc_cuda_free_in_child,
    .decode = ldpc_cuda_decode,
    .decode_device = ldpc_cuda_decode_device,
    .simulate = cuda_simulate,
    .submit = ldpc_cuda_submit,
    .alloc = ldpc_cuda_alloc,
    .free = ldpc_cuda_free,
    .pin = ldpc_cuda_pin,
    .unpin = ldpc_cuda_unpin,
    .update = ldpc_cuda_update,
    .settle = cuda_settle,
};
