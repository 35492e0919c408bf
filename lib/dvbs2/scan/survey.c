/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public interface of the survey: parameters, the order of the stages, the list of carriers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/versioned.h"
#include "dvbs2/scan/identify.h"
#include "dvbs2/scan/second_look.h"
#include "dvbs2/scan/symbol_line.h"
#include "dvbs2/standard/scrambling.h"
#include "receiver/samples.h"

enum {
    LEAST_SAMPLES = 1 << 14,
    MOST_SAMPLES = 1 << 24,
    MOST_SPANS = 600,
    MOST_CARRIERS = 200,
    MOST_UNCERTAIN = 20, /* rejected lines in a round */
    MOST_GOLD = 1024,
    ROUNDS = 4,
    MOST_REJECTED = ROUNDS * MOST_UNCERTAIN,
};

/* EN 302 307-2, 5.5.4: 10949 i. The others are used on satellites. */
static const uint32_t likely_gold[] = {0, 10949, 21898, 32847, 43796, 54745, 65694, 174526, 79463, 131070};
enum { LIKELY = sizeof likely_gold / sizeof *likely_gold };

static const double least_ratio = 1.1; /* samples per symbol */
static const double rounding = 0.001;  /* relative error of a symbol rate that equals the lowest one */
static const double narrowest = 0.9;   /* width of a span, symbol rates */

/* A span with a line. */
typedef struct found_line {
    dvbs2_span span;
    dvbs2_line line;
} found_line;

/* A line that is not taken for a carrier. */
typedef struct rejected_line {
    found_line found;
    dvbs2_survey_carrier carrier;
} rejected_line;

struct dvbs2_survey {
    dvbs2_candidate carriers[MOST_CARRIERS];
    size_t count;
    rejected_line rejected[MOST_REJECTED];
    size_t n_rejected;
    bool cut; /* whether some spans may not be examined */
    dvbs2_survey_params params;
    double seconds; /* of signal that were examined */
    uint32_t codes[MOST_GOLD + LIKELY];
    dvbs2_gold_list gold;
    dvbs2_second_look *looks; /* NULL before dvbs2_survey_continue() */
    size_t n_looks;
};

static const ldpc_layout params_layout = LDPC_LAYOUT(dvbs2_survey_params, n_gold);

void dvbs2_survey_params_init_sized(dvbs2_survey_params *params, size_t size)
{
    const dvbs2_survey_params defaults = {.size = size, .least_rate = 30e3};
    if (params)
        ldpc_write_struct(&params_layout, params, size, &defaults);
}

static ldpc_status check_params(const dvbs2_survey_params *p, size_t count, ldpc_error *err)
{
    if (!rx_format_bytes(p->format))
        return ldpc_fail(err, LDPC_ERR_PARAM, "unknown sample format %d (expected cf32, cs16, cs8 or cu8)",
                         (int)p->format);
    if (!(p->sample_rate > 0 && isfinite(p->sample_rate)))
        return ldpc_fail(err, LDPC_ERR_RANGE, "sample rate %g Hz out of range (expected a positive number)",
                         p->sample_rate);
    if (!(p->least_rate > 0 && p->least_rate <= p->sample_rate / least_ratio))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "lowest symbol rate %g baud out of range (expected 0 .. %.10g baud)", p->least_rate,
                         p->sample_rate / least_ratio);
    if (p->n_gold > MOST_GOLD || (p->n_gold > 0 && !p->gold))
        return ldpc_fail(err, LDPC_ERR_RANGE, "%zu gold codes (expected at most %d, and an array)", p->n_gold,
                         MOST_GOLD);
    for (size_t i = 0; i < p->n_gold; i++)
        if (p->gold[i] >= DVBS2_GOLD_CODES)
            return ldpc_fail(err, LDPC_ERR_RANGE, "gold code %u out of range (expected 0 .. %d)", p->gold[i],
                             DVBS2_GOLD_CODES - 1);
    if (count < LEAST_SAMPLES)
        return ldpc_fail(err, LDPC_ERR_RANGE, "%zu samples are too few (expected at least %d)", count,
                         LEAST_SAMPLES);
    return LDPC_OK;
}

/* Returns whether a span overlaps a carrier that was found. */
static bool is_taken(const void *context, const dvbs2_span *span)
{
    const dvbs2_survey *survey = context;
    static const double least_distance = 0.45; /* of the centres, relative to the sum of the widths */
    for (size_t i = 0; i < survey->count; i++) {
        const dvbs2_survey_carrier *c = &survey->carriers[i].found;
        if (fabs(c->frequency - span->centre) < least_distance * (c->symbol_rate + span->width))
            return true;
    }
    return false;
}

/* Powers in the spectrum inside a carrier, and of the noise: the lowest one beside the carrier. */
typedef struct powers {
    double inside, noise;
} powers;

static powers powers_of(const dvbs2_spectrum *spectrum, double frequency, double rate, double roll_off)
{
    enum { STEPS = 16 };
    const double flat = 0.9 * (1 - roll_off) / 2 * rate, edge = (1 + roll_off) / 2 * rate, step = rate / 40;
    powers p = {.inside = dvbs2_spectrum_power(spectrum, frequency - flat, frequency + flat)};
    p.noise = p.inside;
    for (int i = 0; i < STEPS; i++)
        for (int side = -1; side <= 1; side += 2) {
            const double at = frequency + side * (edge + i * step);
            const double here = dvbs2_spectrum_power(spectrum, at - step / 2, at + step / 2);
            p.noise = here > 0 ? fmin(p.noise, here) : p.noise;
        }
    return p;
}

/* Measures the level, and without PL headers Es/N0, and removes the carrier from the spectrum. */
static void measure_power(dvbs2_spectrum *spectrum, dvbs2_survey_carrier *c)
{
    const powers p = powers_of(spectrum, c->frequency, c->symbol_rate, c->roll_off);
    c->level_db =
        10 * log10(fmax((p.inside - p.noise) * c->symbol_rate / spectrum->rate * spectrum->level, 1e-20));
    if (c->n_modcods + c->dummy_frames + c->vlsnr_frames == 0)
        c->esn0_db = 10 * log10(fmax(p.inside - p.noise, 1e-20) / fmax(p.noise, 1e-20));
    dvbs2_spectrum_remove(spectrum, c->frequency, c->symbol_rate, c->roll_off, p.inside - p.noise);
}

/* Returns whether a span has more power than the noise, and is not only a remainder of stronger carriers, after these were
 * removed from the spectrum. The spectrum of a carrier that repeats its frames, for example with null packets, is not smooth. */
static bool is_left(const dvbs2_spectrum *spectrum, const dvbs2_span *span)
{
    static const double least = 1.3, usual_roll_off = 0.2, least_share = 0.3;
    const powers p = powers_of(spectrum, span->centre, span->width, usual_roll_off);
    return p.inside > least * p.noise && dvbs2_spectrum_left(spectrum, span->centre - span->width / 2,
                                                             span->centre + span->width / 2) > least_share;
}

static int stronger(const void *a, const void *b)
{
    const found_line *x = a, *y = b;
    return (x->line.strength < y->line.strength) - (x->line.strength > y->line.strength);
}

/* A carrier without a known standard must be stronger, because a signal that repeats has lines at other frequencies too. */
static bool is_certain(const dvbs2_spectrum *spectrum, const dvbs2_survey_carrier *c, const dvbs2_line *line)
{
    static const double least_strength = 40, least_ratio_of_powers = 2;
    const powers p = powers_of(spectrum, c->frequency, c->symbol_rate, c->roll_off);
    return c->standard != DVBS2_STANDARD_UNKNOWN ||
           (line->strength > least_strength && p.inside > least_ratio_of_powers * p.noise);
}

/* Returns whether a span was rejected. The removal of a stronger carrier beside it may have made it certain. */
static bool is_rejected(const dvbs2_survey *survey, const dvbs2_spectrum *spectrum, const dvbs2_span *span)
{
    for (size_t i = 0; i < survey->n_rejected; i++) {
        const rejected_line *r = &survey->rejected[i];
        if (dvbs2_same_span(&r->found.span, span) && !is_certain(spectrum, &r->carrier, &r->found.line))
            return true;
    }
    return false;
}

/* Returns whether a span is a small part of a wider one with a strong line. */
static bool is_inside(const found_line *lines, size_t n, const dvbs2_span *span)
{
    static const double strong = 1000, most_width = 0.5;
    for (size_t i = 0; i < n; i++)
        if (lines[i].line.strength > strong && span->width < most_width * lines[i].span.width &&
            fabs(span->centre - lines[i].span.centre) < (lines[i].span.width - span->width) / 2)
            return true;
    return false;
}

/* Tests all spans that no carrier occupies. Returns false if there is not enough memory. The lines are sorted, strongest
 * first. */
static bool find_lines(const dvbs2_survey *survey, dvbs2_spectrum *spectrum, const dvbs2_spans *list,
                       found_line *lines, size_t *n)
{
    bool made = true;
    *n = 0;
    for (size_t i = 0; made && i < list->count; i++) {
        const dvbs2_span *span = &list->spans[i];
        if (is_rejected(survey, spectrum, span) || is_inside(lines, *n, span))
            continue;
        lines[*n].span = *span;
        made = dvbs2_find_line(spectrum, span, &lines[*n].line);
        *n += lines[*n].line.strength >= dvbs2_least_strength;
    }
    qsort(lines, *n, sizeof *lines, stronger);
    return made;
}

/* Adds a carrier to the survey. Returns false if there is not enough memory. */
static bool add_carrier(dvbs2_survey *survey, dvbs2_spectrum *spectrum, const found_line *found,
                        const dvbs2_gold_list *gold)
{
    dvbs2_candidate *candidate = &survey->carriers[survey->count];
    candidate->found =
        (dvbs2_survey_carrier){.frequency = found->span.centre, .symbol_rate = found->line.symbol_rate};
    if (!dvbs2_identify(spectrum, gold, candidate))
        return false;
    if (!is_certain(spectrum, &candidate->found, &found->line)) {
        survey->rejected[survey->n_rejected++] = (rejected_line){*found, candidate->found};
        return true;
    }
    measure_power(spectrum, &candidate->found);
    survey->count++;
    return true;
}

static int by_frequency(const void *a, const void *b)
{
    const dvbs2_candidate *x = a, *y = b;
    return (x->found.frequency > y->found.frequency) - (x->found.frequency < y->found.frequency);
}

static bool search(dvbs2_survey *survey, dvbs2_spectrum *spectrum, double least_rate,
                   const dvbs2_gold_list *gold)
{
    dvbs2_spans list = {.spans = ldpc_allocate(MOST_SPANS, sizeof *list.spans), .room = MOST_SPANS};
    found_line *lines = ldpc_allocate(MOST_SPANS + 1, sizeof *lines);
    bool made = list.spans && lines;
    bool more = true; /* carriers may be left */
    for (int round = 0; made && round < ROUNDS && more; round++) {
        const size_t before = survey->count, most_rejected = survey->n_rejected + MOST_UNCERTAIN;
        size_t n = 0;
        made = dvbs2_find_spans(spectrum, narrowest * least_rate, &list, is_taken, survey) &&
               find_lines(survey, spectrum, &list, lines, &n);
        for (size_t i = 0;
             made && i < n && survey->count < MOST_CARRIERS && survey->n_rejected < most_rejected; i++)
            if (lines[i].line.symbol_rate >= least_rate * (1 - rounding) &&
                !is_taken(survey, &lines[i].span) && is_left(spectrum, &lines[i].span))
                made = add_carrier(survey, spectrum, &lines[i], gold);
        more = survey->count > before || survey->n_rejected == most_rejected;
        survey->cut = list.cut || survey->count == MOST_CARRIERS || more;
    }
    free(list.spans);
    free(lines);
    qsort(survey->carriers, survey->count, sizeof *survey->carriers, by_frequency);
    for (size_t i = 0; i < survey->count; i++)
        survey->carriers[i].found.modcods = survey->carriers[i].modcods;
    return made;
}

static void set_params(dvbs2_survey *survey, const dvbs2_survey_params *params)
{
    survey->params = *params;
    for (size_t i = 0; i < params->n_gold; i++)
        survey->codes[i] = params->gold[i];
    memcpy(survey->codes + params->n_gold, likely_gold, sizeof likely_gold);
    survey->gold = (dvbs2_gold_list){survey->codes, params->n_gold + LIKELY};
}

static bool survey_samples(dvbs2_survey *survey, const void *samples, size_t count)
{
    const dvbs2_survey_params *p = &survey->params;
    dvbs2_spectrum spectrum = {0};
    survey->seconds = (double)count / p->sample_rate;
    const bool done =
        dvbs2_spectrum_init(&spectrum, p->sample_rate, p->least_rate, p->format, samples, count) &&
        search(survey, &spectrum, p->least_rate, &survey->gold);
    dvbs2_spectrum_free(&spectrum);
    return done;
}

ldpc_status dvbs2_survey_create(const dvbs2_survey_params *given, const void *samples, size_t count,
                                dvbs2_survey **survey, ldpc_error *err)
{
    dvbs2_survey_params own;
    if (!given || !samples || !survey)
        return ldpc_fail(err, LDPC_ERR_NULL, "params, samples and survey must not be NULL");
    *survey = NULL;
    ldpc_status status = ldpc_read_struct(&params_layout, &own, given, err);
    if (status == LDPC_OK)
        status = check_params(&own, count, err);
    if (status != LDPC_OK)
        return status;
    dvbs2_survey *made = ldpc_allocate(1, sizeof *made);
    if (made)
        set_params(made, &own);
    if (!made || !survey_samples(made, samples, count < MOST_SAMPLES ? count : MOST_SAMPLES)) {
        dvbs2_survey_destroy(made);
        return ldpc_fail_memory(err);
    }
    *survey = made;
    return LDPC_OK;
}

static void free_looks(dvbs2_survey *survey)
{
    for (size_t i = 0; i < survey->n_looks; i++)
        dvbs2_second_look_free(&survey->looks[i]);
    free(survey->looks);
    survey->looks = NULL;
    survey->n_looks = 0;
}

void dvbs2_survey_destroy(dvbs2_survey *survey)
{
    if (!survey)
        return;
    free_looks(survey);
    free(survey);
}

/* ---- second look at narrow carriers */

static bool start_looks(dvbs2_survey *survey)
{
    const dvbs2_survey_params *p = &survey->params;
    survey->looks = ldpc_allocate(survey->count + 1, sizeof *survey->looks);
    bool made = survey->looks;
    for (size_t i = 0; made && i < survey->count; i++)
        if (dvbs2_needs_second_look(&survey->carriers[i].found, p->sample_rate, survey->seconds))
            made = dvbs2_second_look_init(&survey->looks[survey->n_looks++], &survey->carriers[i], p->format,
                                          p->sample_rate);
    if (!made)
        free_looks(survey);
    return made;
}

ldpc_status dvbs2_survey_continue(dvbs2_survey *survey, const void *samples, size_t count, bool *more,
                                  ldpc_error *err)
{
    if (!survey || !more || (!samples && count > 0))
        return ldpc_fail(err, LDPC_ERR_NULL, "survey, samples and more must not be NULL");
    *more = false;
    bool made = survey->looks || start_looks(survey);
    for (size_t i = 0; made && i < survey->n_looks; i++) {
        dvbs2_second_look *look = &survey->looks[i];
        if (!look->iq)
            continue;
        if (count > 0 && dvbs2_second_look_add(look, samples, count)) {
            *more = true;
            continue;
        }
        made = dvbs2_second_look_run(look, &survey->gold);
        dvbs2_second_look_free(look);
    }
    return made ? LDPC_OK : ldpc_fail_memory(err);
}

const dvbs2_survey_carrier *dvbs2_survey_list(const dvbs2_survey *survey, size_t i)
{
    return survey && i < survey->count ? &survey->carriers[i].found : NULL;
}

const char *dvbs2_survey_note(const dvbs2_survey *survey)
{
    return survey && survey->cut
               ? "the band has too many edges or carriers to examine all of them, so carriers may "
                 "be missing (a narrower band has fewer)"
               : "";
}

const char *dvbs2_standard_name(dvbs2_standard standard)
{
    static const char *const names[] = {
        "unknown", "DVB-S", "DVB-S2", "DVB-S2X", "DVB-S2 time slicing", "DVB-S2X superframes"};
    return (unsigned)standard < sizeof names / sizeof *names ? names[standard] : "unknown";
}
