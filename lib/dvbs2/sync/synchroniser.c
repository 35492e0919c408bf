/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/synchroniser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <volk/volk.h>

#include "base/memory.h"
#include "dvbs2/standard/scrambling.h"
#include "dvbs2/sync/frame_search.h"
#include "dvbs2/sync/references.h"
#include "dvbs2/sync/training.h"
#include "receiver/complex.h"
#include "receiver/kernels.h"

enum {
    FRAME = DVBS2_MOST_SYMBOLS + DVBS2_LONG_HEADER, /* symbols needed to output the longest frame */
    /* maximum number of frames from which the carrier estimate starts */
    START_FRAMES = 4,
    ROOM = (START_FRAMES + 1) * FRAME + 4096,
    CELLS = 32,
    ALL_REFERENCES = 32400 / CELLS + 3 * DVBS2_MOST_REFERENCES,
    /* the last frame of the signal may lack this number of symbols */
    CUT = DVBS2_SLOT,
};

bool dvbs2_synchroniser_init(dvbs2_synchroniser *sync, uint32_t gold)
{
    *sync = (dvbs2_synchroniser){.end = UINT64_MAX};
    sync->symbols = ldpc_allocate(ROOM, sizeof *sync->symbols);
    sync->turns = ldpc_allocate(DVBS2_MOST_SYMBOLS, sizeof *sync->turns);
    sync->cells = ldpc_allocate(DVBS2_MOST_SYMBOLS, sizeof *sync->cells);
    sync->clean = ldpc_allocate(START_FRAMES * DVBS2_MOST_KNOWN, sizeof *sync->clean);
    sync->references = ldpc_allocate(ALL_REFERENCES, sizeof *sync->references);
    sync->llr = ldpc_allocate(DVBS2_MOST_CELL_BITS, sizeof *sync->llr);
    uint8_t *quarters = ldpc_allocate(DVBS2_MOST_SYMBOLS, 1);
    const bool made = sync->symbols && sync->turns && sync->llr && sync->cells && sync->clean &&
                      sync->references && quarters;
    if (made) {
        static const float complex back[4] = {1, -I, -1, I};
        dvbs2_scrambling(gold, quarters, DVBS2_MOST_SYMBOLS);
        for (uint32_t i = 0; i < DVBS2_MOST_SYMBOLS; i++)
            sync->turns[i] = back[quarters[i]];
    }
    free(quarters);
    return made;
}

void dvbs2_synchroniser_free(dvbs2_synchroniser *sync)
{
    free(sync->symbols);
    free(sync->turns);
    free(sync->cells);
    free(sync->clean);
    free(sync->references);
    free(sync->llr);
    dvbs2_trellis_free(&sync->trellis);
    dvbs2_phase_grid_free(&sync->grid);
    for (size_t i = 0; i < DVBS2_MOST_MODCODS; i++)
        dvbs2_decisions_free(&sync->decisions[i]);
}

/* ---- symbols in */

float complex *dvbs2_synchroniser_room(dvbs2_synchroniser *sync, size_t *room)
{
    if (sync->start > FRAME) { /* drops symbols before the frame */
        sync->held -= sync->start;
        sync->wanted -= sync->wanted > sync->start ? sync->start : sync->wanted;
        sync->number += sync->start;
        memmove(sync->symbols, sync->symbols + sync->start, sync->held * sizeof *sync->symbols);
        sync->start = 0;
    }
    *room = ROOM - sync->held;
    return sync->symbols + sync->held;
}

void dvbs2_synchroniser_add(dvbs2_synchroniser *sync, size_t count)
{
    float complex *x = sync->symbols + sync->held;
    for (size_t i = 0; i < count && sync->mirrored; i++)
        x[i] = conjf(x[i]);
    sync->held += count;
}

void dvbs2_synchroniser_drop(dvbs2_synchroniser *sync)
{
    sync->number += sync->held;
    sync->held = sync->start = sync->wanted = 0;
    sync->locked = false;
}

void dvbs2_synchroniser_end(dvbs2_synchroniser *sync, size_t count)
{
    sync->end = sync->number + sync->held + count;
}

/* at: index in sync->symbols */
static bool ends_before(const dvbs2_synchroniser *sync, size_t at)
{
    return sync->number + at > sync->end;
}

static dvbs2_frame_start decode_start(const dvbs2_synchroniser *sync, size_t at)
{
    double frequency = sync->carrier.frequency;
    return dvbs2_decode_start(sync->symbols + at, sync->held - at, &frequency, 0);
}

/* ---- start of the carrier */

/* Returns false if more symbols are needed. */
static bool start_carrier(dvbs2_synchroniser *sync)
{
    static const float two_frames = 0.86f, all_frames = 0.72f; /* dvbs2_header.match at an SNR of 8 dB, and at
                                                                * 4 dB */
    dvbs2_reference references[START_FRAMES * DVBS2_MOST_REFERENCES];
    dvbs2_frame_format format = sync->format;
    size_t start = sync->start, first = 0, count = 0;
    float match = 1;
    for (int frame = 0; frame < START_FRAMES && format.length; frame++) {
        const size_t end = start + format.length;
        if ((frame == 1 && (match > two_frames || sync->format.vlsnr)) || (frame == 2 && match > all_frames))
            break;
        if (!dvbs2_has_start(sync->symbols, sync->held, end, sync->carrier.frequency))
            return false;
        const dvbs2_frame_start next = decode_start(sync, end);
        if (!dvbs2_is_confirmed(&next) && frame > 0)
            break;
        count += dvbs2_collect_references(sync->symbols + start, sync->turns, &format, next.format.pls_code,
                                          sync->clean + frame * DVBS2_MOST_KNOWN, references + count);
        first = frame == 0 ? count : first;
        match = fminf(match, next.match);
        start = end;
        format = next.format;
    }
    dvbs2_carrier_start(&sync->carrier, references, first, count, sync->carrier.frequency);
    sync->starting = false;
    sync->unproven = true;
    return true;
}

/* ---- cells out */

static float noise_of(const dvbs2_synchroniser *sync)
{
    if (sync->equaliser.active)
        return sync->equaliser.noise;
    return (float)(sync->carrier.noise / (sync->carrier.amplitude * sync->carrier.amplitude));
}

/* Removes pi/2-BPSK and its scrambling, which changes only the sign. first: number of data symbols before x. */
static void descramble_bpsk(const float complex *turns, uint32_t first, float complex *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const float complex y = crealf(turns[i]) != 0 ? x[i] : -x[i];
        x[i] = (first + i) % 2 ? rx_cplx(cimagf(y), -crealf(y)) : y;
    }
}

static void descramble(const dvbs2_synchroniser *sync)
{
    const float scale = (float)(1 / sync->carrier.amplitude);
    const bool bpsk = sync->format.vlsnr && dvbs2_modcod(sync->format.modcod)->modulation[0] == 'b';
    for (dvbs2_section s = {0}; dvbs2_next_section(&sync->format, &s);) {
        const float complex *x = sync->symbols + sync->start + DVBS2_HEADER + s.first;
        const float complex *turns = sync->turns + s.first;
        float complex *cells = sync->cells + s.done;
        if (sync->equaliser.active) {
            rx_kernels_best()->filter(x - DVBS2_EQUALISER_SIDE, sync->equaliser.taps, DVBS2_EQUALISER_TAPS,
                                      s.count, cells);
            x = cells;
        }
        volk_32f_s32f_multiply_32f((float *)cells, (const float *)x, scale, 2 * s.count);
        if (bpsk)
            descramble_bpsk(turns, s.done, cells, s.count);
        else
            volk_32fc_x2_multiply_32fc(cells, cells, turns, s.count);
    }
}

/* Interpolates the phase linearly between references. */
static void correct_sections(const dvbs2_synchroniser *sync, const dvbs2_reference *before)
{
    for (dvbs2_section s = {0}; dvbs2_next_section(&sync->format, &s); before++) {
        const double slope = (before[1].phase - before[0].phase) / (before[1].at - before[0].at);
        const double phase = before[0].phase + slope * (DVBS2_HEADER + s.first - before[0].at);
        rx_kernels_best()->straighten(sync->cells + s.done, s.count, -phase, -slope);
    }
}

static size_t insert_blocks(dvbs2_synchroniser *sync, const dvbs2_reference *references)
{
    dvbs2_reference *all = sync->references;
    const dvbs2_decisions *decisions = &sync->decisions[sync->format.modcod];
    for (dvbs2_section s = {0}; dvbs2_next_section(&sync->format, &s);) {
        *all++ = *references++;
        for (uint32_t done = 0; done < s.count; done += CELLS) {
            const uint32_t left = s.count - done, n = left < CELLS ? left : CELLS;
            *all++ = (dvbs2_reference){.clean = sync->cells + s.done + done,
                                       .decisions = decisions,
                                       .count = n,
                                       .at = DVBS2_HEADER + s.first + done + (n - 1) / 2.0};
        }
    }
    *all++ = *references;
    return (size_t)(all - sync->references);
}

static void correct_blocks(const dvbs2_synchroniser *sync, size_t count)
{
    float complex *cells = sync->cells;
    for (const dvbs2_reference *r = sync->references; r < sync->references + count; r++) {
        if (!r->decisions)
            continue;
        const double slope = (r[1].phase - r[-1].phase) / (r[1].at - r[-1].at);
        rx_kernels_best()->straighten(cells, r->count, slope * (r->count - 1) / 2 - r->phase, -slope);
        cells += r->count;
    }
}

/* Replaces the repetitions of each cell by their mean. */
static void add_repeats(const dvbs2_synchroniser *sync)
{
    float complex *cells = sync->cells;
    for (uint32_t i = 0; i < sync->format.cells && sync->format.repeats == 2; i++)
        cells[i] = (cells[2 * i] + cells[2 * i + 1]) / 2;
}

/* Returns false if there is not enough memory. The phases are then interpolated between headers and pilots. */
static bool write_cells(dvbs2_synchroniser *sync, const dvbs2_carrier *before,
                        const dvbs2_reference *references)
{
    dvbs2_decisions *decisions = &sync->decisions[sync->format.modcod];
    const bool steady = sync->format.pilots && !dvbs2_carrier_walks(&sync->carrier);
    descramble(sync);
    if (sync->format.vlsnr) {
        correct_sections(sync, references + 1);
        add_repeats(sync);
        return true;
    }
    if (steady || !dvbs2_decisions_prepare(decisions, sync->format.modcod, noise_of(sync))) {
        correct_sections(sync, references);
        return steady;
    }
    const size_t all = insert_blocks(sync, references);
    if (!sync->format.pilots)
        dvbs2_carrier_refine(&sync->carrier, before, sync->references, all);
    else {
        sync->carrier.phase = before->phase;
        sync->carrier.frequency = before->frequency;
        if (!dvbs2_phase_grid_run(&sync->grid, &sync->carrier, sync->carrier.walk, sync->references, all)) {
            correct_sections(sync, references);
            return false;
        }
    }
    correct_blocks(sync, all);
    sync->last_references = all;
    const dvbs2_reference *first = &sync->references[0], *last = &sync->references[all - 1];
    sync->cell_frequency = (last->phase - first->phase) / (last->at - first->at);
    return true;
}

/* ---- frames */

static void lose(dvbs2_synchroniser *sync, dvbs2_sync_loss reason)
{
    sync->losses[reason]++;
    sync->locked = false;
    sync->wanted = 0;
}

/* Mirrors the spectrum of all symbols in the buffer. */
static void mirror(dvbs2_synchroniser *sync)
{
    sync->mirrored = !sync->mirrored;
    for (size_t i = 0; i < sync->held; i++)
        sync->symbols[i] = conjf(sync->symbols[i]);
}

static bool search(dvbs2_synchroniser *sync)
{
    static const double most_error = 2 * RX_PI * 0.003; /* of the frequency, radians per symbol */
    dvbs2_found_header first;
    if (sync->held < sync->wanted ||
        !dvbs2_find_header(sync->symbols, sync->held, &sync->start, &sync->wanted, &first))
        return false;
    if (first.mirrored)
        mirror(sync);
    sync->start = first.at;
    sync->carrier.frequency = first.frequency;
    sync->format = first.format;
    if (first.format.kind == DVBS2_FRAME_VLSNR)
        sync->format = dvbs2_decode_start(sync->symbols + first.at, sync->held - first.at,
                                          &sync->carrier.frequency, most_error)
                           .format;
    sync->locked = sync->starting = true;
    sync->equaliser = (dvbs2_equaliser){0};
    sync->locks++;
    return true;
}

static void fill_frame(const dvbs2_synchroniser *sync, dvbs2_pl_frame *frame)
{
    const double amplitude = sync->carrier.amplitude;
    *frame = (dvbs2_pl_frame){.format = sync->format,
                              .at = sync->number + sync->start,
                              .cells = sync->cells,
                              .noise = noise_of(sync) / (float)(sync->format.repeats == 2 ? 2 : 1),
                              .amplitude = (float)amplitude,
                              .frequency = sync->carrier.frequency,
                              .unproven = sync->unproven};
}

/* Advances to the next header, or searches for one. */
static void advance(dvbs2_synchroniser *sync, const dvbs2_frame_start *next)
{
    const bool last = ends_before(sync, sync->start + sync->format.length + DVBS2_HEADER);
    if (!dvbs2_is_confirmed(next) && !last) {
        sync->start += DVBS2_HEADER;
        lose(sync, DVBS2_SYNC_HEADER);
        return;
    }
    sync->start += sync->format.length;
    if (last)
        return;
    sync->format = next->format;
    if (!sync->format.length)
        lose(sync, DVBS2_SYNC_RESERVED);
}

static void read_frame(dvbs2_synchroniser *sync, dvbs2_pl_frame *frame)
{
    const dvbs2_frame_start next = decode_start(sync, sync->start + sync->format.length);
    dvbs2_reference *references = sync->known;
    const size_t count = dvbs2_collect_references(sync->symbols + sync->start, sync->turns, &sync->format,
                                                  next.format.pls_code, sync->clean, references);
    if (!dvbs2_is_confirmed(&next))
        references[count - 1].count = 0; /* not used as a reference */
    const dvbs2_carrier before = sync->carrier;
    sync->last_carrier = before;
    sync->last_format = sync->format;
    sync->last_start = sync->start;
    sync->last_references = 0;
    dvbs2_carrier_track(&sync->carrier, references, count);
    sync->header_carrier = sync->carrier;
    if (count == 2 && references[1].count > 0) {
        dvbs2_carrier_use_headers(&sync->header_carrier, &before, references);
        sync->last_carrier.frequency = sync->header_carrier.frequency;
    }
    if (dvbs2_is_confirmed(&next))
        dvbs2_train_with_references(&sync->equaliser, sync->symbols + sync->start, references, count,
                                    &sync->carrier);
    const bool made = sync->format.kind != DVBS2_FRAME_DATA || write_cells(sync, &before, references);
    fill_frame(sync, frame);
    frame->no_memory = !made;
    advance(sync, &next);
}

static void remember(dvbs2_synchroniser *sync)
{
    sync->before.carrier = sync->carrier;
    sync->before.equaliser = sync->equaliser;
    sync->before.format = sync->format;
    sync->before.start = sync->start;
    memcpy(sync->before.losses, sync->losses, sizeof sync->losses);
}

bool dvbs2_synchroniser_read(dvbs2_synchroniser *sync, dvbs2_pl_frame *frame)
{
    if (!sync->locked && !search(sync))
        return false;
    const size_t end = sync->start + sync->format.length;
    if (!dvbs2_has_start(sync->symbols, sync->held, end, sync->carrier.frequency) ||
        ends_before(sync, end - CUT))
        return false;
    if (sync->starting && !start_carrier(sync))
        return false;
    if (sync->unproven)
        remember(sync);
    read_frame(sync, frame);
    return true;
}

bool dvbs2_synchroniser_retry(dvbs2_synchroniser *sync, int attempt, dvbs2_pl_frame *frame)
{
    const dvbs2_frame_format *format = &sync->before.format;
    const double alias = dvbs2_carrier_alias(format->pilots ? 0 : format->length);
    const int multiple = (attempt + 1) / 2 * (attempt % 2 ? 1 : -1);
    const bool more = (abs(multiple) - 0.5) * alias < sync->before.carrier.start_error;
    sync->carrier = sync->before.carrier;
    dvbs2_carrier_shift(&sync->carrier, more ? multiple * alias : 0);
    sync->equaliser = sync->before.equaliser;
    sync->format = *format;
    sync->start = sync->before.start;
    memcpy(sync->losses, sync->before.losses, sizeof sync->losses);
    sync->locked = true;
    read_frame(sync, frame);
    return more;
}

void dvbs2_synchroniser_prove(dvbs2_synchroniser *sync)
{
    sync->unproven = false;
    if (sync->last_references == 0 || !sync->last_format.pilots)
        return;
    /* the frequency from pilots may be wrong by a multiple of the alias */
    const double alias = dvbs2_carrier_alias(0);
    const double error = rint((sync->cell_frequency - sync->carrier.frequency) / alias) * alias;
    if (error != 0)
        dvbs2_carrier_shift(&sync->carrier, error);
}

void dvbs2_synchroniser_restart(dvbs2_synchroniser *sync)
{
    sync->starting = sync->locked;
}

void dvbs2_synchroniser_use_headers(dvbs2_synchroniser *sync)
{
    sync->carrier.phase = sync->header_carrier.phase;
    sync->carrier.frequency = sync->header_carrier.frequency;
    memcpy(sync->carrier.variance, sync->header_carrier.variance, sizeof sync->carrier.variance);
}

bool dvbs2_synchroniser_uses_cells(const dvbs2_synchroniser *sync)
{
    return sync->last_references > 0;
}

typedef struct place {
    size_t start;
    dvbs2_frame_format format;
} place;

static void go_to(dvbs2_synchroniser *sync, const place *p)
{
    sync->start = p->start;
    sync->format = p->format;
}

/* Goes back to the last frame. Returns the place of the next frame. */
static place go_back(dvbs2_synchroniser *sync)
{
    const place next = {sync->start, sync->format}, last = {sync->last_start, sync->last_format};
    go_to(sync, &last);
    return next;
}

void dvbs2_synchroniser_interpolate(dvbs2_synchroniser *sync)
{
    const place next = go_back(sync);
    descramble(sync);
    correct_sections(sync, sync->known);
    sync->cell_frequency = sync->header_carrier.frequency; /* without the cells */
    go_to(sync, &next);
}

void dvbs2_synchroniser_learn(dvbs2_synchroniser *sync, const float complex *points)
{
    dvbs2_train_with_cells(&sync->equaliser, sync->symbols + sync->last_start + DVBS2_HEADER, points,
                           sync->turns, DVBS2_LEARNT_CELLS, &sync->carrier);
}

void dvbs2_synchroniser_set_points(dvbs2_synchroniser *sync, uint32_t modcod, const float *points)
{
    dvbs2_decisions_set_points(&sync->decisions[modcod], points);
}

dvbs2_phase_model dvbs2_synchroniser_walk(const dvbs2_synchroniser *sync, dvbs2_phase_model model)
{
    const double measured = sync->last_format.pilots ? sync->carrier.walk : sync->carrier.fine_walk;
    return dvbs2_trellis_limit((dvbs2_phase_model){model.white * measured, model.slow * measured});
}

bool dvbs2_synchroniser_refine(dvbs2_synchroniser *sync, const float *prior, dvbs2_phase_model walk,
                               dvbs2_pl_frame *frame)
{
    const place next = go_back(sync);
    dvbs2_carrier carrier = sync->carrier; /* amplitude and noise of the cells */
    carrier.phase = sync->last_carrier.phase;
    carrier.frequency = sync->last_carrier.frequency;
    const dvbs2_trellis_frame symbols = {.references = sync->references,
                                         .count = sync->last_references,
                                         .carrier = &carrier,
                                         .walk = walk,
                                         .noise = frame->noise,
                                         .prior = prior};
    descramble(sync);
    const bool done = dvbs2_trellis_run(&sync->trellis, &symbols, sync->llr);
    correct_blocks(sync, sync->last_references);
    sync->cell_frequency = carrier.frequency + sync->trellis.frequency;
    go_to(sync, &next);
    frame->llr = done ? sync->llr : NULL;
    return done;
}
