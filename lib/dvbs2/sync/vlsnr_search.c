/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/vlsnr_search.h"

#include <math.h>

#include "receiver/complex.h"

/* Each chip has 7 segments of 8 symbols. Within a segment, the symbols are added coherently. The sums of adjacent
 * segments of a chip are combined differentially, because the MODCOD may invert a chip. */
enum {
    BLOCK = DVBS2_VLSNR_BLOCK,
    CHIPS = 16,
    SEGMENTS = 7,
    SEGMENT = 8,
    FIRST = DVBS2_HEADER + 2, /* first symbol of the first chip */
};

/* The standard deviation of the differential frequency at -10 dB is a third of this, radians per symbol. */
static const double frequency_step = 2 * RX_PI * 0.008;

/* Sums for all positions of a block, I and Q alternating. Mirrored symbols have other sums. */
typedef struct sums {
    float of[2][2 * BLOCK];
} sums;

typedef struct metrics {
    sums last, here, products;
} metrics;

/* Adds the symbols of a segment. The odd symbols of pi/2-BPSK are rotated by 90 degrees, or mirrored by -90
 * degrees. signs: the bits of the segment, as 1 and -1. */
static void add_segment(const float *x, const float signs[SEGMENT], sums *s)
{
    for (int i = 0; i < 2 * BLOCK; i += 2) {
        float even[2] = {0}, odd[2] = {0};
        for (int k = 0; k < SEGMENT; k += 2)
            for (int part = 0; part < 2; part++) {
                even[part] += signs[k] * x[i + 2 * k + part];
                odd[part] += signs[k + 1] * x[i + 2 * k + 2 + part];
            }
        s->of[0][i] = even[0] + odd[1];
        s->of[0][i + 1] = even[1] - odd[0];
        s->of[1][i] = even[0] - odd[1];
        s->of[1][i + 1] = even[1] + odd[0];
    }
}

static void add_products(const sums *last, const sums *here, sums *products)
{
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        const float *a = here->of[mirrored], *b = last->of[mirrored];
        float *to = products->of[mirrored];
        for (int i = 0; i < 2 * BLOCK; i += 2) {
            to[i] += a[i] * b[i] + a[i + 1] * b[i + 1];
            to[i + 1] += a[i + 1] * b[i] - a[i] * b[i + 1];
        }
    }
}

static void measure(const float complex *symbols, metrics *m)
{
    float complex known[DVBS2_LONG_HEADER];
    dvbs2_vlsnr_symbols(0, known);
    m->products = (sums){0};
    for (int segment = 0; segment < CHIPS * SEGMENTS; segment++) {
        const int first = FIRST + SEGMENT * segment;
        float signs[SEGMENT];
        for (int k = 0; k < SEGMENT; k++) /* Q of a symbol has the sign of its bit */
            signs[k] = cimagf(known[first + k]) > 0 ? 1 : -1;
        add_segment((const float *)(symbols + first), signs, &m->here);
        if (segment % SEGMENTS != 0)
            add_products(&m->last, &m->here, &m->products);
        m->last = m->here;
    }
}

/* Within the error of the differential frequency, a frequency step keeps the chips coherent. */
static dvbs2_vlsnr decode(const float complex *symbols, bool mirrored, double frequency)
{
    float complex copy[DVBS2_LONG_HEADER];
    dvbs2_vlsnr best = {0};
    for (uint32_t i = 0; i < DVBS2_LONG_HEADER; i++)
        copy[i] = mirrored ? conjf(symbols[i]) : symbols[i];
    for (int step = -1; step <= 1; step++) {
        const dvbs2_vlsnr here =
            dvbs2_vlsnr_decode(copy, frequency + step * frequency_step, frequency_step / 2);
        best = here.match > best.match ? here : best;
    }
    return best;
}

bool dvbs2_find_vlsnr(const float complex *symbols, dvbs2_found_vlsnr *found)
{
    metrics m;
    float highest = 0;
    double frequency = 0;
    measure(symbols, &m);
    for (int mirrored = 0; mirrored < 2; mirrored++)
        for (size_t i = 0; i < BLOCK; i++) {
            const float *product = m.products.of[mirrored] + 2 * i;
            const float power = product[0] * product[0] + product[1] * product[1];
            if (!(power > highest))
                continue;
            highest = power;
            frequency = (double)atan2f(product[1], product[0]) / SEGMENT * (mirrored ? -1 : 1);
            found->at = i;
            found->mirrored = mirrored;
        }
    if (highest == 0)
        return false;
    found->header = decode(symbols + found->at, found->mirrored, frequency);
    return found->header.match > dvbs2_vlsnr_found;
}
