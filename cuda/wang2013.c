/* SPDX-License-Identifier: BSD-3-Clause */
/* The row "wang2013": float flooding with a launch for the checks and one for the variables of each
 * iteration. The baseline that the other kernels are compared with. */
#include "kernel.h"

#include <stdlib.h>

#include "code/memory.h"
#include "writer.h"

enum {
    MAX_THREADS = 512,
    GOOD_THREADS = 192, /* of a block */
    MAX_DEGREE = 64,
    WORD_STATE = 4, /* counters of a word */
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

static bool wang_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    const ldpc_code *code = plan->code;
    (void)device;
    return plan->arithmetic == LDPC_ARITHMETIC_FLOAT && plan->schedule == LDPC_SCHEDULE_FLOODING &&
           code->z > 1 && code->z <= MAX_THREADS && max_degree(code) <= MAX_DEGREE;
}

/* First edge of each layer, the edges, first entry of each group, the edges of the groups. */
static void write_table(const ldpc_code *code, uint32_t *table)
{
    uint32_t edges = code->layer_start[code->layers], *edge = table + code->layers + 1,
             *group_start = edge + 3 * (size_t)edges, *group_edge = group_start + code->groups + 1, count = 0;
    for (uint32_t l = 0; l <= code->layers; l++)
        table[l] = code->layer_start[l];
    for (uint32_t e = 0; e < edges; e++) {
        edge[3 * e] = code->blocks[e].group;
        edge[3 * e + 1] = code->blocks[e].shift;
        edge[3 * e + 2] = code->blocks[e].absent;
    }
    for (uint32_t g = 0; g < code->groups; g++) {
        group_start[g] = count;
        for (uint32_t e = 0; e < edges; e++)
            if (code->blocks[e].group == g)
                group_edge[count++] = e;
    }
    group_start[code->groups] = count;
}

static char *wang_text(const ldpc_plan *plan, uint32_t words)
{
    const ldpc_code *code = plan->code;
    ldpc_writer w = {0};
    ldpc_write(&w,
               "#define Z %uu\n#define NCW %uu\n#define LAYERS %uu\n#define GROUPS %uu\n#define EDGES %uu\n"
               "#define DEGREE %u\n#define EARLY_STOP %d\n%s",
               code->z, words, code->layers, code->groups, code->layer_start[code->layers], max_degree(code),
               plan->early_stop, ldpc_cuda_text_wang2013);
    char *text = ldpc_writer_end(&w), *whole = text ? ldpc_cuda_float_text(plan, text) : NULL;
    free(text);
    return whole;
}

static ldpc_status wang_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                             ldpc_cuda_program *program)
{
    const ldpc_code *code = plan->code;
    (void)device;
    size_t edges = code->layer_start[code->layers];
    uint32_t words = code->z < GOOD_THREADS ? GOOD_THREADS / code->z : 1;
    program->table_words = (size_t)code->layers + 1 + 3 * edges + code->groups + 1 + edges;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    if (program->table)
        write_table(code, program->table);
    program->source = wang_text(plan, words);
    program->threads = (words * code->z + 31) / 32 * 32;
    program->words = words;
    program->scratch_bytes =
        sizeof(float) * words * (2 * (size_t)code->columns + edges * code->z + WORD_STATE);
    program->check_blocks = code->layers;
    program->variable_blocks = code->groups;
    return program->table && program->source ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_wang2013 = {
    .name = "wang2013",
    .by_name = true,
    .compiled = true,
    .baked = true,
    .supports = wang_supports,
    .make = wang_make,
};
