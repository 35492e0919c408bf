/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The receiver kernels for the instruction set RX_ISA. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "receiver/complex.h"
#include "receiver/kernels.h"
#include "receiver/resampler.h"

#define JOIN(a, b)       JOIN_AGAIN(a, b)
#define JOIN_AGAIN(a, b) a##b
#define TEXT(a)          TEXT_AGAIN(a)
#define TEXT_AGAIN(a)    #a

#if defined(__AVX512F__)
enum { LANES = 16 };
#define EACH_LANE(X)  X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), EACH_UPPER(X)
#define EACH_UPPER(X) X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15)
#elif defined(__AVX__)
enum { LANES = 8 };
#define EACH_LANE(X) X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7)
#else
enum { LANES = 4 };
#define EACH_LANE(X) X(0), X(1), X(2), X(3)
#endif
typedef float vec __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t lanes __attribute__((vector_size(LANES * sizeof(float)))); /* lane numbers for SHUFFLE */
typedef float v4 __attribute__((vector_size(16)));
enum { HALF = LANES / 2, QUARTER = LANES / 4 };
/* two accumulators hide the latency of additions */
enum { SUMS = LANES < 16 ? 2 : 1 };

static inline vec load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(float *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* SHUFFLE(a, b, type, numbers) selects lanes of a and b. Older compilers name the builtin differently. */
#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(a, b, type, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, type, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif
/* Lane i is lane FROM(i) of the concatenation of a and b. */
#define SHUFFLED(a, b, FROM) SHUFFLE(a, b, lanes, EACH_LANE(FROM))

/* Swaps I and Q. */
#define SWAPPED(i)        ((i) ^ 1)
/* selects I, or Q, twice */
#define ONLY_I(i)         ((i) & ~1)
#define ONLY_Q(i)         ((i) | 1)
/* Interleave values or pairs of a and b: LOW from the lower halves, HIGH from the upper halves. */
#define ZIP_LOW(i)        ((i) / 2 + (i) % 2 * LANES)
#define ZIP_HIGH(i)       (ZIP_LOW(i) + HALF)
#define ZIP_PAIRS_LOW(i)  ((i) / 4 * 2 + (i) % 2 + (i) / 2 % 2 * LANES)
#define ZIP_PAIRS_HIGH(i) (ZIP_PAIRS_LOW(i) + HALF)

/* Horizontal sums of four vectors, in order. Adds halves, then quarters, then the lanes of each quarter:
 *
 *     [a] [b] [c] [d] ──> [a: half, b: half] [c: half, d: half] ──> [a, b, c, d: a quarter each] ──> a b c d
 */
#define LOWER_HALVES(i)  ((i) < HALF ? (i) : (i) + HALF)
#define UPPER_HALVES(i)  (LOWER_HALVES(i) + HALF)
#define EVEN_QUARTERS(i) ((i) / QUARTER * HALF + (i) % QUARTER)
#define ODD_QUARTERS(i)  (EVEN_QUARTERS(i) + QUARTER)
#define TWO_ON(i)        ((i) ^ 2)
#define FIRST_LANES(i)   ((i) % 4 * QUARTER)

static inline v4 four_sums(vec a, vec b, vec c, vec d)
{
    const vec ab = SHUFFLED(a, b, LOWER_HALVES) + SHUFFLED(a, b, UPPER_HALVES);
    const vec cd = SHUFFLED(c, d, LOWER_HALVES) + SHUFFLED(c, d, UPPER_HALVES);
    vec sums = SHUFFLED(ab, cd, EVEN_QUARTERS) + SHUFFLED(ab, cd, ODD_QUARTERS);
    if (QUARTER > 2)
        sums += SHUFFLED(sums, sums, TWO_ON);
    if (QUARTER > 1)
        sums += SHUFFLED(sums, sums, SWAPPED);
    sums = SHUFFLED(sums, sums, FIRST_LANES);
    v4 result;
    memcpy(&result, &sums, sizeof result);
    return result;
}

static void moments(const float *iq, size_t count, double sums[5])
{
    enum { COLUMNS = 16, BLOCK = 512 };
    for (int i = 0; i < 5; i++)
        sums[i] = 0;
    for (size_t start = 0; start < count; start += BLOCK) {
        const size_t end = count - start < BLOCK ? count : start + BLOCK;
        float s[5][COLUMNS] = {{0}};
        size_t n = start;
        for (; n + COLUMNS <= end; n += COLUMNS)
            for (size_t c = 0; c < COLUMNS; c++) {
                float re = iq[2 * (n + c)], im = iq[2 * (n + c) + 1];
                s[0][c] += re;
                s[1][c] += im;
                s[2][c] += re * re;
                s[3][c] += im * im;
                s[4][c] += re * im;
            }
        for (int i = 0; i < 5; i++)
            for (int c = 0; c < COLUMNS; c++)
                sums[i] += (double)s[i][c];
        for (; n < end; n++) {
            double re = (double)iq[2 * n], im = (double)iq[2 * n + 1];
            const double terms[5] = {re, im, re * re, im * im, re * im};
            for (int i = 0; i < 5; i++)
                sums[i] += terms[i];
        }
    }
}

static void correct(float *iq, size_t count, float complex dc, float complex image)
{
    const float dr = crealf(dc), di = cimagf(dc), ir = crealf(image), ii = cimagf(image);
    for (size_t n = 0; n < count; n++) {
        float re = iq[2 * n] - dr, im = iq[2 * n + 1] - di;
        iq[2 * n] = re - (ir * re + ii * im);
        iq[2 * n + 1] = im - (ii * re - ir * im);
    }
}

/* bits of the fraction of a sample position */
enum { FRACTION = 40, PHASE_BITS = 9 };
_Static_assert(1 << PHASE_BITS == RX_PHASES, "phases of the low-pass");

/* Returns the nearest filter phase. first: sample of the first tap. */
static inline const float *filter_at(const float *filter, uint32_t taps, uint64_t position, size_t *first)
{
    const uint64_t one = 1, half = one << (FRACTION - PHASE_BITS - 1),
                   fraction = position & ((one << FRACTION) - 1);
    *first = (size_t)(position >> FRACTION);
    return filter + (size_t)((fraction + half) >> (FRACTION - PHASE_BITS)) * taps;
}

static inline v4 two_outputs(const float *re, const float *im, const float *filter, uint32_t taps,
                             uint64_t position, uint64_t step)
{
    size_t first, second;
    const float *const g = filter_at(filter, taps, position, &first);
    const float *const h = filter_at(filter, taps, position + step, &second);
    const float *const re_first = re + first, *const im_first = im + first;
    const float *const re_second = re + second, *const im_second = im + second;
    vec a[SUMS] = {{0}}, b[SUMS] = {{0}}, c[SUMS] = {{0}}, d[SUMS] = {{0}};
    for (size_t t = 0; t < taps; t += SUMS * LANES)
        for (size_t i = 0, at = t; i < SUMS; i++, at += LANES) {
            const vec tap = load(g + at), next = load(h + at);
            a[i] += tap * load(re_first + at);
            b[i] += tap * load(im_first + at);
            c[i] += next * load(re_second + at);
            d[i] += next * load(im_second + at);
        }
    if (SUMS > 1)
        return four_sums(a[0] + a[SUMS - 1], b[0] + b[SUMS - 1], c[0] + c[SUMS - 1], d[0] + d[SUMS - 1]);
    return four_sums(a[0], b[0], c[0], d[0]);
}

/* Stores LANES complex values with I and Q interleaved. */
static inline void store_complex(float *out, vec re, vec im)
{
    store(out, SHUFFLED(re, im, ZIP_LOW));
    store(out + LANES, SHUFFLED(re, im, ZIP_HIGH));
}

enum { RUN = 2 * LANES };
_Static_assert(RUN - 1 <= RX_RESAMPLE_PADDING, "samples after the last tap");

static inline void outputs_of_phase(const float *re, const float *im, const float *g, uint32_t taps,
                                    float *out)
{
    /* two accumulators hide the latency of additions */
    vec x[2][2] = {{{0}}}, y[2][2] = {{{0}}};
    for (uint32_t t = 0; t < taps; t += 2)
        for (uint32_t odd = 0; odd < 2; odd++)
            for (uint32_t half = 0; half < 2; half++) {
                const uint32_t at = t + odd + half * LANES;
                x[odd][half] += g[t + odd] * load(re + at);
                y[odd][half] += g[t + odd] * load(im + at);
            }
    for (uint32_t half = 0; half < 2; half++)
        store_complex(out + 2 * half * LANES, x[0][half] + x[1][half], y[0][half] + y[1][half]);
}

static inline uint32_t run_length(const float *filter, uint32_t taps, uint64_t position, uint64_t step,
                                  uint32_t most)
{
    size_t first, last = 0;
    const float *const g = filter_at(filter, taps, position, &first), *of_last = NULL;
    uint32_t run = most + 1;
    while (of_last != g || last != first + run - 1) {
        run--;
        of_last = filter_at(filter, taps, position + (run - 1) * step, &last);
    }
    return run;
}

static void resample_runs(const float *re, const float *im, const float *filter, uint32_t taps, uint64_t at,
                          uint64_t each, float *out, size_t count)
{
    for (size_t n = 0; n < count;) {
        float last[2 * RUN];
        size_t first;
        const float *const g = filter_at(filter, taps, at, &first);
        const uint32_t run =
            run_length(filter, taps, at, each, count - n < RUN ? (uint32_t)(count - n) : RUN);
        outputs_of_phase(re + first, im + first, g, taps, run < RUN ? last : out + 2 * n);
        if (run < RUN)
            memcpy(out + 2 * n, last, 2 * run * sizeof *out);
        n += run;
        at += run * each;
    }
}

/* Returns whether RUN consecutive outputs can share a filter phase. */
static bool step_is_one(uint64_t step)
{
    const uint64_t one = UINT64_C(1) << FRACTION, error = step > one ? step - one : one - step;
    return error * RUN < one >> PHASE_BITS;
}

static double resample(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                       double step, float *out, size_t count)
{
    const double scale = (double)(UINT64_C(1) << FRACTION), end = position + (double)count * step;
    const uint64_t each = (uint64_t)(step * scale);
    uint64_t at = (uint64_t)(position * scale);
    if (step_is_one(each)) {
        resample_runs(re, im, filter, taps, at, each, out, count);
        return end;
    }
    for (size_t n = 0; n + 1 < count; n += 2, at += 2 * each) {
        const v4 two = two_outputs(re, im, filter, taps, at, each);
        memcpy(out + 2 * n, &two, sizeof two);
    }
    if (count % 2) {
        const v4 two = two_outputs(re, im, filter, taps, at, 0);
        memcpy(out + 2 * (count - 1), &two, 2 * sizeof *out);
    }
    return end;
}

/* Processes 24 carriers at a time, so that the accumulators of I and Q fit in registers. */
#if defined(__AVX512F__)
typedef float v8 __attribute__((vector_size(32)));
typedef int32_t lanes_8 __attribute__((vector_size(32)));

static inline void interpolate_24(const float complex *in, const float *taps, uint32_t n, uint32_t stride,
                                  float complex *out)
{
    vec re = {0}, im = {0}; /* sums for the first 16 carriers */
    v8 re_last = {0}, im_last = {0}, h_last;
    for (uint32_t t = 0; t < n; t++, taps += stride) {
        const float x = crealf(in[t]), y = cimagf(in[t]);
        const vec h = load(taps);
        memcpy(&h_last, taps + LANES, sizeof h_last);
        re += h * x;
        im += h * y;
        re_last += h_last * x;
        im_last += h_last * y;
    }
    store_complex((float *)out, re, im);
    const v8 last[2] = {SHUFFLE(re_last, im_last, lanes_8, 0, 8, 1, 9, 2, 10, 3, 11),
                        SHUFFLE(re_last, im_last, lanes_8, 4, 12, 5, 13, 6, 14, 7, 15)};
    memcpy(out + LANES, last, sizeof last);
}
#else
static inline void interpolate_24(const float complex *in, const float *taps, uint32_t n, uint32_t stride,
                                  float complex *out)
{
    enum { PARTS = 24 / LANES };
    vec re[PARTS] = {{0}}, im[PARTS] = {{0}};
    for (uint32_t t = 0; t < n; t++, taps += stride) {
        const float x = crealf(in[t]), y = cimagf(in[t]);
        for (uint32_t i = 0; i < PARTS; i++) {
            const vec h = load(taps + LANES * i);
            re[i] += h * x;
            im[i] += h * y;
        }
    }
    for (uint32_t i = 0; i < PARTS; i++)
        store_complex((float *)(out + LANES * i), re[i], im[i]);
}
#endif

static void interpolate(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                        float complex *out)
{
    for (uint32_t k = 0; k < width; k += 24)
        interpolate_24(in, taps + k, n, width, out + k);
}

/* Lower limit of |h|^2. A carrier without signal then has such a large noise that the demapper treats it as
 * an erasure. */
static const float least_power = 1e-30f;

#define EVERY_SECOND(i) (2 * (i))
#define TWICE_LOW(i)    ((i) / 2)
#define TWICE_HIGH(i)   ((i) / 2 + HALF)
#define SIGN(i)         ((i) % 2 ? -1.0f : 1.0f)

/* Computes y conj(h) for LANES / 2 carriers. */
static inline vec times_conjugate(vec y, vec h)
{
    const vec signs = {EACH_LANE(SIGN)};
    return y * SHUFFLED(h, h, ONLY_I) + SHUFFLED(y, y, SWAPPED) * (SHUFFLED(h, h, ONLY_Q) * signs);
}

/* Returns |x|^2 for LANES complex numbers. */
static inline vec powers(const float *x)
{
    const vec a = load(x), b = load(x + LANES), low = a * a, high = b * b;
    return SHUFFLED(low + SHUFFLED(low, low, SWAPPED), high + SHUFFLED(high, high, SWAPPED), EVERY_SECOND);
}

/* Cells of LANES carriers and their noise. */
static inline void equalise_some(const float *y, const float *h, const float *noise, float *cells,
                                 float *cell_noise)
{
    const vec h_low = load(h), h_high = load(h + LANES), inverse = 1 / (powers(h) + least_power);
    store(cells, times_conjugate(load(y), h_low) * SHUFFLED(inverse, inverse, TWICE_LOW));
    store(cells + LANES, times_conjugate(load(y + LANES), h_high) * SHUFFLED(inverse, inverse, TWICE_HIGH));
    store(cell_noise, load(noise) * inverse);
}

static void equalise(const float complex *y, const float complex *h, float noise, const float *more,
                     const uint16_t *carrier, uint32_t count, float complex *cells, float *cell_noise)
{
    enum { BLOCK = 128 };
    float complex near_y[BLOCK], near_h[BLOCK], last_cells[BLOCK];
    float near_noise[BLOCK], last_noise[BLOCK];
    for (uint32_t start = 0; start < count; start += BLOCK) {
        const uint32_t n = count - start < BLOCK ? count - start : BLOCK;
        float complex *const to = n == BLOCK ? cells + start : last_cells;
        float *const noise_to = n == BLOCK ? cell_noise + start : last_noise;
        for (uint32_t c = 0; c < BLOCK; c++) {
            const uint16_t k = carrier[start + (c < n ? c : 0)];
            memcpy(&near_y[c], &y[k], sizeof *y);
            memcpy(&near_h[c], &h[k], sizeof *h);
            near_noise[c] = noise + more[k];
        }
        for (uint32_t c = 0; c < BLOCK; c += LANES)
            equalise_some((const float *)(near_y + c), (const float *)(near_h + c), near_noise + c,
                          (float *)(to + c), noise_to + c);
        if (n < BLOCK) {
            memcpy(cells + start, last_cells, n * sizeof *cells);
            memcpy(cell_noise + start, last_noise, n * sizeof *cell_noise);
        }
    }
}

static void peaks(const float complex *bins, uint32_t blocks, float *sum, float *highest)
{
    for (uint32_t b = 0; b < blocks; b++) {
        const float *x = (const float *)(bins + (size_t)b * RX_PEAK_BLOCK);
        vec all = powers(x), most = all;
        for (uint32_t k = LANES; k < RX_PEAK_BLOCK; k += LANES) {
            const vec p = powers(x + (size_t)2 * k);
            all += p;
            const lanes higher = p > most;
            most = (vec)(((lanes)p & higher) | ((lanes)most & ~higher));
        }
        sum[b] = highest[b] = 0;
        for (int lane = 0; lane < LANES; lane++) {
            sum[b] += all[lane];
            highest[b] = most[lane] > highest[b] ? most[lane] : highest[b];
        }
    }
}

static void surplus(const float complex *y, const float complex *const h[2], float noise, float weight,
                    uint32_t count, float *mean, float *square)
{
    for (uint32_t k = 0; k < count; k += LANES) {
        vec signal = powers((const float *)(h[0] + k));
        if (h[1])
            signal += powers((const float *)(h[1] + k));
        const vec old = load(mean + k), old_square = load(square + k);
        store(mean + k, old + (powers((const float *)(y + k)) - signal - noise - old) * weight);
        store(square + k, old_square + (signal * signal - old_square) * weight);
    }
}

enum { TURNS = 32 };

typedef struct turns {
    double re, im, step_re, step_im;
    float c[TURNS], s[TURNS];
} turns;

static turns turns_from(double phase, double step)
{
    turns t = {.re = cos(phase), .im = sin(phase)};
    const double one_re = cos(step), one_im = sin(step);
    double re = 1, im = 0;
    for (int i = 0; i < TURNS; i++) {
        t.c[i] = (float)re;
        t.s[i] = (float)im;
        const double next = re * one_re - im * one_im;
        im = re * one_im + im * one_re;
        re = next;
    }
    t.step_re = re;
    t.step_im = im;
    return t;
}

static inline void next_block(turns *t)
{
    const double re = t->re * t->step_re - t->im * t->step_im;
    t->im = t->re * t->step_im + t->im * t->step_re;
    t->re = re;
}

/* Returns exp(j phase) of item i of the block. */
static inline float complex turn_of(const turns *t, uint32_t i)
{
    return rx_mul(rx_cplx((float)t->re, (float)t->im), rx_cplx(t->c[i], t->s[i]));
}

static void straighten(float complex *y, uint32_t count, double phase, double slope)
{
    turns t = turns_from(phase, slope);
    float along[2 * TURNS], across[2 * TURNS], *a = (float *)y; /* cos, cos ...; -sin, sin ... */
    for (uint32_t i = 0; i < TURNS; i++) {
        along[2 * i] = along[2 * i + 1] = t.c[i];
        across[2 * i] = -t.s[i];
        across[2 * i + 1] = t.s[i];
    }
    const vec signs = {EACH_LANE(SIGN)};
    uint32_t k = 0;
    for (; k + TURNS <= count; k += TURNS, next_block(&t)) {
        const float re = (float)t.re;
        const vec im = signs * (float)t.im;
        for (uint32_t i = 0; i < 2 * TURNS; i += LANES) {
            const vec x = load(a + 2 * k + i), c = load(along + i), s = load(across + i);
            store(a + 2 * k + i, x * (c * re + s * im) + SHUFFLED(x, x, SWAPPED) * (s * re - c * im));
        }
    }
    for (uint32_t i = 0; k < count; k++, i++)
        y[k] = rx_mul(y[k], turn_of(&t, i));
}

static void filter(const float complex *in, const float complex *taps, uint32_t n, uint32_t count,
                   float complex *out)
{
    for (uint32_t i = 0; i < count; i += HALF) {
        vec along = {0}, across = {0}; /* sums of tap * I, tap * Q */
        for (uint32_t t = 0; t < n; t++) {
            along += load((const float *)(in + i + t)) * crealf(taps[t]);
            across += load((const float *)(in + i + t)) * cimagf(taps[t]);
        }
        store((float *)(out + i), along - (vec){EACH_LANE(SIGN)} * SHUFFLED(across, across, SWAPPED));
    }
}

#define ODD_ONES(i) (2 * (i) + 1)

static void mix(const float *iq, size_t count, double phase, double step, float *re, float *im)
{
    turns t = turns_from(phase, step);
    size_t n = 0;
    for (; n + TURNS <= count; n += TURNS, next_block(&t)) {
        const float first_re = (float)t.re, first_im = (float)t.im;
        for (uint32_t i = 0; i < TURNS; i += LANES) {
            const vec low = load(iq + 2 * (n + i)), high = load(iq + 2 * (n + i) + LANES);
            const vec x = SHUFFLED(low, high, EVERY_SECOND), y = SHUFFLED(low, high, ODD_ONES);
            const vec c = load(t.c + i), s = load(t.s + i);
            const vec wr = c * first_re - s * first_im, wi = c * first_im + s * first_re;
            store(re + n + i, x * wr - y * wi);
            store(im + n + i, x * wi + y * wr);
        }
    }
    for (uint32_t i = 0; n < count; n++, i++) {
        const float complex x = rx_mul(rx_cplx(iq[2 * n], iq[2 * n + 1]), turn_of(&t, i));
        re[n] = crealf(x);
        im[n] = cimagf(x);
    }
}

extern const rx_kernels JOIN(rx_kernels_, RX_ISA);
const rx_kernels JOIN(rx_kernels_, RX_ISA) = {
    TEXT(RX_ISA), moments, correct, mix, resample, interpolate, straighten, filter, equalise, peaks, surplus,
};
