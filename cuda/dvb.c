/* SPDX-License-Identifier: BSD-3-Clause */
/* The row "dvb": writes what dvb.cuh needs in front of it, the layout for the GPU and the table of its edges.
 */
#include <stdlib.h>
#include <string.h>

#include "code/memory.h"
#include "straight.h"

enum {
    Z = 360,
    THREADS = 384,
    UNROLL = 3,          /* layers of one turn of the loop */
    REGISTER_WORDS = 90, /* of messages in a thread */
    MIN_BITS = 32400,    /* shorter codes fit the straight-line kernel */
    RESERVED = 64,       /* bytes of shared memory for counters */
};

typedef struct dvb_layout {
    uint32_t info_groups, layers, degree; /* degree: information bits of a row */
    uint32_t repeats, most;               /* most repeated edges of a layer, most occurrences - 1 */
    uint32_t straight, in_registers, loop_shared;
    size_t shared_bytes, scratch_bytes;
} dvb_layout;

static bool is_block(const ldpc_block *block, uint32_t group, uint32_t shift, uint32_t absent)
{
    return block->group == group && block->shift == shift && block->absent == absent;
}

/* Does the layer end in the two accumulator blocks, in either order, and have `degree` information blocks? */
static bool is_accumulator_layer(const ldpc_code *code, uint32_t layer, uint32_t info_groups, uint32_t degree)
{
    const ldpc_block *blocks = code->blocks + code->layer_start[layer];
    uint32_t count = code->layer_start[layer + 1] - code->layer_start[layer], info = 0, own = 0, before = 0;
    uint32_t last = info_groups + code->layers - 1;
    for (uint32_t i = 0; i < count; i++) {
        if (blocks[i].group < info_groups)
            info += blocks[i].absent == LDPC_NO_LANE;
        else if (is_block(&blocks[i], info_groups + layer, 0, LDPC_NO_LANE))
            own++;
        else if (layer ? is_block(&blocks[i], info_groups + layer - 1, 0, LDPC_NO_LANE)
                       : is_block(&blocks[i], last, Z - 1, 0))
            before++;
    }
    return count == degree + 2 && info == degree && own == 1 && before == 1;
}

static uint32_t occurrence(const ldpc_code *code, uint32_t layer, uint32_t block)
{
    uint32_t earlier = 0;
    for (uint32_t b = code->layer_start[layer]; b < block; b++)
        earlier += code->blocks[b].group == code->blocks[block].group;
    return earlier;
}

static void find_repeats(const ldpc_code *code, dvb_layout *d)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t repeats = 0;
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t again = occurrence(code, l, b);
            repeats += again > 0;
            d->most = again > d->most ? again : d->most;
        }
        d->repeats = repeats > d->repeats ? repeats : d->repeats;
    }
}

/* Messages of as many layers as possible stay on the chip: in registers, then in what is left of shared
 * memory. */
static bool lay_out(dvb_layout *d, const ldpc_cuda_device *device)
{
    uint32_t words = (d->degree + 2) / 2;
    size_t layer_bytes = (size_t)words * Z * 4, base = 4 * ((size_t)d->info_groups * Z + 2 * Z);
    if (base + RESERVED > device->shared_bytes || d->layers % UNROLL || d->layers < 9)
        return false;
    uint32_t room = (uint32_t)((device->shared_bytes - RESERVED - base) / layer_bytes);
    d->in_registers = REGISTER_WORDS / words / UNROLL * UNROLL;
    if (d->in_registers > d->layers - 2 * UNROLL)
        d->in_registers = d->layers - 2 * UNROLL;
    uint32_t turns = (d->layers - d->in_registers) / UNROLL;
    d->loop_shared = room / turns < 2 ? room / turns : 2;
    d->straight = d->in_registers;
    if (!d->loop_shared)
        d->straight += room / UNROLL * UNROLL;
    turns = (d->layers - d->straight) / UNROLL;
    uint32_t shared = d->straight - d->in_registers + turns * d->loop_shared,
             global = turns * (UNROLL - d->loop_shared);
    d->shared_bytes = base + shared * layer_bytes;
    d->scratch_bytes = 4 * ((size_t)(global + 2) * words * THREADS + (d->layers + 4) * THREADS / 2 +
                            (size_t)d->layers * THREADS);
    return d->straight >= 2 && d->in_registers >= 2;
}

static bool plan_fits(const ldpc_plan *plan)
{
    const ldpc_code *code = plan->code;
    return plan->schedule == LDPC_SCHEDULE_LAYERED && plan->arithmetic == LDPC_ARITHMETIC_I16 &&
           code->z == Z && code->columns >= MIN_BITS && code->n == code->columns &&
           code->groups > code->layers && code->layer_start[1] > 2;
}

static bool dvb_layout_make(const ldpc_plan *plan, const ldpc_cuda_device *device, dvb_layout *d)
{
    const ldpc_code *code = plan->code;
    *d = (dvb_layout){0};
    if (!plan_fits(plan))
        return false;
    d->info_groups = code->groups - code->layers;
    d->layers = code->layers;
    d->degree = code->layer_start[1] - 2;
    for (uint32_t l = 0; l < code->layers; l++)
        if (!is_accumulator_layer(code, l, d->info_groups, d->degree))
            return false;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->sent[i] == LDPC_NO_COLUMN)
            return false;
    find_repeats(code, d);
    return d->repeats <= 15 && d->most <= 3 && d->repeats < d->degree && lay_out(d, device);
}

/* Threads meet after a layer when the next one has a column of those since they met last. */
static void find_barriers(const ldpc_code *code, uint32_t info_groups, bool *touched, bool *barrier)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        const ldpc_block *begin = code->blocks + code->layer_start[l],
                         *end = code->blocks + code->layer_start[l + 1];
        bool meets = false;
        for (const ldpc_block *b = begin; b < end; b++)
            meets |= touched[b->group];
        if (meets) {
            barrier[l - 1] = true;
            memset(touched, 0, code->groups * sizeof *touched);
        }
        for (const ldpc_block *b = begin; b < end; b++)
            touched[b->group] |= b->group < info_groups;
    }
    barrier[code->layers - 1] = true;
}

/* Information edges of a layer, those that repeat a column last; every entry has the flags of its layer. */
static void write_layer(ldpc_writer *w, const ldpc_code *code, const dvb_layout *d, uint32_t l, bool barrier)
{
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], flags = barrier ? 1u << 31 : 0,
             repeats = 0;
    for (uint32_t b = first; b < end; b++)
        repeats += occurrence(code, l, b) > 0;
    uint32_t at = d->repeats - repeats;
    for (uint32_t again = 1; again <= d->most; again++)
        for (uint32_t b = first; b < end; b++)
            if (occurrence(code, l, b) == again)
                flags |= again << 2 * at++;
    for (uint32_t again = 0; again <= d->most; again++)
        for (uint32_t b = first; b < end; b++) {
            const ldpc_block *block = &code->blocks[b];
            if (block->group < d->info_groups && occurrence(code, l, b) == again)
                ldpc_write(w, "{%uu,%uu,%uu,%uu},", 4 * block->shift, 4 * block->shift - 4 * Z,
                           block->group * 4 * Z, flags);
        }
}

static char *dvb_text(const ldpc_plan *plan, const dvb_layout *d, const bool *barrier)
{
    ldpc_writer w = {0};
    ldpc_rule rule = ldpc_plan_rule(plan);
    ldpc_write(&w, "%s%s%s", ldpc_cuda_text_args, ldpc_cuda_text_half, ldpc_cuda_text_lanes);
    ldpc_write(
        &w,
        "#define GI %u\n#define QL %u\n#define DI %u\n#define ND %u\n#define MAXSUB %u\n#define XST %u\n"
        "#define XRG %u\n#define UNR %u\n#define USM %u\n#define EARLY_STOP %d\n",
        d->info_groups, d->layers, d->degree, d->repeats, d->most, d->straight, d->in_registers, UNROLL,
        d->loop_shared, plan->early_stop);
    ldpc_write(&w, "F void rule(u32 u,u32 hi,u32&r1,u32&r2)\n{\n");
    ldpc_straight_rule(&w, &rule);
    ldpc_write(&w, "  r1=m1; r2=m2;\n}\n#define TABLE {");
    for (uint32_t l = 0; l < d->layers; l++) {
        write_layer(&w, plan->code, d, l, barrier[l]);
        ldpc_write(&w, "\\\n");
    }
    ldpc_write(&w, "}\n%s", ldpc_cuda_text_dvb);
    return ldpc_writer_end(&w);
}

static bool dvb_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    dvb_layout d;
    return dvb_layout_make(plan, device, &d);
}

static ldpc_status dvb_make(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    dvb_layout d;
    dvb_layout_make(plan, device, &d);
    bool *touched = ldpc_allocate(plan->code->groups, sizeof *touched);
    bool *barrier = ldpc_allocate(plan->code->layers, sizeof *barrier);
    if (touched && barrier) {
        find_barriers(plan->code, d.info_groups, touched, barrier);
        program->source = dvb_text(plan, &d, barrier);
    }
    free(touched);
    free(barrier);
    program->threads = THREADS;
    program->words = 2;
    program->shared_bytes = d.shared_bytes;
    program->scratch_bytes = d.scratch_bytes;
    return program->source ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_dvb = {
    .name = "dvb",
    .compiled = true,
    .baked = true,
    .supports = dvb_supports,
    .make = dvb_make,
};
