/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/vlsnr_search.h"

#include <math.h>
#include <string.h>

#include "receiver/complex.h"

/* Each chip has 7 segments of 8 symbols. Within a segment, the symbols are added coherently. The sums of adjacent
 * segments of a chip are combined differentially, because the MODCOD may invert a chip. */
enum {
    BLOCK = DVBS2_VLSNR_BLOCK,
    CHIPS = 16,
    SEGMENTS = 7,
    SEGMENT = 8,
    FIRST = DVBS2_HEADER + 2, /* first symbol of the first chip */
    PATTERNS = 8,
    SPAN = BLOCK + (CHIPS * SEGMENTS - 1) * SEGMENT +
           1, /* positions of the first even or odd symbol of a segment */
    LANES = 4,
};

/* The standard deviation of the differential frequency at -10 dB is a third of this, radians per symbol. */
static const double frequency_step = 2 * RX_PI * 0.008;

/* Minimum power of a sum of products relative to noise. Noise exceeds it at one of 20000 positions. At Es/N0 of -10 dB,
 * a header has a mean of 50. */
static const float least_power = 10;

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));

static vec load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Four symbols at distances of 2, added with the signs of a pattern, for each position of the first symbol. */
typedef struct quads {
    float re[PATTERNS][SPAN], im[PATTERNS][SPAN];
} quads;

/* Adds one part (I or Q). Bit k of a pattern is the sign of symbol 2 k + 2 relative to the first symbol. */
static void add_part(const float *x, float sums[PATTERNS][SPAN])
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        const float a = pattern & 1 ? -1 : 1, b = pattern & 2 ? -1 : 1, c = pattern & 4 ? -1 : 1;
        float *sum = sums[pattern];
        for (int i = 0; i < SPAN; i++)
            sum[i] = x[i] + a * x[i + 2] + b * x[i + 4] + c * x[i + 6];
    }
}

static void add_quads(const float complex *x, quads *q)
{
    float re[SPAN + SEGMENT], im[SPAN + SEGMENT];
    for (int i = 0; i < SPAN + SEGMENT - 2; i++) {
        re[i] = crealf(x[i]);
        im[i] = cimagf(x[i]);
    }
    add_part(re, q->re);
    add_part(im, q->im);
}

/* The patterns of the even and the odd symbols of a segment, and the signs of the first two symbols. */
typedef struct segment {
    int pattern[2];
    float sign[2];
} segment;

static void make_segments(segment segments[CHIPS * SEGMENTS])
{
    float complex known[DVBS2_LONG_HEADER];
    dvbs2_vlsnr_symbols(0, known);
    for (int s = 0; s < CHIPS * SEGMENTS; s++)
        for (int odd = 0; odd < 2; odd++) {
            const float complex *symbols = known + FIRST + SEGMENT * s + odd;
            const bool inverted = cimagf(symbols[0]) < 0; /* Q of a symbol has the sign of its bit */
            segments[s].pattern[odd] = 0;
            segments[s].sign[odd] = inverted ? -1 : 1;
            for (int k = 0; k < 3; k++)
                segments[s].pattern[odd] |= ((cimagf(symbols[2 * k + 2]) < 0) != inverted) << k;
        }
}

/* Sums of products for all positions; the second ones are those of mirrored symbols. */
typedef struct products {
    float re[2][BLOCK], im[2][BLOCK];
} products;

/* The odd symbols of pi/2-BPSK are rotated by 90 degrees, or mirrored by -90 degrees. */
static void multiply(const quads *q, const segment segments[CHIPS * SEGMENTS], int at, products *p)
{
    vec sum_re[2] = {{0}}, sum_im[2] = {{0}}, last_re[2] = {{0}}, last_im[2] = {{0}};
    for (int s = 0; s < CHIPS * SEGMENTS; s++) {
        const segment *g = &segments[s];
        const int from = at + SEGMENT * s;
        const vec even_re = g->sign[0] * load(q->re[g->pattern[0]] + from);
        const vec even_im = g->sign[0] * load(q->im[g->pattern[0]] + from);
        const vec odd_re = g->sign[1] * load(q->re[g->pattern[1]] + from + 1);
        const vec odd_im = g->sign[1] * load(q->im[g->pattern[1]] + from + 1);
        const vec re[2] = {even_re + odd_im, even_re - odd_im}, im[2] = {even_im - odd_re, even_im + odd_re};
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            if (s % SEGMENTS != 0) {
                sum_re[mirrored] += re[mirrored] * last_re[mirrored] + im[mirrored] * last_im[mirrored];
                sum_im[mirrored] += im[mirrored] * last_re[mirrored] - re[mirrored] * last_im[mirrored];
            }
            last_re[mirrored] = re[mirrored];
            last_im[mirrored] = im[mirrored];
        }
    }
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        memcpy(p->re[mirrored] + at, &sum_re[mirrored], sizeof(vec));
        memcpy(p->im[mirrored] + at, &sum_im[mirrored], sizeof(vec));
    }
}

static void measure(const float complex *symbols, products *p)
{
    segment segments[CHIPS * SEGMENTS];
    quads q;
    make_segments(segments);
    add_quads(symbols + FIRST, &q);
    for (int at = 0; at < BLOCK; at += LANES)
        multiply(&q, segments, at, p);
}

/* The chips are only coherent near the right frequency. The second decoding, at the frequency of the first one,
 * separates the header from headers with other MODCODs and frequencies, which have side lobes of -4 dB. */
static dvbs2_vlsnr decode(const float complex *symbols, bool mirrored, double frequency)
{
    float complex copy[DVBS2_LONG_HEADER];
    dvbs2_vlsnr best = {0};
    for (uint32_t i = 0; i < DVBS2_LONG_HEADER; i++)
        copy[i] = mirrored ? conjf(symbols[i]) : symbols[i];
    for (int step = -1; step <= 1; step++) {
        const dvbs2_vlsnr first =
            dvbs2_vlsnr_decode(copy, frequency + step * frequency_step, frequency_step / 2);
        const dvbs2_vlsnr here = dvbs2_vlsnr_decode(copy, first.frequency, 0);
        best = here.match > best.match ? here : best;
    }
    return best;
}

/* Returns the mean power of a sum of products of noise with the power of the symbols. */
static float noise_of_products(const float complex *symbols)
{
    float energy = 0;
    for (int i = 0; i < BLOCK + DVBS2_LONG_HEADER; i++)
        energy += rx_power(symbols[i]);
    const float segment_power = SEGMENT * energy / (BLOCK + DVBS2_LONG_HEADER);
    return CHIPS * (SEGMENTS - 1) * segment_power * segment_power;
}

bool dvbs2_find_vlsnr(const float complex *symbols, dvbs2_found_vlsnr *found)
{
    products p;
    float highest = 0;
    double frequency = 0;
    measure(symbols, &p);
    for (int mirrored = 0; mirrored < 2; mirrored++)
        for (size_t i = 0; i < BLOCK; i++) {
            const float re = p.re[mirrored][i], im = p.im[mirrored][i], power = re * re + im * im;
            if (!(power > highest))
                continue;
            highest = power;
            frequency = (double)atan2f(im, re) / SEGMENT * (mirrored ? -1 : 1);
            found->at = i;
            found->mirrored = mirrored;
        }
    if (!(highest > least_power * noise_of_products(symbols)))
        return false;
    found->header = decode(symbols + found->at, found->mirrored, frequency);
    return found->header.match > dvbs2_vlsnr_found;
}
