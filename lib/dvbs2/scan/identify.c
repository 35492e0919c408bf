/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/scan/convolutional.h"
#include "dvbs2/scan/framing.h"
#include "dvbs2/scan/gold_parity.h"
#include "dvbs2/scan/gold_search.h"
#include "dvbs2/streams/fec.h"
#include "dvbs2/sync/cyclic_spectrum.h"
#include "dvbs2/sync/frame_search.h"
#include "dvbs2/sync/front_end.h"
#include "dvbs2/sync/synchroniser.h"
#include "ldpc/dvb_cells.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum {
    SYMBOLS = 1 << 18, /* maximum number of symbols, except for superframes */
    SUPERFRAMES = 2 * DVBS2_SUPERFRAME + 2 * DVBS2_SUPERFRAME_HEADER, /* maximum number of symbols */
    BLOCK = DVBS2_TIMING_BLOCK,
    SILENCE = 1024,   /* samples */
    TRIAL_FRAMES = 3, /* frames that are decoded with each gold code */
    CENTRE_SYMBOLS = 1 << 16,
    ITERATIONS = 25,
    FIRST_S2X = 128, /* PLS codes of S2X */
};

static const double samples_per_symbol = 2.4; /* at least 0.8 of it is used */
/* Maximum change of the frequency from header to header, radians per symbol. */
static const double most_drift = 2 * RX_PI * 0.001;

/* ---- centre */

/* Measures frequency and roll-off. Returns false if there is not enough memory. */
static bool find_centre(const dvbs2_part *part, dvbs2_survey_carrier *carrier)
{
    const double ratio = carrier->symbol_rate / part->rate;
    const size_t most = (size_t)(CENTRE_SYMBOLS / ratio), count = part->count < most ? part->count : most;
    float *re = ldpc_allocate(2 * count, sizeof *re), *im = re ? re + count : NULL;
    dvbs2_centre centre = {0, dvbs2_roll_offs[2], false};
    for (size_t i = 0; re && i < count; i++) {
        re[i] = crealf(part->samples[i]);
        im[i] = cimagf(part->samples[i]);
    }
    bool found;
    const bool made =
        re && dvbs2_find_cyclic(re, im, count, ratio, dvbs2_roll_offs, DVBS2_ROLL_OFFS, &centre, &found);
    carrier->frequency = part->centre + centre.frequency * part->rate;
    carrier->roll_off = centre.roll_off;
    free(re);
    return made;
}

/* ---- symbols */

typedef struct symbol_list {
    float complex *symbols;
    size_t count, most;
    bool few; /* whether the first measurement includes silence, so that its frequency is not accurate */
} symbol_list;

/* Moves samples through the front end to the list, until it is full. */
static void pass(dvbs2_front_end *front, const float complex *samples, size_t count, symbol_list *list)
{
    for (size_t done = 0; done < count;) {
        const size_t taken = dvbs2_front_end_write(front, samples + done, count - done);
        done += taken;
        while (list->count + BLOCK <= list->most && dvbs2_front_end_read(front, list->symbols + list->count))
            list->count += BLOCK;
        if (!taken && list->count + BLOCK > list->most)
            break;
    }
}

/* Appends silence, which completes the first measurement of a short signal, and passes the last `pending` symbols. */
static void pass_silence(dvbs2_front_end *front, double pending, symbol_list *list)
{
    static const float complex silence[SILENCE];
    const size_t wanted = list->count + (size_t)pending, blocks = front->running ? 2 : front->blocks + 2;
    const double ratio = front->params.sample_rate / front->params.symbol_rate;
    size_t left = (size_t)((double)blocks * BLOCK * ratio) + dvbs2_front_end_delay(front);
    front->most_blocks = front->blocks; /* silence does not improve the measurement */
    for (; left > 0 && list->count < wanted; left -= left < SILENCE ? left : SILENCE)
        pass(front, silence, left < SILENCE ? left : SILENCE, list);
    list->count = list->count < wanted ? list->count : wanted;
}

/* Reads at most `most` symbols. Also corrects the frequency. Returns false if there is not enough memory. */
static bool read_symbols(const dvbs2_part *part, dvbs2_survey_carrier *carrier, size_t most,
                         symbol_list *list)
{
    const dvbs2_front_end_params params = {.format = LDPC_CF32,
                                           .sample_rate = part->rate,
                                           .symbol_rate = carrier->symbol_rate,
                                           .roll_off = carrier->roll_off,
                                           .offset = carrier->frequency - part->centre};
    dvbs2_front_end front;
    *list = (symbol_list){fftwf_alloc_complex(most), 0, most, false};
    const bool made = dvbs2_front_end_init(&front, &params) && list->symbols;
    if (made) {
        pass(&front, part->samples, part->count, list);
        list->few = !front.running;
        pass_silence(&front, dvbs2_front_end_pending(&front), list);
    }
    if (list->count)
        carrier->frequency = part->centre + front.first_carrier;
    dvbs2_front_end_free(&front);
    return made && !front.failures;
}

/* ---- PL frames */

typedef struct walk {
    symbol_list list;
    bool mirrored, superframes;
    size_t first; /* position of the first header */
    /* number of headers; of data frames of each MODCOD, without and with pilots; of other frames */
    uint32_t headers, counts[DVBS2_MOST_MODCODS][2], dummy, vlsnr;
    float complex *frame;    /* [DVBS2_MOST_SYMBOLS] */
    double match, frequency; /* sums over all headers; frequency in radians per symbol */
    double vlsnr_match;      /* sum over the headers of VL-SNR frames */
    dvbs2_gold_search *gold;
} walk;

static void count_frame(walk *w, size_t at, const dvbs2_frame_start *start, double frequency)
{
    const dvbs2_frame_format *format = &start->format;
    w->first = w->headers ? w->first : at;
    w->headers++;
    w->match += (double)start->match;
    w->vlsnr_match += (double)start->vlsnr_match;
    w->frequency += frequency;
    w->dummy += format->kind == DVBS2_FRAME_DUMMY;
    w->vlsnr += format->vlsnr > 0;
    if (format->kind == DVBS2_FRAME_DATA)
        w->counts[format->modcod][format->pilots]++;
}

/* Passes the known symbols of the frame at `at` to the search of the gold code. */
static void use_pilots(walk *w, size_t at, const dvbs2_frame_format *format, double frequency)
{
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    float complex turn = 1;
    if (at + format->length > w->list.count || format->vlsnr || dvbs2_gold_search_full(w->gold))
        return;
    for (size_t i = 0; i < format->length; i++, turn = rx_mul(turn, step))
        w->frame[i] = rx_mul(w->list.symbols[at + i], turn);
    dvbs2_gold_search_add(w->gold, w->frame, format);
}

static void mirror(walk *w)
{
    w->mirrored = !w->mirrored;
    for (size_t i = 0; i < w->list.count; i++)
        w->list.symbols[i] = conjf(w->list.symbols[i]);
}

/* Follows the frames from a confirmed header on. Returns the position after the last frame. */
static size_t follow(walk *w, const dvbs2_found_header *found)
{
    size_t at = found->at;
    double frequency = found->frequency;
    while (at + DVBS2_LONG_HEADER <= w->list.count) {
        const float complex *symbols = w->list.symbols + at;
        const dvbs2_frame_start start =
            dvbs2_decode_start(symbols, w->list.count - at, &frequency, most_drift);
        if (!dvbs2_is_confirmed(&start) || !start.format.length)
            return at;
        if (!start.format.vlsnr)
            frequency = dvbs2_header_frequency(symbols, start.format.pls_code, frequency);
        count_frame(w, at, &start, frequency);
        use_pilots(w, at, &start.format, frequency);
        at += start.format.length;
    }
    return at;
}

static void find_frames(walk *w)
{
    size_t from = 0, wanted = 0, end = 0;
    while (wanted <= w->list.count || from + DVBS2_MOST_SYMBOLS <= w->list.count) {
        dvbs2_found_header found;
        if (!dvbs2_find_header(w->list.symbols, w->list.count, &from, &wanted, &found)) {
            from++;
            if (from + 2 * DVBS2_HEADER > w->list.count)
                return;
            continue;
        }
        if (found.mirrored)
            mirror(w);
        w->superframes |= end > 0 && found.at == end + DVBS2_SUPERFRAME_HEADER;
        end = follow(w, &found);
        from = end > found.at ? end : found.at + 1;
    }
}

/* ---- result */

static int more_frames(const void *a, const void *b)
{
    const dvbs2_survey_modcod *x = a, *y = b;
    return (x->frames < y->frames) - (x->frames > y->frames);
}

/* Es/N0 from the mean match of headers of n known symbols, which is (n s + 1) / (n s + n). */
static double esn0_of(double match, double n)
{
    const double power = (n * match - 1) / (n * fmax(1 - match, 1e-4));
    return 10 * log10(fmax(power, 0.01));
}

static void take_frames(const walk *w, dvbs2_candidate *candidate)
{
    dvbs2_survey_carrier *carrier = &candidate->found;
    carrier->standard = w->vlsnr ? DVBS2_STANDARD_S2X : DVBS2_STANDARD_S2;
    carrier->mirrored = w->mirrored;
    carrier->esn0_db = w->vlsnr ? esn0_of(w->vlsnr_match / w->vlsnr, DVBS2_LONG_HEADER)
                                : esn0_of(w->match / w->headers, DVBS2_HEADER);
    carrier->frequency +=
        (w->mirrored ? -1 : 1) * w->frequency / w->headers / (2 * RX_PI) * carrier->symbol_rate;
    carrier->dummy_frames = w->dummy;
    carrier->vlsnr_frames = w->vlsnr;
    for (uint32_t i = 0; i < 2 * DVBS2_MOST_MODCODS; i++) {
        const uint32_t pilots = i % 2, frames = w->counts[i / 2][pilots];
        if (!frames)
            continue;
        const ldpc_dvbs2_modcod *row = dvbs2_modcod(i / 2);
        const uint32_t code = row->pls_code | pilots;
        if (code >= FIRST_S2X)
            carrier->standard = DVBS2_STANDARD_S2X;
        candidate->modcods[carrier->n_modcods++] =
            (dvbs2_survey_modcod){row->modulation, row->code, code, frames};
    }
    if (w->superframes)
        carrier->standard = DVBS2_STANDARD_SUPERFRAMES;
    qsort(candidate->modcods, carrier->n_modcods, sizeof *candidate->modcods, more_frames);
}

/* ---- gold code without pilots */

/* Uses a data frame, and sets *more if another one is needed. Returns false if there is not enough memory. */
typedef bool frame_user(void *context, const dvbs2_pl_frame *frame, bool *more);

/* Passes data frames from the first header on to `use`. Returns false if there is not enough memory. */
static bool read_frames(const walk *w, uint32_t gold, frame_user *use, void *context)
{
    dvbs2_synchroniser sync;
    size_t done = w->first, room;
    bool made = dvbs2_synchroniser_init(&sync, gold), more = true;
    while (made && more) {
        dvbs2_pl_frame frame;
        if (dvbs2_synchroniser_read(&sync, &frame)) {
            if (frame.format.kind == DVBS2_FRAME_DATA)
                made = !frame.no_memory && use(context, &frame, &more);
            continue;
        }
        float complex *symbols = dvbs2_synchroniser_room(&sync, &room);
        const size_t left = w->list.count - done, count = left < room ? left : room;
        memcpy(symbols, w->list.symbols + done, count * sizeof *symbols);
        dvbs2_synchroniser_add(&sync, count);
        done += count;
        more = count > 0;
    }
    dvbs2_synchroniser_free(&sync);
    return made;
}

static bool use_checks(void *context, const dvbs2_pl_frame *frame, bool *more)
{
    dvbs2_gold_parity *parity = context;
    const bool made = dvbs2_gold_parity_add(parity, frame);
    *more = parity->frames < DVBS2_GOLD_PARITY_FRAMES;
    return made;
}

/* Finds the gold code by the parity checks of frames. Sets *found to it, or to -1. Returns false if there is not enough
 * memory. */
static bool find_code(const walk *w, int32_t *found)
{
    dvbs2_gold_parity parity;
    const bool made = dvbs2_gold_parity_init(&parity) && read_frames(w, 0, use_checks, &parity);
    *found = made ? dvbs2_gold_parity_run(&parity) : -1;
    dvbs2_gold_parity_free(&parity);
    return made;
}

typedef struct trial {
    dvbs2_fec fec;
    int frames; /* number of decoded frames */
    bool good;  /* whether a frame has no bit errors */
} trial;

static bool decode_frame(void *context, const dvbs2_pl_frame *frame, bool *more)
{
    trial *t = context;
    dvbs2_fec_result result;
    const ldpc_status status = dvbs2_fec_decode(&t->fec, frame, &result, NULL);
    t->good = status == LDPC_OK && !result.broken;
    *more = !t->good && ++t->frames < TRIAL_FRAMES;
    return status != LDPC_ERR_MEMORY;
}

/* Decodes frames with each code of the list. Sets *found to the right one, or to -1. Returns false if there is not enough
 * memory. */
static bool try_codes(const walk *w, const dvbs2_gold_list *gold, int32_t *found)
{
    trial t = {.good = false};
    bool made = dvbs2_fec_init(&t.fec, ITERATIONS);
    for (size_t i = 0; made && !t.good && i < gold->count; i++) {
        t.frames = 0;
        made = read_frames(w, gold->codes[i], decode_frame, &t);
        *found = made && t.good ? (int32_t)gold->codes[i] : -1;
    }
    dvbs2_fec_free(&t.fec);
    return made;
}

/* ---- carrier */

static bool get_part(dvbs2_spectrum *spectrum, const dvbs2_survey_carrier *carrier, double symbols,
                     dvbs2_part *part)
{
    const double rate = carrier->symbol_rate;
    return dvbs2_spectrum_part(spectrum, carrier->frequency, fmin(samples_per_symbol * rate, spectrum->rate),
                               spectrum->rate, 0, symbols / rate, part);
}

/* Reads more symbols, because two superframes are longer than all other signals that are recognised. */
static bool find_superframes(dvbs2_spectrum *spectrum, dvbs2_survey_carrier *carrier)
{
    const double ratio = carrier->symbol_rate / spectrum->rate;
    dvbs2_survey_carrier copy = *carrier;
    symbol_list list = {0};
    dvbs2_part part;
    if ((double)spectrum->count * ratio < DVBS2_SUPERFRAME + DVBS2_SUPERFRAME_HEADER)
        return true;
    if (!get_part(spectrum, carrier, SUPERFRAMES, &part))
        return false;
    const bool made = read_symbols(&part, &copy, SUPERFRAMES, &list);
    if (made && dvbs2_has_superframes(list.symbols, list.count))
        carrier->standard = DVBS2_STANDARD_SUPERFRAMES;
    fftwf_free(list.symbols);
    fftwf_free(part.samples);
    return made;
}

/* Finds the standard of a carrier without the headers of ordinary PL frames. */
static bool identify_others(dvbs2_spectrum *spectrum, const symbol_list *list, dvbs2_survey_carrier *carrier)
{
    const char *rate = NULL;
    bool sliced;
    if (!dvbs2_find_time_slices(list->symbols, list->count, &sliced) ||
        (!sliced && !dvbs2_convolutional_rate(list->symbols, list->count, &rate)))
        return false;
    carrier->code_rate = rate ? rate : "";
    carrier->standard = sliced ? DVBS2_STANDARD_TIME_SLICES
                        : rate ? DVBS2_STANDARD_S
                               : DVBS2_STANDARD_UNKNOWN;
    return sliced || rate || find_superframes(spectrum, carrier);
}

static bool identify(dvbs2_spectrum *spectrum, const dvbs2_part *part, const dvbs2_gold_list *gold,
                     dvbs2_candidate *candidate)
{
    dvbs2_survey_carrier *carrier = &candidate->found;
    dvbs2_gold_search search;
    walk w = {.gold = &search, .frame = ldpc_allocate(DVBS2_MOST_SYMBOLS, sizeof *w.frame)};
    const double frequency = carrier->frequency;
    bool made = dvbs2_gold_search_init(&search) && w.frame && read_symbols(part, carrier, SYMBOLS, &w.list);
    if (made)
        find_frames(&w);
    if (w.headers) {
        take_frames(&w, candidate);
        carrier->gold = dvbs2_gold_search_run(&search, gold->codes, gold->count);
        if (carrier->gold < 0 && carrier->n_modcods)
            made = find_code(&w, &carrier->gold);
        if (made && carrier->gold < 0 && carrier->n_modcods)
            made = try_codes(&w, gold, &carrier->gold);
    } else if (made) {
        carrier->frequency = w.list.few ? frequency : carrier->frequency;
        made = identify_others(spectrum, &w.list, carrier);
    }
    fftwf_free(w.list.symbols);
    free(w.frame);
    dvbs2_gold_search_free(&search);
    return made;
}

bool dvbs2_identify(dvbs2_spectrum *spectrum, const dvbs2_gold_list *gold, dvbs2_candidate *candidate)
{
    dvbs2_survey_carrier *carrier = &candidate->found;
    dvbs2_part part;
    carrier->gold = -1;
    carrier->code_rate = "";
    if (!get_part(spectrum, carrier, SYMBOLS, &part))
        return false;
    const bool made = find_centre(&part, carrier) && identify(spectrum, &part, gold, candidate);
    fftwf_free(part.samples);
    return made;
}
