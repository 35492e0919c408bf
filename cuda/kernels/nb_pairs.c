/* SPDX-License-Identifier: BSD-3-Clause */
/* Host part of the kernel "pairs": tables and prologue of nb_pairs.cuh. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "code/nonbinary.h"
#include "cuda/kernels/writer.h"

enum {
    WARP = 32,
    MOST_HELD = 16,
    /* Above this degree, the sum of the costs may exceed 2^15. */
    MOST_VARIABLE_DEGREE = 120,
    BASIS = 8,
    VECTOR = 4, /* consecutive elements of a thread */
    MOST_OTHERS = 3,
    ELEMENT = 2,
    WIDE_ELEMENT = 4,
    WARPS_IF_WIDE = 20,
    SMALL_BLOCK = 4,
    RESERVED = 1024,
};

typedef struct pairs_layout {
    uint32_t codewords, size, buffers;
    uint32_t held, team;
    uint32_t others;
    uint32_t warps_per_sm;
    bool few;
    bool wide;
    size_t buffer_bytes, state_bytes, scratch_bytes;
} pairs_layout;

static bool few_decide(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    return plan->code->order == LDPC_NB_MAX_ORDER && plan->algorithm == LDPC_ALGORITHM_MIN_MAX &&
           device->warps;
}

static uint32_t count_others(const ldpc_code *code)
{
    const uint32_t *start = code->nb->variable_start;
    uint32_t degree = start[1];
    for (uint32_t v = 0; v < code->columns; v++)
        if (start[v + 1] - start[v] != degree)
            return 0;
    return degree && degree - 1 <= MOST_OTHERS ? degree - 1 : 0;
}

static pairs_layout lay_out(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    const ldpc_code *code = plan->code;
    bool few = few_decide(plan, device);
    uint32_t q = code->order, held = few ? q / WARP : q < MOST_HELD ? q : MOST_HELD;
    uint32_t team = q / held, pairs = WARP / team;
    uint32_t degree = code->max_check_degree;
    pairs_layout l = {
        .codewords = 2 * pairs,
        .size = q * pairs,
        .buffers = degree > 2 ? 2 * degree - 3 : degree,
        .held = held,
        .team = team,
        .few = few,
        .others = count_others(code),
    };
    bool flooding = plan->schedule == LDPC_SCHEDULE_FLOODING;
    size_t messages = code->columns + (flooding ? 2 : 1) * code->edges;
    l.wide = WARPS_IF_WIDE * (l.buffers * (size_t)WIDE_ELEMENT * l.size + RESERVED / SMALL_BLOCK) <=
             device->shared_bytes_per_sm;
    l.warps_per_sm = few ? 28 : q <= 8 ? 32 : q == 16 ? 16 : l.wide ? WARPS_IF_WIDE : 24;
    l.buffer_bytes = (l.wide ? WIDE_ELEMENT : ELEMENT) * (size_t)l.size;
    l.state_bytes = 2 * sizeof(uint32_t) * l.codewords;
    l.scratch_bytes = (2 * l.size * messages + (size_t)code->columns * l.codewords + 255) / 256 * 256;
    return l;
}

static size_t shared_bytes(const pairs_layout *l, uint32_t warps)
{
    return l->state_bytes + warps * l->buffers * l->buffer_bytes;
}

/* ---- tables */

/* In words of the table. */
typedef struct table_parts {
    uint32_t row_start, row_columns, variable_start, variable_edges, stage_start, stage_checks;
    uint32_t other_edges, message_columns, images, coefficients, products, end;
} table_parts;

static table_parts lay_out_table(const ldpc_code *code, const pairs_layout *l)
{
    uint32_t edges = (uint32_t)code->edges;
    table_parts at = {.row_start = 0};
    at.row_columns = at.row_start + code->checks + 1;
    at.variable_start = at.row_columns + edges;
    at.variable_edges = at.variable_start + code->columns + 1;
    at.stage_start = at.variable_edges + edges;
    at.stage_checks = at.stage_start + code->checks + 1;
    at.other_edges = at.stage_checks + code->checks;
    at.message_columns = at.other_edges + edges * l->others;
    at.images = at.message_columns + code->k;
    at.coefficients = at.images + edges * 2 * BASIS / 2;
    at.products = at.coefficients + (edges + 3) / 4;
    at.end = at.products + code->order * code->order / 4;
    return at;
}

static ldpc_code as_layers(const ldpc_code *code, ldpc_block *blocks)
{
    for (size_t e = 0; e < code->edges; e++)
        blocks[e] = (ldpc_block){.group = code->row_columns[e], .missing_lane = LDPC_NO_LANE};
    return (ldpc_code){
        .z = 1,
        .layers = code->checks,
        .groups = code->columns,
        .layer_start = code->row_start,
        .blocks = blocks,
    };
}

/* Returns the number of stages, or 0 if out of memory. */
static uint32_t write_stages(const ldpc_plan *plan, uint32_t *start, uint32_t *checks)
{
    const ldpc_code *code = plan->code;
    if (plan->schedule == LDPC_SCHEDULE_FLOODING) {
        for (uint32_t c = 0; c < code->checks; c++)
            checks[c] = c;
        start[1] = code->checks;
        return 1;
    }
    uint32_t count = 0;
    ldpc_stages stages;
    ldpc_block *blocks = ldpc_allocate(code->edges, sizeof *blocks);
    if (blocks) {
        const ldpc_code layers = as_layers(code, blocks);
        if (ldpc_stages_make(&layers, NULL, &stages)) {
            count = stages.count;
            memcpy(start, stages.start, (count + 1) * sizeof *start);
            memcpy(checks, stages.order, code->checks * sizeof *checks);
            ldpc_stages_free(&stages);
        }
    }
    free(blocks);
    return count;
}

static uint16_t position_of(const pairs_layout *l, uint32_t element)
{
    uint32_t r = element % l->held, lane = element / l->held * (WARP / l->team);
    return (uint16_t)((r / VECTOR * WARP + lane) * VECTOR + r % VECTOR);
}

static void write_images(const pairs_layout *l, const ldpc_code *code, uint16_t *images)
{
    const ldpc_field *field = &code->nb->field;
    for (size_t e = 0; e < code->edges; e++) {
        uint8_t coefficient = (uint8_t)code->row_coefficients[e],
                inverse = ldpc_field_inv(field, coefficient);
        for (uint32_t i = 0; i < field->p; i++) {
            images[2 * BASIS * e + i] =
                position_of(l, ldpc_field_mul(field, coefficient, (uint8_t)(1u << i)));
            images[2 * BASIS * e + BASIS + i] =
                position_of(l, ldpc_field_mul(field, inverse, (uint8_t)(1u << i)));
        }
    }
}

static void write_other_edges(const ldpc_code *code, const pairs_layout *l, uint32_t *others)
{
    const ldpc_nb *nb = code->nb;
    for (size_t e = 0; e < code->edges && l->others; e++) {
        uint32_t v = code->row_columns[e];
        for (uint32_t i = nb->variable_start[v]; i < nb->variable_start[v + 1]; i++)
            if (nb->variable_edges[i] != e)
                *others++ = nb->variable_edges[i];
    }
}

static void write_coefficients(const ldpc_code *code, uint8_t *coefficients)
{
    for (size_t e = 0; e < code->edges; e++)
        coefficients[e] = (uint8_t)code->row_coefficients[e];
}

static uint32_t write_table(const ldpc_plan *plan, const pairs_layout *l, const table_parts *at,
                            uint32_t *table)
{
    const ldpc_code *code = plan->code;
    const ldpc_nb *nb = code->nb;
    memcpy(table + at->row_start, code->row_start, (code->checks + 1) * sizeof *table);
    memcpy(table + at->row_columns, code->row_columns, code->edges * sizeof *table);
    memcpy(table + at->variable_start, nb->variable_start, (code->columns + 1) * sizeof *table);
    memcpy(table + at->variable_edges, nb->variable_edges, code->edges * sizeof *table);
    memcpy(table + at->message_columns, code->message, code->k * sizeof *table);
    write_other_edges(code, l, table + at->other_edges);
    write_images(l, code, (uint16_t *)(table + at->images));
    write_coefficients(code, (uint8_t *)(table + at->coefficients));
    memcpy(table + at->products, nb->product, (size_t)code->order * code->order);
    return write_stages(plan, table + at->stage_start, table + at->stage_checks);
}

/* ---- the program */

static uint32_t resident_blocks(const pairs_layout *l, const ldpc_cuda_device *device, uint32_t warps)
{
    size_t fit = device->shared_bytes_per_sm / (shared_bytes(l, warps) + RESERVED);
    uint32_t most = l->warps_per_sm / warps;
    return fit > most ? most : (uint32_t)fit;
}

static double busy_warps(const pairs_layout *l, const ldpc_cuda_device *device, const uint32_t *stage_start,
                         uint32_t stages, uint32_t warps, size_t blocks)
{
    uint32_t resident = resident_blocks(l, device, warps), rounds = 0;
    for (uint32_t i = 0; i < stages; i++)
        rounds += (stage_start[i + 1] - stage_start[i] + warps - 1) / warps;
    return (double)(resident < blocks ? resident : blocks) * stage_start[stages] / (rounds ? rounds : 1);
}

static uint32_t choose_warps(const ldpc_plan *plan, const pairs_layout *l, const ldpc_cuda_device *device,
                             const uint32_t *stage_start, uint32_t stages)
{
    static const uint32_t choices[] = {1, 2, SMALL_BLOCK, 8, 16};
    size_t wave = (size_t)l->codewords * (size_t)device->sms;
    size_t blocks = plan->max_batch ? (plan->max_batch + wave - 1) / wave : SIZE_MAX;
    double best = 0;
    if (!device->warps)
        return 1;
    uint32_t warps = 1;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (32 * choices[i] > device->most_threads || shared_bytes(l, choices[i]) > device->shared_bytes)
            break;
        double busy = busy_warps(l, device, stage_start, stages, choices[i], blocks);
        if (choices[i] <= SMALL_BLOCK || busy > best) {
            best = busy;
            warps = choices[i];
        }
    }
    return warps;
}

static char *write_text(const ldpc_plan *plan, const pairs_layout *l, const table_parts *at, uint32_t stages,
                        uint32_t warps, uint32_t blocks)
{
    const ldpc_code *code = plan->code;
    ldpc_writer w = {0};
    ldpc_write(&w, "enum { P = %u, SUM = %d, FLOODING = %d, BUFFERS = %u };\n", code->nb->field.p,
               plan->algorithm == LDPC_ALGORITHM_MIN_SUM, plan->schedule == LDPC_SCHEDULE_FLOODING,
               l->buffers);
    ldpc_write(&w, "enum { HELD = %u, THREADS = %u, BLOCKS = %u };\n", l->held, 32 * warps, blocks);
    ldpc_write(&w, "#define WIDE %d\n#define FEW %d\n#define OTHERS %u\n", l->wide, l->few, l->others);
    ldpc_write(&w, "enum { COLUMNS = %u, K = %u, CHECKS = %u, EDGES = %zu, STAGES = %u };\n", code->columns,
               code->k, code->checks, code->edges, stages);
    ldpc_write(&w, "enum { ROW_START = %u, ROW_COLUMNS = %u, VARIABLE_START = %u, VARIABLE_EDGES = %u };\n",
               at->row_start, at->row_columns, at->variable_start, at->variable_edges);
    ldpc_write(&w, "enum { STAGE_START = %u, STAGE_CHECKS = %u, OTHER_EDGES = %u, MESSAGE_COLUMNS = %u };\n",
               at->stage_start, at->stage_checks, at->other_edges, at->message_columns);
    ldpc_write(&w, "enum { IMAGES = %u, COEFFICIENTS = %u, PRODUCTS = %u };\n", at->images, at->coefficients,
               at->products);
    ldpc_write(&w, "#define SCRATCH_BYTES %zuul\n%s", l->scratch_bytes, ldpc_cuda_text_nb_pairs);
    return ldpc_writer_end(&w);
}

static unsigned pairs_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    pairs_layout l = lay_out(plan, device);
    return plan->arithmetic == LDPC_ARITHMETIC_I8 &&
                   (plan->algorithm == LDPC_ALGORITHM_MIN_MAX || plan->algorithm == LDPC_ALGORITHM_MIN_SUM) &&
                   plan->code->max_variable_degree <= MOST_VARIABLE_DEGREE &&
                   shared_bytes(&l, 1) <= device->shared_bytes
               ? LDPC_CUDA_LEAST_THREADS
               : 0;
}

static ldpc_status pairs_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                              ldpc_cuda_program *program)
{
    pairs_layout l = lay_out(plan, device);
    table_parts at = lay_out_table(plan->code, &l);
    program->table_words = at.end;
    program->table = ldpc_allocate(at.end, sizeof *program->table);
    uint32_t stages = program->table ? write_table(plan, &l, &at, program->table) : 0;
    if (!stages)
        return LDPC_ERR_MEMORY;
    uint32_t warps = choose_warps(plan, &l, device, program->table + at.stage_start, stages);
    uint32_t blocks = resident_blocks(&l, device, warps);
    program->source = write_text(plan, &l, &at, stages, warps, blocks ? blocks : 1);
    program->threads = 32 * warps;
    program->codewords = l.codewords;
    program->shared_bytes = shared_bytes(&l, warps);
    program->scratch_bytes = l.scratch_bytes;
    return program->source ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_nb_pairs = {
    .name = "pairs",
    .nonbinary = true,
    .compiled = true,
    .opencl = true,
    .least_threads = pairs_least_threads,
    .make = pairs_make,
};
