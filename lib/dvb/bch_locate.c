/* SPDX-License-Identifier: BSD-3-Clause */
/* Locates the errors of a BCH codeword with the Berlekamp-Massey algorithm and a Chien search. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvb/bch.h"

enum { TERMS = LDPC_BCH_MAX_T + 1, SYNDROMES = 2 * LDPC_BCH_MAX_T };

/* ---- tables */

static void find_taps(ldpc_bch *bch)
{
    uint32_t polynomial = bch->row->field->polynomials[0], count = 0;
    for (uint32_t i = 1; i < bch->m && count < LDPC_BCH_TAPS; i++)
        if (polynomial >> i & 1)
            bch->taps[count++] = i;
}

static void fill_powers(ldpc_bch *bch)
{
    uint32_t value = 1;
    for (uint32_t i = 0; i < bch->order; i++) {
        bch->powers[i] = bch->powers[i + bch->order] = (uint16_t)value;
        bch->logs[value] = (uint16_t)i;
        value <<= 1;
        if (value >> bch->m)
            value ^= bch->row->field->polynomials[0];
    }
}

/* Bit i of c(x) x^d mod g(x) is the coefficient of x^(d-1-i). It adds alpha^(-(2j+1)(i+1)) to S(2j+1). */
static void fill_syndromes(ldpc_bch *bch)
{
    for (uint32_t i = 0; i < bch->n - bch->k; i++)
        for (uint32_t j = 0; j < bch->t; j++)
            bch->syndromes[i][j] = bch->powers[bch->order - (2 * j + 1) * (i + 1) % bch->order];
}

ldpc_status ldpc_bch_make_field(ldpc_bch *bch, ldpc_error *err)
{
    bch->powers = ldpc_allocate(2 * (size_t)bch->order, sizeof *bch->powers);
    bch->logs = ldpc_allocate((size_t)bch->order + 1, sizeof *bch->logs);
    if (!bch->powers || !bch->logs)
        return ldpc_fail_memory(err);
    find_taps(bch);
    fill_powers(bch);
    fill_syndromes(bch);
    return LDPC_OK;
}

static uint16_t multiply(const ldpc_bch *bch, uint16_t a, uint16_t b)
{
    return a && b ? bch->powers[bch->logs[a] + bch->logs[b]] : 0;
}

static uint16_t divide(const ldpc_bch *bch, uint16_t a, uint16_t b)
{
    return a ? bch->powers[bch->logs[a] + bch->order - bch->logs[b]] : 0;
}

/* ---- syndromes and locator */

/* syndrome[i] = S(i+1). In a binary code, S(2i) = S(i)^2. */
static void find_syndromes(const ldpc_bch *bch, const ldpc_bch_remainder *remainder,
                           uint16_t syndrome[SYNDROMES])
{
    uint16_t odd[LDPC_BCH_MAX_T] = {0};
    for (uint32_t i = 0; i < bch->n - bch->k; i++)
        if (remainder->word[i / 64] >> (63 - i % 64) & 1)
            for (uint32_t j = 0; j < LDPC_BCH_MAX_T; j++)
                odd[j] ^= bch->syndromes[i][j];
    for (uint32_t i = 0; i < 2 * bch->t; i++)
        syndrome[i] = i % 2 == 0 ? odd[i / 2] : multiply(bch, syndrome[i / 2], syndrome[i / 2]);
}

static uint16_t discrepancy(const ldpc_bch *bch, const uint16_t *locator, uint32_t length,
                            const uint16_t *syndrome, uint32_t step)
{
    uint16_t sum = syndrome[step];
    for (uint32_t i = 1; i <= length && i <= step; i++)
        sum ^= multiply(bch, locator[i], syndrome[step - i]);
    return sum;
}

/* Berlekamp-Massey. In a binary code, every second discrepancy is zero. The degree exceeds t if there are too
 * many errors. */
static uint32_t find_locator(const ldpc_bch *bch, const uint16_t *syndrome, uint16_t locator[SYNDROMES + 1])
{
    uint16_t before[SYNDROMES + 1] = {1}, factor = 1;
    uint32_t length = 0, shift = 1;
    memset(locator, 0, (SYNDROMES + 1) * sizeof *locator);
    locator[0] = 1;
    for (uint32_t step = 0; step < 2 * bch->t; step += 2, shift += 2) {
        uint16_t wrong = discrepancy(bch, locator, length, syndrome, step);
        if (wrong == 0)
            continue;
        uint16_t old[SYNDROMES + 1], quotient = divide(bch, wrong, factor);
        memcpy(old, locator, sizeof old);
        for (uint32_t i = 0; i + shift <= SYNDROMES; i++)
            locator[i + shift] ^= multiply(bch, quotient, before[i]);
        if (2 * length > step)
            continue;
        memcpy(before, old, sizeof old);
        factor = wrong;
        length = step + 1 - length;
        shift = 0;
    }
    return length;
}

/* ---- roots: Chien search
 *
 * The locator with reversed coefficients is zero at alpha^p for each error position p. It is evaluated at
 * LANES positions at once: plane b holds bit b of the values of all lanes. Lane l tests the positions
 * l B .. l B + B - 1. A multiplication by alpha moves the planes up by one and adds the top plane to the
 * planes of the taps. */

enum { LANE_WORDS = 4, LANES = 64 * LANE_WORDS, PLANES = 16 };

typedef struct term {
    uint64_t plane[PLANES][LANE_WORDS];
    uint32_t first;
} term;

static void set_lane(term *t, uint32_t lane, uint32_t value)
{
    for (uint32_t b = 0; value; b++, value >>= 1)
        t->plane[b][lane / 64] |= (uint64_t)(value & 1) << lane % 64;
}

static void start_term(const ldpc_bch *bch, term *t, uint16_t coefficient, uint32_t power, uint32_t block)
{
    memset(t, 0, sizeof *t);
    if (coefficient == 0)
        return;
    uint32_t log = bch->logs[coefficient], step = power * block % bch->order;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        set_lane(t, lane, bch->powers[log]);
        log = (log + step) % bch->order;
    }
}

static void add_plane(uint64_t *to, const uint64_t *plane)
{
    for (int w = 0; w < LANE_WORDS; w++)
        to[w] ^= plane[w];
}

static void times_alpha(const ldpc_bch *bch, term *t)
{
    t->first = (t->first ? t->first : bch->m) - 1;
    for (int i = 0; i < LDPC_BCH_TAPS; i++) {
        uint32_t plane = t->first + bch->taps[i];
        add_plane(t->plane[plane < bch->m ? plane : plane - bch->m], t->plane[t->first]);
    }
}

static void find_zeros(const ldpc_bch *bch, const term *terms, uint32_t count, uint64_t zero[LANE_WORDS])
{
    uint64_t any[LANE_WORDS] = {0};
    for (uint32_t b = 0; b < bch->m; b++) {
        uint64_t sum[LANE_WORDS] = {0};
        for (uint32_t i = 0; i < count; i++) {
            uint32_t plane = terms[i].first + b;
            add_plane(sum, terms[i].plane[plane < bch->m ? plane : plane - bch->m]);
        }
        for (int w = 0; w < LANE_WORDS; w++)
            any[w] |= sum[w];
    }
    for (int w = 0; w < LANE_WORDS; w++)
        zero[w] = ~any[w];
}

/* Returns the number of roots, at most `degree`. */
static uint32_t find_roots(const ldpc_bch *bch, const uint16_t *locator, uint32_t degree, uint32_t *position)
{
    term terms[TERMS];
    uint32_t block = (bch->n + LANES - 1) / LANES, count = 0;
    for (uint32_t i = 0; i <= degree; i++)
        start_term(bch, &terms[i], locator[degree - i], i, block);
    for (uint32_t step = 0; step < block && count < degree; step++) {
        uint64_t zero[LANE_WORDS];
        find_zeros(bch, terms, degree + 1, zero);
        for (uint32_t lane = 0; lane < LANES && count < degree; lane++)
            if (zero[lane / 64] == 0)
                lane |= 63;
            else if (zero[lane / 64] >> lane % 64 & 1 && lane * block + step < bch->n)
                position[count++] = lane * block + step;
        for (uint32_t i = 1; i <= degree; i++)
            for (uint32_t j = 0; j < i; j++)
                times_alpha(bch, &terms[i]);
    }
    return count;
}

int32_t ldpc_bch_locate(const ldpc_bch *bch, const ldpc_bch_remainder *remainder,
                        uint32_t position[LDPC_BCH_MAX_T])
{
    uint16_t syndrome[SYNDROMES], locator[SYNDROMES + 1];
    find_syndromes(bch, remainder, syndrome);
    uint32_t length = find_locator(bch, syndrome, locator);
    if (length > bch->t || find_roots(bch, locator, length, position) != length)
        return LDPC_BCH_FAILED;
    return (int32_t)length;
}
