/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/gold_parity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/standard/scrambling.h"
#include "ldpc/code.h"
#include "ldpc/dvb_cells.h"
#include "receiver/complex.h"

enum {
    DEGREE = 18,
    STATES = 1 << DEGREE,
    MOST_POINTS = 256,
    MOST_BITS = 8, /* of a label */
    FIRST_X = 7,   /* x(i + 18) = x(i + 7) + x(i) */
};

/* Minimum number of fulfilled equations above the mean, in standard deviations. */
static const double least_deviations = 7;

/* A label bit of a received point, after descrambling with z(i) and z(i + delay): constant + early z(i) + late z(i + delay).
 * unknown: it is not of this form. */
typedef struct label_bit {
    uint8_t constant, early, late, unknown;
} label_bit;

bool dvbs2_gold_parity_init(dvbs2_gold_parity *parity)
{
    memset(parity, 0, sizeof *parity);
    parity->x = ldpc_allocate(DVBS2_GOLD_PERIOD, 1);
    parity->y = ldpc_allocate(DVBS2_GOLD_PERIOD, 1);
    parity->masks = ldpc_allocate(DVBS2_GOLD_PERIOD, sizeof *parity->masks);
    parity->equations = ldpc_allocate(STATES, sizeof *parity->equations);
    if (!parity->x || !parity->y || !parity->masks || !parity->equations)
        return false;
    dvbs2_gold_sequences(parity->x, parity->y);
    for (uint32_t i = 0; i < DVBS2_GOLD_PERIOD; i++)
        parity->masks[i] =
            i < DEGREE ? 1u << i : parity->masks[i - DEGREE + FIRST_X] ^ parity->masks[i - DEGREE];
    return true;
}

void dvbs2_gold_parity_free(dvbs2_gold_parity *parity)
{
    free(parity->x);
    free(parity->y);
    free(parity->masks);
    free(parity->equations);
    memset(parity, 0, sizeof *parity);
}

static uint32_t nearest(const float *points, uint32_t n, float complex x)
{
    uint32_t best = 0;
    float least = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        const float distance = rx_power(x - rx_cplx(points[2 * i], points[2 * i + 1]));
        best = distance < least ? i : best;
        least = distance < least ? distance : least;
    }
    return best;
}

/* Describes the label bits of each point. forms: [n][bits], the first label bit is the most significant one. Returns false if quarter
 * turns do not map the constellation to itself. */
static bool describe(const float *points, uint32_t bits, label_bit *forms)
{
    static const float complex back[4] = {1, -I, -1, I};
    static const float most_error = 1e-4f;
    for (uint32_t p = 0; p < 1u << bits; p++) {
        uint32_t labels[4]; /* after derotation by 0 to 3 quarter turns */
        for (uint32_t turn = 0; turn < 4; turn++) {
            const float complex x = rx_mul(rx_cplx(points[2 * p], points[2 * p + 1]), back[turn]);
            labels[turn] = nearest(points, 1u << bits, x);
            const float *found = points + (size_t)2 * labels[turn];
            if (rx_power(x - rx_cplx(found[0], found[1])) > most_error)
                return false;
        }
        for (uint32_t b = 0; b < bits; b++) {
            const uint32_t shift = bits - 1 - b;
            const uint8_t zero = labels[0] >> shift & 1, one = labels[1] >> shift & 1,
                          two = labels[2] >> shift & 1, three = labels[3] >> shift & 1;
            forms[p * bits + b] = (label_bit){zero, zero ^ one, zero ^ two, zero ^ one ^ two ^ three};
        }
    }
    return true;
}

/* Decides on the points that were received, before descrambling. */
static void decide(const dvbs2_pl_frame *frame, const float *points, uint32_t bits, uint8_t *decided)
{
    static const float complex forth[4] = {1, I, -1, -I};
    uint8_t turns[DVBS2_MOST_SYMBOLS];
    dvbs2_scrambling(0, turns, frame->format.cells);
    for (uint32_t i = 0; i < frame->format.cells; i++)
        decided[i] = (uint8_t)nearest(points, 1u << bits, rx_mul(frame->cells[i], forth[turns[i]]));
}

/* Adds the equation of a check. forms: of the label bits of all cells */
static void add_check(dvbs2_gold_parity *parity, const uint32_t *columns, uint32_t degree,
                      const uint16_t *order, uint32_t bits, const label_bit *const *forms)
{
    uint32_t mask = 0;
    uint8_t sum = 0;
    for (uint32_t i = 0; i < degree; i++) {
        const uint32_t cell = order[columns[i]] / bits, late = cell + DVBS2_GOLD_DELAY;
        const label_bit *form = forms[cell] + order[columns[i]] % bits;
        if (form->unknown)
            return;
        sum ^= form->constant ^ (form->early & parity->y[cell]) ^ (form->late & parity->y[late]);
        mask ^= (form->early ? parity->masks[cell] : 0) ^ (form->late ? parity->masks[late] : 0);
    }
    parity->equations[mask] += mask == 0 ? 0 : sum ? -1 : 1;
}

static void add_checks(dvbs2_gold_parity *parity, const dvbs2_pl_frame *frame, const ldpc_code *code,
                       const ldpc_demapper *demapper, const label_bit **of_cells)
{
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(demapper), checks = ldpc_code_checks(code);
    const float *points = ldpc_demapper_points(demapper);
    label_bit forms[MOST_POINTS * MOST_BITS];
    uint8_t decided[DVBS2_MOST_SYMBOLS];
    if (!describe(points, bits, forms))
        return;
    decide(frame, points, bits, decided);
    for (uint32_t i = 0; i < frame->format.cells; i++)
        of_cells[i] = forms + (size_t)decided[i] * bits;
    for (uint32_t c = 0; c < checks; c++) {
        uint32_t degree;
        const uint32_t *columns = ldpc_code_check(code, c, &degree);
        add_check(parity, columns, degree, ldpc_demapper_order(demapper), bits, of_cells);
    }
}

bool dvbs2_gold_parity_add(dvbs2_gold_parity *parity, const dvbs2_pl_frame *frame)
{
    const ldpc_dvbs2_modcod *modcod = dvbs2_modcod(frame->format.modcod);
    if (frame->format.vlsnr || parity->frames == DVBS2_GOLD_PARITY_FRAMES)
        return true;
    ldpc_code *code = NULL;
    ldpc_demapper *demapper = NULL;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = modcod->code;
    params.modulation = modcod->modulation;
    const label_bit **of_cells = ldpc_allocate(frame->format.cells, sizeof *of_cells);
    const bool made = of_cells && !ldpc_code_create(modcod->code, &code, NULL) &&
                      !ldpc_demapper_create(&params, &demapper, NULL);
    if (made)
        add_checks(parity, frame, code, demapper, of_cells);
    parity->frames += made;
    ldpc_demapper_destroy(demapper);
    ldpc_code_destroy(code);
    free(of_cells);
    return made;
}

/* Computes a Walsh-Hadamard transform in place. */
static void transform(float *values)
{
    for (uint32_t half = 1; half < STATES; half *= 2)
        for (uint32_t at = 0; at < STATES; at += 2 * half)
            for (uint32_t i = at; i < at + half; i++) {
                const float a = values[i], b = values[i + half];
                values[i] = a + b;
                values[i + half] = a - b;
            }
}

int32_t dvbs2_gold_parity_run(dvbs2_gold_parity *parity)
{
    float variance = 0, highest = 0;
    uint32_t state = 0;
    int32_t gold = -1;
    for (uint32_t i = 0; i < STATES; i++)
        variance += parity->equations[i] * parity->equations[i];
    transform(parity->equations);
    for (uint32_t i = 0; i < DEGREE; i++)
        state |= (uint32_t)parity->x[i] << i;
    for (uint32_t n = 0; n < DVBS2_GOLD_CODES; n++) {
        if (parity->equations[state] > highest) {
            highest = parity->equations[state];
            gold = (int32_t)n;
        }
        state = state >> 1 | (uint32_t)parity->x[(n + DEGREE) % DVBS2_GOLD_PERIOD] << (DEGREE - 1);
    }
    return highest > (float)least_deviations * sqrtf(variance) ? gold : -1;
}
