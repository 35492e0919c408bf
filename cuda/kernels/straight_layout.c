/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory layout and barriers of the kernel "straight" (straight.h). */
#include "cuda/kernels/straight.h"

#include <stdlib.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "cuda/kernels/split_layers.h"

enum {
    /* With more edges, the generated code exceeds the instruction cache. */
    MAX_EDGES = 640,
    MAX_CHECKS = UINT16_MAX,
    MAX_THREADS = 512,
    MOST_UNPACKED = 100,
    /* A thread has 255 registers, or 168 registers in a block of 384 threads. */
    REGISTER_PACKS = 90,
    MORE_PACKS = 128,
    OTHER_REGISTERS = 40, /* registers beside messages */
    REGISTERS_PER_SM = 65536,
    FEW_COLUMNS = 20,
    FEW_WARPS = 4,
    FEW_BLOCKS = 2,
    MOST_DEFERRED = 6,
    MOST_BLOCKS = 8,
    MANY_THREADS = 256,
    MOST_PAIRS = 32,
    MAX_CHANNEL = 128,
    I8_BIAS = 128, /* makes i8 posteriors nonnegative */
};

static bool copy_edges(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    s->edge_count = code->layer_start[code->layers];
    s->edges = ldpc_allocate(s->edge_count, sizeof *s->edges);
    s->columns = ldpc_allocate(code->groups, sizeof *s->columns);
    s->barrier = ldpc_allocate(code->layers, sizeof *s->barrier);
    if (!s->edges || !s->columns || !s->barrier)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t e = code->layer_start[l]; e < code->layer_start[l + 1]; e++) {
            const ldpc_block *b = &code->blocks[e];
            s->edges[e] = (ldpc_straight_edge){.layer = l,
                                               .index = e - code->layer_start[l],
                                               .group = b->group,
                                               .shift = b->shift,
                                               .missing_lane = b->missing_lane,
                                               .occurrence = b->occurrence};
        }
    return true;
}

static bool link_columns(ldpc_straight *s)
{
    uint32_t *before = ldpc_allocate(s->edge_count, sizeof *before),
             *next = ldpc_allocate(s->edge_count, sizeof *next);
    bool ok = before && next && ldpc_code_link_blocks(s->code, before, next);
    for (uint32_t e = 0; ok && e < s->edge_count; e++) {
        ldpc_straight_edge *edge = &s->edges[e];
        ldpc_straight_column *column = &s->columns[edge->group];
        edge->before = before[e];
        edge->next = next[e];
        if (column->degree++ == 0)
            column->first = e;
    }
    free(before);
    free(next);
    return ok;
}

static ldpc_straight_storage choose_storage(const ldpc_straight *s, uint32_t group)
{
    const ldpc_straight_column *c = &s->columns[group];
    bool plain = true;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        const ldpc_straight_edge *edge = &s->edges[e];
        if (edge->group == group && (edge->shift != s->edges[c->first].shift ||
                                     edge->missing_lane != LDPC_NO_LANE || edge->occurrence))
            plain = false;
    }
    if (!plain || c->degree == 0)
        return LDPC_STORAGE_SHARED;
    if (c->degree > 2 || s->i8) /* i8 must saturate the posterior */
        return LDPC_STORAGE_REGISTER;
    if (c->degree == 2)
        return LDPC_STORAGE_TWO_EDGES;
    if (!s->leaves_have_no_room)
        return LDPC_STORAGE_LEAF;
    return s->early_stop ? LDPC_STORAGE_REGISTER : LDPC_STORAGE_INPUT;
}

static void choose_carried(ldpc_straight *s, uint32_t group)
{
    const ldpc_straight_column *c = &s->columns[group];
    uint32_t e = c->first;
    for (uint32_t i = 0; i < c->degree; i++, e = s->edges[e].next) {
        ldpc_straight_edge *edge = &s->edges[e], *next = &s->edges[edge->next];
        bool repeated = edge->occurrence || next->occurrence || s->edges[next->next].occurrence ||
                        edge->missing_lane != LDPC_NO_LANE || next->missing_lane != LDPC_NO_LANE;
        edge->carried = edge->shift == next->shift && !repeated && c->degree > 1 &&
                        !(s->early_stop && edge->next == c->first);
    }
}

static void choose_columns(ldpc_straight *s)
{
    for (uint32_t g = 0; g < s->code->groups; g++) {
        ldpc_straight_column *c = &s->columns[g];
        c->storage = choose_storage(s, g);
        if (c->storage == LDPC_STORAGE_SHARED)
            choose_carried(s, g);
    }
}

/* ---- messages and registers */

static bool has_channel(const ldpc_straight *s, const ldpc_cuda_positions *positions, uint32_t group)
{
    const int32_t *source = positions->source + ldpc_straight_position(s, group);
    for (uint32_t i = 0; i < s->code->z; i++)
        if (source[i * s->parts] != LDPC_CUDA_UNKNOWN)
            return true;
    return false;
}

/* Returns false if out of memory. */
static bool find_largest_posterior(const ldpc_straight *s, uint32_t *most)
{
    ldpc_cuda_positions positions;
    if (ldpc_cuda_positions_make(s->plan->code, &positions))
        return false;
    *most = 0;
    for (uint32_t g = 0; g < s->code->groups; g++) {
        uint32_t channel = has_channel(s, &positions, g) ? MAX_CHANNEL : 0;
        uint32_t reached = channel + s->columns[g].degree * (uint32_t)s->rule.max_msg;
        *most = reached > *most ? reached : *most;
    }
    ldpc_cuda_positions_free(&positions);
    return true;
}

static uint32_t count_messages(ldpc_straight *s)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_straight_storage storage = s->columns[s->edges[e].group].storage;
        s->edges[e].has_message = storage != LDPC_STORAGE_LEAF && storage != LDPC_STORAGE_INPUT;
        count += s->edges[e].has_message;
    }
    return count;
}

static void number_messages(ldpc_straight *s)
{
    uint32_t layer = 0, half = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_straight_edge *edge = &s->edges[e];
        if (edge->layer != layer && half) {
            s->packs++;
            half = 0;
        }
        layer = edge->layer;
        if (!edge->has_message)
            continue;
        edge->pack = s->packs;
        edge->half = half;
        half = s->packed ? !half : 0;
        s->packs += !half;
    }
    s->packs += half;
}

static void choose_registers(ldpc_straight *s)
{
    uint32_t columns = 0, most = REGISTER_PACKS;
    for (uint32_t g = 0; g < s->code->groups; g++)
        columns +=
            s->columns[g].storage == LDPC_STORAGE_REGISTER || s->columns[g].storage == LDPC_STORAGE_TWO_EDGES;
    if (columns > FEW_COLUMNS)
        most = columns - FEW_COLUMNS < most ? most - (columns - FEW_COLUMNS) : 1;
    s->register_packs = s->packs < most ? s->packs : most;
}

/* Minimises idle threads. */
static void choose_pairs(ldpc_straight *s, uint32_t most_threads)
{
    uint32_t z = s->code->z, best = 0;
    uint32_t most = most_threads < MANY_THREADS ? most_threads : MANY_THREADS;
    for (uint32_t pairs = 1; pairs == 1 || (pairs * z <= most && pairs <= s->most_pairs); pairs++) {
        uint32_t threads = (pairs * z + 31) / 32 * 32;
        uint32_t use = 1000 * pairs * z / threads;
        if (use > best + 10) { /* at least 1 % better */
            best = use;
            s->pairs = pairs;
            s->threads = threads;
        }
    }
}

static void choose_pace(ldpc_straight *s)
{
    uint32_t z = s->code->z;
    s->most_mirrors = s->i8 || s->extrinsic || z % 32 || z <= FEW_WARPS * 32 ? z : z / 6;
    s->most_deferred = s->min_blocks <= FEW_BLOCKS ? MOST_DEFERRED : 0;
}

static void choose_deferred(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    for (uint32_t l = 0; l + 1 < code->layers && !s->extrinsic; l++) {
        uint32_t count = 0;
        for (uint32_t e = code->layer_start[l + 1]; e-- > code->layer_start[l];) {
            ldpc_straight_edge *edge = &s->edges[e], *next = &s->edges[edge->next];
            bool repeated = edge->occurrence || next->occurrence || edge->missing_lane != LDPC_NO_LANE;
            edge->deferred = !repeated && next->layer != l + 1 && count < s->most_deferred;
            count += edge->deferred;
        }
    }
}

static bool choose_barriers(ldpc_straight *s)
{
    uint8_t *write = ldpc_allocate(s->edge_count, sizeof *write);
    for (uint32_t e = 0; write && e < s->edge_count; e++) {
        const ldpc_straight_edge *edge = &s->edges[e];
        bool shared = s->columns[edge->group].storage == LDPC_STORAGE_SHARED;
        write[e] = !shared ? LDPC_BLOCK_KEEPS : edge->deferred ? LDPC_BLOCK_WRITES_LATER : LDPC_BLOCK_WRITES;
    }
    bool ok = write && ldpc_code_find_barriers(s->code, write, s->barrier);
    free(write);
    return ok;
}

static bool is_written_early(const ldpc_straight *s, const ldpc_straight_edge *edge)
{
    const ldpc_straight_edge *from = edge;
    ldpc_straight_storage storage = s->columns[edge->group].storage;
    if (storage == LDPC_STORAGE_LEAF || storage == LDPC_STORAGE_INPUT)
        return true;
    while (from->occurrence)
        from = &s->edges[from->before];
    from = &s->edges[from->before];
    if (storage != LDPC_STORAGE_SHARED || from->carried || edge->missing_lane != LDPC_NO_LANE)
        return false;
    for (uint32_t l = from->layer + from->deferred; l + 1 < edge->layer; l++)
        if (s->barrier[l])
            return true;
    return from->layer >= edge->layer;
}

static void choose_early(ldpc_straight *s)
{
    for (uint32_t e = 0; e < s->edge_count; e++) {
        ldpc_straight_edge *edge = &s->edges[e];
        edge->early = edge->layer > 0 && s->barrier[edge->layer - 1] && is_written_early(s, edge);
    }
}

static void choose_memory(ldpc_straight *s)
{
    const ldpc_code *code = s->code;
    size_t messages = (size_t)(s->packs - s->register_packs) * s->pairs * code->z;
    size_t work = (4 * ((size_t)s->pair_u32 * s->pairs + messages) + 15) / 16 * 16;
    s->bits_bytes = ((size_t)code->columns + 15) / 16 * 16;
    size_t bits = 2 * s->pairs * s->bits_bytes;
    s->bits_at = s->early_stop ? work : 0;
    s->counters_at = s->early_stop ? work + bits : work > bits ? work : bits;
    s->shared_bytes = s->counters_at + 4 * (size_t)s->pairs;
}

static void choose_layout(ldpc_straight *s, const ldpc_cuda_device *device)
{
    enum { BLOCK_OVERHEAD = 1024 };
    s->frames = true;
    ldpc_straight_place_columns(s);
    choose_memory(s);
    if (s->shared_bytes <= device->shared_bytes &&
        s->min_blocks * (s->shared_bytes + BLOCK_OVERHEAD) <= device->shared_bytes_per_sm)
        return;
    s->frames = false;
    ldpc_straight_place_columns(s);
    choose_memory(s);
    while (s->shared_bytes > device->shared_bytes && s->register_packs < s->packs &&
           s->register_packs < (s->leaves_have_no_room ? MORE_PACKS : REGISTER_PACKS)) {
        s->register_packs++;
        choose_memory(s);
    }
}

static uint32_t parts_of(const ldpc_code *code)
{
    uint32_t parts = 1;
    while (code->z / parts > MAX_THREADS || code->z % parts)
        parts++;
    return parts;
}

static bool shape_fits(const ldpc_plan *plan)
{
    const ldpc_code *code = plan->code;
    return plan->schedule == LDPC_SCHEDULE_LAYERED && plan->arithmetic != LDPC_ARITHMETIC_FLOAT &&
           code->z > 1 && code->checks <= MAX_CHECKS &&
           (size_t)code->layer_start[code->layers] * parts_of(code) <= MAX_EDGES;
}

static bool code_fits(const ldpc_code *code)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        if (degree < 2 || degree > LDPC_STRAIGHT_MAX_DEGREE)
            return false;
    }
    return true;
}

uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group)
{
    return group / s->parts * s->parts * s->code->z + group % s->parts;
}

void ldpc_straight_free(ldpc_straight *s)
{
    ldpc_split_layers_free(s->split);
    free(s->edges);
    free(s->columns);
    free(s->barrier);
    *s = (ldpc_straight){0};
}

/* Returns false if out of memory. */
static bool choose_all(ldpc_straight *s, const ldpc_cuda_device *device)
{
    number_messages(s);
    choose_registers(s);
    choose_pairs(s, device->most_threads);
    s->min_blocks = REGISTERS_PER_SM / (s->threads * (s->register_packs + OTHER_REGISTERS));
    s->min_blocks = s->min_blocks < 1 ? 1 : s->min_blocks > MOST_BLOCKS ? MOST_BLOCKS : s->min_blocks;
    s->wave_codewords = 2 * s->pairs * s->min_blocks * (uint32_t)device->sms;
    choose_pace(s);
    choose_deferred(s);
    if (!choose_barriers(s))
        return false;
    choose_early(s);
    choose_layout(s, device);
    return true;
}

static ldpc_status lay_out(ldpc_straight *s, const ldpc_cuda_device *device)
{
    uint32_t limit;
    if (!copy_edges(s) || !link_columns(s))
        return LDPC_ERR_MEMORY;
    choose_columns(s);
    if (!find_largest_posterior(s, &limit))
        return LDPC_ERR_MEMORY;
    uint32_t messages = count_messages(s);
    s->packed = messages > MOST_UNPACKED;
    s->extrinsic = ldpc_straight_extrinsic(&s->rule, &s->soft_offset);
    s->message_bias = s->packed ? ldpc_half_message_bias(&s->rule, s->i8) : 0;
    s->bias = s->message_bias + (s->i8 ? I8_BIAS : s->soft_offset);
    if (!choose_all(s, device))
        return LDPC_ERR_MEMORY;
    bool exact = s->i8 || limit + (uint32_t)(s->soft_offset + s->message_bias) <= LDPC_I16_LIMIT;
    return exact && messages && s->shared_bytes <= device->shared_bytes ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

static ldpc_status lay_out_with(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device,
                                uint32_t most_pairs, bool leaves_have_no_room)
{
    *s = (ldpc_straight){.plan = plan,
                         .most_pairs = most_pairs,
                         .leaves_have_no_room = leaves_have_no_room,
                         .code = plan->code,
                         .rule = ldpc_plan_rule(plan),
                         .i8 = plan->arithmetic == LDPC_ARITHMETIC_I8,
                         .early_stop = plan->early_stop,
                         .cpu = device->cpu};
    if (!shape_fits(plan) || !code_fits(plan->code))
        return LDPC_ERR_UNSUPPORTED;
    s->parts = parts_of(plan->code);
    if (s->parts > 1 && !ldpc_can_split_layers(plan->code, s->parts))
        return LDPC_ERR_UNSUPPORTED;
    if (s->parts > 1 && !(s->code = s->split = ldpc_split_layers(plan->code, s->parts)))
        return LDPC_ERR_MEMORY;
    ldpc_status status = lay_out(s, device);
    if (status)
        ldpc_straight_free(s);
    return status;
}

ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_status status = lay_out_with(s, plan, device, MOST_PAIRS, false);
    if (!device->opencl)
        return status;
    if (status == LDPC_ERR_UNSUPPORTED)
        return lay_out_with(s, plan, device, MOST_PAIRS, true);
    if (status || s->frames || s->pairs == 1)
        return status;
    ldpc_straight_free(s);
    status = lay_out_with(s, plan, device, 1, false);
    if (status || s->frames)
        return status;
    ldpc_straight_free(s);
    return lay_out_with(s, plan, device, MOST_PAIRS, false);
}
