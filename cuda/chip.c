/* SPDX-License-Identifier: BSD-3-Clause */
/* The row "chip": posteriors of any binary code in shared memory, its rows listed one by one. Writes what
 * chip.cuh needs in front of it, and the tables. */
#include <stdlib.h>
#include <string.h>

#include "code/memory.h"
#include "stages.h"
#include "straight.h"

enum {
    MAX_DEGREE = 96,
    LONG_DEGREE = 32, /* rows of more edges are walked over twice, unless threads are so few: */
    FEW_THREADS = 384,
    HUGE_DEGREE = 64, /* with rows of more edges they are, as to walk twice takes longer */
    WIDE_DEGREE = 20, /* rows of more edges need the registers of ... */
    WIDE_THREADS = 512,
    MAX_TURNS = 4000, /* 64 KB of constants */
    MAX_KINDS = 48,   /* of rows, each with a text of its own */
    MAX_PAIRS = 128,
    MAX_PLACES = 65536,
    MOST_AHEAD = 4, /* words */
    FAR_AHEAD = 4,  /* turns, into L2 */
    BANKS = 32,
    PASSES = 8,
    RESERVED = 2048, /* bytes of shared memory for counters, and what a block takes for itself */
};
#define NEAR 0x80000000u
#define NONE UINT32_MAX

typedef struct chip_row {
    uint32_t stage, degree, leaf; /* leaf: its column of degree one, or NONE */
    uint32_t check;               /* layer * z + lane */
} chip_row;

typedef struct chip_turn {
    uint32_t first, rows, degree; /* of chip.rows */
    bool leaf, near, meets;       /* near: messages in shared memory; meets: threads meet afterwards */
    uint32_t at, words, plane;
    uint32_t kind; /* what text its rows run */
} chip_turn;

typedef struct chip_shape {
    uint32_t threads, blocks; /* of a block; of a multiprocessor */
} chip_shape;

typedef struct chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    uint32_t *degree; /* [columns] */
    uint32_t *place;  /* [columns] in shared memory, or NONE for leaves */
    chip_row *rows;
    chip_turn *turns;
    uint32_t n_rows, n_turns, places, most_degree;
    chip_shape shape;
    uint32_t pairs, slots;
    uint32_t near_words, far_words, planes, at_pairs; /* of a thread; at_pairs: of the table */
    uint32_t at_ahead, msg_ahead;
    uint32_t kinds, kind[MAX_KINDS]; /* a turn of each */
    bool i8, wide;
} chip;

static void chip_free(chip *c)
{
    free(c->degree);
    free(c->place);
    free(c->rows);
    free(c->turns);
}

/* ---- rows */

static uint32_t column_of(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    return block->group * code->z + (lane + block->shift) % code->z;
}

/* The blocks of a check's layer. */
static const ldpc_block *first_block(const ldpc_code *code, uint32_t check)
{
    return code->blocks + code->layer_start[check / code->z];
}
static const ldpc_block *end_block(const ldpc_code *code, uint32_t check)
{
    return code->blocks + code->layer_start[check / code->z + 1];
}

static void count_degrees(chip *c)
{
    for (uint32_t check = 0; check < c->code->checks; check++)
        for (const ldpc_block *b = first_block(c->code, check); b < end_block(c->code, check); b++)
            if (b->absent != check % c->code->z)
                c->degree[column_of(c->code, b, check % c->code->z)]++;
}

static chip_row row_of(const chip *c, uint32_t check, uint32_t stage)
{
    chip_row row = {.stage = stage, .leaf = NONE, .check = check};
    for (const ldpc_block *b = first_block(c->code, check); b < end_block(c->code, check); b++) {
        uint32_t lane = check % c->code->z, column = column_of(c->code, b, lane);
        row.degree += b->absent != lane;
        if (b->absent != lane && c->degree[column] == 1)
            row.leaf = column;
    }
    return row;
}

/* By stage; in a stage the largest degrees first, so that turns have one degree. */
static int compare_rows(const void *a, const void *b)
{
    const chip_row *p = a, *q = b;
    if (p->stage != q->stage)
        return p->stage < q->stage ? -1 : 1;
    if (p->degree != q->degree)
        return p->degree > q->degree ? -1 : 1;
    if ((p->leaf == NONE) != (q->leaf == NONE))
        return p->leaf == NONE ? -1 : 1;
    return p->check < q->check ? -1 : 1;
}

static void list_layer(chip *c, uint32_t layer, uint32_t stage)
{
    for (uint32_t lane = 0; lane < c->code->z; lane++) {
        chip_row row = row_of(c, layer * c->code->z + lane, stage);
        c->most_degree = row.degree > c->most_degree ? row.degree : c->most_degree;
        if (row.degree)
            c->rows[c->n_rows++] = row;
    }
}

/* False when the code has what this kernel has not: columns several times in a layer. */
static bool list_rows(chip *c, const ldpc_cuda_stages *stages)
{
    count_degrees(c);
    for (uint32_t s = 0; s < stages->count; s++) {
        if (stages->stage[s].most)
            return false;
        for (uint32_t i = stages->stage[s].first; i < stages->stage[s].end; i++)
            list_layer(c, stages->order[i], s);
    }
    qsort(c->rows, c->n_rows, sizeof *c->rows, compare_rows);
    return c->n_rows > 0 && c->n_rows <= UINT16_MAX && c->most_degree <= MAX_DEGREE;
}

static void number_places(chip *c)
{
    for (uint32_t r = 0; r < c->n_rows; r++)
        if (c->rows[r].leaf != NONE)
            c->place[c->rows[r].leaf] = NONE;
    for (uint32_t p = 0; p < c->code->columns; p++)
        if (c->place[p] != NONE)
            c->place[p] = c->places++;
}

/* ---- turns */

static bool same_kind(const chip_row *a, const chip_row *b)
{
    return a->stage == b->stage && a->degree == b->degree && (a->leaf == NONE) == (b->leaf == NONE);
}

/* How many turns there are with so many slots; writes them where turns is not NULL. */
static uint32_t cut_turns(const chip *c, uint32_t slots, chip_turn *turns)
{
    uint32_t count = 0;
    for (uint32_t first = 0, end; first < c->n_rows; first = end) {
        const chip_row *row = &c->rows[first];
        for (end = first + 1; end < c->n_rows && end < first + slots && same_kind(row, &c->rows[end]);)
            end++;
        if (turns)
            turns[count] = (chip_turn){
                .first = first,
                .rows = end - first,
                .degree = row->degree,
                .leaf = row->leaf != NONE,
                .meets = end == c->n_rows || c->rows[end].stage != row->stage,
            };
        count++;
    }
    return count;
}

/* Are most edges those of rows that need many registers? */
static bool is_wide(const chip *c)
{
    uint32_t wide = 0, all = 0;
    for (uint32_t r = 0; r < c->n_rows; r++) {
        bool is = c->rows[r].degree > WIDE_DEGREE && c->rows[r].degree <= LONG_DEGREE;
        wide += is ? c->rows[r].degree : 0;
        all += c->rows[r].degree;
    }
    return 2 * wide > all;
}

/* Threads of a multiprocessor that have a row, on the average, which each doubling of the words makes less
 * worth: their messages have to move, and words of a block wait for each other. 0 where posteriors have no
 * room. */
static double worth_of(const chip *c, chip_shape shape, uint32_t pairs, const ldpc_cuda_device *device)
{
    uint32_t slots = shape.threads / pairs, words = pairs * shape.blocks;
    size_t bytes = 4 * (size_t)c->places * pairs + RESERVED;
    if (bytes > device->shared_bytes || bytes * shape.blocks > device->shared_bytes_per_sm ||
        c->places * (size_t)pairs > MAX_PLACES ||
        (shape.threads * shape.blocks > WIDE_THREADS && is_wide(c)) ||
        (shape.threads * shape.blocks > FEW_THREADS && c->most_degree > HUGE_DEGREE))
        return 0;
    double worth = (double)c->n_rows / slots / cut_turns(c, slots, NULL) * shape.threads * shape.blocks;
    for (; words > 1; words /= 2)
        worth *= 0.8;
    return worth;
}

static bool choose_shape(chip *c, const ldpc_cuda_device *device)
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
                c->shape = shapes[i];
                c->pairs = pairs;
            }
        }
    if (best == 0)
        return false;
    c->slots = c->shape.threads / c->pairs;
    c->n_turns = cut_turns(c, c->slots, NULL);
    return c->n_turns <= MAX_TURNS;
}

static uint32_t words_of(const chip_turn *turn)
{
    return (turn->degree + 1) / 2;
}

/* Pairs of table words with two places each. */
static uint32_t at_pairs_of(const chip_turn *turn)
{
    return (turn->degree - turn->leaf + 3) / 4;
}

/* Messages of the largest rows stay in shared memory: the others are loaded ahead. */
static void place_messages(chip *c, size_t available)
{
    uint32_t room =
        (uint32_t)((available - 4 * (size_t)c->places * c->pairs) / (4 * (size_t)c->shape.threads));
    for (uint32_t degree = c->most_degree, used = 0; degree > 0; degree--)
        for (chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
            if (t->degree == degree && used + words_of(t) <= room) {
                t->near = true;
                used += words_of(t);
            }
    for (chip_turn *t = c->turns; t < c->turns + c->n_turns; t++) {
        uint32_t *words = t->near ? &c->near_words : &c->far_words;
        t->words = *words;
        *words += words_of(t);
    }
}

static void place_tables(chip *c)
{
    for (chip_turn *t = c->turns; t < c->turns + c->n_turns; t++) {
        t->at = c->at_pairs * c->slots;
        c->at_pairs += at_pairs_of(t);
        t->plane = t->leaf ? c->planes++ : NONE;
    }
}

/* False when there are too many. */
static bool number_kinds(chip *c)
{
    for (uint32_t i = 0; i < c->n_turns; i++) {
        chip_turn *t = &c->turns[i];
        for (t->kind = 0; t->kind < c->kinds; t->kind++) {
            const chip_turn *other = &c->turns[c->kind[t->kind]];
            if (other->degree == t->degree && other->leaf == t->leaf && other->near == t->near)
                break;
        }
        if (t->kind == MAX_KINDS)
            return false;
        if (t->kind == c->kinds)
            c->kind[c->kinds++] = i;
    }
    return true;
}

/* What most turns need, so that few words are loaded for nothing; long rows have enough to wait for at once.
 */
static uint32_t usual(const chip *c, uint32_t (*words)(const chip_turn *), bool far)
{
    uint32_t count[MAX_DEGREE] = {0}, best = 1;
    for (const chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        if (!far || !t->near)
            count[words(t)]++;
    for (uint32_t w = 1; w < MAX_DEGREE; w++)
        best = count[w] > count[best] ? w : best;
    return best <= MOST_AHEAD ? best : 1;
}

/* ---- the layout */

/* Can half precision hold all posteriors that additions alone reach? */
static bool is_exact(const chip *c)
{
    ldpc_rule rule = ldpc_plan_rule(c->plan);
    uint32_t most = 0;
    for (uint32_t p = 0; p < c->code->columns; p++)
        most = c->degree[p] > most ? c->degree[p] : most;
    return 128 + (int)most * rule.max_message + ldpc_straight_message_bias(&rule, false) <= LDPC_I16_LIMIT;
}

static bool allocate(chip *c)
{
    c->degree = ldpc_allocate(c->code->columns, sizeof *c->degree);
    c->place = ldpc_allocate(c->code->columns, sizeof *c->place);
    c->rows = ldpc_allocate(c->code->checks, sizeof *c->rows);
    return c->degree && c->place && c->rows;
}

static ldpc_status lay_out(chip *c, const ldpc_cuda_stages *stages, const ldpc_cuda_device *device)
{
    if (!list_rows(c, stages))
        return LDPC_ERR_UNSUPPORTED;
    number_places(c);
    c->i8 = c->plan->arithmetic == LDPC_ARITHMETIC_I8;
    c->wide = !c->i8 && !is_exact(c);
    if (!choose_shape(c, device))
        return LDPC_ERR_UNSUPPORTED;
    c->turns = ldpc_allocate(c->n_turns, sizeof *c->turns);
    if (!c->turns)
        return LDPC_ERR_MEMORY;
    cut_turns(c, c->slots, c->turns);
    size_t share = device->shared_bytes_per_sm / c->shape.blocks;
    place_messages(c, (share < device->shared_bytes ? share : device->shared_bytes) - RESERVED);
    place_tables(c);
    c->at_ahead = 2 * usual(c, at_pairs_of, false);
    c->msg_ahead = usual(c, words_of, true);
    return number_kinds(c) ? LDPC_OK : LDPC_ERR_UNSUPPORTED;
}

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED; to be freed in any case. */
static ldpc_status chip_layout(chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    ldpc_cuda_stages stages = {0};
    *c = (chip){.plan = plan, .code = plan->code};
    if (plan->schedule != LDPC_SCHEDULE_LAYERED || plan->arithmetic == LDPC_ARITHMETIC_FLOAT)
        return LDPC_ERR_UNSUPPORTED;
    ldpc_status status = allocate(c) && ldpc_cuda_stages_make(plan->code, &stages)
                             ? lay_out(c, &stages, device)
                             : LDPC_ERR_MEMORY;
    ldpc_cuda_stages_free(&stages);
    return status;
}

/* ---- tables */

/* Places of a row's columns, times pairs as they stand in shared memory, without the leaf's. */
static uint32_t edges_of(const chip *c, const chip_row *row, uint32_t *at)
{
    uint32_t count = 0, lane = row->check % c->code->z;
    for (const ldpc_block *b = first_block(c->code, row->check); b < end_block(c->code, row->check); b++) {
        uint32_t column = column_of(c->code, b, lane);
        if (b->absent != lane && column != row->leaf)
            at[count++] = c->place[column] * c->pairs;
    }
    return count;
}

/* Rows of one warp. What they visit at the same time should be in different banks, and the order of a row's
 * edges is free. */
typedef struct warp_rows {
    uint32_t rows, edges;
    uint32_t at[BANKS][MAX_DEGREE];
    int here[MAX_DEGREE][BANKS]; /* rows that visit the bank at that time */
} warp_rows;

/* What two edges of a row gain if they change places: how much the sum of squares of here[][] shrinks. */
static int gain(const warp_rows *w, uint32_t row, uint32_t e, uint32_t f)
{
    uint32_t a = w->at[row][e] % BANKS, b = w->at[row][f] % BANKS;
    return a == b ? 0 : w->here[e][a] - w->here[e][b] + w->here[f][b] - w->here[f][a] - 2;
}

static void swap_edges(warp_rows *w, uint32_t row, uint32_t e, uint32_t f)
{
    uint32_t a = w->at[row][e], b = w->at[row][f];
    w->at[row][e] = b;
    w->at[row][f] = a;
    w->here[e][a % BANKS]--;
    w->here[e][b % BANKS]++;
    w->here[f][b % BANKS]--;
    w->here[f][a % BANKS]++;
}

/* Changes that gain nothing leave the way to some that do. */
static void order_edges(warp_rows *w)
{
    memset(w->here, 0, sizeof w->here);
    for (uint32_t r = 0; r < w->rows; r++)
        for (uint32_t e = 0; e < w->edges; e++)
            w->here[e][w->at[r][e] % BANKS]++;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t e = 0; e < w->edges; e++)
                for (uint32_t f = 0; f < w->edges && w->here[e][w->at[r][e] % BANKS] > 1; f++)
                    if (gain(w, r, e, f) >= 0)
                        swap_edges(w, r, e, f);
}

/* The rows of a turn, warp by warp. */
static void write_places(const chip *c, const chip_turn *turn, warp_rows *w, uint32_t *table)
{
    uint32_t together = c->pairs < BANKS ? BANKS / c->pairs : 1;
    uint16_t *at = (uint16_t *)(table + 2 * (size_t)turn->at);
    for (uint32_t first = 0; first < turn->rows; first += together) {
        w->rows = turn->rows - first < together ? turn->rows - first : together;
        for (uint32_t r = 0; r < w->rows; r++)
            w->edges = edges_of(c, &c->rows[turn->first + first + r], w->at[r]);
        if (c->code->z < BANKS) /* circulants stand well as they are */
            order_edges(w);
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t e = 0; e < w->edges; e++)
                at[4 * ((size_t)(e / 4) * c->slots + first + r) + e % 4] = (uint16_t)w->at[r][e];
    }
}

static size_t leaves_at(const chip *c)
{
    return 2 * (size_t)c->at_pairs * c->slots;
}
static size_t places_at(const chip *c)
{
    return leaves_at(c) + (size_t)c->planes * c->slots;
}

/* Where the columns of the leaves are, row by row, and where all columns are. */
static void write_columns(const chip *c, uint32_t *table)
{
    uint32_t *leaves = table + leaves_at(c), *places = table + places_at(c);
    for (uint32_t p = 0; p < c->code->columns; p++)
        places[p] = c->place[p] * c->pairs;
    for (uint32_t i = 0; i < c->planes * c->slots; i++)
        leaves[i] = NONE;
    for (const chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        for (uint32_t r = 0; t->leaf && r < t->rows; r++) {
            uint32_t leaf = c->rows[t->first + r].leaf, at = t->plane * c->slots + r;
            leaves[at] = leaf;
            places[leaf] = NEAR | at;
        }
}

static bool write_table(const chip *c, ldpc_cuda_program *program)
{
    warp_rows *w = ldpc_allocate(1, sizeof *w);
    program->table_words = places_at(c) + c->code->columns;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    bool ok = w && program->table;
    for (uint32_t i = 0; ok && i < c->n_turns; i++)
        write_places(c, &c->turns[i], w, program->table);
    if (ok)
        write_columns(c, program->table);
    free(w);
    return ok;
}

/* ---- text */

static void write_turn(ldpc_writer *w, const chip_turn *t)
{
    ldpc_write(w, "{%uu,%uu,%uu,%uu},", t->at, t->words | (t->near ? NEAR : 0), t->plane,
               t->rows | t->kind << 16 | t->degree << 24 | (t->meets ? 1u << 31 : 0));
}

static void write_turns(ldpc_writer *w, const chip *c)
{
    ldpc_write(w, "#define TABLE {");
    for (uint32_t i = 0; i < c->n_turns; i++)
        write_turn(w, &c->turns[i]);
    write_turn(w, &c->turns[c->n_turns - 1]);
    ldpc_write(w, "}\n#define CASES ");
    for (uint32_t i = 0; i < c->kinds; i++) {
        const chip_turn *t = &c->turns[c->kind[i]];
        ldpc_write(w, "case %u: ", i);
        if (t->degree > LONG_DEGREE && c->shape.threads * c->shape.blocks > FEW_THREADS)
            ldpc_write(w, "long_row<%d,%d>(x,t,next,ahead); break; ", t->leaf, t->near);
        else
            ldpc_write(w, "row<%u,%d,%d>(x,t,next,ahead); break; ", t->degree, t->leaf, t->near);
    }
    ldpc_write(w, "\n");
}

/* Words of a thread in global memory: messages, with room for what is loaded ahead for nothing, and planes.
 */
static uint32_t planes_at(const chip *c)
{
    return c->far_words + (1 + FAR_AHEAD) * c->msg_ahead;
}
static size_t scratch_words(const chip *c)
{
    return (size_t)(planes_at(c) + c->planes) * c->shape.threads;
}

static char *chip_text(const chip *c)
{
    ldpc_writer w = {0};
    ldpc_rule rule = ldpc_plan_rule(c->plan);
    ldpc_write(&w, "%s%s%s", ldpc_cuda_text_args, ldpc_cuda_text_half, ldpc_cuda_text_lanes);
    ldpc_write(&w,
               "#define PAIRS %u\n#define SLOTS %u\n#define THREADS %u\n#define BLOCKS %u\n#define TURNS %u\n"
               "#define AT_AHEAD %u\n#define MSG_AHEAD %u\n#define FAR_AHEAD %u\n#define MESSAGES_AT "
               "%u\n#define PLANES_AT %u\n"
               "#define SCRATCH_WORDS %zuull\n#define LEAVES %zu\n#define PLACES %zu\n#define EARLY_STOP %d\n"
               "#define I8 %d\n#define WIDE %d\n#define MB %d\n#define NO_OTHER %d\n#define THIRD %d\n",
               c->pairs, c->slots, c->shape.threads, c->shape.blocks, c->n_turns, c->at_ahead, c->msg_ahead,
               FAR_AHEAD, c->places * c->pairs, planes_at(c), scratch_words(c), leaves_at(c), places_at(c),
               c->plan->early_stop, c->i8, c->wide, ldpc_straight_message_bias(&rule, c->i8),
               ldpc_straight_no_other(c->i8), ldpc_straight_third(&rule));
    ldpc_write(&w, "F void rule(u32 u,u32 hi,u32 th,u32&r1,u32&r2)\n{\n");
    ldpc_straight_rule(&w, &rule);
    ldpc_write(&w, "  r1=m1; r2=m2;\n}\n");
    write_turns(&w, c);
    ldpc_write(&w, "%s%s", ldpc_cuda_text_minima, ldpc_cuda_text_chip);
    return ldpc_writer_end(&w);
}

static bool chip_supports(const ldpc_plan *plan, const ldpc_cuda_device *device)
{
    chip c;
    ldpc_status status = chip_layout(&c, plan, device);
    chip_free(&c);
    return status == LDPC_OK;
}

static ldpc_status chip_make(const ldpc_plan *plan, const ldpc_cuda_device *device,
                             ldpc_cuda_program *program)
{
    chip c;
    ldpc_status status = chip_layout(&c, plan, device);
    if (status == LDPC_OK && !write_table(&c, program))
        status = LDPC_ERR_MEMORY;
    if (status == LDPC_OK) {
        program->source = chip_text(&c);
        program->threads = c.shape.threads;
        program->words = 2 * c.pairs;
        program->shared_bytes = 4 * ((size_t)c.places * c.pairs + (size_t)c.near_words * c.shape.threads);
        program->scratch_bytes = 4 * scratch_words(&c);
    }
    chip_free(&c);
    return status == LDPC_OK && !program->source ? LDPC_ERR_MEMORY : status;
}

const ldpc_cuda_kernel ldpc_cuda_chip = {
    .name = "chip",
    .compiled = true,
    .baked = true,
    .supports = chip_supports,
    .make = chip_make,
};
