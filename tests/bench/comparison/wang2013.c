/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel "wang2013" of docs/measurements/papers.md: flooding in float with separate launches for check and
 * variable nodes (G. Wang, M. Wu, B. Yin and J. R. Cavallaro, GlobalSIP 2013; wang2013.cuh). */
#include "bench/comparison/comparison.h"

#include <stdlib.h>

#include "cuda/host/engine.h"
#include "cuda/kernels/float_rule.h"
#include "cuda/kernels/writer.h"

enum {
    MAX_THREADS = 512,
    GOOD_THREADS = 384, /* threads per block */
    MAX_DEGREE = 64,
    CONSTANT_BYTES = LDPC_CUDA_CONSTANT_BYTES - 4096,
    CODEWORD_STATE = 4, /* counters per codeword */
};

static uint32_t max_degree(const ldpc_code *code)
{
    uint32_t most = 1;
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        most = degree > most ? degree : most;
    }
    return most;
}

static size_t constant_bytes(const ldpc_code *code)
{
    size_t edges = code->layer_start[code->layers];
    return sizeof(uint32_t) * (5 * edges + code->layers + code->groups + 2);
}

static unsigned wang_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    const ldpc_code *code = plan->code;
    (void)device;
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT && plan->schedule == LDPC_SCHEDULE_FLOODING &&
                   code->z > 1 && code->z <= MAX_THREADS && max_degree(code) <= MAX_DEGREE &&
                   constant_bytes(code) <= CONSTANT_BYTES
               ? LDPC_CUDA_LEAST_THREADS
               : 0;
}

static void write_numbers(ldpc_writer *w, const char *name, const uint32_t *numbers, uint32_t count)
{
    ldpc_write(w, "__constant__ const unsigned %s[] = {", name);
    for (uint32_t i = 0; i < count; i++)
        ldpc_write(w, "%u,", numbers[i]);
    ldpc_write(w, "};\n");
}

/* Writes the edges, ordered by check. missing_lane: lane that does not have this edge. */
static void write_rows(ldpc_writer *w, const ldpc_code *code)
{
    write_numbers(w, "layer_start", code->layer_start, code->layers + 1);
    ldpc_write(w, "__constant__ const struct { unsigned column, shift, missing_lane; } row_edge[] = {");
    for (uint32_t e = 0; e < code->layer_start[code->layers]; e++)
        ldpc_write(w, "{%u,%u,%uu},", code->blocks[e].group * code->z, code->blocks[e].shift,
                   code->blocks[e].missing_lane);
    ldpc_write(w, "};\n");
}

/* Writes the edges, ordered by column. msg: number of the circulant's first message. back: offset of the
 * message of lane 0. */
static void write_columns(ldpc_writer *w, const ldpc_code *code)
{
    uint32_t count = 0;
    ldpc_write(w, "__constant__ const struct { unsigned msg, back; } column_edge[] = {");
    for (uint32_t g = 0; g < code->groups; g++)
        for (uint32_t e = 0; e < code->layer_start[code->layers]; e++)
            if (code->blocks[e].group == g)
                ldpc_write(w, "{%u,%u},", e * code->z, code->z - code->blocks[e].shift);
    ldpc_write(w, "};\n__constant__ const unsigned group_start[] = {");
    for (uint32_t g = 0; g <= code->groups; g++) {
        ldpc_write(w, "%u,", count);
        for (uint32_t e = 0; e < code->layer_start[code->layers]; e++)
            count += code->blocks[e].group == g;
    }
    ldpc_write(w, "};\n");
}

static char *wang_text(const ldpc_plan *plan, uint32_t codewords, uint32_t threads)
{
    const ldpc_code *code = plan->code;
    ldpc_writer w = {0};
    ldpc_cuda_write_float_rule(&w, plan);
    ldpc_write(&w,
               "#define Z %uu\n#define NCW %uu\n#define THREADS %u\n#define LAYERS %uu\n#define GROUPS %uu\n"
               "#define EDGES %uu\n#define DEGREE %u\n#define EARLY_STOP %d\n",
               code->z, codewords, threads, code->layers, code->groups, code->layer_start[code->layers],
               max_degree(code), plan->early_stop);
    write_rows(&w, code);
    write_columns(&w, code);
    ldpc_write(&w, "%s", ldpc_cuda_text_wang2013);
    return ldpc_writer_end(&w);
}

static ldpc_status wang_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                             ldpc_cuda_program *program)
{
    const ldpc_code *code = plan->code;
    size_t edges = code->layer_start[code->layers];
    uint32_t codewords = code->z < GOOD_THREADS ? GOOD_THREADS / code->z : 1;
    program->threads = (codewords * code->z + 31) / 32 * 32;
    program->source = wang_text(plan, codewords, program->threads);
    program->codewords = codewords;
    program->scratch_bytes =
        sizeof(float) * codewords * (2 * (size_t)code->columns + edges * code->z + CODEWORD_STATE);
    program->most_blocks =
        /* the scratch memory of all blocks should fit in L2 */
        device->l2_bytes / 2 / program->scratch_bytes;
    program->most_blocks += !program->most_blocks;
    return program->source ? LDPC_OK : LDPC_ERR_MEMORY;
}

/* ---- launching */

/* Kernels in launch order. Each iteration launches TEST, CHECKS and VARIABLES. */
enum phase {
    BEGIN,
    TEST, /* tests the syndrome before each iteration if early stop is on, and always after the last iteration
           * */
    CHECKS,
    VARIABLES,
    END,
};

/* as in wang2013.cuh */
typedef struct wang_args {
    ldpc_cuda_args common;
    uint32_t phase, iteration;
} wang_args;

static ldpc_status launch_phase(const ldpc_cuda_engine *engine, cu_stream stream, wang_args *args,
                                size_t macros, enum phase phase, ldpc_error *err)
{
    const ldpc_code *code = engine->plan->code;
    bool checks = phase == TEST || phase == CHECKS;
    args->phase = phase;
    return ldpc_cuda_engine_start(engine, stream, args, macros * (checks ? code->layers : code->groups), err);
}

static ldpc_status launch_phases(const ldpc_cuda_engine *engine, cu_stream stream, wang_args *args,
                                 ldpc_error *err)
{
    const ldpc_cuda_args *common = &args->common;
    size_t macros = (common->n_codewords + engine->now.codewords - 1) / engine->now.codewords;
    ldpc_status status = launch_phase(engine, stream, args, macros, BEGIN, err);
    for (args->iteration = 0; args->iteration < common->max_iterations && !status; args->iteration++) {
        if (common->early_stop)
            status = launch_phase(engine, stream, args, macros, TEST, err);
        if (!status)
            status = launch_phase(engine, stream, args, macros, CHECKS, err);
        if (!status)
            status = launch_phase(engine, stream, args, macros, VARIABLES, err);
    }
    if (!status && common->info)
        status = launch_phase(engine, stream, args, macros, TEST, err);
    return status ? status : launch_phase(engine, stream, args, macros, END, err);
}

/* Returns at most `count` codewords of the batch, starting with `first`. */
static ldpc_cuda_batch part_of(const ldpc_code *code, const ldpc_cuda_batch *batch, size_t first,
                               size_t count)
{
    ldpc_cuda_batch part = *batch;
    part.n_codewords = batch->n_codewords - first < count ? batch->n_codewords - first : count;
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        if (batch->buffer[b])
            part.buffer[b] += first * ldpc_buffer_bytes(code, b, true);
    return part;
}

/* Decodes as many codewords per launch as fit in the scratch memory. */
static ldpc_status wang_launch(const ldpc_cuda_engine *engine, cu_stream stream, const ldpc_cuda_batch *batch,
                               ldpc_error *err)
{
    size_t room = ldpc_cuda_engine_scratch_blocks(engine, batch) * engine->now.codewords;
    ldpc_status status = LDPC_OK;
    for (size_t first = 0; first < batch->n_codewords && !status; first += room) {
        ldpc_cuda_batch part = part_of(engine->plan->code, batch, first, room);
        wang_args args = {.common = ldpc_cuda_engine_args(engine, &part)};
        status = launch_phases(engine, stream, &args, err);
    }
    return status;
}

const ldpc_cuda_kernel ldpc_cuda_wang2013 = {
    .name = "wang2013",
    .by_name = true,
    .compiled = true,
    .baked = true,
    .least_threads = wang_least_threads,
    .make = wang_make,
    .launch = wang_launch,
};
