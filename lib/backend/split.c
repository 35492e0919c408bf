/* SPDX-License-Identifier: BSD-3-Clause */
/* CPU and GPU as one backend: batches below plan->min_gpu_batch go to the CPU. Results do not depend on the
 * choice. */
#include "backend/backend.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"

#ifdef LDPC_HAVE_CUDA

typedef struct split_state {
    const ldpc_plan *plan;
    void *cpu, *gpu;
    atomic_bool abandoned;
} split_state;

static const ldpc_backend *const cpu = &ldpc_cpu_backend, *const gpu = &ldpc_cuda_backend;

static void split_destroy(void *state)
{
    split_state *split = state;
    if (split->cpu)
        cpu->destroy(split->cpu);
    if (split->gpu)
        gpu->destroy(split->gpu);
    if (!split->abandoned) /* an abandoned call may still be in the driver */
        free(split);
}

static void split_abandon(void *state)
{
    split_state *split = state;
    split->abandoned = true;
    gpu->abandon(split->gpu);
}

static void split_free_in_child(void *state)
{
    split_state *split = state;
    cpu->free_in_child(split->cpu);
    gpu->free_in_child(split->gpu);
    free(split);
}

static ldpc_status split_create(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts,
                                ldpc_error *err)
{
    ldpc_backend_facts of_cpu = {0};
    if (plan->kernel[0])
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "kernel \"%s\": expected none with min_gpu_batch, because CPU and GPU have different kernels",
            plan->kernel);
    split_state *split = ldpc_allocate(1, sizeof *split);
    if (!split)
        return ldpc_fail_memory(err);
    split->plan = plan;
    ldpc_status status = gpu->create(plan, &split->gpu, facts, err);
    if (!status)
        status = cpu->create(plan, &split->cpu, &of_cpu, err);
    if (!status && of_cpu.max_batch + 1 < plan->min_gpu_batch)
        status = ldpc_fail(err, LDPC_ERR_PARAM, "min_gpu_batch %zu: expected at most %zu",
                           plan->min_gpu_batch, of_cpu.max_batch + 1);
    if (status) {
        split_destroy(split);
        return status;
    }
    *state = split;
    return LDPC_OK;
}

static bool small(const split_state *split, const ldpc_batch *batch)
{
    return batch->n_codewords < split->plan->min_gpu_batch;
}

static ldpc_status split_submit(void *state, ldpc_job *job, ldpc_error *err)
{
    split_state *split = state;
    return small(split, &job->batch) ? cpu->submit(split->cpu, job, err) : gpu->submit(split->gpu, job, err);
}

static ldpc_status split_decode(void *state, const ldpc_batch *batch, ldpc_error *err)
{
    split_state *split = state;
    return small(split, batch) ? cpu->decode(split->cpu, batch, err) : gpu->decode(split->gpu, batch, err);
}

static ldpc_status split_decode_device(void *state, void *stream, const ldpc_batch *batch, ldpc_error *err)
{
    split_state *split = state;
    return gpu->decode_device(split->gpu, stream, batch, err);
}

static void *split_alloc(void *state, size_t bytes)
{
    split_state *split = state;
    return gpu->alloc(split->gpu, bytes);
}

static void split_free(void *state, void *memory)
{
    split_state *split = state;
    gpu->free(split->gpu, memory);
}

static ldpc_status split_pin(void *state, void *memory, size_t bytes, ldpc_error *err)
{
    split_state *split = state;
    return gpu->pin(split->gpu, memory, bytes, err);
}

static ldpc_status split_unpin(void *state, void *memory, ldpc_error *err)
{
    split_state *split = state;
    return gpu->unpin(split->gpu, memory, err);
}

static ldpc_status split_simulate(void *state, const struct ldpc_frames *frames, ldpc_error *err)
{
    split_state *split = state;
    return gpu->simulate(split->gpu, frames, err);
}

/* the CPU is last, because its update cannot fail */
static ldpc_status split_update(void *state, ldpc_error *err)
{
    split_state *split = state;
    ldpc_status status = gpu->update(split->gpu, err);
    return status ? status : cpu->update(split->cpu, err);
}

static ldpc_status split_settle(void *state, const struct timespec *until, ldpc_backend_facts *facts,
                                ldpc_error *err)
{
    split_state *split = state;
    return gpu->settle(split->gpu, until, facts, err);
}

const ldpc_backend ldpc_split_backend = {
    .name = "cpu+cuda",
    .arithmetic = LDPC_ARITHMETIC_I16,
    .nonbinary = true,
    .create = split_create,
    .destroy = split_destroy,
    .abandon = split_abandon,
    .free_in_child = split_free_in_child,
    .decode = split_decode,
    .decode_device = split_decode_device,
    .simulate = split_simulate,
    .submit = split_submit,
    .alloc = split_alloc,
    .free = split_free,
    .pin = split_pin,
    .unpin = split_unpin,
    .update = split_update,
    .settle = split_settle,
};

#endif
