/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "draws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/galois_field.h"
#include "code/nonbinary.h"

enum {
    MOST_LAYERS = 40,
    MOST_GROUPS = 68,
    MOST_DEGREE = 30,
    MOST_LIFTING = 1024,
    SMALL_COLUMNS = 512,
    ENCODED_COLUMNS = 4096, /* larger codes take too long */
    MOST_BLOCKS = 8192,
    WARP = 32,
    DVB_LANES = 360,
    DVB_GROUPS = 90, /* at least */
};

/* Columns that are not transmitted. */
typedef struct column_range {
    uint32_t first, count;
} column_range;

/* The layers of a code. */
typedef struct drawing {
    uint32_t z, groups, layers;
    uint32_t degrees[256];
    ldpc_block blocks[MOST_BLOCKS];
    uint32_t count;
    column_range punctured, shortened; /* must not overlap */
    bool missing_edges, constant;
    bool repeated;       /* a layer may have several blocks of the same group */
    bool even;           /* the numbers of blocks in two groups differ by at most one */
    uint32_t next;       /* next group if `even` */
    uint32_t shifts;     /* upper limit of the shifts */
    bool shift_of_group; /* all blocks of a group have the same shift */
    enum { NATURAL, INTERLEAVED, DVB_ORDER } order;
} drawing;

static bool one_in(random_state *random, uint32_t n)
{
    return random_below(random, n) == 0;
}

static uint32_t between(random_state *random, uint32_t least, uint32_t most)
{
    return least + random_below(random, most - least + 1);
}

/* Draws 1 .. most. The ranges 1 to 3, 4 to 7, 8 to 15 ... are equally likely. */
static uint32_t of_any_size(random_state *random, uint32_t most)
{
    uint32_t bits = 0;
    while (most >> bits > 1)
        bits++;
    const uint32_t base = 1u << random_below(random, bits + 1), value = base + random_below(random, base);
    return value < most ? value : most;
}

/* ---- layers */

static bool has_block(const drawing *d, uint32_t first, uint32_t group, uint32_t shift)
{
    for (uint32_t b = first; b < d->count; b++)
        if (d->blocks[b].group == group && d->blocks[b].shift == shift)
            return true;
    return false;
}

static bool has_group(const drawing *d, uint32_t first, uint32_t group)
{
    for (uint32_t b = first; b < d->count; b++)
        if (d->blocks[b].group == group)
            return true;
    return false;
}

static void add_block(drawing *d, uint32_t layer, uint32_t group, uint32_t shift, uint32_t missing_lane)
{
    if (d->count == MOST_BLOCKS)
        return;
    d->blocks[d->count++] = (ldpc_block){.group = group, .shift = shift, .missing_lane = missing_lane};
    d->degrees[layer]++;
}

/* first: first block of the layer. */
static uint32_t draw_group(drawing *d, random_state *random, uint32_t first, uint32_t groups)
{
    if (d->repeated && d->count > first && one_in(random, 6))
        return d->blocks[between(random, first, d->count - 1)].group;
    return d->even ? d->next++ % groups : random_below(random, groups);
}

static uint32_t draw_shift(const drawing *d, random_state *random, uint32_t group)
{
    return d->shift_of_group ? group * 7 % d->z : random_below(random, d->shifts);
}

/* repeated: a group may occur several times. */
static void add_row(drawing *d, random_state *random, uint32_t layer, uint32_t groups, uint32_t degree)
{
    const uint32_t first = d->count - d->degrees[layer];
    for (uint32_t tries = 0; d->degrees[layer] < degree && tries < 8 * degree; tries++) {
        const uint32_t group = draw_group(d, random, first, groups), shift = draw_shift(d, random, group);
        const bool lacks = d->missing_edges && d->z > 1 && one_in(random, 12);
        if (d->repeated ? !has_block(d, first, group, shift) : !has_group(d, first, group))
            add_block(d, layer, group, shift, lacks ? random_below(random, d->z) : LDPC_NO_LANE);
    }
}

/* Structure of the last groups. */
typedef enum parity_part { NO_PARITY, LEAVES, STAIRCASE, PARITY_PARTS } parity_part;

static void add_parity(drawing *d, random_state *random, uint32_t layer, parity_part parity)
{
    const uint32_t own = d->groups - d->layers + layer;
    if (parity == NO_PARITY)
        return;
    add_block(d, layer, own, parity == STAIRCASE ? 0 : draw_shift(d, random, own), LDPC_NO_LANE);
    if (parity == STAIRCASE && layer)
        add_block(d, layer, own - 1, 0, LDPC_NO_LANE);
}

/* Draws the range of punctured columns and the range of shortened columns. Each range has at most a quarter
 * of the columns. */
static void draw_ranges(drawing *d, random_state *random)
{
    const uint32_t columns = d->z * d->groups, half = columns / 2;
    if (one_in(random, 3))
        d->punctured.count = one_in(random, 2) ? random_below(random, columns / 4 + 1)
                                               : d->z * random_below(random, d->groups / 4 + 1);
    if (one_in(random, 3))
        d->shortened = (column_range){.first = half + random_below(random, columns / 4 + 1),
                                      .count = random_below(random, columns / 4 + 1)};
}

/* Draws a lifting size of 1 to 1024, often a multiple of the warp size. */
static uint32_t draw_lifting(random_state *random, uint32_t groups, uint32_t most_columns)
{
    uint32_t z = of_any_size(random, MOST_LIFTING);
    if (z * groups > most_columns)
        z = 1 + most_columns / groups / (1 + random_below(random, 8));
    return z >= WARP && one_in(random, 2) ? z / WARP * WARP : z;
}

static void draw_layers(drawing *d, random_state *random, uint32_t most_columns)
{
    d->layers = between(random, 1, one_in(random, 2) ? MOST_LAYERS : 5);
    d->groups = between(random, d->layers + 1, one_in(random, 2) ? MOST_GROUPS : d->layers + 16);
    d->z = draw_lifting(random, d->groups, most_columns);
    d->shifts = one_in(random, 4) ? 1 + d->z / 64 : d->z;
    d->shift_of_group = one_in(random, 4);
    d->repeated = d->z > 1 && one_in(random, 3);
    d->missing_edges = one_in(random, 8);
    d->constant = one_in(random, 8);
    d->even = one_in(random, 2);
    d->order = one_in(random, 5) ? INTERLEAVED : NATURAL;
    const parity_part parity = (parity_part)random_below(random, PARITY_PARTS);
    const uint32_t groups = parity == NO_PARITY ? d->groups : d->groups - d->layers;
    /* every column gets a check */
    const uint32_t all = (groups + d->layers - 1) / d->layers;
    const uint32_t most = between(random, 1, MOST_DEGREE);
    const uint32_t most_degree = d->even && all > most && all <= MOST_DEGREE ? all : most;
    const uint32_t least_degree = d->even ? most_degree : between(random, 1, most_degree);
    for (uint32_t l = 0; l < d->layers; l++) {
        add_parity(d, random, l, parity);
        add_row(d, random, l, groups, between(random, least_degree, most_degree));
    }
    draw_ranges(d, random);
}

/* Adds the accumulator of DVB codes. */
static void draw_dvb(drawing *d, random_state *random)
{
    const uint32_t info = between(random, 10, 162), degree = between(random, 1, MOST_DEGREE - 3),
                   pads = one_in(random, 2) ? 0 : random_below(random, 4);
    const uint32_t least = info + 9 < DVB_GROUPS ? DVB_GROUPS - info : 9;
    d->repeated = one_in(random, 2);
    d->z = d->shifts = DVB_LANES;
    d->layers = between(random, least, least + 40);
    d->groups = info + d->layers;
    d->order = one_in(random, 3) ? NATURAL : DVB_ORDER;
    for (uint32_t l = 0; l < d->layers; l++) {
        const uint32_t own = info + l;
        add_row(d, random, l, info, degree > pads ? degree - random_below(random, pads + 1) : degree);
        add_block(d, l, l ? own - 1 : d->groups - 1, l ? 0 : d->z - 1, l ? LDPC_NO_LANE : 0);
        add_block(d, l, own, 0, LDPC_NO_LANE);
    }
    if (one_in(random, 2))
        draw_ranges(d, random);
}

/* ---- from layers to codes */

/* Creates the code from base-matrix text. */
static ldpc_code *create_from_text(const drawing *d)
{
    char *text = NULL;
    size_t bytes = 0;
    ldpc_code *code = NULL;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    fprintf(file, "%u %u %u\n", d->groups, d->layers, d->z);
    for (uint32_t l = 0, b = 0; l < d->layers; b += d->degrees[l++])
        for (uint32_t g = 0; g < d->groups; g++) {
            bool any = false;
            for (uint32_t i = b; i < b + d->degrees[l]; i++)
                if (d->blocks[i].group == g) {
                    fprintf(file, any ? ",%u" : " %u", d->blocks[i].shift);
                    any = true;
                }
            fprintf(file, "%s%s", any ? "" : " -1", g + 1 == d->groups ? "\n" : "");
        }
    if (d->punctured.count)
        fprintf(file, "punctured %u-%u\n", d->punctured.first, d->punctured.first + d->punctured.count - 1);
    if (d->shortened.count)
        fprintf(file, "shortened %u-%u\n", d->shortened.first, d->shortened.first + d->shortened.count - 1);
    if (!fclose(file) && ldpc_code_create_qc(text, bytes, &code, NULL))
        code = NULL;
    free(text);
    return code;
}

static uint32_t column_of(const drawing *d, uint32_t group, uint32_t lane)
{
    const uint32_t info = d->groups - d->layers;
    if (d->order == INTERLEAVED)
        return lane * d->groups + group;
    if (d->order == DVB_ORDER && group >= info)
        return info * d->z + lane * d->layers + group - info;
    return group * d->z + lane;
}

static bool is_in(const column_range *range, uint32_t column)
{
    return column - range->first < range->count;
}

/* Codes that no base-matrix file describes. They have no encoder. */
static ldpc_code *create_from_layers(const drawing *d)
{
    ldpc_code *code = layers_create(d->z, d->groups, d->layers, d->degrees, d->blocks);
    if (!code)
        return NULL;
    for (uint32_t g = 0; g < d->groups; g++)
        for (uint32_t lane = 0; lane < d->z; lane++)
            code->column_at[g * d->z + lane] = column_of(d, g, lane);
    code->n = 0;
    for (uint32_t c = 0; c < code->columns; c++)
        if (is_in(&d->shortened, c))
            code->known_zero[code->shortened++] = c;
        else if (is_in(&d->punctured, c))
            code->punctured++;
        else
            code->transmitted[code->n++] = c;
    if (d->constant)
        code->transmitted[code->n++] = LDPC_NO_COLUMN;
    code->k = code->columns - (d->groups > d->layers ? d->layers * d->z : 0);
    return code;
}

static ldpc_code *create_from_drawing(const drawing *d)
{
    const bool whole = !d->missing_edges && !d->constant && d->order == NATURAL;
    return whole && d->z * d->groups <= ENCODED_COLUMNS ? create_from_text(d) : create_from_layers(d);
}

/* ---- kinds */

static ldpc_code *create_layers(random_state *random, void (*draw)(drawing *d, random_state *random))
{
    drawing *d = calloc(1, sizeof *d);
    ldpc_code *code = NULL;
    if (d) {
        draw(d, random);
        code = create_from_drawing(d);
    }
    free(d);
    return code;
}

static void draw_qc(drawing *d, random_state *random)
{
    draw_layers(d, random, MOST_GROUPS * MOST_LIFTING);
}

static void draw_small(drawing *d, random_state *random)
{
    draw_layers(d, random, SMALL_COLUMNS);
}

static ldpc_code *create_qc(random_state *random)
{
    return create_layers(random, draw_qc);
}

static ldpc_code *create_small(random_state *random)
{
    return create_layers(random, draw_small);
}

static ldpc_code *create_dvb(random_state *random)
{
    return create_layers(random, draw_dvb);
}

static ldpc_code *create_irregular(random_state *random)
{
    const uint32_t m = of_any_size(random, 1000), n = m + of_any_size(random, 1000),
                   most_degree = between(random, 1, MOST_DEGREE);
    uint32_t *checks = malloc(m * MOST_DEGREE * sizeof *checks),
             *columns = malloc(m * MOST_DEGREE * sizeof *columns);
    uint32_t *last = calloc(n, sizeof *last); /* last check of each column, plus 1; 0: no check */
    ldpc_code *code = NULL;
    size_t edges = 0;
    for (uint32_t c = 0; c < m && checks && columns && last; c++)
        for (uint32_t e = between(random, 1, most_degree); e > 0; e--) {
            const uint32_t v = random_below(random, n);
            if (last[v] == c + 1)
                continue;
            last[v] = c + 1;
            checks[edges] = c;
            columns[edges++] = v;
        }
    if (edges && ldpc_code_create_edges(m, n, checks, columns, edges, &code, NULL))
        code = NULL;
    free(checks);
    free(columns);
    free(last);
    return code;
}

static ldpc_code *create_nonbinary(random_state *random)
{
    enum { MOST_CHECKS = 30, MOST_NB_DEGREE = 12 };
    static ldpc_nb_entry entries[MOST_CHECKS * MOST_NB_DEGREE];
    ldpc_field field;
    ldpc_code *code = NULL;
    size_t count = 0;
    ldpc_field_init(&field, between(random, 2, 8), 0, NULL);
    const uint32_t checks = between(random, 1, MOST_CHECKS), columns = checks + between(random, 1, 30),
                   most = between(random, 1, MOST_NB_DEGREE),
                   least = one_in(random, 2) ? most : between(random, 0, most);
    for (uint32_t c = 0; c < checks; c++) {
        uint32_t degree = between(random, least, most);
        for (uint32_t v = 0; v < columns && degree; v++)
            if (random_below(random, columns - v) < degree) {
                entries[count++] = (ldpc_nb_entry){c, v, (uint8_t)between(random, 1, field.q - 1)};
                degree--;
            }
    }
    return ldpc_nb_code_create(checks, columns, &field, entries, count, "drawn", "", &code, NULL) ? NULL
                                                                                                  : code;
}

static ldpc_code *create_mixed(random_state *random)
{
    const uint32_t kind = random_below(random, 10);
    return kind < 5    ? create_qc(random)
           : kind < 8  ? create_small(random)
           : kind == 8 ? create_irregular(random)
                       : create_dvb(random);
}

static const struct {
    const char *name;
    ldpc_code *(*create)(random_state *random);
} kinds[] = {
    {"qc",        create_qc       },
    {"small",     create_small    },
    {"irregular", create_irregular},
    {"dvb",       create_dvb      },
    {"nonbinary", create_nonbinary},
    {"mixed",     create_mixed    },
};

bool is_drawn(const char *name)
{
    return strncmp(name, "drawn:", 6) == 0;
}

ldpc_code *drawn_code_create(const char *name)
{
    random_state random = random_of(0, name);
    const char *kind = name + strlen("drawn:"), *end = is_drawn(name) ? strchr(kind, ':') : NULL;
    ldpc_code *code = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && end; i++)
        if (strncmp(kinds[i].name, kind, (size_t)(end - kind)) == 0 && !kinds[i].name[end - kind])
            do { /* decoders need message bits */
                ldpc_code_destroy(code);
                code = kinds[i].create(&random);
            } while (code && ldpc_code_k(code) == 0);
    if (code)
        snprintf(code->name, sizeof code->name, "%s", name);
    return code;
}

/* ---- parameters */

void draw_params(random_state *random, const ldpc_code *code, ldpc_decoder_params *params)
{
    params->early_stop = random_below(random, 3) > 0;
    params->packed = random_below(random, 2);
    params->max_iterations = random_below(random, ldpc_code_n(code) > 20000 ? 5 : 12);
    params->threads = 1 + random_below(random, 3);
    if (params->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM && random_below(random, 2))
        params->offset = (float)random_below(random, 64);
    if (params->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM && random_below(random, 2))
        params->factor = (float)(1 + random_below(random, 16)) / 16;
    if (random_below(random, 2))
        params->llr_scale = 0.25f + (float)random_below(random, 255) / 4;
    params->llr_limit = sample_llr_limit(random);
}

void draw_decoder(random_state *random, const ldpc_code *code, ldpc_decoder_params *params)
{
    static const ldpc_algorithm rules[] = {LDPC_ALGORITHM_MIN_SUM,
                                           LDPC_ALGORITHM_OFFSET_MIN_SUM,
                                           LDPC_ALGORITHM_NORMALIZED_MIN_SUM,
                                           LDPC_ALGORITHM_CORRECTED_MIN_SUM,
                                           LDPC_ALGORITHM_THREE_MIN,
                                           LDPC_ALGORITHM_SUM_PRODUCT /* last: float only */};
    const uint32_t n_rules = sizeof rules / sizeof *rules;
    const uint32_t arithmetic = random_below(random, 5);
    params->arithmetic = arithmetic == 0  ? LDPC_ARITHMETIC_FLOAT
                         : arithmetic < 3 ? LDPC_ARITHMETIC_I8
                                          : LDPC_ARITHMETIC_I16;
    params->algorithm =
        rules[random_below(random, params->arithmetic == LDPC_ARITHMETIC_FLOAT ? n_rules : n_rules - 1)];
    params->schedule = one_in(random, 6) ? LDPC_SCHEDULE_FLOODING : LDPC_SCHEDULE_LAYERED;
    draw_params(random, code, params);
}
