/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of any.cu. Checks are put into stages: those of one stage share no column, so they can run at
 * once with the result of running them one after another in the order of the layers. */
#include "kernel.h"

#include <stdlib.h>

#include "code/memory.h"
#include "writer.h"

enum { WORDS = 32, HEADER = 9, MAX_OCCURRENCES = 255, MAX_POSITIONS = 1 << 24 };

/* Which layers stand in which stage: order[] lists them stage by stage. */
typedef struct stages {
    uint32_t *level; /* [layers] */
    uint32_t *most;  /* [layers]: most occurrences of a column - 1 */
    uint32_t *order; /* [layers] */
    uint32_t *next;  /* [groups]: first level that may use it */
    uint32_t levels;
} stages;

static uint32_t occurrence(const ldpc_code *code, uint32_t layer, uint32_t block)
{
    uint32_t earlier = 0;
    for (uint32_t b = code->layer_start[layer]; b < block; b++)
        earlier += code->blocks[b].group == code->blocks[block].group;
    return earlier;
}

static void stages_free(stages *s)
{
    free(s->level);
    free(s->most);
    free(s->order);
    free(s->next);
}

static void find_levels(const ldpc_code *code, stages *s)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t next = s->next[code->blocks[b].group], again = occurrence(code, l, b);
            s->level[l] = next > s->level[l] ? next : s->level[l];
            s->most[l] = again > s->most[l] ? again : s->most[l];
        }
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++)
            s->next[code->blocks[b].group] = s->level[l] + 1;
        s->levels = s->level[l] + 1 > s->levels ? s->level[l] + 1 : s->levels;
    }
}

/* By level; in a level those without repeated columns first. */
static bool sort_layers(const ldpc_code *code, stages *s)
{
    uint32_t *place = ldpc_allocate(2 * (size_t)s->levels + 1, sizeof *place);
    if (!place)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        place[2 * s->level[l] + (s->most[l] > 0) + 1]++;
    for (uint32_t i = 0; i < 2 * s->levels; i++)
        place[i + 1] += place[i];
    for (uint32_t l = 0; l < code->layers; l++)
        s->order[place[2 * s->level[l] + (s->most[l] > 0)]++] = l;
    free(place);
    return true;
}

static bool stages_make(const ldpc_code *code, stages *s)
{
    *s = (stages){
        .level = ldpc_allocate(code->layers, sizeof *s->level),
        .most = ldpc_allocate(code->layers, sizeof *s->most),
        .order = ldpc_allocate(code->layers, sizeof *s->order),
        .next = ldpc_allocate(code->groups, sizeof *s->next),
    };
    if (!s->level || !s->most || !s->order || !s->next)
        return false;
    find_levels(code, s);
    return sort_layers(code, s);
}

/* One layer's checks: the first edge of each, and its edges. */
static uint32_t *write_layer(const ldpc_code *code, uint32_t layer, uint32_t *start, uint32_t *edges,
                             uint32_t *edge)
{
    for (uint32_t lane = 0; lane < code->z; lane++) {
        start[lane] = (uint32_t)(edge - edges);
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++) {
            const ldpc_block *block = &code->blocks[b];
            if (lane != block->absent)
                *edge++ = (block->group * code->z + (lane + block->shift) % code->z) |
                          occurrence(code, layer, b) << 24;
        }
    }
    return edge;
}

/* Layers with repeated columns are stages of their own. */
static uint32_t write_stages(const ldpc_code *code, const stages *s, uint32_t *stage)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->layers; i++) {
        uint32_t l = s->order[i], before = i ? s->order[i - 1] : l;
        if (i == 0 || s->most[l] || s->most[before] || s->level[l] != s->level[before]) {
            stage[3 * count] = i * code->z;
            stage[3 * count + 2] = s->most[l];
            count++;
        }
        stage[3 * count - 2] = (i + 1) * code->z;
    }
    return count;
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

/* Room for messages that wait: layers with repeated columns, and in float any stage, all at a time. */
static uint32_t waiting_messages(const ldpc_code *code, const stages *s, bool is_float)
{
    uint32_t most = 0;
    if (is_float)
        return code->layer_start[code->layers] * code->z;
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t edges = (code->layer_start[l + 1] - code->layer_start[l]) * code->z;
        if (s->most[l] && edges > most)
            most = edges;
    }
    return most;
}

static void write_table(const ldpc_code *code, const stages *s, bool is_float, uint32_t *table)
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
    const uint32_t header[HEADER] = {write_stages(code, s, table + stage_at),
                                     stage_at,
                                     start_at,
                                     edge_at,
                                     count,
                                     column_at,
                                     column_at + code->columns + 1,
                                     (uint32_t)checks,
                                     waiting_messages(code, s, is_float)};
    for (int i = 0; i < HEADER; i++)
        table[i] = header[i];
}

static bool code_fits(const ldpc_code *code)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t again = occurrence(code, l, b);
            most = again > most ? again : most;
        }
    return most <= MAX_OCCURRENCES && code->columns <= MAX_POSITIONS;
}

/* Tables and shape, the same for both kinds of numbers. */
static bool make_tables(const ldpc_code *code, bool is_float, ldpc_cuda_program *program)
{
    stages s;
    size_t edges = (size_t)code->layer_start[code->layers] * code->z; /* absent lanes are left out of them */
    size_t posterior = is_float ? sizeof(float) : sizeof(int16_t), msg = is_float ? sizeof(float) : 1;
    program->table_words = HEADER + 4 * (size_t)code->layers * code->z + 1 + 2 * edges + code->columns + 1;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    bool ok = stages_make(code, &s) && program->table;
    if (ok) {
        write_table(code, &s, is_float, program->table);
        program->scratch_bytes = WORDS * ((posterior + msg) * code->columns +
                                          msg * ((size_t)program->table[4] + program->table[8]));
    }
    stages_free(&s);
    program->threads = 256;
    program->words = WORDS;
    return ok;
}

static bool any_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    (void)device;
    return plan->arithmetic != LDPC_ARITHMETIC_FLOAT && code_fits(plan->code);
}

static ldpc_status any_make(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    (void)device;
    bool ok = make_tables(plan->code, false, program);
    program->image = ldpc_cuda_image_any();
    if (ok && !program->image)
        ok = (program->source = ldpc_cuda_join(ldpc_cuda_text_args, ldpc_cuda_text_any)) != NULL;
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

static bool float_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    (void)device;
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT && code_fits(plan->code);
}

char *ldpc_cuda_float_text(const ldpc_plan *plan, const char *text)
{
    ldpc_rule rule = ldpc_plan_rule(plan);
    ldpc_writer w = {0};
    ldpc_write(&w,
               "%s#define RULE %d\n#define OFFSET ((float)%.9g)\n"
               "#define FACTOR ((float)%.9g)\n#define PEAK ((float)%.9g)\n#define SLOPE ((float)%.9g)\n"
               "#define FAR_PEAK ((float)%.9g)\n#define FAR_SLOPE ((float)%.9g)\n"
               "#define SCALE ((float)%.9g)\n%s%s",
               ldpc_cuda_text_args, (int)rule.algorithm, (double)rule.offset_f, (double)rule.factor_f,
               (double)rule.peak_f, (double)rule.slope_f, (double)rule.far_peak_f, (double)rule.far_slope_f,
               (double)plan->llr_scale, ldpc_cuda_text_float, text);
    return ldpc_writer_end(&w);
}

static ldpc_status float_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                              ldpc_cuda_program *program)
{
    (void)device;
    if (make_tables(plan->code, true, program))
        program->source = ldpc_cuda_float_text(plan, ldpc_cuda_text_any);
    return program->source ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_any = {
    .name = "any",
    .supports = any_supports,
    .make = any_make,
};

const ldpc_cuda_kernel ldpc_cuda_float = {
    .name = "float",
    .compiled = true,
    .baked = true,
    .supports = float_supports,
    .make = float_make,
};
