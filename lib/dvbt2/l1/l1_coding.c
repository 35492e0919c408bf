/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/l1/l1_coding.h"

#include <math.h>
#include <string.h>

#include "base/status_internal.h"

enum { GROUP = 360, PRE_PUNCTURED = 11488, PRE_BCH = DVBT2_L1_PRE_K - DVBT2_L1_PARITY };

/* Parity groups of L1-pre in puncturing order (clause 7.3.3). */
static const uint8_t pre_puncturing[36] = {27, 13, 29, 32, 5,  0,  11, 21, 33, 20, 25, 28,
                                           18, 35, 8,  3,  9,  31, 22, 24, 7,  14, 17, 4,
                                           2,  26, 16, 34, 19, 10, 12, 23, 1,  6,  30, 15};

/* Message groups of L1-post in the order of shortening. Parity groups in the order of puncturing. Rows: BPSK
 * and QPSK, 16QAM, 64QAM. */
static const uint8_t shortening[3][20] = {
    {18, 17, 16, 15, 14, 13, 12, 11, 4, 10, 9,  8, 3, 2, 7, 6, 5, 1, 19, 0},
    {18, 17, 16, 15, 14, 13, 12, 11, 4, 10, 9,  8, 7, 3, 2, 1, 6, 5, 19, 0},
    {18, 17, 16, 4,  15, 14, 13, 12, 3, 11, 10, 9, 2, 8, 7, 1, 6, 5, 19, 0},
};
static const uint8_t puncturing[3][25] = {
    {6, 4,  18, 9,  13, 8,  15, 20, 5, 17, 2, 24, 10, 22, 12, 3,  16, 23, 1,  14, 0,  21, 19, 7,  11},
    {6, 4,  13, 9,  18, 8,  15, 20, 5, 17, 2, 22, 24, 7,  12, 1,  16, 23, 14, 0,  21, 10, 19, 11, 3 },
    {6, 15, 13, 10, 3,  17, 21, 8,  5, 19, 2, 23, 16, 24, 7,  18, 1,  12, 20, 0,  4,  14, 9,  11, 22},
};

static uint32_t order_row(uint32_t bits_per_cell)
{
    return bits_per_cell < 4 ? 0 : bits_per_cell / 2 - 1;
}

ldpc_status dvbt2_l1_post_coding_of(const dvbt2_l1_pre *pre, uint32_t n_p2, dvbt2_l1_post_coding *coding,
                                    ldpc_error *err)
{
    static const uint8_t bits[] = {1, 2, 4, 6};
    if (!pre || !coding || !n_p2)
        return ldpc_fail(err, LDPC_ERR_NULL,
                         "L1-pre, coding and the number of P2 symbols must not be NULL or 0");
    if (pre->l1_mod > DVBT2_L1_64QAM || pre->l1_cod || pre->l1_fec_type)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: modulation %u, rate %u or FEC type %u is reserved",
                         pre->l1_mod, pre->l1_cod, pre->l1_fec_type);
    uint32_t total = pre->l1_post_info_size + DVBT2_L1_CRC;
    dvbt2_l1_post_coding c = {.bits_per_cell = bits[pre->l1_mod], .info = pre->l1_post_info_size};
    c.blocks = (total + DVBT2_L1_POST_BCH - 1) / DVBT2_L1_POST_BCH;
    if (c.blocks > DVBT2_MAX_L1_POST_BLOCKS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: L1-post of %u bits does not fit into a frame", c.info);
    c.k_sig = (total + c.blocks - 1) / c.blocks;
    uint32_t punctured = 6 * (DVBT2_L1_POST_BCH - c.k_sig) / 5;
    uint32_t sent = c.k_sig + DVBT2_L1_PARITY + (DVBT2_L1_N - DVBT2_L1_POST_K) - punctured;
    uint32_t unit = c.bits_per_cell * (n_p2 == 1 ? 2 : n_p2);
    c.n_post = (sent + unit - 1) / unit * unit;
    c.cells = c.n_post / c.bits_per_cell * c.blocks;
    if (c.n_post - sent > punctured || c.cells != pre->l1_post_size)
        return ldpc_fail(err, LDPC_ERR_PARAM, "L1-pre: L1-post has %u cells, but its %u bits need %u cells",
                         pre->l1_post_size, c.info, c.cells);
    c.punctured = punctured - (c.n_post - sent);
    *coding = c;
    return LDPC_OK;
}

/* Parity group g consists of the parity bits g, g + q, g + 2q ... */
static void puncture(uint8_t *punctured, uint32_t k, const uint8_t *order, uint32_t count)
{
    uint32_t q = (DVBT2_L1_N - k) / GROUP;
    for (uint32_t i = 0; i < count; i++)
        punctured[k + order[i / GROUP] + i % GROUP * q] = 1;
}

static void collect(dvbt2_l1_positions *p, const uint8_t *punctured, uint32_t bch)
{
    for (uint32_t i = 0; i < DVBT2_L1_N; i++) {
        if (i < bch && !p->zero[i])
            p->sig[p->n_sig++] = (uint16_t)i;
        if (!p->zero[i] && !punctured[i])
            p->sent[p->n_sent++] = (uint16_t)i;
    }
}

void dvbt2_l1_pre_positions(dvbt2_l1_positions *positions)
{
    uint8_t punctured[DVBT2_L1_N] = {0};
    memset(positions, 0, sizeof(*positions));
    memset(positions->zero + DVBT2_L1_PRE_SIG, 1, PRE_BCH - DVBT2_L1_PRE_SIG);
    puncture(punctured, DVBT2_L1_PRE_K, pre_puncturing, PRE_PUNCTURED);
    collect(positions, punctured, PRE_BCH);
}

/* Shortens whole groups of 360 bits, then the end of another group. */
static void shorten(uint8_t *zero, const uint8_t *order, uint32_t k_sig)
{
    uint32_t left = DVBT2_L1_POST_BCH - k_sig;
    for (uint32_t i = 0; left; i++) {
        uint32_t start = order[i] * GROUP;
        uint32_t size = start + GROUP > DVBT2_L1_POST_BCH ? DVBT2_L1_POST_BCH - start : GROUP;
        uint32_t count = left < size ? left : size;
        memset(zero + start + size - count, 1, count);
        left -= count;
    }
}

void dvbt2_l1_post_positions(const dvbt2_l1_post_coding *coding, dvbt2_l1_positions *positions)
{
    uint8_t punctured[DVBT2_L1_N] = {0};
    uint32_t row = order_row(coding->bits_per_cell);
    memset(positions, 0, sizeof(*positions));
    shorten(positions->zero, shortening[row], coding->k_sig);
    puncture(punctured, DVBT2_L1_POST_K, puncturing[row], coding->punctured);
    collect(positions, punctured, DVBT2_L1_POST_BCH);
}

uint32_t dvbt2_l1_post_bit(const dvbt2_l1_post_coding *coding, uint32_t cell, uint32_t bit)
{
    static const uint8_t columns16[8] = {7, 1, 3, 5, 2, 4, 6, 0};
    static const uint8_t columns64[12] = {11, 8, 5, 2, 10, 7, 4, 1, 9, 6, 3, 0};
    if (coding->bits_per_cell < 4)
        return cell * coding->bits_per_cell + bit;
    uint32_t columns = 2 * coding->bits_per_cell, rows = coding->n_post / columns;
    uint32_t of_pair = cell % 2 * coding->bits_per_cell + bit;
    return (columns == 8 ? columns16 : columns64)[of_pair] * rows + cell / 2;
}

/* ---- constellations */

/* Returns the level of I or Q. The bits form the index, most significant bit first. */
static const float levels1[2] = {1, -1};
static const float levels2[4] = {3, 1, -3, -1};
static const float levels3[8] = {7, 5, 1, 3, -7, -5, -1, -3};

/* Computes the LLRs of the bits of I or Q. Writes them to every `stride`-th output. */
static void axis_llr(const float *levels, uint32_t bits, float unit, float value, float noise,
                     uint32_t stride, float *llr)
{
    float sum[3][2] = {{0}}, distance[8], nearest = INFINITY;
    for (uint32_t i = 0; i < 1U << bits; i++) {
        float d = value - levels[i] * unit;
        distance[i] = d * d;
        nearest = fminf(nearest, distance[i]);
    }
    for (uint32_t i = 0; i < 1U << bits; i++) {
        float weight = expf((nearest - distance[i]) / noise) + 1e-30F;
        for (uint32_t b = 0; b < bits; b++)
            sum[b][i >> (bits - 1 - b) & 1] += weight;
    }
    for (uint32_t b = 0; b < bits; b++)
        llr[b * stride] = logf(sum[b][0] / sum[b][1]);
}

void dvbt2_l1_cell_llr(uint32_t bits_per_cell, const float iq[2], float noise, float *llr)
{
    memset(llr, 0, bits_per_cell * sizeof(*llr));
    if (!(noise > 0) || !isfinite(noise) || !isfinite(iq[0]) || !isfinite(iq[1]))
        return;
    if (bits_per_cell == 1) {
        axis_llr(levels1, 1, 1, iq[0], noise, 1, llr);
        return;
    }
    static const float *const levels[] = {levels1, levels2, levels3};
    /* scale factors 1 / sqrt(2), 1 / sqrt(10), 1 / sqrt(42) */
    static const float units[] = {0.70710678F, 0.31622777F, 0.15430335F};
    uint32_t bits = bits_per_cell / 2;
    for (uint32_t axis = 0; axis < 2; axis++)
        axis_llr(levels[bits - 1], bits, units[bits - 1], iq[axis], noise, 2, llr + axis);
}

void dvbt2_l1_scramble(uint8_t *bits, size_t count)
{
    /* 1 + x^14 + x^15, as for baseband frames (clause 5.2.4) */
    uint32_t state = 0x4A80;
    for (size_t i = 0; i < count; i++) {
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        bits[i] ^= (uint8_t)bit;
    }
}
