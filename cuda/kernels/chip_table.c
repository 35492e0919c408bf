/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "cuda/kernels/chip.h"
#include "base/memory.h"

enum { BANKS = 32, ROUNDS = 8 };

static uint32_t places_of(const ldpc_chip *c, const ldpc_chip_check *check, uint32_t *at)
{
    uint32_t count = 0, lane = check->number % c->code->z;
    const ldpc_block *end = ldpc_chip_end_block(c->code, check->number);
    for (const ldpc_block *b = ldpc_chip_first_block(c->code, check->number); b < end; b++) {
        uint32_t column = ldpc_chip_column(c->code, b, lane);
        if (b->missing_lane != lane && column != check->leaf)
            at[count++] = c->place[column] * c->pairs;
    }
    return count;
}

typedef struct warp_checks {
    uint32_t checks, edges;
    uint32_t at[BANKS][LDPC_CHIP_MAX_DEGREE];
    int here[LDPC_CHIP_MAX_DEGREE][BANKS]; /* [step][bank] number of accesses */
} warp_checks;

static int gain(const warp_checks *w, uint32_t check, uint32_t e, uint32_t f)
{
    uint32_t a = w->at[check][e] % BANKS, b = w->at[check][f] % BANKS;
    return a == b ? 0 : w->here[e][a] - w->here[e][b] + w->here[f][b] - w->here[f][a] - 2;
}

static void swap_edges(warp_checks *w, uint32_t check, uint32_t e, uint32_t f)
{
    uint32_t a = w->at[check][e], b = w->at[check][f];
    w->at[check][e] = b;
    w->at[check][f] = a;
    w->here[e][a % BANKS]--;
    w->here[e][b % BANKS]++;
    w->here[f][b % BANKS]--;
    w->here[f][a % BANKS]++;
}

static void order_edges(warp_checks *w)
{
    memset(w->here, 0, sizeof w->here);
    for (uint32_t r = 0; r < w->checks; r++)
        for (uint32_t e = 0; e < w->edges; e++)
            w->here[e][w->at[r][e] % BANKS]++;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t r = 0; r < w->checks; r++)
            for (uint32_t e = 0; e < w->edges; e++)
                for (uint32_t f = 0; f < w->edges && w->here[e][w->at[r][e] % BANKS] > 1; f++)
                    if (gain(w, r, e, f) >= 0)
                        swap_edges(w, r, e, f);
}

static void write_places(const ldpc_chip *c, const ldpc_chip_pass *pass, warp_checks *w, uint32_t *table)
{
    uint32_t together = c->pairs < BANKS ? BANKS / c->pairs : 1;
    uint16_t *at = (uint16_t *)(table + 2 * (size_t)pass->at);
    for (uint32_t first = 0; first < pass->checks; first += together) {
        w->checks = pass->checks - first < together ? pass->checks - first : together;
        for (uint32_t r = 0; r < w->checks; r++)
            w->edges = places_of(c, &c->checks[pass->first + first + r], w->at[r]);
        if (c->code->z < BANKS)
            order_edges(w);
        for (uint32_t r = 0; r < w->checks; r++)
            for (uint32_t e = 0; e < w->edges; e++)
                at[4 * ((size_t)(e / 4) * c->pass_checks + first + r) + e % 4] = (uint16_t)w->at[r][e];
    }
}

static void write_leaves(const ldpc_chip *c, uint32_t *leaves, uint32_t *locations)
{
    for (uint32_t i = 0; i < c->planes * c->pass_checks; i++)
        leaves[i] = CHIP_NONE;
    for (const ldpc_chip_pass *t = c->passes; t < c->passes + c->n_passes; t++)
        for (uint32_t r = 0; t->leaf && r < t->checks * (1 + (t->twin_degree > 0)); r++) {
            uint32_t leaf = c->checks[t->first + r].leaf;
            uint32_t at = (t->plane + r / t->checks) * c->pass_checks + r % t->checks;
            leaves[at] = leaf;
            locations[leaf] = CHIP_LEAF | at;
        }
}

bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program)
{
    warp_checks *w = ldpc_allocate(1, sizeof *w);
    program->table_words = ldpc_chip_locations_at(c) + c->code->columns;
    program->table = ldpc_allocate(program->table_words, sizeof *program->table);
    bool ok = w && program->table;
    if (ok) {
        uint32_t *locations = program->table + ldpc_chip_locations_at(c);
        for (uint32_t i = 0; i < c->n_passes && !c->circulants; i++)
            write_places(c, &c->passes[i], w, program->table);
        for (uint32_t p = 0; p < c->code->columns; p++)
            locations[p] = c->place[p] * c->pairs;
        write_leaves(c, program->table + ldpc_chip_leaves_at(c), locations);
    }
    free(w);
    return ok;
}
