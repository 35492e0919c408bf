/* SPDX-License-Identifier: BSD-3-Clause */
/* Host part of the kernel "dvb": memory map (dvb.cuh) and prologue. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "cuda/kernels/dvb_layer.h"
#include "cuda/kernels/half_rule.h"
#include "cuda/kernels/kernel.h"

enum {
    MOST_COLUMNS = 20,
    /* maximum number of layers per loop pass with messages in shared memory */
    MAX_LOOP_SHARED = 2,
    MAX_UNROLLED = 60,
    MAX_PADS = 3,
    MAX_REPEATS = DVB_REPEATS_END / DVB_REPEAT_BITS,
    MIN_BITS = 32400,
    RESERVED = 64, /* shared memory for counters, bytes */
    MAX_DEGREE = 64,
    /* maximum number of instructions of an iteration; more instructions are slower on an H100 */
    MOST_INSTRUCTIONS = 6900,
};

typedef struct dvb_layout {
    uint32_t info_groups, layers, degree;
    uint32_t pads;
    uint32_t messages, packs; /* stored per check */
    uint32_t repeats, most;
    uint32_t in_registers, on_chip, unrolled, loop_shared;
    bool compressed;            /* messages in memory are compressed */
    bool i8, early_stop, third; /* third: the rule needs min3 */
    bool global_rows, global_group;
    size_t shared_bytes, scratch_bytes;
} dvb_layout;

static bool is_block(const ldpc_block *block, uint32_t group, uint32_t shift, uint32_t missing_lane)
{
    return block->group == group && block->shift == shift && block->missing_lane == missing_lane;
}

static bool is_accumulator_layer(const ldpc_code *code, uint32_t layer, uint32_t info_groups)
{
    const ldpc_block *blocks = code->blocks + code->layer_start[layer];
    uint32_t count = code->layer_start[layer + 1] - code->layer_start[layer], info = 0, own = 0, before = 0;
    uint32_t last = info_groups + code->layers - 1;
    for (uint32_t i = 0; i < count; i++) {
        if (blocks[i].group < info_groups)
            info += blocks[i].missing_lane == LDPC_NO_LANE;
        else if (is_block(&blocks[i], info_groups + layer, 0, LDPC_NO_LANE))
            own++;
        else if (layer ? is_block(&blocks[i], info_groups + layer - 1, 0, LDPC_NO_LANE)
                       : is_block(&blocks[i], last, LANES - 1, 0))
            before++;
    }
    return count == info + 2 && own == 1 && before == 1;
}

static void find_degrees(const ldpc_code *code, dvb_layout *d)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l] - 2;
        d->degree = degree > d->degree ? degree : d->degree;
        least = degree < least ? degree : least;
    }
    d->pads = d->degree - least;
}

static void find_repeats(const ldpc_code *code, dvb_layout *d)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t repeats = 0;
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t again = code->blocks[b].occurrence;
            repeats += again > 0;
            d->most = again > d->most ? again : d->most;
        }
        d->repeats = repeats > d->repeats ? repeats : d->repeats;
    }
}

static bool is_repeated(const ldpc_code *code, uint32_t group)
{
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++)
            if (code->blocks[b].group == group && code->blocks[b].occurrence)
                return true;
    return false;
}

static size_t choose_posteriors(dvb_layout *d, size_t available)
{
    size_t group = 4 * (size_t)LANES, base = (d->info_groups + 2) * group;
    d->global_rows = base > available;
    base -= d->global_rows ? 2 * group : 0;
    d->global_group = base > available;
    return base - (d->global_group ? group : 0);
}

static uint32_t register_layers(const dvb_layout *d)
{
    static const uint8_t by_messages[] = {0, 45, 45, 51, 50, 30, 32, 24, 22, 18, 20, 14, 14, 11, 11, 9,
                                          9, 7,  7,  6,  6,  5,  5,  4,  4,  3,  3,  3,  3,  3,  3};
    const uint32_t messages = d->messages, most = sizeof by_messages;
    const uint32_t layers = (messages < most ? by_messages[messages] : 2) + d->compressed;
    if (messages > 10)
        return d->early_stop ? layers - layers / 3 : layers;
    return messages > 5 && (d->early_stop || d->third) ? layers - 2 : layers;
}

static uint32_t unrolled_layers(const dvb_layout *d, uint32_t layers)
{
    const uint32_t rest = d->layers % LOOP_LAYERS, most = d->layers - LOOP_LAYERS;
    const uint32_t rounded = layers + (d->layers + LOOP_LAYERS - layers % LOOP_LAYERS) % LOOP_LAYERS;
    const uint32_t limit = MAX_UNROLLED - (LOOP_LAYERS - rest) % LOOP_LAYERS;
    return rounded < most && rounded < limit ? rounded : most < limit ? most : limit;
}

static uint32_t instructions(const dvb_layout *d, uint32_t registers, uint32_t unrolled)
{
    const uint32_t more = (d->i8 ? 8 : 0) + (d->third ? 3 : 0);
    return (d->degree + 2) *
           (registers * (16 + more) + (unrolled - registers) * (19 + more) + LOOP_LAYERS * (24 + more));
}

static uint32_t place_messages(dvb_layout *d, uint32_t unrolled, uint32_t room)
{
    const uint32_t registers = register_layers(d), passes = (d->layers - unrolled) / LOOP_LAYERS;
    d->unrolled = unrolled;
    d->in_registers = registers < unrolled ? registers : unrolled;
    const uint32_t between = unrolled - d->in_registers;
    const uint32_t of_pass = room < between ? 0 : (room - between) / passes;
    d->loop_shared = of_pass < MAX_LOOP_SHARED ? of_pass : MAX_LOOP_SHARED;
    d->on_chip = d->in_registers + (room < between ? room : between);
    return d->on_chip + passes * d->loop_shared;
}

static void choose_unrolled(dvb_layout *d, uint32_t room)
{
    const uint32_t registers = register_layers(d), least = unrolled_layers(d, registers);
    uint32_t best = least, most = 0, next = least, unrolled;
    do {
        unrolled = next;
        const uint32_t on_chip = place_messages(d, unrolled, room);
        if (on_chip >= most) {
            most = on_chip;
            best = unrolled;
        }
        next = unrolled_layers(d, unrolled + LOOP_LAYERS);
    } while (next > unrolled && instructions(d, registers, next) <= MOST_INSTRUCTIONS);
    place_messages(d, best, room);
}

static bool lay_out(dvb_layout *d, const ldpc_cuda_device *device)
{
    d->messages = d->degree + 1 + d->i8;
    d->packs = (d->messages + 1) / 2;
    const uint32_t compressed = 1 + (d->messages + CODED - 1) / CODED;
    d->compressed = compressed < d->packs;
    const uint32_t words = d->compressed ? compressed : d->packs;
    const size_t layer = (size_t)words * LANES * 4;
    size_t available = device->shared_bytes - RESERVED, base = choose_posteriors(d, available);
    if (base > available || d->layers < 9)
        return false;
    choose_unrolled(d, (uint32_t)((available - base) / layer));
    uint32_t passes = (d->layers - d->unrolled) / LOOP_LAYERS;
    uint32_t shared = d->on_chip - d->in_registers + passes * d->loop_shared,
             global = d->unrolled - d->on_chip + passes * (LOOP_LAYERS - d->loop_shared);
    d->shared_bytes = base + shared * layer;
    d->scratch_bytes = 4 * ((size_t)(global + 2) * words * THREADS + (d->layers + 4) * THREADS / 2 +
                            (size_t)(d->layers + 3) * THREADS);
    return d->in_registers >= 2;
}

static bool plan_fits(const ldpc_plan *plan)
{
    const ldpc_code *code = plan->code;
    return plan->schedule == LDPC_SCHEDULE_LAYERED && plan->arithmetic != LDPC_ARITHMETIC_FLOAT &&
           code->z == LANES && code->columns >= MIN_BITS && code->groups > code->layers &&
           code->layer_start[1] > 2;
}

static bool dvb_layout_make(const ldpc_plan *plan, const ldpc_cuda_device *device, dvb_layout *d)
{
    const ldpc_code *code = plan->code;
    const ldpc_rule rule = ldpc_plan_rule(plan);
    *d = (dvb_layout){0};
    if (!plan_fits(plan))
        return false;
    d->info_groups = code->groups - code->layers;
    d->layers = code->layers;
    d->i8 = plan->arithmetic == LDPC_ARITHMETIC_I8;
    d->early_stop = plan->early_stop;
    d->third = rule.reads_third;
    for (uint32_t l = 0; l < code->layers; l++)
        if (!is_accumulator_layer(code, l, d->info_groups))
            return false;
    find_degrees(code, d);
    for (uint32_t i = 0; i < code->n; i++)
        if (code->transmitted[i] == LDPC_NO_COLUMN)
            return false;
    find_repeats(code, d);
    return (d->i8 || ldpc_half_is_exact(code, &rule)) && d->pads <= MAX_PADS && d->repeats <= MAX_REPEATS &&
           d->degree <= MAX_DEGREE && d->info_groups * LANES <= UINT16_MAX && d->most <= 3 &&
           d->repeats + d->pads < d->degree && lay_out(d, device) &&
           !(d->global_group && (d->pads || is_repeated(code, d->info_groups - 1)));
}

static bool find_barriers(const ldpc_code *code, uint32_t info_groups, bool *barrier)
{
    uint32_t blocks = code->layer_start[code->layers];
    uint8_t *write = ldpc_allocate(blocks, sizeof *write);
    for (uint32_t b = 0; write && b < blocks; b++)
        write[b] = code->blocks[b].group < info_groups ? LDPC_BLOCK_WRITES : LDPC_BLOCK_KEEPS;
    bool ok = write && ldpc_code_find_barriers(code, write, barrier);
    free(write);
    return ok;
}

static uint32_t outside(const dvb_layout *d)
{
    return d->global_group ? d->info_groups - 1 : UINT32_MAX;
}

static uint32_t pads_of(const ldpc_code *code, const dvb_layout *d, uint32_t l)
{
    return d->degree + 2 - (code->layer_start[l + 1] - code->layer_start[l]);
}

static uint32_t flags_of(const ldpc_code *code, const dvb_layout *d, uint32_t l, bool barrier)
{
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], repeats = 0;
    uint32_t flags = (uint32_t)barrier << DVB_BARRIER | pads_of(code, d, l) << DVB_PADS;
    for (uint32_t b = first; b < end; b++) {
        repeats += code->blocks[b].occurrence > 0;
        flags |= (uint32_t)(code->blocks[b].group == outside(d)) << DVB_FIRST_GLOBAL;
    }
    uint32_t at = d->repeats - repeats;
    for (uint32_t again = 1; again <= d->most; again++)
        for (uint32_t b = first; b < end; b++)
            if (code->blocks[b].occurrence == again)
                flags |= again << DVB_REPEAT_BITS * at++;
    return flags;
}

typedef struct dvb_edge {
    uint32_t shift, group;
} dvb_edge;

static void find_edges(const ldpc_code *code, const dvb_layout *d, uint32_t l, dvb_edge *edges)
{
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1];
    for (uint32_t i = 0; i < pads_of(code, d, l); i++)
        *edges++ = (dvb_edge){.shift = code->blocks[first].shift};
    for (uint32_t b = first; b < end; b++)
        if (code->blocks[b].group == outside(d))
            *edges++ = (dvb_edge){.shift = code->blocks[b].shift};
    for (uint32_t again = 0; again <= d->most; again++)
        for (uint32_t b = first; b < end; b++) {
            const ldpc_block *block = &code->blocks[b];
            if (block->group < d->info_groups && block->group != outside(d) && block->occurrence == again)
                *edges++ = (dvb_edge){block->shift, block->group};
        }
}

static void write_edges(ldpc_writer *w, const ldpc_code *code, const dvb_layout *d, uint32_t l)
{
    dvb_edge edges[MAX_DEGREE];
    find_edges(code, d, l, edges);
    for (uint32_t e = 0; e < d->degree; e++)
        ldpc_write(w, "{%uu,%uu},", 4 * edges[e].shift, edges[e].group * 4 * LANES);
    ldpc_write(w, "\\\n");
}

static uint32_t columns_ahead(const dvb_layout *d)
{
    return d->degree <= MOST_COLUMNS ? 2 : 1;
}

/* Returns NULL if out of memory. */
static uint32_t *make_table(const ldpc_code *code, const dvb_layout *d, size_t *words)
{
    const uint32_t layers = d->layers - d->unrolled;
    const size_t layer_words = (d->degree + 1) / 2 * (size_t)THREADS;
    *words = (layers + columns_ahead(d)) * layer_words;
    uint32_t *table = ldpc_allocate(*words, sizeof *table);
    for (uint32_t l = 0; table && l < layers; l++) {
        dvb_edge edges[MAX_DEGREE];
        find_edges(code, d, d->unrolled + l, edges);
        for (uint32_t e = 0; e < d->degree; e++)
            for (uint32_t t = 0; t < LANES; t++)
                table[l * layer_words + e / 2 * THREADS + t] |=
                    (edges[e].group * LANES + (t + edges[e].shift) % LANES) << 16 * (e % 2);
    }
    return table;
}

static bool is_in_order(const ldpc_code *code, const dvb_layout *d)
{
    const uint32_t info_bits = d->info_groups * LANES;
    if (code->n != code->columns || code->k != info_bits || 2 * (size_t)d->layers * LANES > d->shared_bytes)
        return false;
    for (uint32_t i = 0; i < code->n; i++) {
        const uint32_t parity = i - info_bits, lane = parity / d->layers, layer = parity % d->layers;
        if (code->column_at[i < info_bits ? i : info_bits + layer * LANES + lane] != code->transmitted[i])
            return false;
    }
    for (uint32_t i = 0; i < code->k; i++)
        if (code->message[i] != code->transmitted[i])
            return false;
    return true;
}

static void write_numbers(ldpc_writer *w, const ldpc_plan *plan, const dvb_layout *d)
{
    const ldpc_rule rule = ldpc_plan_rule(plan);
    const uint32_t bias = (uint32_t)ldpc_half_message_bias(&rule, d->i8),
                   no_other = (uint32_t)ldpc_half_no_other(d->i8);
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"INFO_GROUPS",     d->info_groups        },
        {"LAYERS",          d->layers             },
        {"INFO_DEGREE",     d->degree             },
        {"MOST_PADS",       d->pads               },
        {"REPEATED_EDGES",  d->repeats            },
        {"MOST_REPEATS",    d->most               },
        {"REGISTER_LAYERS", d->in_registers       },
        {"CHIP_LAYERS",     d->on_chip            },
        {"UNROLLED_LAYERS", d->unrolled           },
        {"LOOP_SHARED",     d->loop_shared        },
        {"COLUMNS_AHEAD",   columns_ahead(d)      },
        {"GLOBAL_ROWS",     d->global_rows        },
        {"GLOBAL_GROUP",    d->global_group       },
        {"EARLY_STOP",      plan->early_stop      },
        {"I8",              d->i8                 },
        {"COMPRESSED",      d->compressed         },
        {"IN_ORDER",        is_in_order(plan->code, d)},
        {"MESSAGE_BIAS",                 bias                         },
        {"NO_OTHER",                 no_other    },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ldpc_write(w, "#define %s %u\n", numbers[i].name, numbers[i].value);
    ldpc_cuda_write_half_rule(w, &rule);
    ldpc_cuda_write_llr_limit(w, plan);
}

static char *dvb_text(const ldpc_plan *plan, const dvb_layout *d, const bool *barrier)
{
    ldpc_writer w = {0};
    write_numbers(&w, plan, d);
    ldpc_write(&w, "#define EDGES {");
    for (uint32_t l = 0; l < d->layers; l++)
        write_edges(&w, plan->code, d, l);
    ldpc_write(&w, "}\n#define FLAGS {");
    for (uint32_t l = 0; l < d->layers; l++)
        ldpc_write(&w, "%uu,", flags_of(plan->code, d, l, barrier[l]));
    ldpc_write(&w, "}\n%s", ldpc_cuda_text_dvb);
    return ldpc_writer_end(&w);
}

static unsigned dvb_least_threads(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    dvb_layout d;
    return dvb_layout_make(plan, device, &d) ? THREADS : 0;
}

static ldpc_status dvb_make(const ldpc_plan *plan, const ldpc_cuda_device *device, ldpc_cuda_program *program)
{
    dvb_layout d;
    dvb_layout_make(plan, device, &d);
    bool *barrier = ldpc_allocate(plan->code->layers, sizeof *barrier);
    if (barrier && find_barriers(plan->code, d.info_groups, barrier))
        program->source = dvb_text(plan, &d, barrier);
    free(barrier);
    program->table = make_table(plan->code, &d, &program->table_words);
    program->threads = THREADS;
    program->codewords = 2;
    program->min_blocks = 1;
    program->shared_bytes = d.shared_bytes;
    program->scratch_bytes = d.scratch_bytes;
    return program->source && program->table ? LDPC_OK : LDPC_ERR_MEMORY;
}

const ldpc_cuda_kernel ldpc_cuda_dvb = {
    .name = "dvb",
    .compiled = true,
    .baked = true,
    .least_threads = dvb_least_threads,
    .make = dvb_make,
};
