/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout of the kernel "chip": threads, and parity checks of each pass (chip.h). */
#include <stdlib.h>

#include "cuda/kernels/chip.h"
#include "base/memory.h"
#include "cuda/kernels/stages.h"
#include "cuda/kernels/half_rule.h"

enum {
    /* If a listed check has more than LONG_DEGREE edges, a multiprocessor has at most FEW_THREADS threads. */
    LONG_DEGREE = 32,
    HUGE_DEGREE = 64, /* LONG_DEGREE for circulants */
    FEW_THREADS = 384,
    /* If most edges belong to checks with more than WIDE_DEGREE edges, a multiprocessor has at most
     * WIDE_THREADS threads. */
    WIDE_DEGREE = 20,
    WIDE_THREADS = 512,
    PASS_BYTES = 20,
    EDGE_BYTES = 8,
    MAX_PAIRS = 128,
    MAX_PLACES = 65536,
    CIRCULANT = 256,
    REGISTERS = 65536,
    FEW_REGISTERS = 50,
};

void ldpc_chip_free(ldpc_chip *c)
{
    free(c->degree);
    free(c->place);
    free(c->layers);
    free(c->checks);
    free(c->passes);
}

uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    return block->group * code->z + (lane + block->shift) % code->z;
}

const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check)
{
    return code->blocks + code->layer_start[check / code->z];
}

const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check)
{
    return code->blocks + code->layer_start[check / code->z + 1];
}

static void count_degrees(ldpc_chip *c)
{
    for (uint32_t check = 0; check < c->code->checks; check++) {
        const ldpc_block *end = ldpc_chip_end_block(c->code, check);
        for (const ldpc_block *b = ldpc_chip_first_block(c->code, check); b < end; b++)
            if (b->missing_lane != check % c->code->z)
                c->degree[ldpc_chip_column(c->code, b, check % c->code->z)]++;
    }
}

/* ---- listed or computed places */

static bool is_leaf_block(const ldpc_chip *c, const ldpc_block *block)
{
    for (uint32_t lane = 0; lane < c->code->z; lane++)
        if (c->degree[block->group * c->code->z + lane] != 1)
            return false;
    return true;
}

static bool describe_layer(const ldpc_chip *c, uint32_t layer, ldpc_chip_layer *found)
{
    uint32_t missing = 0;
    for (uint32_t i = c->code->layer_start[layer]; i < c->code->layer_start[layer + 1]; i++) {
        const ldpc_block *block = &c->code->blocks[i];
        if (block->missing_lane < c->code->z) {
            found->missing_edge = block;
            missing++;
        }
        if (!found->leaf && is_leaf_block(c, block))
            found->leaf = block;
    }
    return missing <= 1 && (!found->missing_edge || found->missing_edge != found->leaf);
}

static size_t edge_bytes(const ldpc_code *code, uint32_t pass_checks)
{
    uint32_t parts = (code->z + pass_checks - 1) / pass_checks;
    return EDGE_BYTES * ((size_t)parts * (code->layer_start[code->layers] + code->layers) + 1);
}

static bool has_circulants(ldpc_chip *c)
{
    bool ok = c->code->z >= CIRCULANT && edge_bytes(c->code, FEW_THREADS) <= LDPC_CUDA_CONSTANT_BYTES / 2;
    for (uint32_t l = 0; l < c->code->layers && ok; l++)
        ok = describe_layer(c, l, &c->layers[l]);
    return ok;
}

/* ---- checks */

static ldpc_chip_check lane_of_layer(const ldpc_chip *c, uint32_t check, uint32_t stage)
{
    const ldpc_block *leaf = c->layers[check / c->code->z].leaf;
    return (ldpc_chip_check){
        .stage = stage,
        .degree = (uint32_t)(ldpc_chip_end_block(c->code, check) - ldpc_chip_first_block(c->code, check)),
        .leaf = leaf ? ldpc_chip_column(c->code, leaf, check % c->code->z) : CHIP_NONE,
        .number = check,
    };
}

static ldpc_chip_check listed_check(const ldpc_chip *c, uint32_t check, uint32_t stage)
{
    ldpc_chip_check found = {.stage = stage, .leaf = CHIP_NONE, .number = check};
    const ldpc_block *end = ldpc_chip_end_block(c->code, check);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, check); b < end; b++) {
        uint32_t lane = check % c->code->z, column = ldpc_chip_column(c->code, b, lane);
        found.degree += b->missing_lane != lane;
        if (b->missing_lane != lane && c->degree[column] == 1)
            found.leaf = column;
    }
    return found;
}

static int compare_checks(const void *a, const void *b)
{
    const ldpc_chip_check *p = a, *q = b;
    if (p->stage != q->stage)
        return p->stage < q->stage ? -1 : 1;
    if (p->degree != q->degree)
        return p->degree > q->degree ? -1 : 1;
    if ((p->leaf == CHIP_NONE) != (q->leaf == CHIP_NONE))
        return p->leaf == CHIP_NONE ? -1 : 1;
    return p->number < q->number ? -1 : 1;
}

static void list_layer(ldpc_chip *c, uint32_t layer, uint32_t stage)
{
    for (uint32_t lane = 0; lane < c->code->z; lane++) {
        uint32_t check = layer * c->code->z + lane;
        ldpc_chip_check found =
            c->circulants ? lane_of_layer(c, check, stage) : listed_check(c, check, stage);
        c->most_degree = found.degree > c->most_degree ? found.degree : c->most_degree;
        if (found.degree)
            c->checks[c->n_checks++] = found;
    }
}

static void list_checks(ldpc_chip *c, const ldpc_cuda_stages *stages)
{
    for (uint32_t s = 0; s < stages->count; s++)
        for (uint32_t i = stages->stage[s].first; i < stages->stage[s].end; i++)
            list_layer(c, stages->order[i], s);
    qsort(c->checks, c->n_checks, sizeof *c->checks, compare_checks);
}

static void number_places(ldpc_chip *c)
{
    for (uint32_t r = 0; r < c->n_checks; r++)
        if (c->checks[r].leaf != CHIP_NONE)
            c->place[c->checks[r].leaf] = CHIP_NONE;
    for (uint32_t p = 0; p < c->code->columns; p++)
        if (c->place[p] != CHIP_NONE)
            c->place[p] = c->places++;
}

/* ---- passes */

static bool go_together(const ldpc_chip *c, const ldpc_chip_check *a, const ldpc_chip_check *b)
{
    if (c->circulants)
        return a->number / c->code->z == b->number / c->code->z;
    return a->stage == b->stage && a->degree == b->degree && (a->leaf == CHIP_NONE) == (b->leaf == CHIP_NONE);
}

static uint32_t cut_passes(const ldpc_chip *c, uint32_t pass_checks, ldpc_chip_pass *passes)
{
    uint32_t count = 0;
    for (uint32_t first = 0, end; first < c->n_checks; first = end) {
        const ldpc_chip_check *check = &c->checks[first];
        for (end = first + 1;
             end < c->n_checks && end < first + pass_checks && go_together(c, check, &c->checks[end]);)
            end++;
        if (passes)
            passes[count] = (ldpc_chip_pass){
                .first = first,
                .checks = end - first,
                .degree = check->degree,
                .leaf = check->leaf != CHIP_NONE,
                .missing_edge = c->circulants && c->layers[check->number / c->code->z].missing_edge,
                .barrier = end == c->n_checks || c->checks[end].stage != check->stage,
            };
        count++;
    }
    return count;
}

static bool is_wide(const ldpc_chip *c)
{
    uint32_t wide = 0, all = 0;
    for (uint32_t r = 0; r < c->n_checks; r++) {
        bool is = c->checks[r].degree > WIDE_DEGREE && c->checks[r].degree <= LONG_DEGREE;
        wide += is ? c->checks[r].degree : 0;
        all += c->checks[r].degree;
    }
    return 2 * wide > all;
}

typedef struct chip_shape {
    uint32_t threads, blocks;
} chip_shape;

static bool fits_shared_memory(const ldpc_chip *c, chip_shape shape, uint32_t pairs,
                               const ldpc_cuda_device *device)
{
    size_t bytes = 4 * (size_t)c->places * pairs + LDPC_CHIP_RESERVED;
    return bytes <= device->shared_bytes && bytes * shape.blocks <= device->shared_bytes_per_sm &&
           c->places * (size_t)pairs <= MAX_PLACES;
}

static bool has_registers(const ldpc_chip *c, chip_shape shape)
{
    uint32_t threads = shape.threads * shape.blocks;
    return (threads <= WIDE_THREADS || !is_wide(c)) &&
           (threads <= FEW_THREADS || c->most_degree <= (c->circulants ? HUGE_DEGREE : LONG_DEGREE));
}

static double score_of(const ldpc_chip *c, chip_shape shape, uint32_t pairs, const ldpc_cuda_device *device)
{
    uint32_t pass_checks = shape.threads / pairs, codewords = pairs * shape.blocks;
    if (!fits_shared_memory(c, shape, pairs, device) || !has_registers(c, shape))
        return 0;
    uint32_t passes = cut_passes(c, pass_checks, NULL);
    size_t edges = c->circulants ? edge_bytes(c->code, pass_checks) : 0;
    if (PASS_BYTES * (passes + (size_t)1) + edges > LDPC_CUDA_CONSTANT_BYTES)
        return 0;
    double score = (double)c->n_checks / pass_checks / passes * shape.threads * shape.blocks;
    for (; codewords > 1; codewords /= 2)
        score *= 0.8;
    return score;
}

static bool choose_shape(ldpc_chip *c, const ldpc_cuda_device *device)
{
    static const chip_shape shapes[] = {
        {384, 1},
        {512, 1},
        {256, 2},
        {128, 4},
        {384, 2},
        {768, 1}
    };
    double best = 0;
    for (uint32_t pairs = 1; pairs <= MAX_PAIRS; pairs *= 2)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            double score = score_of(c, shapes[i], pairs, device);
            if (score > 1.1 * best) {
                best = score;
                c->threads = shapes[i].threads;
                c->blocks = shapes[i].blocks;
                c->pairs = pairs;
            }
        }
    if (best == 0)
        return false;
    c->pass_checks = c->threads / c->pairs;
    return true;
}

uint32_t ldpc_chip_register_edges(const ldpc_chip *c)
{
    return (REGISTERS / (c->threads * c->blocks) - FEW_REGISTERS) / 2;
}

static bool are_twins(const ldpc_chip *c, const ldpc_chip_pass *a, const ldpc_chip_pass *b)
{
    return !a->barrier && !a->twin_degree && a->leaf && b->leaf && !a->missing_edge && !b->missing_edge &&
           a->checks == c->code->z && b->checks == a->checks &&
           a->degree + b->degree <= ldpc_chip_register_edges(c);
}

static void join_twins(ldpc_chip *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->n_passes; i++) {
        ldpc_chip_pass *before = count ? &c->passes[count - 1] : NULL;
        if (before && are_twins(c, before, &c->passes[i])) {
            before->twin_degree = c->passes[i].degree;
            before->barrier = c->passes[i].barrier;
        } else {
            c->passes[count++] = c->passes[i];
        }
    }
    c->n_passes = count;
}

static bool make_passes(ldpc_chip *c)
{
    c->n_passes = cut_passes(c, c->pass_checks, NULL);
    c->passes = ldpc_allocate(c->n_passes, sizeof *c->passes);
    if (!c->passes)
        return false;
    cut_passes(c, c->pass_checks, c->passes);
    if (c->circulants)
        join_twins(c);
    return true;
}

/* ---- the layout */

static bool is_possible(const ldpc_plan *plan)
{
    const ldpc_code *code = plan->code;
    if (plan->schedule != LDPC_SCHEDULE_LAYERED || plan->arithmetic == LDPC_ARITHMETIC_FLOAT ||
        code->checks > UINT16_MAX)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        if (code->layer_start[l + 1] - code->layer_start[l] > LDPC_CHIP_MAX_DEGREE)
            return false;
    return code->layer_start[code->layers] > 0;
}

static bool allocate(ldpc_chip *c)
{
    c->degree = ldpc_allocate(c->code->columns, sizeof *c->degree);
    c->place = ldpc_allocate(c->code->columns, sizeof *c->place);
    c->layers = ldpc_allocate(c->code->layers, sizeof *c->layers);
    c->checks = ldpc_allocate(c->code->checks, sizeof *c->checks);
    return c->degree && c->place && c->layers && c->checks;
}

static ldpc_status lay_out(ldpc_chip *c, const ldpc_cuda_stages *stages, const ldpc_cuda_device *device)
{
    if (c->code->max_occurrence)
        return LDPC_ERR_UNSUPPORTED;
    if (!allocate(c))
        return LDPC_ERR_MEMORY;
    count_degrees(c);
    c->circulants = has_circulants(c);
    c->i8 = c->plan->arithmetic == LDPC_ARITHMETIC_I8;
    const ldpc_rule rule = ldpc_plan_rule(c->plan);
    c->wide = !c->i8 && !ldpc_half_is_exact(c->code, &rule);
    list_checks(c, stages);
    number_places(c);
    if (!choose_shape(c, device))
        return LDPC_ERR_UNSUPPORTED;
    if (!make_passes(c))
        return LDPC_ERR_MEMORY;
    size_t share = device->shared_bytes_per_sm / c->blocks;
    share = share < device->shared_bytes ? share : device->shared_bytes;
    return ldpc_chip_place_messages(c, share - LDPC_CHIP_RESERVED) ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_cuda_stages stages = {0};
    *c = (ldpc_chip){.plan = plan, .code = plan->code};
    if (!is_possible(plan))
        return LDPC_ERR_UNSUPPORTED;
    ldpc_status status =
        ldpc_cuda_stages_make(plan->code, &stages) ? lay_out(c, &stages, device) : LDPC_ERR_MEMORY;
    ldpc_cuda_stages_free(&stages);
    return status;
}
