/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of a code the kernel "chip" does together, with how many threads, and where all they need is. */
#include <stdlib.h>

#include "cuda/kernels/chip.h"
#include "base/memory.h"
#include "cuda/kernels/stages.h"
#include "cuda/kernels/half_rule.h"

enum {
    LONG_DEGREE = 32, /* listed rows of more edges need the registers of ... */
    FEW_THREADS = 384,
    HUGE_DEGREE = 64, /* and so do those of circulants, which keep no places */
    WIDE_DEGREE = 20, /* rows of more edges need the registers of ... */
    WIDE_THREADS = 512,
    TURN_BYTES = 20, /* of constants */
    EDGE_BYTES = 8,
    MAX_PAIRS = 128,
    MAX_PLACES = 65536,
    MOST_AHEAD = 4,  /* words */
    TURNS_AHEAD = 4, /* of the usual words, into L2 */
    CIRCULANT = 256, /* lanes with which a layer alone gives work to a block */
    REGISTERS = 65536,
    FEW_REGISTERS = 50, /* what a row needs besides two for each edge */
    RESERVED = 2048,    /* bytes of shared memory for counters, and what a block takes for itself */
};

void ldpc_chip_free(ldpc_chip *c)
{
    free(c->degree);
    free(c->place);
    free(c->layers);
    free(c->rows);
    free(c->turns);
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

/* ---- listed or computed? */

static bool meets_leaves(const ldpc_chip *c, const ldpc_block *block)
{
    for (uint32_t lane = 0; lane < c->code->z; lane++)
        if (c->degree[block->group * c->code->z + lane] != 1)
            return false;
    return true;
}

/* Finds what is special in a layer; false when that is more than a turn can have. */
static bool describe_layer(const ldpc_chip *c, uint32_t layer, ldpc_chip_layer *found)
{
    uint32_t gaps = 0;
    for (uint32_t i = c->code->layer_start[layer]; i < c->code->layer_start[layer + 1]; i++) {
        const ldpc_block *block = &c->code->blocks[i];
        if (block->missing_lane < c->code->z) {
            found->gap = block;
            gaps++;
        }
        if (!found->leaf && meets_leaves(c, block))
            found->leaf = block;
    }
    return gaps <= 1 && (!found->gap || found->gap != found->leaf);
}

/* Of constants, where layers are cut into turns of so many rows. */
static size_t edge_bytes(const ldpc_code *code, uint32_t slots)
{
    uint32_t parts = (code->z + slots - 1) / slots;
    return EDGE_BYTES * ((size_t)parts * (code->layer_start[code->layers] + code->layers) + 1);
}

/* May places be computed, and are there constants for it besides the turns? */
static bool has_circulants(ldpc_chip *c)
{
    bool ok = c->code->z >= CIRCULANT && edge_bytes(c->code, FEW_THREADS) <= LDPC_CUDA_CONSTANT_BYTES / 2;
    for (uint32_t l = 0; l < c->code->layers && ok; l++)
        ok = describe_layer(c, l, &c->layers[l]);
    return ok;
}

/* ---- rows */

static ldpc_chip_row lane_of_layer(const ldpc_chip *c, uint32_t check, uint32_t stage)
{
    const ldpc_block *leaf = c->layers[check / c->code->z].leaf;
    return (ldpc_chip_row){
        .stage = stage,
        .degree = (uint32_t)(ldpc_chip_end_block(c->code, check) - ldpc_chip_first_block(c->code, check)),
        .leaf = leaf ? ldpc_chip_column(c->code, leaf, check % c->code->z) : LDPC_CHIP_NONE,
        .check = check,
    };
}

static ldpc_chip_row listed_row(const ldpc_chip *c, uint32_t check, uint32_t stage)
{
    ldpc_chip_row row = {.stage = stage, .leaf = LDPC_CHIP_NONE, .check = check};
    const ldpc_block *end = ldpc_chip_end_block(c->code, check);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, check); b < end; b++) {
        uint32_t lane = check % c->code->z, column = ldpc_chip_column(c->code, b, lane);
        row.degree += b->missing_lane != lane;
        if (b->missing_lane != lane && c->degree[column] == 1)
            row.leaf = column;
    }
    return row;
}

/* By stage; in a stage the largest degrees first, so that turns have one degree. */
static int compare_rows(const void *a, const void *b)
{
    const ldpc_chip_row *p = a, *q = b;
    if (p->stage != q->stage)
        return p->stage < q->stage ? -1 : 1;
    if (p->degree != q->degree)
        return p->degree > q->degree ? -1 : 1;
    if ((p->leaf == LDPC_CHIP_NONE) != (q->leaf == LDPC_CHIP_NONE))
        return p->leaf == LDPC_CHIP_NONE ? -1 : 1;
    return p->check < q->check ? -1 : 1;
}

static void list_layer(ldpc_chip *c, uint32_t layer, uint32_t stage)
{
    for (uint32_t lane = 0; lane < c->code->z; lane++) {
        uint32_t check = layer * c->code->z + lane;
        ldpc_chip_row row = c->circulants ? lane_of_layer(c, check, stage) : listed_row(c, check, stage);
        c->most_degree = row.degree > c->most_degree ? row.degree : c->most_degree;
        if (row.degree)
            c->rows[c->n_rows++] = row;
    }
}

static void list_rows(ldpc_chip *c, const ldpc_cuda_stages *stages)
{
    for (uint32_t s = 0; s < stages->count; s++)
        for (uint32_t i = stages->stage[s].first; i < stages->stage[s].end; i++)
            list_layer(c, stages->order[i], s);
    qsort(c->rows, c->n_rows, sizeof *c->rows, compare_rows);
}

static void number_places(ldpc_chip *c)
{
    for (uint32_t r = 0; r < c->n_rows; r++)
        if (c->rows[r].leaf != LDPC_CHIP_NONE)
            c->place[c->rows[r].leaf] = LDPC_CHIP_NONE;
    for (uint32_t p = 0; p < c->code->columns; p++)
        if (c->place[p] != LDPC_CHIP_NONE)
            c->place[p] = c->places++;
}

/* ---- turns */

static bool go_together(const ldpc_chip *c, const ldpc_chip_row *a, const ldpc_chip_row *b)
{
    if (c->circulants)
        return a->check / c->code->z == b->check / c->code->z;
    return a->stage == b->stage && a->degree == b->degree &&
           (a->leaf == LDPC_CHIP_NONE) == (b->leaf == LDPC_CHIP_NONE);
}

/* How many turns there are with so many slots; writes them where turns is not NULL. */
static uint32_t cut_turns(const ldpc_chip *c, uint32_t slots, ldpc_chip_turn *turns)
{
    uint32_t count = 0;
    for (uint32_t first = 0, end; first < c->n_rows; first = end) {
        const ldpc_chip_row *row = &c->rows[first];
        for (end = first + 1; end < c->n_rows && end < first + slots && go_together(c, row, &c->rows[end]);)
            end++;
        if (turns)
            turns[count] = (ldpc_chip_turn){
                .first = first,
                .rows = end - first,
                .degree = row->degree,
                .leaf = row->leaf != LDPC_CHIP_NONE,
                .gap = c->circulants && c->layers[row->check / c->code->z].gap,
                .meets = end == c->n_rows || c->rows[end].stage != row->stage,
            };
        count++;
    }
    return count;
}

/* Are most edges those of rows that need many registers? */
static bool is_wide(const ldpc_chip *c)
{
    uint32_t wide = 0, all = 0;
    for (uint32_t r = 0; r < c->n_rows; r++) {
        bool is = c->rows[r].degree > WIDE_DEGREE && c->rows[r].degree <= LONG_DEGREE;
        wide += is ? c->rows[r].degree : 0;
        all += c->rows[r].degree;
    }
    return 2 * wide > all;
}

typedef struct chip_shape {
    uint32_t threads, blocks; /* of a block; of a multiprocessor */
} chip_shape;

static bool has_room(const ldpc_chip *c, chip_shape shape, uint32_t pairs, const ldpc_cuda_device *device)
{
    size_t bytes = 4 * (size_t)c->places * pairs + RESERVED;
    return bytes <= device->shared_bytes && bytes * shape.blocks <= device->shared_bytes_per_sm &&
           c->places * (size_t)pairs <= MAX_PLACES;
}

static bool has_registers(const ldpc_chip *c, chip_shape shape)
{
    uint32_t threads = shape.threads * shape.blocks;
    return (threads <= WIDE_THREADS || !is_wide(c)) &&
           (threads <= FEW_THREADS || c->most_degree <= (c->circulants ? HUGE_DEGREE : LONG_DEGREE));
}

/* Threads of a multiprocessor that have a row, on the average, which each doubling of the words makes less
 * worth: their messages have to move, and words of a block wait for each other. 0 where something has no
 * room. */
static double worth_of(const ldpc_chip *c, chip_shape shape, uint32_t pairs, const ldpc_cuda_device *device)
{
    uint32_t slots = shape.threads / pairs, words = pairs * shape.blocks;
    if (!has_room(c, shape, pairs, device) || !has_registers(c, shape))
        return 0;
    uint32_t turns = cut_turns(c, slots, NULL);
    size_t edges = c->circulants ? edge_bytes(c->code, slots) : 0;
    if (TURN_BYTES * (turns + (size_t)1) + edges > LDPC_CUDA_CONSTANT_BYTES)
        return 0;
    double worth = (double)c->n_rows / slots / turns * shape.threads * shape.blocks;
    for (; words > 1; words /= 2)
        worth *= 0.8;
    return worth;
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
            double worth = worth_of(c, shapes[i], pairs, device);
            if (worth > 1.1 * best) {
                best = worth;
                c->threads = shapes[i].threads;
                c->blocks = shapes[i].blocks;
                c->pairs = pairs;
            }
        }
    if (best == 0)
        return false;
    c->slots = c->threads / c->pairs;
    return true;
}

uint32_t ldpc_chip_edges_kept(const ldpc_chip *c)
{
    return (REGISTERS / (c->threads * c->blocks) - FEW_REGISTERS) / 2;
}

/* May the rows of both turns be done at the same time by the same threads? */
static bool are_twins(const ldpc_chip *c, const ldpc_chip_turn *a, const ldpc_chip_turn *b)
{
    return !a->meets && !a->twin && a->leaf && b->leaf && !a->gap && !b->gap && a->rows == c->code->z &&
           b->rows == a->rows && a->degree + b->degree <= ldpc_chip_edges_kept(c);
}

/* Two layers of a stage at a time: what one waits for is the other's time to work. */
static void pair_turns(ldpc_chip *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->n_turns; i++) {
        ldpc_chip_turn *before = count ? &c->turns[count - 1] : NULL;
        if (before && are_twins(c, before, &c->turns[i])) {
            before->twin = c->turns[i].degree;
            before->meets = c->turns[i].meets;
        } else {
            c->turns[count++] = c->turns[i];
        }
    }
    c->n_turns = count;
}

static bool make_turns(ldpc_chip *c)
{
    c->n_turns = cut_turns(c, c->slots, NULL);
    c->turns = ldpc_allocate(c->n_turns, sizeof *c->turns);
    if (!c->turns)
        return false;
    cut_turns(c, c->slots, c->turns);
    if (c->circulants)
        pair_turns(c);
    return true;
}

/* ---- where a turn's messages and places are */

static uint32_t message_words(const ldpc_chip_turn *turn)
{
    return (turn->degree + 1) / 2 + (turn->twin + 1) / 2;
}

/* Pairs of table words with two places each. */
static uint32_t listed_pairs(const ldpc_chip_turn *turn)
{
    return (turn->degree - turn->leaf + 3) / 4;
}

/* Messages of the largest rows stay in shared memory: the others are loaded ahead. */
static void place_messages(ldpc_chip *c, size_t available)
{
    uint32_t room = (uint32_t)((available - 4 * (size_t)c->places * c->pairs) / (4 * (size_t)c->threads));
    for (uint32_t degree = c->most_degree, used = 0; degree > 0; degree--)
        for (ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
            if (t->degree == degree && used + message_words(t) <= room) {
                t->near = true;
                used += message_words(t);
            }
    for (ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++) {
        uint32_t *words = t->near ? &c->near_words : &c->far_words;
        t->words = *words;
        *words += message_words(t);
    }
}

/* A gap has an entry that says whose it is. */
static uint32_t edge_entries(const ldpc_chip_turn *turn)
{
    return turn->degree - turn->leaf + turn->gap + (turn->twin ? turn->twin - 1 : 0);
}

static void place_edges(ldpc_chip *c)
{
    uint32_t edges = 0;
    for (ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++) {
        t->at = c->circulants ? edges : c->listed * c->slots;
        edges += edge_entries(t);
        c->listed += c->circulants ? 0 : listed_pairs(t);
        t->plane = t->leaf ? c->planes : LDPC_CHIP_NONE;
        c->planes += t->leaf + (t->twin > 0);
    }
}

/* Words that a turn loads for the next one, whichever that is: those of short rows, as long ones have enough
 * to wait for at once. */
static uint32_t words_ahead(const ldpc_chip *c, bool twins)
{
    uint32_t most = 1, limit = twins ? 2 * MOST_AHEAD : MOST_AHEAD;
    for (const ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        if (!t->near && (t->twin > 0) == twins && message_words(t) <= limit && message_words(t) > most)
            most = message_words(t);
    return most;
}

static uint32_t listed_ahead(const ldpc_chip *c)
{
    uint32_t most = 1;
    for (const ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        if (listed_pairs(t) <= MOST_AHEAD && listed_pairs(t) > most)
            most = listed_pairs(t);
    return most;
}

static void look_ahead(ldpc_chip *c)
{
    c->places_ahead = c->circulants ? 0 : 2 * listed_ahead(c);
    if (!c->far_words)
        return;
    c->messages_ahead = words_ahead(c, false);
    c->twins_messages_ahead = words_ahead(c, true);
    for (ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        t->ahead = t->near ? 0 : (t->words + TURNS_AHEAD * c->messages_ahead) % c->far_words;
}

/* Behind the places of the last turn is what it would load if it had more. */
size_t ldpc_chip_leaves_at(const ldpc_chip *c)
{
    return (2 * (size_t)c->listed + c->places_ahead) * c->slots;
}

size_t ldpc_chip_homes_at(const ldpc_chip *c)
{
    return ldpc_chip_leaves_at(c) + (size_t)c->planes * c->slots;
}

/* Words are loaded for the next turn, and asked into L2, wherever its messages are and however many: there is
 * something to read behind the last ones. */
uint32_t ldpc_chip_planes_at(const ldpc_chip *c)
{
    uint32_t most = c->far_words > c->near_words ? c->far_words : c->near_words;
    return most + LDPC_CHIP_MAX_DEGREE;
}

uint32_t ldpc_chip_scratch_words(const ldpc_chip *c)
{
    return ldpc_chip_planes_at(c) + c->planes;
}

static bool same_kind(const ldpc_chip_turn *a, const ldpc_chip_turn *b)
{
    return a->degree == b->degree && a->leaf == b->leaf && a->near == b->near && a->gap == b->gap &&
           a->twin == b->twin;
}

/* False when there are too many. */
static bool number_kinds(ldpc_chip *c)
{
    for (uint32_t i = 0; i < c->n_turns; i++) {
        ldpc_chip_turn *t = &c->turns[i];
        for (t->kind = 0; t->kind < c->kinds && !same_kind(&c->turns[c->kind[t->kind]], t);)
            t->kind++;
        if (t->kind == LDPC_CHIP_MAX_KINDS)
            return false;
        if (t->kind == c->kinds)
            c->kind[c->kinds++] = i;
    }
    return true;
}

/* ---- the layout */

/* Can half precision hold all posteriors that additions alone reach? */
static bool is_exact(const ldpc_chip *c)
{
    ldpc_rule rule = ldpc_plan_rule(c->plan);
    uint32_t most = 0;
    for (uint32_t p = 0; p < c->code->columns; p++)
        most = c->degree[p] > most ? c->degree[p] : most;
    return ldpc_half_is_exact(&rule, most);
}

/* What can be said before anything is made. Unsatisfied checks are counted in 16 bits. */
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

static bool has_columns_twice(const ldpc_cuda_stages *stages)
{
    for (uint32_t s = 0; s < stages->count; s++)
        if (stages->stage[s].most)
            return true;
    return false;
}

static bool allocate(ldpc_chip *c)
{
    c->degree = ldpc_allocate(c->code->columns, sizeof *c->degree);
    c->place = ldpc_allocate(c->code->columns, sizeof *c->place);
    c->layers = ldpc_allocate(c->code->layers, sizeof *c->layers);
    c->rows = ldpc_allocate(c->code->checks, sizeof *c->rows);
    return c->degree && c->place && c->layers && c->rows;
}

static ldpc_status lay_out(ldpc_chip *c, const ldpc_cuda_stages *stages, const ldpc_cuda_device *device)
{
    if (has_columns_twice(stages))
        return LDPC_ERR_UNSUPPORTED;
    if (!allocate(c))
        return LDPC_ERR_MEMORY;
    count_degrees(c);
    c->circulants = has_circulants(c);
    c->i8 = c->plan->arithmetic == LDPC_ARITHMETIC_I8;
    c->wide = !c->i8 && !is_exact(c);
    list_rows(c, stages);
    number_places(c);
    if (!choose_shape(c, device))
        return LDPC_ERR_UNSUPPORTED;
    if (!make_turns(c))
        return LDPC_ERR_MEMORY;
    size_t share = device->shared_bytes_per_sm / c->blocks;
    place_messages(c, (share < device->shared_bytes ? share : device->shared_bytes) - RESERVED);
    place_edges(c);
    look_ahead(c);
    return number_kinds(c) ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
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
