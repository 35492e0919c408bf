/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit interleavers of DVB-T2 (EN 302 755, 6.1.3 and 6.2.1), DVB-S2 and S2X (EN 302 307-1 and -2, 5.3.3). */
#include <string.h>

#include "code/repeat_accumulate.h"
#include "dvb/modcod.h"

/* Bit c of a row becomes bit to[c] of a pair of cells. For 256-QAM with n = 16200, it becomes bit to[c] of a
 * single cell. EN 302 755, tables 13(a) to 13(c); rates 1/3 and 2/5: annex I. */
static const struct demux {
    uint32_t bits, n; /* bits per cell; code length (0: any) */
    const char *rate; /* code rate; NULL: all other rates */
    uint8_t to[16];
} demuxes[] = {
    {4, 64800, "3/5", {0, 5, 1, 2, 4, 7, 3, 6}                              },
    {4, 0,     "1/3", {6, 0, 3, 4, 5, 2, 1, 7}                              },
    {4, 0,     "2/5", {7, 5, 4, 0, 3, 1, 2, 6}                              },
    {4, 0,     NULL,  {7, 1, 4, 2, 5, 3, 6, 0}                              },
    {6, 64800, "3/5", {2, 7, 6, 9, 0, 3, 1, 8, 4, 11, 5, 10}                },
    {6, 0,     "1/3", {4, 2, 0, 5, 6, 1, 3, 7, 8, 9, 10, 11}                },
    {6, 0,     "2/5", {4, 0, 1, 6, 2, 3, 5, 8, 7, 10, 9, 11}                },
    {6, 0,     NULL,  {11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0}                },
    {8, 64800, "3/5", {2, 11, 3, 4, 0, 9, 1, 8, 10, 13, 7, 14, 6, 15, 5, 12}},
    {8, 64800, "2/3", {7, 2, 9, 0, 4, 6, 13, 3, 14, 10, 15, 5, 8, 12, 11, 1}},
    {8, 64800, NULL,  {15, 1, 13, 3, 8, 11, 9, 5, 10, 6, 4, 7, 12, 2, 14, 0}},
    {8, 0,     "1/3", {4, 0, 1, 2, 5, 3, 6, 7}                              },
    {8, 0,     "2/5", {4, 0, 5, 1, 2, 3, 6, 7}                              },
    {8, 0,     NULL,  {7, 3, 1, 5, 2, 6, 4, 0}                              },
};

/* Column c is written starting with row down[c] (EN 302 755, table 8). */
static const struct twist {
    uint32_t columns, n;
    uint8_t down[16];
} twists[] = {
    {8,  64800, {0, 0, 2, 4, 4, 5, 7, 7}                                 },
    {8,  16200, {0, 0, 0, 1, 7, 20, 20, 21}                              },
    {12, 64800, {0, 0, 2, 2, 3, 4, 4, 5, 5, 7, 8, 9}                     },
    {12, 16200, {0, 0, 0, 2, 2, 2, 3, 3, 3, 6, 7, 7}                     },
    {16, 64800, {0, 2, 2, 2, 2, 3, 7, 15, 16, 20, 22, 22, 27, 27, 28, 32}},
};

static const struct demux *find_demux(uint32_t bits, uint32_t n, const char *rate)
{
    const struct demux *d = demuxes;
    while (d->bits != bits || (d->n && d->n != n) || (d->rate && strcmp(d->rate, rate)))
        d++;
    return d;
}

static const struct twist *find_twist(uint32_t columns, uint32_t n)
{
    const struct twist *t = twists;
    while (t->columns != columns || t->n != n)
        t++;
    return t;
}

/* The parity interleaver is written in columns of length q and read row by row. */
static uint32_t parity_position(const ldpc_modcod *modcod, uint32_t i)
{
    const uint32_t q = (modcod->n - modcod->k) / LDPC_RA_GROUP;
    if (i < modcod->k)
        return i;
    return modcod->k + LDPC_RA_GROUP * ((i - modcod->k) % q) + (i - modcod->k) / q;
}

static void t2_qpsk_order(const ldpc_modcod *modcod, uint16_t *order)
{
    const bool interleaved = !strcmp(modcod->rate, "1/3") || !strcmp(modcod->rate, "2/5");
    for (uint32_t i = 0; i < modcod->n; i++)
        order[i] = (uint16_t)(interleaved ? parity_position(modcod, i) : i);
}

static void t2_qam_order(const ldpc_modcod *modcod, uint16_t *order)
{
    const uint32_t bits = modcod->constellation->bits, n = modcod->n;
    const uint32_t columns = bits == 8 && n == 16200 ? bits : 2 * bits, rows = n / columns;
    const struct demux *const demux = find_demux(bits, n, modcod->rate);
    const struct twist *const twist = find_twist(columns, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = parity_position(modcod, i), column = at / rows;
        const uint32_t row = (at % rows + twist->down[column]) % rows;
        order[i] = (uint16_t)(row * columns + demux->to[column]);
    }
}

/* The block interleaver is written by columns, one for each bit of a cell, and read by rows. With 128APSK,
 * the last column is padded. EN 302 307-1 and -2, 5.3.3. */
static void satellite_order(const ldpc_modcod *modcod, uint16_t *order)
{
    const char *const columns = modcod->satellite->columns;
    const uint32_t bits = modcod->constellation->bits, rows = modcod->data_cells;
    for (uint32_t i = 0; i < modcod->n; i++) {
        const char *const column = strchr(columns, (int)('0' + i / rows));
        order[i] = (uint16_t)(*columns ? i % rows * bits + (uint32_t)(column - columns) : i);
    }
}

void ldpc_modcod_bit_order(const ldpc_modcod *modcod, uint16_t *order)
{
    if (!modcod->t2 && !modcod->satellite)
        for (uint32_t i = 0; i < modcod->n; i++)
            order[i] = (uint16_t)i;
    else if (modcod->satellite)
        satellite_order(modcod, order);
    else if (modcod->constellation->bits == 2)
        t2_qpsk_order(modcod, order);
    else
        t2_qam_order(modcod, order);
}
