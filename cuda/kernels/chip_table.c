/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the kernel "chip": places row by row, where they are listed, and the columns of leaves. */
#include <stdlib.h>
#include <string.h>

#include "cuda/kernels/chip.h"
#include "base/memory.h"

enum { BANKS = 32, PASSES = 8 };

/* Places of a row's columns, times pairs as they stand in shared memory, without the leaf's. */
static uint32_t places_of(const ldpc_chip *c, const ldpc_chip_row *row, uint32_t *at)
{
    uint32_t count = 0, lane = row->check % c->code->z;
    const ldpc_block *end = ldpc_chip_end_block(c->code, row->check);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, row->check); b < end; b++) {
        uint32_t column = ldpc_chip_column(c->code, b, lane);
        if (b->missing_lane != lane && column != row->leaf)
            at[count++] = c->place[column] * c->pairs;
    }
    return count;
}

/* Rows of one warp. What they visit at the same time should be in different banks, and the order of a row's
 * edges is free. */
typedef struct warp_rows {
    uint32_t rows, edges;
    uint32_t at[BANKS][LDPC_CHIP_MAX_DEGREE];
    int here[LDPC_CHIP_MAX_DEGREE][BANKS]; /* rows that visit the bank at that time */
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
static void write_places(const ldpc_chip *c, const ldpc_chip_turn *turn, warp_rows *w, uint32_t *table)
{
    uint32_t together = c->pairs < BANKS ? BANKS / c->pairs : 1;
    uint16_t *at = (uint16_t *)(table + 2 * (size_t)turn->at);
    for (uint32_t first = 0; first < turn->rows; first += together) {
        w->rows = turn->rows - first < together ? turn->rows - first : together;
        for (uint32_t r = 0; r < w->rows; r++)
            w->edges = places_of(c, &c->rows[turn->first + first + r], w->at[r]);
        if (c->code->z < BANKS) /* circulants stand well as they are */
            order_edges(w);
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t e = 0; e < w->edges; e++)
                at[4 * ((size_t)(e / 4) * c->slots + first + r) + e % 4] = (uint16_t)w->at[r][e];
    }
}

/* The columns of the leaves, row by row, a twin's rows behind those of its turn. */
static void write_leaves(const ldpc_chip *c, uint32_t *leaves, uint32_t *homes)
{
    for (uint32_t i = 0; i < c->planes * c->slots; i++)
        leaves[i] = LDPC_CHIP_NONE;
    for (const ldpc_chip_turn *t = c->turns; t < c->turns + c->n_turns; t++)
        for (uint32_t r = 0; t->leaf && r < t->rows * (1 + (t->twin > 0)); r++) {
            uint32_t leaf = c->rows[t->first + r].leaf;
            uint32_t at = (t->plane + r / t->rows) * c->slots + r % t->rows;
            leaves[at] = leaf;
            homes[leaf] = LDPC_CHIP_PLANE | at;
        }
}

bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program)
{
    warp_rows *w = ldpc_allocate(1, sizeof *w);
    program->table_words = ldpc_chip_homes_at(c) + c->code->columns;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    bool ok = w && program->table;
    if (ok) {
        uint32_t *homes = program->table + ldpc_chip_homes_at(c);
        for (uint32_t i = 0; i < c->n_turns && !c->circulants; i++)
            write_places(c, &c->turns[i], w, program->table);
        for (uint32_t p = 0; p < c->code->columns; p++)
            homes[p] = c->place[p] * c->pairs;
        write_leaves(c, program->table + ldpc_chip_leaves_at(c), homes);
    }
    free(w);
    return ok;
}
