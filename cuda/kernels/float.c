/* SPDX-License-Identifier: BSD-3-Clause */
/* Host part of the kernel "float" (float_codewords.cuh): any binary LDPC code in float arithmetic. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cuda/kernels/float_rule.h"
#include "cuda/kernels/stages.h"
#include "cuda/kernels/writer.h"

enum {
    STAGE = 5, /* table words of a stage */
    MOST_THREADS = 512,
    UNROLLED = 32,
    SMALL_DEGREE = 10,
    STATIC_BYTES = 512, /* shared memory for counters, bytes */
    RESERVED_BYTES = 1024,
    ENOUGH_THREADS = 384,
    REGISTER_THREADS = 1024 /* threads per multiprocessor with 64 registers */
};

#define NO_EDGE UINT32_MAX

typedef struct float_shape {
    uint32_t codewords, threads;
    uint32_t blocks;           /* thread blocks per multiprocessor */
    uint32_t shared_positions; /* positions in shared memory */
    bool shared_messages, missing_edges, repeats;
    uint32_t entries; /* table entries */
    uint32_t waiting;
    uint32_t most_degree;
    uint32_t largest;
    bool unrolled[UNROLLED + 1]; /* degrees that occur */
    size_t shared_bytes, scratch_bytes;
} float_shape;

static unsigned float_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    (void)device;
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT && ldpc_cuda_edges_fit(plan->code)
               ? LDPC_CUDA_LEAST_THREADS
               : 0;
}

/* ---- the table: {entries, checks, degree, most, plain} of each stage, then its entries [degree][checks] */

static uint32_t stage_degree(const ldpc_code *code, const ldpc_cuda_stages *s, const ldpc_cuda_stage *stage)
{
    uint32_t most = 0;
    for (uint32_t i = stage->first; i < stage->end; i++) {
        uint32_t degree = code->layer_start[s->order[i] + 1] - code->layer_start[s->order[i]];
        most = degree > most ? degree : most;
    }
    return most;
}

static uint32_t stage_checks(const ldpc_code *code, const ldpc_cuda_stage *stage)
{
    return (stage->end - stage->first) * code->z;
}

static size_t table_entries(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    size_t entries = 0;
    for (uint32_t i = 0; i < s->count; i++)
        entries += (size_t)stage_degree(code, s, &s->stage[i]) * stage_checks(code, &s->stage[i]);
    return entries;
}

static void write_stage(const ldpc_code *code, const ldpc_cuda_stages *s, const ldpc_cuda_stage *stage,
                        uint32_t *entries)
{
    uint32_t checks = stage_checks(code, stage), degree = stage_degree(code, s, stage), c = 0;
    for (uint32_t i = stage->first; i < stage->end; i++) {
        uint32_t l = s->order[i], first = code->layer_start[l];
        for (uint32_t lane = 0; lane < code->z; lane++, c++)
            for (uint32_t j = 0; j < degree; j++) {
                bool has =
                    first + j < code->layer_start[l + 1] && lane != code->blocks[first + j].missing_lane;
                entries[(size_t)j * checks + c] =
                    has ? ldpc_cuda_edge(code, &code->blocks[first + j], lane) : NO_EDGE;
            }
    }
}

static void write_table(const ldpc_code *code, const ldpc_cuda_stages *s, uint32_t *table, float_shape *shape)
{
    uint32_t at = STAGE * s->count;
    for (uint32_t i = 0; i < s->count; i++) {
        const ldpc_cuda_stage *stage = &s->stage[i];
        uint32_t checks = stage_checks(code, stage), degree = stage_degree(code, s, stage);
        uint32_t *numbers = table + STAGE * i, entries = degree * checks;
        numbers[0] = at - STAGE * s->count;
        numbers[1] = checks;
        numbers[2] = degree;
        numbers[3] = stage->repeats;
        write_stage(code, s, stage, table + at);
        at += entries;
        shape->repeats |= stage->repeats > 0;
        if (degree <= UNROLLED)
            shape->unrolled[degree] = true;
        else if (degree > shape->largest)
            shape->largest = degree;
        if (degree > shape->most_degree)
            shape->most_degree = degree;
    }
}

static void mark_plain(const ldpc_cuda_stages *s, uint32_t *table, float_shape *shape)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t *numbers = table + STAGE * i, plain = 1;
        const uint32_t *entry = table + STAGE * s->count + numbers[0];
        for (uint32_t e = 0; e < numbers[1] * numbers[2]; e++) {
            plain &= entry[e] != NO_EDGE && (entry[e] & LDPC_CUDA_POSITION_MASK) < shape->shared_positions;
            shape->missing_edges |= entry[e] == NO_EDGE;
        }
        numbers[4] = plain;
    }
}

/* ---- the shape */

static uint32_t same_checks(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    uint32_t checks = stage_checks(code, &s->stage[0]);
    for (uint32_t i = 1; i < s->count; i++)
        if (stage_checks(code, &s->stage[i]) != checks)
            return 0;
    return checks;
}

static uint32_t choose_codewords(const ldpc_code *code, const ldpc_cuda_stages *s)
{
    uint32_t checks = code->layers * code->z / s->count, codewords = 1;
    while (codewords < 32 && codewords * checks < 24)
        codewords *= 2;
    return codewords;
}

static uint32_t choose_threads(const ldpc_code *code, const ldpc_cuda_stages *s,
                               const ldpc_cuda_device *device, uint32_t codewords, uint32_t most)
{
    most = most < device->most_threads ? most : device->most_threads;
    uint64_t least = UINT64_MAX;
    uint32_t best = 32;
    for (uint32_t threads = 32; threads <= most; threads += 32) {
        uint64_t cost = 0;
        for (uint32_t i = 0; i < s->count; i++)
            cost += ((uint64_t)codewords * stage_checks(code, &s->stage[i]) + threads - 1) / threads *
                    (threads + 64);
        if (cost <= least) {
            least = cost;
            best = threads;
        }
    }
    return best;
}

static uint32_t waiting_entries(const ldpc_code *code, const ldpc_cuda_stages *s, const float_shape *shape)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const ldpc_cuda_stage *stage = &s->stage[i];
        uint32_t checks = stage_checks(code, stage), degree = stage_degree(code, s, stage);
        bool together = checks <= shape->threads / shape->codewords && degree <= UNROLLED;
        if (stage->repeats && !together && checks * degree > most)
            most = checks * degree;
    }
    return most;
}

static uint32_t blocks_of(const ldpc_cuda_device *device, size_t shared_bytes)
{
    size_t blocks = device->shared_bytes_per_sm / (shared_bytes + STATIC_BYTES + RESERVED_BYTES);
    return blocks < 1 ? 1 : blocks > 32 ? 32 : (uint32_t)blocks;
}

static uint32_t limited(uint32_t blocks, uint32_t threads)
{
    uint32_t most = REGISTER_THREADS / threads;
    return blocks < most ? blocks : most ? most : 1;
}

static void choose_memory(const ldpc_plan *plan, const ldpc_cuda_stages *s, const ldpc_cuda_device *device,
                          float_shape *shape)
{
    const ldpc_code *code = plan->code;
    size_t copies = plan->schedule == LDPC_SCHEDULE_FLOODING ? 2 : 1,
           number = sizeof(float) * shape->codewords;
    size_t all = number * copies * code->columns, messages = number * shape->entries;
    size_t room = device->shared_bytes - STATIC_BYTES;
    shape->threads = choose_threads(code, s, device, shape->codewords, MOST_THREADS);
    if (shape->codewords == 1)
        shape->shared_positions = all <= room ? code->columns : (uint32_t)(room / (number * copies));
    else if (all <= room && blocks_of(device, all) * shape->threads >= ENOUGH_THREADS)
        shape->shared_positions = code->columns;
    shape->shared_messages =
        all + messages <= room && blocks_of(device, all + messages) * shape->threads >= ENOUGH_THREADS;
    shape->shared_bytes = number * copies * shape->shared_positions + (shape->shared_messages ? messages : 0);
    if (shape->shared_bytes > room / 2 && shape->most_degree <= SMALL_DEGREE)
        shape->threads = choose_threads(code, s, device, shape->codewords, 2 * MOST_THREADS);
    shape->blocks = limited(blocks_of(device, shape->shared_bytes), shape->threads);
    shape->waiting = waiting_entries(code, s, shape);
    size_t global = copies * (code->columns - shape->shared_positions) + (copies - 1) * code->columns +
                    (shape->shared_messages ? 0 : shape->entries) + shape->waiting;
    shape->scratch_bytes =
        number * global + sizeof(float) * (2 * (size_t)shape->largest * shape->threads + 4);
}

/* ---- the generated source */

void ldpc_cuda_write_float_rule(ldpc_writer *w, const ldpc_plan *plan)
{
    ldpc_rule rule = ldpc_plan_rule(plan);
    ldpc_write(w,
               "#define RULE %d\n#define RULE_HAS_THIRD %d\n#define OFFSET ((float)%.9g)\n#define FACTOR "
               "((float)%.9g)\n"
               "#define OTHERS_PEAK ((float)%.9g)\n#define OTHERS_SLOPE ((float)%.9g)\n"
               "#define MIN_PEAK ((float)%.9g)\n#define MIN_SLOPE ((float)%.9g)\n"
               "#define SCALE ((float)%.9g)\n",
               (int)rule.algorithm, rule.reads_third, (double)rule.offset_f, (double)rule.factor_f,
               (double)rule.others_peak_f, (double)rule.others_slope_f, (double)rule.min_peak_f,
               (double)rule.min_slope_f, (double)plan->llr_scale);
}

static char *float_text(const ldpc_plan *plan, const ldpc_cuda_stages *s, const float_shape *shape)
{
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"CODEWORDS",        shape->codewords       },
        {"THREADS",          shape->threads         },
        {"BLOCKS",           shape->blocks          },
        {"POSITIONS",        plan->code->columns    },
        {"SHARED_POSITIONS", shape->shared_positions},
        {"SHARED_MESSAGES",  shape->shared_messages },
        {"ENTRIES",          shape->entries         },
        {"MISSING_EDGES",    shape->missing_edges   },
        {"REPEATS",          shape->repeats         },
        {"WAITING",          shape->waiting         },
        {"STAGES",           s->count               },
        {"CHECKS",           same_checks(plan->code,  s)},
        {"MOST_DEGREE",                  shape->most_degree                            },
        {"UNROLLED",                  UNROLLED   },
        {"LARGEST",                  shape->largest                             },
        {"FLOODING",                  plan->schedule == LDPC_SCHEDULE_FLOODING  },
    };
    ldpc_writer w = {0};
    ldpc_cuda_write_float_rule(&w, plan);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ldpc_write(&w, "#define %s %uu\n", numbers[i].name, numbers[i].value);
    ldpc_write(&w, "#define EACH_DEGREE(X)");
    for (uint32_t d = 1; d <= UNROLLED; d++)
        if (shape->unrolled[d])
            ldpc_write(&w, " X(%u)", d);
    ldpc_write(&w, "\n%s", ldpc_cuda_text_float_codewords);
    return ldpc_writer_end(&w);
}

static bool fill(const ldpc_plan *plan, const ldpc_cuda_device *device, const ldpc_cuda_stages *s,
                 ldpc_cuda_program *program)
{
    float_shape shape = {.codewords = choose_codewords(plan->code, s),
                         .entries = (uint32_t)table_entries(plan->code, s)};
    program->table_words = STAGE * (size_t)s->count + shape.entries;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    if (!program->table)
        return false;
    write_table(plan->code, s, program->table, &shape);
    choose_memory(plan, s, device, &shape);
    mark_plain(s, program->table, &shape);
    program->threads = shape.threads;
    program->min_blocks = shape.blocks;
    program->codewords = shape.codewords;
    program->shared_bytes = shape.shared_bytes;
    program->scratch_bytes = shape.scratch_bytes;
    program->source = float_text(plan, s, &shape);
    return program->source != NULL;
}

static ldpc_status float_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                              ldpc_cuda_program *program)
{
    ldpc_cuda_stages stages;
    bool ok = ldpc_cuda_stages_make(plan->code, &stages) && fill(plan, device, &stages, program);
    ldpc_cuda_stages_free(&stages);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_float = {
    .name = "float",
    .compiled = true,
    .opencl = true,
    .baked = true,
    .least_threads = float_least_threads,
    .make = float_make,
};
