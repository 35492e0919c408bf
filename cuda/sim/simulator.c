/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/sim/simulator.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "cuda/host/pinned.h"
#include "cuda/host/program.h"
#include "cuda/sim/encoding.h"

/* All batches of a GPU use at most 1 / MEMORY_PART of its free memory. */
#define BATCH_BYTES ((size_t)128 << 20)
#define MEMORY_PART 4

enum { MOST_THREADS = 512 };

/* ---- what the streams of a GPU share */

static ldpc_status load_program(simulation_gpu *gpu, ldpc_error *err)
{
    const ldpc_cuda_driver *driver = gpu->engine->driver;
    char *source = ldpc_cuda_join(ldpc_cuda_text_channel_math, ldpc_cuda_text_simulate);
    if (!source)
        return ldpc_fail_memory(err);
    ldpc_status status = ldpc_cuda_load(gpu->engine, source, &gpu->module, err);
    free(source);
    if (status)
        return status;
    int result = driver->module_function(&gpu->function, gpu->module, "ldpc_simulate");
    if (result == CU_NOT_FOUND)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "OpenCL cannot simulate frames");
    return ldpc_cuda_check(driver, result, "the program has no such kernel", err);
}

static unsigned whole_warps(size_t threads)
{
    return (unsigned)(threads + LDPC_SIMULATE_WARP - 1) / LDPC_SIMULATE_WARP * LDPC_SIMULATE_WARP;
}

static ldpc_status upload_encoding(simulation_gpu *gpu, ldpc_error *err)
{
    ldpc_encoding encoding;
    const ldpc_code *code = gpu->engine->plan->code;
    gpu->columns = code->columns;
    if (!ldpc_code_has_encoder(code))
        return LDPC_OK;
    ldpc_status status = ldpc_encoding_make(code, &encoding);
    if (status == LDPC_ERR_LIMIT)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "the encoder of this code is too large for a GPU: frames are generated on the host");
    if (status)
        return ldpc_fail_memory(err);
    gpu->columns = encoding.columns;
    gpu->encode_threads = encoding.widest < MOST_THREADS ? whole_warps(encoding.widest + 1) : MOST_THREADS;
    status = ldpc_cuda_upload(gpu->engine->driver, encoding.table,
                              encoding.table_words * sizeof *encoding.table, &gpu->encoding, err);
    ldpc_encoding_free(&encoding);
    return status;
}

static ldpc_status upload_columns(const simulation_gpu *gpu, const uint32_t *column, uint32_t count,
                                  cu_pointer *memory, ldpc_error *err)
{
    uint32_t p = ldpc_code_symbol_bits(gpu->engine->plan->code);
    uint32_t *bits = ldpc_allocate((size_t)count * p, sizeof *bits);
    if (!bits)
        return ldpc_fail_memory(err);
    for (uint32_t i = 0; i < count * p; i++)
        bits[i] = column[i / p] == LDPC_NO_COLUMN ? LDPC_NO_COLUMN : column[i / p] * p + i % p;
    ldpc_status status =
        ldpc_cuda_upload(gpu->engine->driver, bits, (size_t)count * p * sizeof *bits, memory, err);
    free(bits);
    return status;
}

static ldpc_status gpu_open(simulation_gpu *gpu, ldpc_error *err)
{
    const ldpc_code *code = gpu->engine->plan->code;
    ldpc_status status = load_program(gpu, err);
    if (!status)
        status = upload_encoding(gpu, err);
    if (!status)
        status = upload_columns(gpu, code->message, code->k, &gpu->message_column, err);
    if (!status)
        status = upload_columns(gpu, code->transmitted, code->n, &gpu->transmitted, err);
    return status;
}

static void gpu_close(simulation_gpu *gpu)
{
    const ldpc_cuda_driver *driver = gpu->engine->driver;
    const cu_pointer memory[] = {gpu->encoding, gpu->message_column, gpu->transmitted};
    if (!ldpc_cuda_engine_has_context(gpu->engine))
        return;
    bool entered = !ldpc_cuda_engine_enter(gpu->engine, NULL);
    for (int i = 0; i < 3; i++)
        if (memory[i])
            driver->memory_free(memory[i]);
    if (gpu->module)
        driver->module_unload(gpu->module);
    if (entered)
        ldpc_cuda_engine_leave(gpu->engine);
}

/* ---- memory of a stream */

static size_t llr_bytes(const ldpc_plan *plan)
{
    return ldpc_buffer_bytes(plan->code, simulation_float(plan) ? LDPC_BUFFER_LLR_FLOAT : LDPC_BUFFER_LLR,
                             true);
}

static size_t message_bytes(const ldpc_plan *plan)
{
    return ldpc_buffer_bytes(plan->code, LDPC_BUFFER_MESSAGE, true);
}

static ldpc_status stream_open(simulation_stream *s, size_t frames, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = s->stream->engine;
    const struct {
        cu_pointer *at;
        size_t bytes;
    } memory[] = {
        {&s->x,       frames / LDPC_SIMULATE_GROUP * s->gpu->columns * sizeof(uint32_t)},
        {&s->llr,     frames * llr_bytes(engine->plan)                                 },
        {&s->message, frames * message_bytes(engine->plan)                             },
        {&s->info,    frames * sizeof(ldpc_codeword_info)                              },
        {&s->counts,  simulation_blocks(frames) * sizeof *s->host                      },
    };
    void *host = NULL;
    ldpc_status status = LDPC_OK;
    for (int i = 0; i < 5 && !status; i++)
        status = SIMULATION_CHECK(engine, memory_alloc(memory[i].at, memory[i].bytes),
                                  "device memory for frames cannot be allocated", err);
    if (!status)
        status = ldpc_cuda_check(
            engine->driver,
            ldpc_cuda_pinned_alloc(engine, &host, simulation_blocks(frames) * sizeof *s->host),
            "pinned memory for counts cannot be allocated", err);
    s->host = host;
    return status;
}

static void stream_close(simulation_stream *s)
{
    const ldpc_cuda_driver *driver = s->stream->engine->driver;
    const cu_pointer memory[] = {s->x, s->llr, s->message, s->info, s->counts};
    bool entered = !ldpc_cuda_engine_enter(s->stream->engine, NULL);
    for (int i = 0; i < 5; i++)
        if (memory[i] && ldpc_cuda_engine_has_context(s->stream->engine))
            driver->memory_free(memory[i]);
    if (s->host)
        ldpc_cuda_pinned_free(s->stream->engine, s->host);
    if (entered)
        ldpc_cuda_engine_leave(s->stream->engine);
}

/* ---- open, close */

static size_t block_bytes(const ldpc_cuda_simulator *sim)
{
    return LDPC_SIM_BLOCK * (llr_bytes(sim->plan) + message_bytes(sim->plan) + sizeof(ldpc_codeword_info)) +
           LDPC_SIM_BLOCK / LDPC_SIMULATE_GROUP * sim->gpus[0].columns * sizeof(uint32_t) +
           sizeof(ldpc_sim_block);
}

static ldpc_status frames_on(const ldpc_cuda_simulator *sim, const simulation_gpu *gpu, size_t *frames,
                             ldpc_error *err)
{
    const ldpc_cuda_engine *engine = gpu->engine;
    size_t free_bytes = 0, total = 0, streams = sim->n_streams / sim->n_gpus;
    ldpc_status status = SIMULATION_CHECK(engine, memory_info(&free_bytes, &total),
                                          "the GPU's free memory cannot be read", err);
    size_t room = free_bytes / MEMORY_PART / streams / block_bytes(sim);
    size_t blocks = BATCH_BYTES / block_bytes(sim),
           wave = simulation_blocks(ldpc_cuda_wave_codewords(engine));
    blocks = blocks > wave ? blocks : wave;
    blocks = blocks < room ? blocks : room;
    *frames = (blocks ? blocks : 1) * LDPC_SIM_BLOCK;
    return status;
}

static ldpc_status open_gpu(ldpc_cuda_simulator *sim, simulation_gpu *gpu, const ldpc_cuda_engine *engine,
                            ldpc_error *err)
{
    size_t frames = 0;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    gpu->engine = engine;
    status = gpu_open(gpu, err);
    if (!status)
        status = frames_on(sim, gpu, &frames, err);
    if (!sim->max_frames || frames < sim->max_frames)
        sim->max_frames = frames; /* every GPU has enough memory */
    ldpc_cuda_engine_leave(engine);
    return status;
}

static ldpc_status open_stream(ldpc_cuda_simulator *sim, simulation_stream *s,
                               const ldpc_cuda_stream *cuda_stream, ldpc_error *err)
{
    ldpc_status status = ldpc_cuda_engine_enter(cuda_stream->engine, err);
    if (status)
        return status;
    s->stream = cuda_stream;
    s->gpu = &sim->gpus[(size_t)(s - sim->streams) % sim->n_gpus];
    status = stream_open(s, sim->max_frames, err);
    ldpc_cuda_engine_leave(cuda_stream->engine);
    return status;
}

static size_t count_gpus(const ldpc_cuda_stream *cuda_streams, size_t n_cuda_streams)
{
    size_t gpus = 1;
    while (gpus < n_cuda_streams && cuda_streams[gpus].engine != cuda_streams[0].engine)
        gpus++;
    return gpus;
}

static ldpc_status open_all(ldpc_cuda_simulator *sim, const ldpc_cuda_stream *cuda_streams, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (size_t i = 0; i < sim->n_gpus && !status; i++)
        status = open_gpu(sim, &sim->gpus[i], cuda_streams[i].engine, err);
    for (size_t i = 0; i < sim->n_streams && !status; i++)
        status = open_stream(sim, &sim->streams[i], &cuda_streams[i], err);
    return status;
}

ldpc_status ldpc_cuda_simulator_open(ldpc_cuda_simulator **simulator, const ldpc_cuda_stream *cuda_streams,
                                     size_t n_cuda_streams, ldpc_error *err)
{
    *simulator = NULL;
    ldpc_cuda_simulator *sim = ldpc_allocate(1, sizeof *sim);
    if (!sim)
        return ldpc_fail_memory(err);
    sim->plan = cuda_streams[0].engine->plan;
    sim->n_gpus = count_gpus(cuda_streams, n_cuda_streams);
    sim->n_streams = n_cuda_streams;
    sim->gpus = ldpc_allocate(sim->n_gpus, sizeof *sim->gpus);
    sim->streams = ldpc_allocate(n_cuda_streams, sizeof *sim->streams);
    ldpc_status status = sim->gpus && sim->streams ? open_all(sim, cuda_streams, err) : ldpc_fail_memory(err);
    if (status)
        ldpc_cuda_simulator_close(sim);
    else
        *simulator = sim;
    return status;
}

static void free_memory(ldpc_cuda_simulator *sim)
{
    free(sim->gpus);
    free(sim->streams);
    free(sim);
}

void ldpc_cuda_simulator_free_in_child(ldpc_cuda_simulator *sim)
{
    if (sim)
        free_memory(sim);
}

void ldpc_cuda_simulator_close(ldpc_cuda_simulator *sim)
{
    if (!sim)
        return;
    for (size_t i = 0; sim->streams && i < sim->n_streams && sim->streams[i].stream; i++)
        stream_close(&sim->streams[i]);
    for (size_t i = 0; sim->gpus && i < sim->n_gpus && sim->gpus[i].engine; i++)
        gpu_close(&sim->gpus[i]);
    free_memory(sim);
}
