/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/phase/trellis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

enum {
    PHASES = 64,
    PARTS = 8, /* angles are rounded to 1 / PARTS of the distance between phases */
    TURN = PHASES * PARTS,
    LEVELS = 176, /* number of sharpnesses in the table of shapes */
    LANES = 4,
    VECTORS = PHASES / LANES,
    SUMS = 4, /* independent sums hide the latency of additions */
    MOST_POINTS = 256,
};

static const float least_level = 0.1f, level_ratio = 1.05f;
static const float least_probability = 1e-9f;
static const double most_share = 0.25; /* maximum probability of a step to a neighbouring phase */

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));
typedef vec phases[VECTORS];

/* A constellation point in polar coordinates. */
typedef struct point {
    float radius, level; /* level: index of the shape table */
    int angle;           /* TURN is a full turn */
} point;

/* A constellation. The constellation of known symbols consists of the point 1. */
typedef struct alphabet {
    float noise;
    uint32_t bits;
    point points[MOST_POINTS];
} alphabet;

/* Likelihood of a received symbol for point i: weight[i] * shape[i][phase]. */
typedef struct likelihood {
    const float *shape[MOST_POINTS];
    float weight[MOST_POINTS]; /* includes the prior probability of the point */
} likelihood;

/* ---- tables */

/* shapes[level][part][n] = exp(a (cos x - 1)), n = 0 .. 2 PHASES - 1. a: sharpness of the level.
 * x = (n - part / PARTS) * 2 pi / PHASES. */
static float *make_shapes(void)
{
    float *shapes = ldpc_allocate(LEVELS * PARTS * 2 * PHASES, sizeof *shapes), *to = shapes;
    for (int level = 0; shapes && level < LEVELS; level++)
        for (int n = 0; n < PARTS * 2 * PHASES; n++) {
            const double x = 2 * RX_PI / PHASES * (n % (2 * PHASES) - (double)(n / (2 * PHASES)) / PARTS);
            *to++ = level > 0 ? expf(least_level * powf(level_ratio, (float)level) * (float)(cos(x) - 1)) : 1;
        }
    return shapes;
}

static bool make_room(dvbs2_trellis *trellis, size_t symbols)
{
    if (symbols <= trellis->room)
        return true;
    dvbs2_trellis_free(trellis);
    trellis->shapes = make_shapes();
    trellis->forward = ldpc_allocate(symbols * PHASES, sizeof *trellis->forward);
    trellis->room = trellis->shapes && trellis->forward ? symbols : 0;
    return trellis->room > 0;
}

static int angle_of(double radians)
{
    return (int)(lrint(radians * (TURN / (2 * RX_PI))) & (TURN - 1));
}

/* Sets the points of symbols with power 1. */
static void set_alphabet(alphabet *a, const float *points, uint32_t bits, float noise)
{
    a->noise = noise;
    a->bits = bits;
    for (uint32_t i = 0; i < 1u << bits; i++) {
        const float re = points[2 * i], im = points[2 * i + 1], radius = hypotf(re, im);
        a->points[i] = (point){.radius = radius,
                               .level = logf(2 * radius / noise / least_level) / logf(level_ratio),
                               .angle = angle_of((double)atan2f(im, re))};
    }
}

/* ---- likelihoods */

/* Computes the probabilities of 2^bits labels from the LLRs of their bits. If `llr` is NULL, all results are 1. */
static void label_probabilities(const float *llr, uint32_t bits, float *probability)
{
    probability[0] = 1;
    for (uint32_t bit = 0, n = 1; bit < bits; bit++, n *= 2) {
        const float one = llr ? 1 / (1 + expf(llr[bit])) : 1, zero = llr ? 1 - one : 1;
        for (uint32_t i = n; i-- > 0;) { /* the first bit of a label is the most significant one */
            probability[2 * i + 1] = probability[i] * one;
            probability[2 * i] = probability[i] * zero;
        }
    }
}

/* line: phase of the straight line at this symbol. */
static void look_up(const dvbs2_trellis *trellis, const alphabet *a, float complex y, double line,
                    const float *prior, likelihood *l)
{
    const float power = rx_power(y), radius = power < 1e12f ? sqrtf(power) : 0; /* also 0 for NaN */
    const float level = logf(radius + 1e-12f) / logf(level_ratio);
    const int angle = radius > 0 ? angle_of((double)cargf(y) - line) : 0;
    float last = -1, ring = 0;
    label_probabilities(prior, a->bits, l->weight);
    for (uint32_t i = 0; i < 1u << a->bits; i++) {
        const point *p = &a->points[i];
        if (p->radius != last)
            ring = expf(-(radius - p->radius) * (radius - p->radius) / a->noise);
        last = p->radius;
        l->weight[i] = (l->weight[i] + least_probability) * (ring + least_probability);
        const float at = level + p->level;
        const int row = at > 0 ? at < LEVELS - 1 ? (int)(at + 0.5f) : LEVELS - 1 : 0;
        const int turn = (angle - p->angle) & (TURN - 1), part = turn % PARTS;
        l->shape[i] = trellis->shapes + (row * PARTS + part) * 2 * PHASES + PHASES - turn / PARTS;
    }
}

static vec load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static float sum_of(vec v)
{
    return v[0] + v[1] + v[2] + v[3];
}

/* Multiplies values[k] by the likelihood of phase k. Then makes a step of the walk: a phase moves to each
 * neighbour with the probability `share`. Normalises the sum of the result to 1. */
static void advance(const likelihood *l, uint32_t n, float share, phases values)
{
    float around[PHASES + 2 * LANES];
    phases all;
    vec total = {0};
    for (int k = 0; k < VECTORS; k += SUMS) {
        vec sum[SUMS] = {{0}};
        for (uint32_t i = 0; i < n; i++)
            for (int j = 0; j < SUMS; j++)
                sum[j] += l->weight[i] * load(l->shape[i] + (k + j) * LANES);
        for (int j = 0; j < SUMS; j++)
            total += all[k + j] = values[k + j] * sum[j];
    }
    memcpy(around + LANES, all, sizeof all);
    around[LANES - 1] = around[LANES + PHASES - 1];
    around[LANES + PHASES] = around[LANES];
    const float scale = 1 / (sum_of(total) + 1e-30f), side = share * scale, middle = scale - 2 * side;
    for (int k = 0; k < VECTORS; k++) {
        const float *at = around + LANES + k * LANES;
        values[k] = middle * all[k] + side * (load(at - 1) + load(at + 1)) + 1e-20f;
    }
}

/* Writes the LLRs of the bits of a cell. */
static void demap(const likelihood *l, uint32_t bits, const float *forward, const phases backward,
                  const float *prior, float *llr)
{
    phases both;
    float zeros[8] = {0}, ones[8] = {0};
    for (int k = 0; k < VECTORS; k++)
        both[k] = load(forward + k * LANES) * backward[k];
    for (uint32_t i = 0; i < 1u << bits; i++) {
        vec sum[SUMS] = {{0}};
        for (int k = 0; k < VECTORS; k += SUMS)
            for (int j = 0; j < SUMS; j++)
                sum[j] += both[k + j] * load(l->shape[i] + (k + j) * LANES);
        const float share = sum_of(sum[0] + sum[1] + sum[2] + sum[3]) * l->weight[i] + 1e-30f;
        for (uint32_t b = 0; b < bits; b++)
            *(i >> (bits - 1 - b) & 1 ? &ones[b] : &zeros[b]) += share;
    }
    for (uint32_t b = 0; b < bits; b++)
        llr[b] = logf(zeros[b] / ones[b]) - (prior ? prior[b] : 0);
}

/* ---- a frame */

/* The state of one recursion. */
typedef struct walk {
    const dvbs2_trellis *trellis;
    const dvbs2_trellis_frame *frame;
    alphabet cells, known;
    float amplitude, share;
} walk;

static void start(walk *w)
{
    static const float one[2] = {1, 0};
    const dvbs2_trellis_frame *frame = w->frame;
    const double step = 2 * RX_PI / PHASES;
    const dvbs2_decisions *decisions = frame->references[1].decisions;
    set_alphabet(&w->cells, decisions->points, decisions->bits, frame->noise);
    w->amplitude = (float)frame->carrier->amplitude;
    set_alphabet(&w->known, one, 0, (float)frame->carrier->noise / (w->amplitude * w->amplitude));
    w->share = (float)fmax(0, fmin(frame->walk / (2 * step * step), most_share));
}

/* Looks up symbol `i` of a reference. */
static void look_at(const walk *w, const dvbs2_reference *r, uint32_t i, const float *prior, likelihood *l)
{
    const dvbs2_carrier *c = w->frame->carrier;
    const double at = r->at - (r->count - 1) / 2.0 + i - w->frame->references[0].at;
    const double line = c->phase + c->frequency * at;
    if (r->decisions)
        look_up(w->trellis, &w->cells, r->clean[i], line, prior, l);
    else
        look_up(w->trellis, &w->known, r->clean[i] / w->amplitude, line, NULL, l);
}

/* Writes the phase probabilities of each symbol, given all previous symbols. Returns the number of cells. */
static size_t go_forward(const walk *w)
{
    const dvbs2_trellis_frame *frame = w->frame;
    const uint32_t bits = w->cells.bits;
    const float *prior = frame->prior;
    float *forward = w->trellis->forward;
    phases values;
    likelihood l;
    size_t cells = 0;
    for (int k = 0; k < PHASES; k++)
        values[k / LANES][k % LANES] = 1;
    for (const dvbs2_reference *r = frame->references; r < frame->references + frame->count; r++)
        for (uint32_t i = 0; i < r->count; i++, forward += PHASES) {
            memcpy(forward, values, sizeof values);
            look_at(w, r, i, prior ? prior + cells * bits : NULL, &l);
            advance(&l, r->decisions ? 1u << bits : 1, w->share, values);
            cells += r->decisions != NULL;
        }
    return cells;
}

/* Computes the LLRs from the last cell to the first one. */
static void go_back(const walk *w, size_t symbols, size_t cells, float *llr)
{
    const dvbs2_trellis_frame *frame = w->frame;
    const uint32_t bits = w->cells.bits;
    const float *forward = w->trellis->forward + symbols * PHASES;
    phases values;
    likelihood l;
    for (int k = 0; k < PHASES; k++)
        values[k / LANES][k % LANES] = 1;
    for (const dvbs2_reference *r = frame->references + frame->count; r-- > frame->references;)
        for (uint32_t i = r->count; i-- > 0;) {
            cells -= r->decisions != NULL;
            forward -= PHASES;
            const float *prior = frame->prior ? frame->prior + cells * bits : NULL;
            look_at(w, r, i, prior, &l);
            if (r->decisions)
                demap(&l, bits, forward, values, prior, llr + cells * bits);
            advance(&l, r->decisions ? 1u << bits : 1, w->share, values);
        }
}

bool dvbs2_trellis_run(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr)
{
    walk w = {.trellis = trellis, .frame = frame};
    size_t symbols = 0;
    for (size_t i = 0; i < frame->count; i++)
        symbols += frame->references[i].count;
    if (!make_room(trellis, symbols))
        return false;
    start(&w);
    go_back(&w, symbols, go_forward(&w), llr);
    return true;
}

void dvbs2_trellis_free(dvbs2_trellis *trellis)
{
    free(trellis->shapes);
    free(trellis->forward);
    *trellis = (dvbs2_trellis){0};
}
