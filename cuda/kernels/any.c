/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of any.cu. */
#include "cuda/kernels/kernel.h"

#include "base/memory.h"
#include "cuda/kernels/stages.h"
#include "cuda/kernels/writer.h"

enum { WORDS = 32, HEADER = 9 };

/* One layer's checks: the first edge of each, and its edges. */
static uint32_t *write_layer(const ldpc_code *code, uint32_t layer, uint32_t *start, uint32_t *edges,
                             uint32_t *edge)
{
    for (uint32_t lane = 0; lane < code->z; lane++) {
        start[lane] = (uint32_t)(edge - edges);
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
            if (lane != code->blocks[b].missing_lane)
                *edge++ = ldpc_cuda_entry(code, layer, b, lane);
    }
    return edge;
}

static void write_stages(const ldpc_code *code, const ldpc_cuda_stages *s, uint32_t *stage)
{
    for (uint32_t i = 0; i < s->count; i++) {
        stage[3 * i] = s->stage[i].first * code->z;
        stage[3 * i + 1] = s->stage[i].end * code->z;
        stage[3 * i + 2] = s->stage[i].most;
    }
}

/* Edges of each position, for flooding. */
static void write_columns(const ldpc_code *code, const uint32_t *edges, size_t count, uint32_t *start,
                          uint32_t *list)
{
    for (size_t e = 0; e < count; e++)
        start[(edges[e] & 0xffffff) + 1]++;
    for (uint32_t p = 0; p < code->columns; p++)
        start[p + 1] += start[p];
    for (size_t e = count; e-- > 0;) /* uses the end of each as its cursor ... */
        list[--start[(edges[e] & 0xffffff) + 1]] = (uint32_t)e;
    for (uint32_t p = 0; p < code->columns; p++) /* ... which leaves the beginnings one place too far */
        start[p] = start[p + 1];
    start[code->columns] = (uint32_t)count;
}

/* Room for messages that wait, in layers with repeated columns. */
static uint32_t waiting_messages(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t l = s->order[s->stage[i].first];
        uint32_t edges = (code->layer_start[l + 1] - code->layer_start[l]) * code->z;
        if (s->stage[i].most && edges > most)
            most = edges;
    }
    return most;
}

static void write_table(const ldpc_code *code, const ldpc_cuda_stages *s, uint32_t *table)
{
    size_t checks = (size_t)code->layers * code->z;
    uint32_t stage_at = HEADER, start_at = stage_at + 3 * code->layers,
             edge_at = start_at + (uint32_t)checks + 1;
    uint32_t *start = table + start_at, *edges = table + edge_at, *edge = edges;
    for (uint32_t i = 0; i < code->layers; i++)
        edge = write_layer(code, s->order[i], start + (size_t)i * code->z, edges, edge);
    uint32_t count = (uint32_t)(edge - edges), column_at = edge_at + count;
    start[checks] = count;
    write_columns(code, edges, count, table + column_at, table + column_at + code->columns + 1);
    write_stages(code, s, table + stage_at);
    const uint32_t header[HEADER] = {s->count,
                                     stage_at,
                                     start_at,
                                     edge_at,
                                     count,
                                     column_at,
                                     column_at + code->columns + 1,
                                     (uint32_t)checks,
                                     waiting_messages(code, s)};
    for (int i = 0; i < HEADER; i++)
        table[i] = header[i];
}

static bool make_tables(const ldpc_code *code, ldpc_cuda_program *program)
{
    ldpc_cuda_stages s;
    size_t edges = (size_t)code->layer_start[code->layers] * code->z; /* absent lanes are left out of them */
    program->table_words = HEADER + 4 * (size_t)code->layers * code->z + 1 + 2 * edges + code->columns + 1;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    bool ok = ldpc_cuda_stages_make(code, &s) && program->table;
    if (ok) {
        write_table(code, &s, program->table);
        program->scratch_bytes =
            WORDS * ((sizeof(int16_t) + 1) * code->columns + (size_t)program->table[4] + program->table[8]);
    }
    ldpc_cuda_stages_free(&s);
    program->threads = 256;
    program->words = WORDS;
    return ok;
}

static bool any_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    (void)device;
    return plan->arithmetic != LDPC_ARITHMETIC_FLOAT && ldpc_cuda_stages_fit(plan->code);
}

/* The text for the plan's rule. */
static char *any_text(bool three_min)
{
    ldpc_writer w = {0};
    ldpc_write(&w, "%s#define THREE_MIN %d\n%s", ldpc_cuda_text_args, three_min, ldpc_cuda_text_any);
    return ldpc_writer_end(&w);
}

/* What has been compiled ahead of time knows all rules but three-min. */
static ldpc_status any_make(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    (void)device;
    bool ok = make_tables(plan->code, program), three_min = plan->algorithm == LDPC_ALGORITHM_THREE_MIN;
    program->image = three_min ? NULL : ldpc_cuda_image_any();
    if (ok && !program->image)
        ok = (program->source = any_text(three_min)) != NULL;
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_any = {
    .name = "any",
    .supports = any_supports,
    .make = any_make,
};
