/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forward-backward algorithm of a trellis for the instruction set RX_ISA. */
#include <math.h>
#include <string.h>

#include "dvbs2/phase/trellis_kernels.h"
#include "receiver/complex.h"

#define JOIN(a, b)       JOIN_AGAIN(a, b)
#define JOIN_AGAIN(a, b) a##b

enum {
    PHASES = DVBS2_PHASES,
    PARTS = DVBS2_PARTS,
    TURN = PHASES * PARTS, /* steps of an angle in a full turn */
    MOST_POINTS = 256,
    MOST_BITS = 8,
    MOST_BLOCK = 8, /* symbols; the phase changes little in a block */
    FREQUENCIES = 9,
    MEMORY = 300, /* time constant of the frequency, symbols: 0.5 kHz at 1 Mbaud */
    SUMS = 4,     /* independent sums hide the latency of additions */
};

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

static const float least_probability = 1e-9f;
/* Probability of phases that the symbols of a block exclude. */
static const float least_state = 1e-15f;
/* Likelihood of all phases, for a symbol with an unusual error. Its power MOST_BLOCK is a normal float. */
static const float least_likelihood = 3e-5f;

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));

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
        a->points[i] =
            (point){.radius = radius,
                    .level = logf(2 * radius / noise / dvbs2_least_level) / logf(dvbs2_level_ratio),
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
    const float level = logf(radius + 1e-12f) / logf(dvbs2_level_ratio);
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
        const int row = at > 0 ? at < DVBS2_LEVELS - 1 ? (int)(at + 0.5f) : DVBS2_LEVELS - 1 : 0;
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

static void store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static float sum_of(vec v)
{
    float sums[LANES];
    store(sums, v);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            sums[i] += sums[i + half];
    return sums[0];
}

/* Multiplies x by y. */
static void multiply(float *x, const float *y)
{
    for (int k = 0; k < PHASES; k++)
        x[k] *= y[k];
}

/* Scales the sum of x to `sum`, then adds `least`. */
static void normalise(float *x, float sum, float least)
{
    vec total = {0};
    for (int k = 0; k < PHASES; k += LANES)
        total += load(x + k);
    const float scale = sum / (sum_of(total) + 1e-30f);
    for (int k = 0; k < PHASES; k++)
        x[k] = x[k] * scale + least;
}

/* Writes the likelihoods of the phases, with a mean of 1. */
static void likelihoods(const likelihood *l, uint32_t points, float *result)
{
    for (int k = 0; k < PHASES; k += SUMS * LANES) {
        vec sum[SUMS] = {{0}};
        for (uint32_t i = 0; i < points; i++)
            for (int j = 0; j < SUMS; j++)
                sum[j] += l->weight[i] * load(l->shape[i] + k + j * LANES);
        memcpy(result + k, sum, sizeof sum);
    }
    normalise(result, PHASES, least_likelihood);
}

/* Returns the sum of x * y. */
static float product(const float *x, const float *y)
{
    vec sum = {0};
    for (int k = 0; k < PHASES; k += LANES)
        sum += load(x + k) * load(y + k);
    return sum_of(sum);
}

/* ---- transitions */

/* The state of one recursion. */
typedef struct walk {
    const dvbs2_trellis *trellis;
    const dvbs2_trellis_frame *frame;
    alphabet cells, known;
    float amplitude;
    uint32_t block;  /* symbols */
    int frequencies; /* number of frequencies */
    double share;    /* variance of the phase change, squared steps per symbol */
    double spacing;  /* difference of two frequencies, steps per symbol */
    float cosine[PHASES];
} walk;

/* The frequency is the sum of FREQUENCIES - 1 terms of random sign, which change their signs at random. It has a
 * binomial distribution. Its variance is slow / (2 MEMORY), so that it changes the phase by `slow` per symbol. */
static void start(walk *w)
{
    static const float one[2] = {1, 0};
    const dvbs2_trellis_frame *frame = w->frame;
    const dvbs2_decisions *decisions = frame->references[1].decisions;
    const dvbs2_phase_model limited = dvbs2_trellis_limit(frame->walk);
    set_alphabet(&w->cells, decisions->points, decisions->bits, frame->noise);
    w->amplitude = (float)frame->carrier->amplitude;
    set_alphabet(&w->known, one, 0, (float)frame->carrier->noise / (w->amplitude * w->amplitude));
    w->share = limited.white / (dvbs2_phase_step * dvbs2_phase_step);
    w->block = (uint32_t)fmax(1, fmin(MOST_BLOCK, dvbs2_most_share / (w->share + 1e-9)));
    w->frequencies = limited.slow > 0 ? FREQUENCIES : 1;
    for (int k = 0; k < PHASES; k++)
        w->cosine[k] = cosf((float)(k * dvbs2_phase_step));
    w->spacing = 2 * sqrt(limited.slow / (2 * MEMORY) / (FREQUENCIES - 1)) / dvbs2_phase_step;
}

static void change_frequency(int count, double symbols, float (*v)[PHASES])
{
    float before[PHASES] = {0}, now[PHASES];
    const float flip = (float)fmin(symbols / (2 * MEMORY), 0.5 / FREQUENCIES);
    for (int f = 0; f < count; f++) {
        const float stay = 1 - flip * (float)(count - 1), up = flip * (float)(count - f),
                    down = flip * (float)(f + 1);
        const float *after = f + 1 < count ? v[f + 1] : v[f];
        const float from_below = f > 0 ? up : 0, from_above = f + 1 < count ? down : 0;
        memcpy(now, v[f], sizeof now);
        for (int k = 0; k < PHASES; k++)
            v[f][k] = stay * now[k] + from_below * before[k] + from_above * after[k];
        memcpy(before, now, sizeof before);
    }
}

/* Moves the phases of one frequency. drift, variance: of the phase, in steps. Returns the sum of the
 * probabilities. */
static float change_phase(double drift, double variance, float *v)
{
    const double square = variance + drift * drift;
    const float up = (float)fmax(0, (square + drift) / 2), down = (float)fmax(0, (square - drift) / 2);
    const float middle = 1 - up - down;
    float around[PHASES + 2 * LANES];
    vec total = {0};
    memcpy(around + LANES, v, PHASES * sizeof *v);
    around[LANES - 1] = v[PHASES - 1];
    around[LANES + PHASES] = v[0];
    for (int k = 0; k < PHASES; k += LANES) {
        const float *at = around + LANES + k;
        const vec x = middle * load(at) + up * load(at - 1) + down * load(at + 1);
        total += x;
        store(v + k, x);
    }
    return sum_of(total);
}

/* Moves the state by a number of symbols, which is negative in the backward recursion. */
static void advance(const walk *w, double symbols, float (*v)[PHASES])
{
    const double length = fabs(symbols), middle = (w->frequencies - 1) / 2.0;
    float total = 1e-30f;
    if (w->frequencies > 1)
        change_frequency(w->frequencies, length, v);
    for (int f = 0; f < w->frequencies; f++)
        total += change_phase((f - middle) * w->spacing * symbols, fmin(w->share * length, dvbs2_most_share),
                              v[f]);
    for (int f = 0; f < w->frequencies; f++)
        for (int k = 0; k < PHASES; k++)
            v[f][k] = v[f][k] / total + least_state;
}

/* ---- blocks of symbols */

/* A block of symbols: likelihoods of each symbol, and their product. */
typedef struct block {
    const dvbs2_reference *reference;
    uint32_t first, count; /* index of the first symbol in the reference; number of symbols */
    double at;             /* position of the centre, symbols from the start of the frame */
    likelihood points[MOST_BLOCK];
    float symbol[MOST_BLOCK][PHASES], product[PHASES];
} block;

/* prior: prior LLRs of the block's label bits, or NULL. */
static void look_at(const walk *w, const float *prior, block *b)
{
    const dvbs2_reference *r = b->reference;
    const dvbs2_carrier *c = w->frame->carrier;
    const uint32_t bits = w->cells.bits;
    b->at = r->at - (r->count - 1) / 2.0 + b->first + (b->count - 1) / 2.0;
    for (int k = 0; k < PHASES; k++)
        b->product[k] = 1;
    for (uint32_t i = 0; i < b->count; i++) {
        const float complex y = r->clean[b->first + i];
        const double at = b->at + i - (b->count - 1) / 2.0 - w->frame->references[0].at;
        const double line = c->phase + c->frequency * at;
        if (r->decisions)
            look_up(w->trellis, &w->cells, y, line, prior ? prior + i * bits : NULL, &b->points[i]);
        else
            look_up(w->trellis, &w->known, y / w->amplitude, line, NULL, &b->points[i]);
        likelihoods(&b->points[i], r->decisions ? 1u << bits : 1, b->symbol[i]);
        multiply(b->product, b->symbol[i]);
    }
    normalise(b->product, 1, least_likelihood * least_likelihood);
}

/* Writes the LLRs of the bits of a cell. probability: probabilities of its phases, given all other symbols. */
static void demap(const likelihood *l, uint32_t bits, const float *probability, const float *prior,
                  float *llr)
{
    float zeros[MOST_BITS] = {0}, ones[MOST_BITS] = {0};
    for (uint32_t i = 0; i < 1u << bits; i++) {
        const float share = product(probability, l->shape[i]) * l->weight[i] + 1e-30f;
        for (uint32_t b = 0; b < bits; b++)
            *(i >> (bits - 1 - b) & 1 ? &ones[b] : &zeros[b]) += share;
    }
    for (uint32_t b = 0; b < bits; b++)
        llr[b] = logf(zeros[b] / ones[b]) - (prior ? prior[b] : 0);
}

/* state: probabilities of the phases of the block, given all other blocks. */
static void demap_block(const block *b, uint32_t bits, const float *state, const float *prior, float *llr)
{
    float after[MOST_BLOCK][PHASES], before[PHASES], both[PHASES];
    memcpy(after[b->count - 1], state, sizeof before);
    for (uint32_t i = b->count - 1; i > 0; i--)
        for (int k = 0; k < PHASES; k++)
            after[i - 1][k] = after[i][k] * b->symbol[i][k];
    for (int k = 0; k < PHASES; k++)
        before[k] = 1;
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < PHASES; k++)
            both[k] = before[k] * after[i][k];
        normalise(both, 1, 0);
        demap(&b->points[i], bits, both, prior ? prior + i * bits : NULL, llr + i * bits);
        multiply(before, b->symbol[i]);
    }
}

/* ---- a frame */

/* Returns the phase of a block, given all blocks. state: probabilities of its phases, given all other blocks. */
static double phase_of(const walk *w, const block *b, const float *state)
{
    float re = 0, im = 0;
    for (int k = 0; k < PHASES; k++) {
        re += state[k] * b->product[k] * w->cosine[k];
        im += state[k] * b->product[k] * w->cosine[(k + 3 * PHASES / 4) % PHASES];
    }
    return (double)atan2f(im, re);
}

static void reset(float (*v)[PHASES])
{
    for (int f = 0; f < FREQUENCIES; f++)
        for (int k = 0; k < PHASES; k++)
            v[f][k] = 1;
}

/* Multiplies the state by the likelihoods of a block. */
static void see(const walk *w, const block *b, float (*v)[PHASES])
{
    for (int f = 0; f < w->frequencies; f++)
        multiply(v[f], b->product);
}

/* Writes the state of each block, given all previous blocks. Returns the number of cells. */
static size_t go_forward(const walk *w)
{
    const dvbs2_trellis_frame *frame = w->frame;
    const size_t size = (size_t)w->frequencies * PHASES;
    float *forward = w->trellis->forward, state[FREQUENCIES][PHASES];
    size_t cells = 0;
    double last = 0;
    block b;
    reset(state);
    for (const dvbs2_reference *r = frame->references; r < frame->references + frame->count; r++)
        for (uint32_t i = 0; i < r->count; i += b.count, forward += size) {
            b.reference = r;
            b.first = i;
            b.count = r->count - i < w->block ? r->count - i : w->block;
            look_at(w, frame->prior ? frame->prior + cells * w->cells.bits : NULL, &b);
            advance(w, b.at - last, state);
            memcpy(forward, state, size * sizeof *forward);
            see(w, &b, state);
            last = b.at;
            cells += r->decisions ? b.count : 0;
        }
    return cells;
}

/* Computes the LLRs from the last cell to the first one. Returns the mean frequency from the first to the last block of
 * cells, radians per symbol. */
static double go_back(const walk *w, size_t blocks, size_t cells, float *llr)
{
    const dvbs2_trellis_frame *frame = w->frame;
    const uint32_t bits = w->cells.bits;
    const size_t size = (size_t)w->frequencies * PHASES;
    const float *forward = w->trellis->forward + blocks * size;
    float state[FREQUENCIES][PHASES], both[PHASES];
    double phase = 0, change = 0, low = 0, high = 0; /* positions of the first and the last block of cells */
    block b = {.at = 0};
    reset(state);
    for (const dvbs2_reference *r = frame->references + frame->count; r-- > frame->references;)
        for (uint32_t end = r->count; end > 0; end = b.first) {
            const double last = b.at;
            b.reference = r;
            b.count = (end - 1) % w->block + 1;
            b.first = end - b.count;
            cells -= r->decisions ? b.count : 0;
            forward -= size;
            const float *prior = frame->prior ? frame->prior + cells * bits : NULL;
            look_at(w, prior, &b);
            if (last > 0)
                advance(w, b.at - last, state);
            if (r->decisions) {
                memset(both, 0, sizeof both);
                for (int f = 0; f < w->frequencies; f++)
                    for (int k = 0; k < PHASES; k++)
                        both[k] += forward[f * PHASES + k] * state[f][k];
                normalise(both, 1, least_state);
                demap_block(&b, bits, both, prior, llr + cells * bits);
                const double now = phase_of(w, &b, both);
                change += high > 0 ? remainder(phase - now, 2 * RX_PI) : 0;
                phase = now;
                low = b.at;
                high = fmax(high, low);
            }
            see(w, &b, state);
        }
    return high > low ? change / (high - low) : 0;
}

bool JOIN(dvbs2_trellis_run_, RX_ISA)(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr)
{
    walk w = {.trellis = trellis, .frame = frame};
    size_t blocks = 0;
    start(&w);
    for (size_t i = 0; i < frame->count; i++)
        blocks += (frame->references[i].count + w.block - 1) / w.block;
    if (!dvbs2_trellis_reserve(trellis, blocks * (size_t)w.frequencies * PHASES))
        return false;
    trellis->frequency = go_back(&w, blocks, go_forward(&w), llr);
    return true;
}
