/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates batches of frames. A batch is a sequence of launches on one of the decoder's CUDA streams:
 *
 *     BEGIN, ENCODE, TRANSMIT      simulate.cuh: LLRs in device memory
 *     the decoder's kernel         messages and results of each codeword in device memory
 *     COUNT                        simulate.cuh: a record for each block of 64 frames
 *
 * The records are copied to the host. Batches use the streams of all GPUs in turn: one is generated while
 * another is decoded. */
#include <string.h>

#include "base/status_internal.h"
#include "cuda/sim/simulator.h"

enum { THREADS = 256 }; /* of a thread block */

static size_t bits_of(const ldpc_code *code, uint32_t symbols)
{
    return (size_t)symbols * ldpc_code_symbol_bits(code);
}

static ldpc_simulate_args args_of(const simulation_stream *s, const ldpc_frames *frames, uint64_t first)
{
    const ldpc_plan *plan = s->stream->engine->plan;
    const ldpc_channel *channel = frames->channel;
    return (ldpc_simulate_args){
        .x = s->x,
        .encoding = s->gpu->encoding,
        .message_column = s->gpu->message_column,
        .transmitted = s->gpu->transmitted,
        .llr = simulation_float(plan) ? 0 : s->llr,
        .floats = simulation_float(plan) ? s->llr : 0,
        .decoded = s->message,
        .info = s->info,
        .counts = s->counts,
        .seed = channel->seed,
        .first = first,
        .point = channel->point,
        .n_frames = (uint32_t)s->n_frames,
        .columns = s->gpu->columns,
        .n = (uint32_t)bits_of(plan->code, plan->code->n),
        .k = (uint32_t)bits_of(plan->code, plan->code->k),
        .axis_bits = (uint32_t)channel->axis_bits,
        .axes = (uint32_t)channel->axes,
        .fading = channel->fading,
        .zero_codeword = frames->zero_codeword,
        .symbol_bits = ldpc_code_symbol_bits(plan->code),
        .sigma = channel->sigma,
        .gain = channel->gain,
        .llr_scale = channel->llr_scale,
    };
}

static ldpc_status launch(const simulation_stream *s, ldpc_simulate_args *args, uint32_t phase, size_t blocks,
                          unsigned threads, ldpc_error *err)
{
    void *parameters[] = {args};
    args->phase = phase;
    return SIMULATION_CHECK(s->stream->engine,
                            launch(s->gpu->function, (unsigned)blocks, 1, 1, threads, 1, 1, 0,
                                   s->stream->handle, parameters, NULL),
                            "the frames cannot be generated", err);
}

static unsigned fitting_threads(size_t work)
{
    unsigned best = LDPC_SIMULATE_WARP;
    size_t least = SIZE_MAX;
    for (unsigned threads = LDPC_SIMULATE_WARP; threads <= THREADS; threads += LDPC_SIMULATE_WARP) {
        size_t all = (work + threads - 1) / threads * threads;
        if (all <= least) {
            least = all;
            best = threads;
        }
    }
    return best;
}

static ldpc_status make_frames(const simulation_stream *s, ldpc_simulate_args *args, ldpc_error *err)
{
    size_t groups = (args->n_frames + LDPC_SIMULATE_GROUP - 1) / LDPC_SIMULATE_GROUP,
           warps = groups * ((args->k + 127) / 128);
    size_t bits = (size_t)args->axis_bits * args->axes, symbols = (args->n + bits - 1) / bits;
    size_t items = (symbols * args->axes + 3) / 4;
    unsigned threads = fitting_threads(items);
    ldpc_status status = launch(s, args, LDPC_SIMULATE_BEGIN,
                                (warps * LDPC_SIMULATE_WARP + THREADS - 1) / THREADS, THREADS, err);
    if (!status && !args->zero_codeword)
        status = launch(s, args, LDPC_SIMULATE_ENCODE, groups, s->gpu->encode_threads, err);
    if (!status)
        status =
            launch(s, args, LDPC_SIMULATE_TRANSMIT, groups * ((items + threads - 1) / threads), threads, err);
    return status;
}

static ldpc_status decode_frames(const simulation_stream *s, const ldpc_simulate_args *args, ldpc_error *err)
{
    const ldpc_cuda_batch batch = {
        .n_codewords = args->n_frames,
        .buffer = {[LDPC_BUFFER_LLR] = args->llr,
                   [LDPC_BUFFER_LLR_FLOAT] = args->floats,
                   [LDPC_BUFFER_MESSAGE] = s->message,
                   [LDPC_BUFFER_INFO] = s->info},
        .scratch = s->stream->scratch,
        .counter = s->stream->counter,
        .scratch_bytes = s->stream->scratch_bytes,
    };
    return ldpc_cuda_engine_launch(s->stream->engine, s->stream->handle, &batch, err);
}

static ldpc_status issue(const simulation_stream *s, const ldpc_frames *frames, uint64_t first,
                         ldpc_error *err)
{
    const ldpc_cuda_engine *engine = s->stream->engine;
    ldpc_simulate_args args = args_of(s, frames, first);
    size_t warps = args.n_frames;
    ldpc_status status = make_frames(s, &args, err);
    if (!status)
        status = decode_frames(s, &args, err);
    if (!status)
        status = launch(s, &args, LDPC_SIMULATE_COUNT, (warps * LDPC_SIMULATE_WARP + THREADS - 1) / THREADS,
                        THREADS, err);
    if (!status)
        status = SIMULATION_CHECK(engine,
                                  copy_out_async(s->host, s->counts,
                                                 simulation_blocks(s->n_frames) * sizeof *s->host,
                                                 s->stream->handle),
                                  "counts cannot be copied from the GPU", err);
    return status ? status
                  : SIMULATION_CHECK(engine, event_record(s->stream->done, s->stream->handle),
                                     "the event cannot be recorded", err);
}

static ldpc_status start(simulation_stream *s, const ldpc_frames *frames, uint64_t done, size_t n_frames,
                         ldpc_error *err)
{
    const ldpc_cuda_engine *engine = s->stream->engine;
    ldpc_status status = ldpc_cuda_engine_enter(engine, err);
    if (status)
        return status;
    s->n_frames = n_frames;
    s->to = frames->blocks + done / LDPC_SIM_BLOCK;
    status = issue(s, frames, frames->first + done, err);
    if (status) {
        ldpc_cuda_stream_await_issued(s->stream);
        s->n_frames = 0;
    }
    ldpc_cuda_engine_leave(engine);
    return status;
}

static ldpc_status finish(simulation_stream *s, ldpc_error *err)
{
    if (!s->n_frames)
        return LDPC_OK;
    ldpc_status status = ldpc_cuda_stream_await(s->stream, err);
    if (!status)
        memcpy(s->to, s->host, simulation_blocks(s->n_frames) * sizeof *s->host);
    s->n_frames = 0;
    return status;
}

static size_t part_frames(const ldpc_cuda_simulator *sim, uint64_t frames)
{
    const ldpc_cuda_engine *engine = sim->gpus[0].engine;
    uint64_t part = frames / sim->n_streams + 1, wave = engine->now.wave * engine->now.codewords;
    part = simulation_blocks(part > wave ? part : wave) * LDPC_SIM_BLOCK;
    return part < sim->max_frames ? (size_t)part : sim->max_frames;
}

ldpc_status ldpc_cuda_simulate(ldpc_cuda_simulator *sim, const ldpc_frames *frames, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    size_t next = 0, part = part_frames(sim, frames->count);
    for (uint64_t done = 0; done < frames->count && !status; next++) {
        simulation_stream *s = &sim->streams[next % sim->n_streams];
        uint64_t left = frames->count - done;
        size_t n_frames = left < part ? (size_t)left : part;
        status = finish(s, err);
        if (!status)
            status = start(s, frames, done, n_frames, err);
        done += n_frames;
    }
    for (size_t i = 0; i < sim->n_streams; i++) {
        ldpc_error other = {""};
        ldpc_status finished = finish(&sim->streams[(next + i) % sim->n_streams], status ? &other : err);
        status = status ? status : finished;
    }
    return status;
}
