/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/program.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/host/nvrtc.h"

#define CHECK(driver, call, what, err) ldpc_cuda_check(driver, (driver)->call, what, err)

#define THREADS_PER_SM 1024

/* ---- loading */

ldpc_status ldpc_cuda_upload(const ldpc_cuda_driver *driver, const void *data, size_t bytes, cu_pointer *to,
                             ldpc_error *err)
{
    *to = 0;
    if (!bytes)
        return LDPC_OK;
    ldpc_status status =
        CHECK(driver, memory_alloc(to, bytes), "device memory for tables cannot be allocated", err);
    if (!status)
        status = CHECK(driver, copy_in(*to, data, bytes), "tables cannot be copied to the GPU", err);
    /* CUDA copies on the default stream. Other streams do not wait for the default stream. */
    if (!status && !driver->build)
        status = CHECK(driver, stream_synchronize(NULL), "tables cannot be copied to the GPU", err);
    return status;
}

static ldpc_status load_source(const ldpc_cuda_engine *engine, const char *source, const char *cache_dir,
                               cu_module *module, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = engine->driver;
    const ldpc_nvrtc *nvrtc = ldpc_nvrtc_open();
    void *image = NULL;
    size_t bytes;
    if (!nvrtc)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "kernel \"%s\" needs libnvrtc, which was not found",
                         engine->chosen->name);
    ldpc_status status =
        ldpc_cuda_compile(nvrtc, source, engine->device.capability, cache_dir, &image, &bytes, err);
    if (!status)
        status = CHECK(driver, module_load(module, image), "the kernel cannot be loaded", err);
    free(image);
    return status;
}

static bool is_cached(const ldpc_cuda_engine *engine, const char *source)
{
    const ldpc_nvrtc *nvrtc = ldpc_nvrtc_open();
    return nvrtc && ldpc_cuda_is_compiled(nvrtc, source, engine->device.capability, engine->plan->cache_dir);
}

/* Compiles again if the driver refuses an intact program from the cache. */
ldpc_status ldpc_cuda_load(const ldpc_cuda_engine *engine, const char *source, cu_module *module,
                           ldpc_error *err)
{
    const bool cached = is_cached(engine, source);
    ldpc_status status = load_source(engine, source, engine->plan->cache_dir, module, err);
    return cached && status == LDPC_ERR_DEVICE ? load_source(engine, source, NULL, module, err) : status;
}

static ldpc_status build_module(const ldpc_cuda_engine *engine, const ldpc_cuda_program *program,
                                cu_module *module, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = engine->driver;
    char log[200] = "";
    const ldpc_cuda_source source = {.text = program->source,
                                     .threads = program->threads,
                                     .min_blocks = program->min_blocks,
                                     .cache_dir = engine->plan->cache_dir};
    int result = driver->build(module, &source, log, sizeof log);
    if (result && log[0])
        return ldpc_fail(err, LDPC_ERR_DEVICE, "%s cannot compile the kernel: %s", driver->name, log);
    return ldpc_cuda_check(driver, result, "the kernel cannot be compiled", err);
}

static ldpc_status load_module(const ldpc_cuda_engine *engine, const ldpc_cuda_program *program,
                               cu_module *module, ldpc_error *err)
{
    if (engine->driver->build)
        return build_module(engine, program, module, err);
    if (!program->image)
        return ldpc_cuda_load(engine, program->source, module, err);
    return CHECK(engine->driver, module_load(module, program->image), "the kernel cannot be loaded", err);
}

static ldpc_status load_function(const ldpc_cuda_driver *driver, ldpc_cuda_loaded *l, ldpc_error *err)
{
    int shared = (int)l->shared_bytes;
    ldpc_status status = CHECK(driver, module_function(&l->function, l->module, "ldpc_decode"),
                               "the program has no kernel", err);
    if (!status)
        status = CHECK(driver, function_set(l->function, CU_KERNEL_SHARED_BYTES, shared),
                       "the kernel's shared memory size cannot be set", err);
    return status;
}

static ldpc_status check_threads(const ldpc_cuda_engine *engine, const ldpc_cuda_loaded *l, unsigned *too_few,
                                 ldpc_error *err)
{
    unsigned most = l->threads;
    ldpc_status status = LDPC_OK;
    if (engine->driver->most_threads)
        status = CHECK(engine->driver, most_threads(&most, l->function),
                       "the kernel's maximum work-group size cannot be read", err);
    if (status || most >= l->threads)
        return status;
    *too_few = most;
    return ldpc_fail(
        err, LDPC_ERR_UNSUPPORTED,
        "kernel \"%s\" needs work-groups of %u work-items, the compiled kernel supports at most %u",
        l->kernel->name, l->threads, most);
}

static size_t limit_wave(const ldpc_cuda_program *program, size_t blocks)
{
    return program->most_blocks && blocks > program->most_blocks ? program->most_blocks : blocks;
}

static ldpc_status find_wave(const ldpc_cuda_engine *engine, const ldpc_cuda_program *program,
                             ldpc_cuda_loaded *l, ldpc_error *err)
{
    int blocks = 0;
    ldpc_status status =
        CHECK(engine->driver, occupancy(&blocks, l->function, (int)l->threads, l->shared_bytes),
              "the kernel's thread blocks per multiprocessor cannot be determined", err);
    if (!status && blocks < 1)
        status = ldpc_fail(err, LDPC_ERR_DEVICE, "%s: the kernel does not fit on this device",
                           engine->driver->name);
    l->wave = limit_wave(program, (size_t)blocks * (size_t)engine->device.sms);
    return status;
}

static void unload(const ldpc_cuda_driver *driver, ldpc_cuda_loaded *l)
{
    if (l->module)
        driver->module_unload(l->module);
    if (l->table)
        driver->memory_free(l->table);
    *l = (ldpc_cuda_loaded){0};
}

void ldpc_cuda_unload(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l)
{
    if ((!l->module && !l->table) || !ldpc_cuda_engine_has_context(engine))
        return;
    bool entered = !ldpc_cuda_engine_enter(engine, NULL);
    unload(engine->driver, l);
    if (entered)
        ldpc_cuda_engine_leave(engine);
}

static ldpc_status load(const ldpc_cuda_engine *engine, const ldpc_cuda_kernel *kernel,
                        const ldpc_cuda_program *program, ldpc_cuda_loaded *l, unsigned *too_few,
                        ldpc_error *err)
{
    *l = (ldpc_cuda_loaded){.kernel = kernel,
                            .threads = program->threads,
                            .codewords = program->codewords,
                            .over_link = program->over_link && !engine->driver->build,
                            .shared_bytes = program->shared_bytes,
                            .scratch_bytes = program->scratch_bytes};
    ldpc_status status = load_module(engine, program, &l->module, err);
    if (!status)
        status = load_function(engine->driver, l, err);
    if (!status)
        status = check_threads(engine, l, too_few, err);
    if (!status)
        status = find_wave(engine, program, l, err);
    if (!status)
        status = ldpc_cuda_upload(engine->driver, program->table, sizeof(uint32_t) * program->table_words,
                                  &l->table, err);
    if (status)
        unload(engine->driver, l);
    return status;
}

/* ---- making */

static ldpc_status make(const ldpc_cuda_engine *engine, const ldpc_cuda_kernel *kernel,
                        ldpc_cuda_program *program, ldpc_error *err)
{
    ldpc_status status = kernel->make(engine->plan, &engine->device, program);
    if (status == LDPC_ERR_UNSUPPORTED)
        ldpc_fail(err, status,
                  "kernel \"%s\" does not support %s with early stop %s, offset %g: a new decoder can choose "
                  "another kernel",
                  kernel->name, engine->plan->code->name, engine->plan->early_stop ? "on" : "off",
                  (double)engine->plan->offset);
    else if (status)
        ldpc_fail_memory(err);
    return status;
}

static bool takes_time(const ldpc_cuda_engine *engine, const ldpc_cuda_program *program)
{
    return !engine->plan->kernel[0] && !engine->driver->build && program->source && ldpc_cuda_image_any() &&
           ldpc_cuda_supports(&ldpc_cuda_any, engine->plan, &engine->device) &&
           !ldpc_cuda_is_compiled(ldpc_nvrtc_open(), program->source, engine->device.capability,
                                  engine->plan->cache_dir);
}

static bool load_any(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l)
{
    ldpc_cuda_program program = {0};
    unsigned too_few;
    bool ok = !make(engine, &ldpc_cuda_any, &program, NULL) && program.image &&
              !load(engine, &ldpc_cuda_any, &program, l, &too_few, NULL);
    ldpc_cuda_program_free(&program);
    return ok;
}

static bool begin_with_any(ldpc_cuda_engine *engine, ldpc_cuda_program *program)
{
    if (!load_any(engine, &engine->now))
        return false;
    engine->compilation = ldpc_cuda_compilation_begin(ldpc_nvrtc_open(), program->source,
                                                      engine->device.capability, engine->plan->cache_dir);
    if (!engine->compilation) {
        unload(engine->driver, &engine->now);
        return false;
    }
    engine->next = *program;
    *program = (ldpc_cuda_program){0};
    return true;
}

ldpc_status ldpc_cuda_build(ldpc_cuda_engine *engine, ldpc_error *err)
{
    ldpc_cuda_program program = {0};
    unsigned too_few = 0;
    ldpc_status status = make(engine, engine->chosen, &program, err);
    if (!status && !(takes_time(engine, &program) && begin_with_any(engine, &program)))
        status = load(engine, engine->chosen, &program, &engine->now, &too_few, err);
    if (too_few)
        engine->device.most_threads = too_few;
    ldpc_cuda_program_free(&program);
    return status;
}

ldpc_status ldpc_cuda_wait_chosen(ldpc_cuda_engine *engine, const struct timespec *until, ldpc_error *err)
{
    if (engine->next.image)
        return LDPC_OK;
    return ldpc_cuda_compilation_wait(engine->compilation, until, &engine->next.image, err);
}

ldpc_status ldpc_cuda_begin_next(ldpc_cuda_engine *engine, ldpc_error *err)
{
    ldpc_cuda_forget_next(engine);
    if (engine->chosen == engine->now.kernel)
        return LDPC_OK;
    ldpc_status status = make(engine, engine->chosen, &engine->next, err);
    if (!status) {
        engine->compilation = ldpc_cuda_compilation_begin(ldpc_nvrtc_open(), engine->next.source,
                                                          engine->device.capability, engine->plan->cache_dir);
        if (!engine->compilation)
            status =
                ldpc_fail(err, LDPC_ERR_DEVICE, "the process that compiles the kernel cannot be started");
    }
    if (status)
        ldpc_cuda_forget_next(engine);
    return status;
}

ldpc_status ldpc_cuda_load_chosen(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *next, ldpc_error *err)
{
    unsigned too_few;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    status = load(engine, engine->chosen, &engine->next, next, &too_few, err);
    ldpc_cuda_engine_leave(engine);
    return status;
}

void ldpc_cuda_forget_next(ldpc_cuda_engine *engine)
{
    ldpc_cuda_compilation_drop(engine->compilation);
    engine->compilation = NULL;
    ldpc_cuda_program_free(&engine->next);
}

void ldpc_cuda_take_over(ldpc_cuda_engine *engine, ldpc_cuda_loaded *next)
{
    engine->before = engine->now;
    engine->now = *next;
    *next = (ldpc_cuda_loaded){0};
}

ldpc_status ldpc_cuda_engine_rebuild(const ldpc_cuda_engine *engine, ldpc_cuda_engine *next, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    *next = *engine;
    next->now = next->before = (ldpc_cuda_loaded){0};
    next->next = (ldpc_cuda_program){0};
    next->compilation = NULL;
    status = ldpc_cuda_build(next, err);
    ldpc_cuda_engine_leave(engine);
    return status;
}

void ldpc_cuda_engine_drop(ldpc_cuda_engine *engine)
{
    ldpc_cuda_forget_next(engine);
    ldpc_cuda_unload(engine, &engine->before);
    ldpc_cuda_unload(engine, &engine->now);
}

void ldpc_cuda_engine_free_in_child(ldpc_cuda_engine *engine)
{
    ldpc_cuda_compilation_abandon(engine->compilation);
    engine->compilation = NULL;
    ldpc_cuda_program_free(&engine->next);
}

/* ---- sizes */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t expected_wave(const ldpc_cuda_engine *engine)
{
    const ldpc_cuda_program *p = &engine->next;
    size_t blocks = p->min_blocks;
    if (!blocks)
        blocks = least(THREADS_PER_SM / p->threads,
                       p->shared_bytes ? engine->device.shared_bytes_per_sm / p->shared_bytes : SIZE_MAX);
    return limit_wave(p, (blocks ? blocks : 1) * (size_t)engine->device.sms);
}

size_t ldpc_cuda_wave_codewords(const ldpc_cuda_engine *engine)
{
    return engine->compilation ? expected_wave(engine) * engine->next.codewords
                               : engine->now.wave * engine->now.codewords;
}

static size_t scratch_of(size_t wave, size_t codewords, size_t block_bytes, size_t max_codewords,
                         size_t max_bytes)
{
    size_t blocks = least((max_codewords + codewords - 1) / codewords, wave);
    if (!block_bytes)
        return 0;
    blocks = least(blocks, max_bytes / block_bytes);
    return (blocks ? blocks : 1) * block_bytes;
}

size_t ldpc_cuda_scratch_bytes(const ldpc_cuda_engine *engine, size_t max_codewords, size_t max_bytes)
{
    const ldpc_cuda_loaded *now = &engine->now;
    size_t bytes = scratch_of(now->wave, now->codewords, now->scratch_bytes, max_codewords, max_bytes);
    size_t later = engine->compilation ? scratch_of(expected_wave(engine), engine->next.codewords,
                                                    engine->next.scratch_bytes, max_codewords, max_bytes)
                                       : 0;
    return bytes > later ? bytes : later;
}
