/* SPDX-License-Identifier: BSD-3-Clause */
/* Host part of the kernel "any": creates the tables of any.cu. */
#include "cuda/kernels/kernel.h"

#include <string.h>

#include "base/memory.h"
#include "cuda/kernels/any_table.h"
#include "cuda/kernels/stages.h"
#include "cuda/kernels/writer.h"

enum {
    LEAST_THREADS = 128,
    PORTABLE_THREADS = 256, /* nearly every GPU supports it */
};

static bool waits(const ldpc_code *code, uint32_t layer, const ldpc_block *block)
{
    uint32_t count = 0, end = code->max_occurrence ? code->layer_start[layer + 1] : 0;
    for (uint32_t b = code->layer_start[layer]; b < end; b++)
        count += code->blocks[b].group == block->group;
    return count > 1;
}

/* Table word of an edge: position | (occurrence + 1) << 24, or the position if the edge need not wait. */
static uint32_t edge_word(const ldpc_code *code, uint32_t layer, const ldpc_block *block, uint32_t lane)
{
    uint32_t edge = ldpc_cuda_edge(code, block, lane);
    return waits(code, layer, block) ? edge + (1u << LDPC_CUDA_OCCURRENCE_SHIFT) : edge;
}

static uint32_t *write_layer(const ldpc_code *code, uint32_t layer, uint32_t *start, uint32_t *edges,
                             uint32_t *edge)
{
    for (uint32_t lane = 0; lane < code->z; lane++) {
        start[lane] = (uint32_t)(edge - edges);
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
            if (lane != code->blocks[b].missing_lane)
                *edge++ = edge_word(code, layer, &code->blocks[b], lane);
    }
    return edge;
}

static uint32_t waiting_words(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t l = s->order[s->stage[i].first];
        words += s->stage[i].repeats ? s->stage[i].repeats + 2 : 0;
        for (uint32_t b = code->layer_start[l]; s->stage[i].repeats && b < code->layer_start[l + 1]; b++)
            if (waits(code, l, &code->blocks[b]))
                words += code->z - (code->blocks[b].missing_lane < code->z);
    }
    return words;
}

static uint32_t write_waiting(const ldpc_code *code, const ldpc_cuda_stage *stage, const uint32_t *at,
                              uint32_t *table, uint32_t list)
{
    const uint32_t *start = table + at[ANY_CHECK_START_AT], *edges = table + at[ANY_EDGES_AT];
    uint32_t next = list + stage->repeats + 2;
    for (uint32_t occurrence = 0; occurrence <= stage->repeats; occurrence++) {
        table[list + occurrence] = next;
        for (uint32_t e = start[stage->first * code->z]; e < start[stage->end * code->z]; e++)
            if (edges[e] >> LDPC_CUDA_OCCURRENCE_SHIFT == occurrence + 1)
                table[next++] = e;
    }
    table[list + stage->repeats + 1] = next;
    return next;
}

static void write_stages(const ldpc_code *code, const ldpc_cuda_stages *s, const uint32_t *at,
                         uint32_t *table)
{
    uint32_t *stage = table + at[ANY_STAGES_AT], waiting = at[ANY_WAITING_AT];
    for (uint32_t i = 0; i < s->count; i++, stage += ANY_STAGE_WORDS) {
        stage[ANY_STAGE_FIRST] = s->stage[i].first * code->z;
        stage[ANY_STAGE_END] = s->stage[i].end * code->z;
        stage[ANY_STAGE_REPEATS] = s->stage[i].repeats;
        stage[ANY_STAGE_WAITING] = waiting;
        if (s->stage[i].repeats)
            waiting = write_waiting(code, &s->stage[i], at, table, waiting);
    }
}

static void write_columns(const ldpc_code *code, const uint32_t *edges, size_t count, uint32_t *start,
                          uint32_t *list)
{
    for (size_t e = 0; e < count; e++)
        start[(edges[e] & LDPC_CUDA_POSITION_MASK) + 1]++;
    for (uint32_t p = 0; p < code->columns; p++)
        start[p + 1] += start[p];
    for (size_t e = count; e-- > 0;)
        list[--start[(edges[e] & LDPC_CUDA_POSITION_MASK) + 1]] = (uint32_t)e;
    for (uint32_t p = 0; p < code->columns; p++)
        start[p] = start[p + 1];
    start[code->columns] = (uint32_t)count;
}

static uint32_t waiting_messages(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t l = s->order[s->stage[i].first];
        uint32_t edges = (code->layer_start[l + 1] - code->layer_start[l]) * code->z;
        if (s->stage[i].repeats && edges > most)
            most = edges;
    }
    return most;
}

static void lay_out_table(const ldpc_code *code, const ldpc_cuda_stages *s, uint32_t edges, uint32_t *at)
{
    at[ANY_STAGES] = s->count;
    at[ANY_EDGES] = edges;
    at[ANY_CHECKS] = code->layers * code->z;
    at[ANY_STAGES_AT] = ANY_HEADER_WORDS;
    at[ANY_CHECK_START_AT] = at[ANY_STAGES_AT] + ANY_STAGE_WORDS * code->layers;
    at[ANY_EDGES_AT] = at[ANY_CHECK_START_AT] + at[ANY_CHECKS] + 1;
    at[ANY_POSITION_START_AT] = at[ANY_EDGES_AT] + edges;
    at[ANY_POSITION_EDGES_AT] = at[ANY_POSITION_START_AT] + code->columns + 1;
    at[ANY_WAITING_EDGES] = waiting_messages(code, s);
    at[ANY_WAITING_AT] = at[ANY_POSITION_EDGES_AT] + edges;
}

static uint32_t count_edges(const ldpc_code *code)
{
    uint32_t edges = code->layer_start[code->layers] * code->z;
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++)
        edges -= code->blocks[b].missing_lane < code->z;
    return edges;
}

static void write_table(const ldpc_code *code, const ldpc_cuda_stages *s, const uint32_t *at, uint32_t *table)
{
    uint32_t *start = table + at[ANY_CHECK_START_AT], *edges = table + at[ANY_EDGES_AT], *edge = edges;
    memcpy(table, at, ANY_HEADER_WORDS * sizeof *at);
    for (uint32_t i = 0; i < code->layers; i++)
        edge = write_layer(code, s->order[i], start + (size_t)i * code->z, edges, edge);
    start[at[ANY_CHECKS]] = at[ANY_EDGES];
    write_columns(code, edges, at[ANY_EDGES], table + at[ANY_POSITION_START_AT],
                  table + at[ANY_POSITION_EDGES_AT]);
    write_stages(code, s, at, table);
}

static unsigned choose_threads(const ldpc_code *code, const ldpc_cuda_stages *s,
                               const ldpc_cuda_device *device)
{
    uint32_t wanted = code->layers * code->z / s->count * ANY_CODEWORDS / 2, threads = LEAST_THREADS;
    while (threads < ANY_MOST_THREADS && threads < wanted)
        threads *= 2;
    threads = device->warps ? threads : PORTABLE_THREADS;
    while (threads > device->most_threads && threads > LDPC_CUDA_LEAST_THREADS)
        threads /= 2;
    return threads;
}

static bool make_tables(const ldpc_code *code, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    ldpc_cuda_stages s;
    bool ok = ldpc_cuda_stages_make(code, &s);
    if (ok) {
        uint32_t at[ANY_HEADER_WORDS];
        lay_out_table(code, &s, count_edges(code), at);
        program->table_words = at[ANY_WAITING_AT] + (size_t)waiting_words(code, &s);
        program->table = ldpc_allocate(program->table_words, sizeof *program->table);
        program->scratch_bytes = ANY_CODEWORDS * ((sizeof(int16_t) + sizeof(int8_t)) * code->columns +
                                                  (size_t)at[ANY_EDGES] + at[ANY_WAITING_EDGES]);
        ok = program->table != NULL;
        if (ok)
            write_table(code, &s, at, program->table);
        program->threads = choose_threads(code, &s, device);
        program->min_blocks = ANY_MOST_THREADS / program->threads;
    }
    ldpc_cuda_stages_free(&s);
    program->codewords = ANY_CODEWORDS;
    return ok;
}

static unsigned any_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    (void)device;
    return plan->arithmetic != LDPC_ARITHMETIC_FLOAT && ldpc_cuda_edges_fit(plan->code)
               ? LDPC_CUDA_LEAST_THREADS
               : 0;
}

static char *any_text(bool three_min)
{
    ldpc_writer w = {0};
    ldpc_write(&w, "#define THREE_MIN %d\n%s", three_min, ldpc_cuda_text_any);
    return ldpc_writer_end(&w);
}

static ldpc_status any_make(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    bool ok = make_tables(plan->code, device, program), three_min = ldpc_plan_rule(plan).reads_third;
    if (!device->opencl)
        program->image = three_min ? ldpc_cuda_image_any_three_min() : ldpc_cuda_image_any();
    if (ok && !program->image)
        ok = (program->source = any_text(three_min)) != NULL;
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_any = {
    .name = "any",
    .opencl = true,
    .least_threads = any_least_threads,
    .make = any_make,
};
