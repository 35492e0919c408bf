/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU backend: chooses a kernel, and distributes codewords to threads. */
#include "backend/backend.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cpu/cpu_kernel.h"
#include "cpu/pool.h"
#include "plan/batch.h"

typedef struct cpu_state {
    const ldpc_plan *plan;
    const ldpc_cpu_kernel *kernel;
    ldpc_cpu_tables *tables;
    void **scratch; /* [threads] aligned pointer into memory[] */
    void **memory;
    ldpc_pool *pool;
    ldpc_work *work;
    void *context;
} cpu_state;

static const char *cpu_unusable(void)
{
    return NULL;
}

/* Binary and nonbinary kernels may have the same name. */
static bool named_before(size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (ldpc_cpu_runs(ldpc_cpu_kernel_at(i)->features) &&
            strcmp(ldpc_cpu_kernel_at(i)->name, ldpc_cpu_kernel_at(row)->name) == 0)
            return true;
    return false;
}

static const char *cpu_kernel_name(size_t i)
{
    const ldpc_cpu_kernel *kernel;
    for (size_t j = 0; (kernel = ldpc_cpu_kernel_at(j)); j++)
        if (ldpc_cpu_runs(kernel->features) && !named_before(j) && i-- == 0)
            return kernel->name;
    return NULL;
}

static ldpc_status fail_unknown_kernel(const ldpc_plan *plan, ldpc_error *err)
{
    char names[256];
    ldpc_sink list = {.text = names, .capacity = sizeof names};
    const char *name;
    for (size_t i = 0; (name = cpu_kernel_name(i)); i++) {
        ldpc_sink_text(&list, i ? ", " : "");
        ldpc_sink_text(&list, name);
    }
    size_t needed;
    ldpc_sink_close(&list, &needed);
    return ldpc_fail(err, LDPC_ERR_PARAM, "backend \"cpu\" has no kernel \"%s\": this machine runs %s",
                     plan->kernel, names);
}

static ldpc_status choose_kernel(const ldpc_plan *plan, const ldpc_cpu_kernel **chosen, ldpc_error *err)
{
    bool any = !plan->kernel[0];
    bool known = any;
    const ldpc_cpu_kernel *kernel;
    *chosen = NULL;
    for (size_t i = 0; (kernel = ldpc_cpu_kernel_at(i)); i++) {
        if (!any && strcmp(kernel->name, plan->kernel) != 0)
            continue;
        known = true;
        if (!ldpc_cpu_runs(kernel->features))
            ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                      "kernel \"%s\" needs instructions that this CPU does not have", kernel->name);
        else if (kernel->nonbinary != (plan->code->order > 2) || !kernel->supports(plan))
            ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "kernel \"%s\" cannot decode %s with %s, %s, %s",
                      kernel->name, plan->code->name, ldpc_algorithm_name(plan->algorithm),
                      ldpc_arithmetic_name(plan->arithmetic), ldpc_schedule_name(plan->schedule));
        else
            *chosen = kernel;
    }
    if (!known)
        return fail_unknown_kernel(plan, err);
    return *chosen ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

static void decode(const cpu_state *cpu, size_t worker, const ldpc_batch *batch)
{
    assert(batch->n_codewords >= 1 && batch->n_codewords <= cpu->tables->most_codewords);
    assert((uintptr_t)cpu->scratch[worker] % LDPC_CPU_ALIGN == 0);
    cpu->kernel->decode(cpu->tables, cpu->scratch[worker], batch);
}

static void decode_here(const ldpc_worker *worker, const ldpc_batch *batch)
{
    decode(worker->state, worker->number, batch);
}

static void decode_slice(void *context, size_t worker, const ldpc_batch *batch, size_t first, size_t count)
{
    cpu_state *cpu = context;
    if (cpu->work) {
        ldpc_worker lent = {.number = worker, .state = cpu, .decode = decode_here};
        for (size_t item = first; item < first + count; item++)
            cpu->work(cpu->context, &lent, item);
        return;
    }
    ldpc_batch part = ldpc_batch_slice(cpu->plan, batch, first, count);
    decode(cpu, worker, &part);
}

static void free_memory(cpu_state *cpu)
{
    for (size_t i = 0; cpu->memory && i < cpu->plan->threads; i++)
        free(cpu->memory[i]);
    free(cpu->memory);
    free(cpu->scratch);
    if (cpu->tables)
        cpu->kernel->destroy(cpu->tables);
    free(cpu);
}

static void cpu_destroy(void *state)
{
    cpu_state *cpu = state;
    ldpc_pool_destroy(cpu->pool);
    free_memory(cpu);
}

static bool cpu_adopt(void *state)
{
    cpu_state *cpu = state;
    return ldpc_pool_adopt(cpu->pool);
}

static void cpu_free_in_child(void *state)
{
    cpu_state *cpu = state;
    ldpc_pool_free_in_child(cpu->pool);
    free_memory(cpu);
}

static ldpc_status make_scratch(cpu_state *cpu)
{
    size_t threads = cpu->plan->threads;
    cpu->scratch = ldpc_allocate(threads, sizeof *cpu->scratch);
    cpu->memory = ldpc_allocate(threads, sizeof *cpu->memory);
    if (!cpu->scratch || !cpu->memory)
        return LDPC_ERR_MEMORY;
    for (size_t i = 0; i < threads; i++) {
        cpu->memory[i] = ldpc_allocate(cpu->tables->scratch_bytes + LDPC_CPU_ALIGN, 1);
        if (!cpu->memory[i])
            return LDPC_ERR_MEMORY;
        size_t over = (uintptr_t)cpu->memory[i] % LDPC_CPU_ALIGN;
        cpu->scratch[i] = (char *)cpu->memory[i] + (over ? LDPC_CPU_ALIGN - over : 0);
    }
    return LDPC_OK;
}

static ldpc_status fail(ldpc_error *err, ldpc_status status)
{
    if (status == LDPC_ERR_THREAD)
        return ldpc_fail(err, status, "a thread cannot be started");
    return ldpc_fail_memory(err);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static ldpc_backend_facts facts_of(const cpu_state *cpu)
{
    size_t threads = cpu->plan->threads;
    size_t max_batch = cpu->plan->max_batch ? cpu->plan->max_batch : LDPC_CPU_MAX_BATCH;
    return (ldpc_backend_facts){
        .kernel = cpu->kernel->name,
        .max_batch = max_batch,
        .good_batch = least(max_batch, threads * cpu->tables->codewords),
        /* Results are returned in order. While the oldest job is slow, other jobs must keep all threads busy. */
        .depth = 2 * threads + 2,
        .workers = threads,
        .lanes = cpu->tables->codewords,
        .most_codewords = cpu->tables->most_codewords,
    };
}

static ldpc_status cpu_create(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err)
{
    const ldpc_cpu_kernel *kernel;
    ldpc_status status = choose_kernel(plan, &kernel, err);
    if (status)
        return status;
    cpu_state *cpu = ldpc_allocate(1, sizeof *cpu);
    if (!cpu)
        return ldpc_fail_memory(err);
    cpu->plan = plan;
    cpu->kernel = kernel;
    status = kernel->create(plan, &cpu->tables);
    if (!status)
        status = make_scratch(cpu);
    if (!status)
        status = ldpc_pool_create(plan->threads, cpu->tables->most_codewords, decode_slice, cpu, &cpu->pool);
    if (status) {
        cpu_destroy(cpu);
        return fail(err, status);
    }
    *facts = facts_of(cpu);
    *state = cpu;
    return LDPC_OK;
}

static ldpc_status cpu_decode(void *state, const ldpc_batch *batch, ldpc_error *err)
{
    (void)err;
    cpu_state *cpu = state;
    ldpc_pool_run(cpu->pool, batch, 0);
    return LDPC_OK;
}

static void cpu_fan_out(void *state, size_t items, ldpc_work *work, void *context)
{
    cpu_state *cpu = state;
    cpu->work = work;
    cpu->context = context;
    ldpc_pool_run(cpu->pool, &(ldpc_batch){.n_codewords = items}, 1);
    cpu->work = NULL;
}

static ldpc_status cpu_submit(void *state, ldpc_job *job, ldpc_error *err)
{
    cpu_state *cpu = state;
    ldpc_status status = ldpc_pool_submit(cpu->pool, job);
    return status ? fail(err, status) : LDPC_OK;
}

static ldpc_status cpu_update(void *state, ldpc_error *err)
{
    (void)err;
    cpu_state *cpu = state;
    cpu->tables->rule = ldpc_plan_rule(cpu->plan);
    return LDPC_OK;
}

const ldpc_backend ldpc_cpu_backend = {
    .name = "cpu",
    .arithmetic = LDPC_ARITHMETIC_I8,
    .nonbinary = true,
    .unusable = cpu_unusable,
    .kernel = cpu_kernel_name,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .adopt = cpu_adopt,
    .free_in_child = cpu_free_in_child,
    .decode = cpu_decode,
    .fan_out = cpu_fan_out,
    .submit = cpu_submit,
    .update = cpu_update,
};
