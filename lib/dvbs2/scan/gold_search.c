/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/gold_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/standard/scrambling.h"
#include "receiver/complex.h"

enum {
    FIRST = 4,        /* blocks that reject most codes */
    LEAST_BLOCKS = 4, /* with fewer blocks, noise may fit a gold code */
};

/* Minimum power of the sums relative to that of equal symbols: (36 s + 1) / (36 s + 36) for an Es/N0 of s, 0.4 at
 * -2 dB. With a wrong code it is 1/36 on average. */
static const double least_first = 0.12, least_match = 0.2;

bool dvbs2_gold_search_init(dvbs2_gold_search *search)
{
    memset(search, 0, sizeof *search);
    search->x = ldpc_allocate(DVBS2_GOLD_PERIOD, 1);
    search->y = ldpc_allocate(DVBS2_GOLD_PERIOD, 1);
    if (!search->x || !search->y)
        return false;
    dvbs2_gold_sequences(search->x, search->y);
    return true;
}

void dvbs2_gold_search_free(dvbs2_gold_search *search)
{
    free(search->x);
    free(search->y);
    search->x = search->y = NULL;
}

static void add_block(dvbs2_gold_search *search, const float complex *symbols, uint32_t at)
{
    if (dvbs2_gold_search_full(search))
        return;
    for (uint32_t i = 0; i < DVBS2_PILOTS; i++) {
        search->symbols[search->count][i] = symbols[i];
        search->energy += (double)rx_power(symbols[i]);
    }
    search->at[search->count++] = at;
}

bool dvbs2_gold_search_full(const dvbs2_gold_search *search)
{
    return search->count == DVBS2_GOLD_BLOCKS;
}

void dvbs2_gold_search_add(dvbs2_gold_search *search, const float complex *symbols,
                           const dvbs2_frame_format *format)
{
    if (format->kind == DVBS2_FRAME_DUMMY)
        for (uint32_t at = 0; at < format->cells; at += DVBS2_PILOTS)
            add_block(search, symbols + DVBS2_HEADER + at, at);
    for (dvbs2_section s = {0}; format->kind == DVBS2_FRAME_DATA && dvbs2_next_section(format, &s);) {
        const uint32_t at = s.first + s.count;
        if (s.pilots == DVBS2_PILOTS)
            add_block(search, symbols + DVBS2_HEADER + at, at);
    }
}

static uint32_t wrapped(uint32_t i)
{
    return i < DVBS2_GOLD_PERIOD ? i : i - DVBS2_GOLD_PERIOD;
}

/* Returns the power of the sum of a block after descrambling. */
static double block_power(const dvbs2_gold_search *search, size_t block, uint32_t gold)
{
    float complex sum[4] = {0};
    const float complex *symbols = search->symbols[block];
    for (uint32_t i = 0; i < DVBS2_PILOTS; i++) {
        const uint32_t early = search->at[block] + i, late = early + DVBS2_GOLD_DELAY;
        const uint32_t turn = 2u * (search->x[wrapped(late + gold)] ^ search->y[late]) +
                              (search->x[wrapped(early + gold)] ^ search->y[early]);
        sum[turn] += symbols[i];
    }
    const float complex a = sum[0] - sum[2], b = sum[1] - sum[3];
    return (double)rx_power(a + rx_cplx(cimagf(b), -crealf(b)));
}

static double match(const dvbs2_gold_search *search, size_t blocks, uint32_t gold)
{
    double power = 0;
    for (size_t b = 0; b < blocks; b++)
        power += block_power(search, b, gold);
    const double energy = search->energy * (double)blocks / (double)search->count;
    return energy > 0 ? power / (DVBS2_PILOTS * energy) : 0;
}

static bool fits(const dvbs2_gold_search *search, uint32_t gold)
{
    return match(search, FIRST, gold) > least_first && match(search, search->count, gold) > least_match;
}

int32_t dvbs2_gold_search_run(const dvbs2_gold_search *search, const uint32_t *likely, size_t n)
{
    if (search->count < LEAST_BLOCKS)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (fits(search, likely[i]))
            return (int32_t)likely[i];
    for (uint32_t gold = 0; gold < DVBS2_GOLD_CODES; gold++)
        if (fits(search, gold))
            return (int32_t)gold;
    return -1;
}
