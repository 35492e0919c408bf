/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/edges.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "receiver/median.h"

enum {
    MOST_EDGES = 4096,
    FINEST =
        4, /* bins on each side of an edge; more if there are too many edges, as in a spectrum with lines */
    PLACES = 1000,  /* at which the contrast of the spectrum is measured */
    LEAST_NEAR = 4, /* bins on each side of a peak, for the median around it */
    MOST_NEAR = 32,
};

/* Maximum power of a peak that is narrower than a carrier, relative to the median around it. */
static const float most_peak = 4;
/* Minimum difference of the power on both sides of an edge, relative to its sum, and in standard deviations. */
static const double least_contrast = 0.1, most_contrast = 0.25, least_deviations = 6;
/* Minimum power inside a span relative to its mean, and the distance from its edges and resolution, in widths. */
static const double least_flatness = 0.2, inner = 0.15, resolution = 0.06;
/* Spans with a smaller difference of their edges, in widths, are equal. */
static const double same_span = 0.02;
/* Maximum power beside a span relative to the power inside, and how far beside, in widths. */
static const double most_beside = 0.8, beside = 0.4;

typedef struct edge {
    double at; /* bins */
    bool rises;
} edge;

typedef bool span_test(const void *context, const dvbs2_span *span);

typedef struct profile {
    const dvbs2_spectrum *spectrum;
    span_test *skips;
    const void *context;
    double *sums; /* sums[i]: power of the bins before i */
} profile;

static double mean_power(const profile *p, double from, double to)
{
    const double bins = (double)p->spectrum->bins;
    const size_t first = (size_t)fmax(0, fmin(bins - 1, from)), last = (size_t)fmax(1, fmin(bins, to));
    return last > first ? (p->sums[last] - p->sums[first]) / (double)(last - first) : 0;
}

/* Returns the power after bin `at` minus the power before, relative to the sum. */
static double contrast(const profile *p, long at, long scale)
{
    const double before = mean_power(p, (double)(at - scale), (double)at),
                 after = mean_power(p, (double)at, (double)(at + scale));
    return before + after > 0 ? (after - before) / (before + after) : 0;
}

/* The difference of the power is largest where the power of a carrier is halved. */
static double difference(const profile *p, long at, long scale)
{
    return mean_power(p, (double)at, (double)(at + scale)) - mean_power(p, (double)(at - scale), (double)at);
}

static bool is_extreme(const profile *p, long at, long scale, double here)
{
    const long reach = scale / 2 > 1 ? scale / 2 : 1, step = scale / 16 > 1 ? scale / 16 : 1;
    for (long i = -reach; i <= reach; i += step)
        if (i != 0 && at + i - scale >= 0 && at + i + scale <= (long)p->spectrum->bins &&
            fabs(difference(p, at + i, scale)) > fabs(here) && difference(p, at + i, scale) * here > 0)
            return false;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the minimum contrast of an edge. The power of a signal that repeats, for example dummy frames, differs more from
 * bin to bin than that of noise. */
static double least_contrast_at(const profile *p, long scale, double *contrasts)
{
    const long bins = (long)p->spectrum->bins, room = bins - 2 * scale;
    const double deviation = p->spectrum->spread * sqrt(1.5 / (double)scale) / sqrt(2);
    for (long i = 0; i < PLACES; i++)
        contrasts[i] = fabs(contrast(p, scale + room * i / PLACES, scale));
    qsort(contrasts, PLACES, sizeof *contrasts, ascending);
    const double measured = contrasts[PLACES / 2] / 0.67;
    return fmax(least_contrast,
                fmax(least_deviations * deviation, fmin(most_contrast, least_deviations * measured)));
}

static size_t find_edges(const profile *p, long finest, edge *edges)
{
    const long bins = (long)p->spectrum->bins;
    double contrasts[PLACES];
    size_t count = 0;
    for (long scale = finest; scale <= bins / 4 && count < MOST_EDGES; scale *= 2) {
        const double least = least_contrast_at(p, scale, contrasts);
        const long step = scale / 32 > 1 ? scale / 32 : 1;
        for (long at = scale; at + scale <= bins; at += step) {
            const double c = contrast(p, at, scale);
            if (fabs(c) < least || !is_extreme(p, at, scale, difference(p, at, scale)))
                continue;
            if (count < MOST_EDGES)
                edges[count++] = (edge){(double)at, c > 0};
        }
    }
    return count;
}

/* Returns the lowest power from `from` to `to`, relative to `mean`. */
static double lowest_power(const profile *p, double from, double to, double step, double mean)
{
    double lowest = mean;
    for (double at = from; at + step <= to; at += step)
        lowest = fmin(lowest, mean_power(p, at, at + step));
    return mean > 0 ? lowest / mean : 1;
}

/* Returns whether the power falls on both sides of a span, if they are inside the band. */
static bool stands_out(const profile *p, double from, double to)
{
    const double bins = (double)p->spectrum->bins, width = to - from, reach = beside * width,
                 step = fmax(1, width / 40);
    const double mean = mean_power(p, from + inner * width, to - inner * width);
    return (from < reach / 4 || lowest_power(p, fmax(0, from - reach), from, step, mean) < most_beside) &&
           (to > bins - reach / 4 || lowest_power(p, to, fmin(bins, to + reach), step, mean) < most_beside);
}

static double flatness(const profile *p, double from, double to)
{
    const double width = to - from;
    return lowest_power(p, from + inner * width, to - inner * width, fmax(1, resolution * width),
                        mean_power(p, from, to));
}

bool dvbs2_same_span(const dvbs2_span *a, const dvbs2_span *b)
{
    return fabs(a->centre - b->centre) + fabs(a->width - b->width) < same_span * b->width;
}

static bool is_known(const dvbs2_span *spans, size_t count, const dvbs2_span *s)
{
    for (size_t i = 0; i < count; i++)
        if (dvbs2_same_span(&spans[i], s))
            return true;
    return false;
}

static int wider(const void *a, const void *b)
{
    const dvbs2_span *x = a, *y = b;
    return (x->width < y->width) - (x->width > y->width);
}

static void pair_edges(const profile *p, const edge *edges, size_t n, double narrowest, dvbs2_spans *list)
{
    const double bin = p->spectrum->rate / (double)p->spectrum->bins, middle = (double)p->spectrum->bins / 2;
    bool room = true;
    for (size_t a = 0; room && a < n; a++)
        for (size_t b = 0; room && b < n; b++) {
            const double width = edges[b].at - edges[a].at;
            dvbs2_span span = {((edges[a].at + edges[b].at) / 2 - middle) * bin, width * bin, 0};
            if (!edges[a].rises || edges[b].rises || span.width < narrowest || p->skips(p->context, &span))
                continue;
            span.flatness = flatness(p, edges[a].at, edges[b].at);
            if (span.flatness < least_flatness || !stands_out(p, edges[a].at, edges[b].at) ||
                is_known(list->spans, list->count, &span))
                continue;
            room = list->count < list->room;
            if (room)
                list->spans[list->count++] = span;
        }
    list->cut |= !room;
    qsort(list->spans, list->count, sizeof *list->spans, wider);
}

/* Adds up the spectrum. Tones are limited, because the edges of many tones would hide those of carriers. */
static void add_up(const profile *p, double narrowest)
{
    const dvbs2_spectrum *spectrum = p->spectrum;
    const size_t bins = spectrum->bins,
                 near = (size_t)fmin(MOST_NEAR, fmax(0, narrowest / spectrum->rate * (double)bins / 2 - 0.5));
    for (size_t i = 0; i < bins; i++) {
        const size_t from = i > near ? i - near : 0, to = i + near < bins ? i + near + 1 : bins;
        float power = spectrum->power[i];
        if (near >= LEAST_NEAR && (double)power > (double)most_peak * spectrum->floor) {
            const float median = rx_median(spectrum->power + from, (uint32_t)(to - from), 0);
            power = power > most_peak * median ? median : power;
        }
        p->sums[i + 1] = p->sums[i] + (double)power;
    }
}

bool dvbs2_find_spans(const dvbs2_spectrum *spectrum, double narrowest, dvbs2_spans *list, span_test *skips,
                      const void *context)
{
    profile p = {spectrum, skips, context, ldpc_allocate(spectrum->bins + 1, sizeof *p.sums)};
    edge *edges = ldpc_allocate(MOST_EDGES + 2, sizeof *edges);
    const bool made = p.sums && edges;
    list->count = 0;
    list->cut = false;
    if (made) {
        add_up(&p, narrowest);
        size_t n = find_edges(&p, FINEST, edges);
        for (long finest = 2 * FINEST; n == MOST_EDGES; finest *= 2) {
            /* Edges that are this coarse may miss a carrier of the narrowest width. */
            list->cut = (double)finest * spectrum->rate / (double)spectrum->bins > narrowest / 2;
            n = find_edges(&p, finest, edges);
        }
        edges[n++] = (edge){0, true}; /* the edges of the band */
        edges[n++] = (edge){(double)spectrum->bins, false};
        pair_edges(&p, edges, n, narrowest, list);
    }
    free(p.sums);
    free(edges);
    return made;
}
