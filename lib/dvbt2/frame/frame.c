/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/status_internal.h"
#include "receiver/complex.h"
#include "dvbt2/frame/receiver_internal.h"

enum {
    /* the signal is lost after this number of consecutive symbols without coherent pilots */
    MOST_BAD_SYMBOLS = 6,
    P1_TOLERANCE = 32, /* maximum displacement of P1 for a single path, samples */
};

/* Minimum coherence of the pilots relative to the usual coherence. If it is lower, the symbol is noise or the
 * FFT window is misplaced. */
static const float least_coherence = 0.3f;

/* 2 dB above the Shannon limit */
static const double implementation_loss = 1.6;

/* Maximum carrier offset relative to the maximum offset of the P1 search. */
static const double most_carrier = 1.2;

/* ---- begin and end of a frame */

/* Returns the minimum C/N for a PLP according to the Shannon limit. */
static double least_cn(const dvbt2_l1_plp *plp)
{
    static const double rates[] = {1.0 / 2, 3.0 / 5, 2.0 / 3, 3.0 / 4, 4.0 / 5, 5.0 / 6, 1.0 / 3, 2.0 / 5};
    return pow(2, 2 * (plp->plp_mod + 1) * rates[plp->plp_cod & 7]) - 1;
}

static bool beyond_pilots(const dvbt2_receiver *rx)
{
    const dvbt2_channel *c = &rx->now->channel;
    const double signal = (double)c->signal, noise = (double)c->noise,
                 bend = signal * (double)dvbt2_interpolator_error(&c->interpolator);
    /* An echo disturbs P2 in all frames. A level step disturbs P2 in one frame. */
    const double misfit = fmin(rx->l1.misfit, rx->l1.last_misfit);
    bool beyond = false;
    for (uint32_t i = 0; i < rx->params.n_plps; i++) {
        const double most = signal / (implementation_loss * least_cn(&rx->choice[i].info.plp));
        beyond |= rx->choice[i].slices.n_slices > 0 && noise < most && (noise + bend) * misfit >= most;
    }
    return beyond;
}

static void report_beyond_pilots(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    const double us = 1e6 / rx->rate, range = p->fft_length / (double)(p->dx * rx->now->channel.n_channels);
    ldpc_fail(&rx->error, LDPC_ERR_RANGE,
              "echo beyond the pilots: paths are %.0f us apart, pilots of this mode resolve up to %.0f us",
              rx->now->channel.delays.paths * us, range * us);
}

/* Returns the FEF part in samples, or 0 if L1 signals more than the standard allows (clause 8.4). */
static uint32_t fef_length(const dvbt2_receiver *rx, uint32_t frame_idx)
{
    const double longest = rx->p1.info.profile == DVBT2_PROFILE_LITE ? 1 : 0.25; /* s */
    uint32_t fef = dvbt2_fef_after(&rx->l1.post.config, (uint8_t)frame_idx);
    return fef <= longest * rx->limit_rate ? fef : 0;
}

/* Returns the number of samples from the start of the super-frame to the frame with this FRAME_IDX. */
static uint64_t place_of(const dvbt2_receiver *rx, uint32_t frame_idx)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < frame_idx; i++)
        at += rx->now->parameters.frame_length + fef_length(rx, i);
    return at;
}

static bool same_signal(const dvbt2_l1_pre *a, const dvbt2_l1_pre *b)
{
    return a->cell_id == b->cell_id && a->network_id == b->network_id && a->t2_system_id == b->t2_system_id &&
           a->num_t2_frames == b->num_t2_frames && a->pilot_pattern == b->pilot_pattern &&
           a->num_data_symbols == b->num_data_symbols && a->l1_post_size == b->l1_post_size;
}

/* Returns the smallest number of missing samples that FRAME_IDX allows. */
static void count_missing(dvbt2_receiver *rx)
{
    dvbt2_losses *losses = &rx->losses;
    const uint64_t at = rx->frame.start + losses->missing, cycle = place_of(rx, rx->l1.pre.num_t2_frames);
    const uint8_t idx = rx->l1.post.dynamic.frame_idx;
    const uint32_t rf = rx->l1.post.config.rf[0].frequency;
    if (!losses->placed && losses->last_known && at > losses->last_at && cycle > 0 &&
        same_signal(&losses->last, &rx->l1.pre) && losses->last_rf == rf) {
        const uint64_t elapsed = at - losses->last_at,
                       tolerance = rx->now->parameters.guard_length + elapsed / 10000;
        const uint64_t expected = place_of(rx, idx) + cycle - place_of(rx, losses->last_idx) % cycle;
        const uint64_t missing = (expected + cycle - elapsed % cycle) % cycle;
        if (missing > tolerance && missing + tolerance < cycle)
            losses->missing += missing;
    }
    losses->placed = losses->last_known = true;
    losses->last = rx->l1.pre;
    losses->last_rf = rf;
    losses->last_idx = idx;
    losses->last_at = rx->frame.start + losses->missing;
}

void dvbt2_begin_frame(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    if (p->mode.guard == rx->acquisition.guard)
        rx->error.message[0] = 0;
    if (!rx->lock.locked)
        rx->status.locks++;
    rx->lock.locked = true;
    if (rx->frame.start >= rx->losses.missed + DVBT2_P1_SAMPLES)
        dvbt2_count_missed(rx);
    rx->losses.missed = 0;
    count_missing(rx);
    rx->frame.last_start = rx->frame.start;
    /* an echo of P1 must not start this frame again */
    if (rx->p1.found)
        rx->acquisition.unsearched = rx->frame.start + (uint64_t)p->n_p2 * p->symbol_length;
    rx->frame.carrier = rx->stream.resampler.carrier;
    rx->frame.clock_ppm = rx->stream.resampler.clock_ppm;
    dvbt2_decision_directed_start(rx);
    dvbt2_open_outputs(rx);
    rx->frame.open = true;
    rx->frame.beyond_pilots = beyond_pilots(rx);
    if (rx->frame.beyond_pilots)
        report_beyond_pilots(rx);
    rx->l1.n_unread = 0;
    rx->frame.p2_emitted = 0;
    rx->step = DVBT2_STEP_SYMBOLS;
    rx->status.state = DVBT2_STATE_TRACKING;
}

/* whole: true if all symbols were received. */
static void close_frame(dvbt2_receiver *rx, bool whole)
{
    if (rx->frame.open && rx->directed.keeping) {
        dvbt2_decision_directed_finish(rx, whole);
        rx->frame.open = false;
    }
    for (uint32_t i = 0; i < rx->params.n_plps && rx->frame.open; i++)
        if (rx->choice[i].slices.n_slices > 0)
            dvbt2_cell_queue_complete(&rx->outputs[i]);
    rx->frame.open = false;
}

void dvbt2_give_up_frame(dvbt2_receiver *rx)
{
    dvbt2_count_missed(rx);
    if (rx->frame.open || rx->lock.locked)
        rx->status.lost_frames++;
    close_frame(rx, false);
}

/* ---- cells */

bool dvbt2_outputs_have_room(const dvbt2_receiver *rx, uint32_t cells)
{
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (!dvbt2_cell_queue_has_room(&rx->outputs[i], cells))
            return false;
    return true;
}

static void write_cells(dvbt2_receiver *rx, uint32_t output, const float complex *cells, const float *noise,
                        uint32_t count)
{
    if (rx->directed.keeping)
        dvbt2_decision_directed_add(rx, output, cells, noise, count);
    else
        dvbt2_cell_queue_write(&rx->outputs[output], cells, noise, count);
}

static void write_symbol(dvbt2_receiver *rx, uint32_t l, const float complex *cells, const float *noise)
{
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        for (dvbt2_run run = {0}; dvbt2_plp_next_run(&rx->frame.map, &rx->choice[i].slices, l, &run);)
            write_cells(rx, i, cells + run.cell, noise + run.cell, run.count);
}

static void report(dvbt2_receiver *rx, uint32_t l)
{
    const dvbt2_channel *c = &rx->now->channel;
    dvbt2_status *s = &rx->status;
    const double carrier = rx->stream.resampler.carrier;
    s->carrier_hz = (s->mirrored ? -carrier : carrier) - rx->params.offset;
    s->clock_ppm = rx->stream.resampler.clock_ppm;
    s->cn_db = dvbt2_carrier_to_noise(rx->now);
    s->expected_mer_db = dvbt2_expected_mer(rx->now, l);
    s->delay_spread_us = c->delays.paths / rx->rate * 1e6;
}

void dvbt2_steer(dvbt2_receiver *rx)
{
    dvbt2_tracking *t = &rx->now->tracking;
    rx_resampler *r = &rx->stream.resampler;
    double drift, carrier = dvbt2_tracking_carrier(t, &drift) * rx->rate, ppm = dvbt2_tracking_clock(t) * 1e6;
    /* the loops follow noise */
    if (!(fabs(r->clock_ppm + ppm) <= DVBT2_MOST_PPM))
        ppm = 0;
    const double offset = r->mirrored ? -rx->params.offset : rx->params.offset;
    if (!(fabs(r->carrier + carrier - offset) <= most_carrier * dvbt2_most_offset(rx->rate)))
        carrier = drift = 0;
    r->drift = drift * rx->rate * rx->rate;
    rx_stream_correct(&rx->stream, carrier, ppm);
}

/* Returns false if more samples are needed. */
static bool take_symbol(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    uint64_t window = rx->frame.start + (uint64_t)rx->now->received * p->symbol_length + dvbt2_ofdm_window(p);
    if (!rx_stream_fetch(&rx->stream, window + p->fft_length))
        return false;
    dvbt2_demodulator_push(rx->now, rx_stream_at(&rx->stream, window));
    const float usual = 1 - rx->now->incoherence_at_start;
    rx->lock.bad_symbols =
        rx->now->tracking.coherence < least_coherence * usual ? rx->lock.bad_symbols + 1 : 0;
    if (rx->lock.bad_symbols == 0 && window >= rx->lock.steered_from)
        dvbt2_steer(rx);
    return true;
}

static void end_frame(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    uint32_t fef = fef_length(rx, rx->l1.post.dynamic.frame_idx);
    close_frame(rx, true);
    rx->status.frames++;
    if (rx->frame.beyond_pilots)
        dvbt2_count_loss(rx, DVBT2_LOSS_ECHO);
    rx->status.fef_parts += fef > 0;
    rx->frame.start += p->frame_length + fef;
    rx->step = DVBT2_STEP_CHECK_P1;
}

dvbt2_progress dvbt2_receive_symbols(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    if (!dvbt2_outputs_have_room(rx, DVBT2_MAX_CARRIERS))
        return DVBT2_STEP_FULL;
    if (rx->frame.p2_emitted < p->n_p2) {
        uint32_t l = rx->frame.p2_emitted++;
        write_symbol(rx, l, rx->frame.p2_cells + (size_t)l * p->c_p2,
                     rx->frame.p2_noise + (size_t)l * p->c_p2);
        return DVBT2_STEP_DONE;
    }
    int l = dvbt2_demodulator_pull(rx->now);
    if (l >= 0) {
        dvbt2_decision_directed_keep(rx, (uint32_t)l);
        write_symbol(rx, (uint32_t)l, rx->now->cells, rx->now->noise);
        report(rx, (uint32_t)l);
        return DVBT2_STEP_DONE;
    }
    if (rx->now->handed == p->n_symbols) {
        end_frame(rx);
        return DVBT2_STEP_DONE;
    }
    if (!take_symbol(rx))
        return DVBT2_STEP_SAMPLES;
    if (rx->lock.bad_symbols >= MOST_BAD_SYMBOLS) {
        dvbt2_give_up_frame(rx);
        dvbt2_l1_decoder_reset(rx->l1.decoder);
        dvbt2_search_again(rx, DVBT2_LOSS_PILOTS);
    }
    return DVBT2_STEP_DONE;
}

/* Sets other_profile if the FEF part contains a frame of the other profile. */
static void look_into_fef(dvbt2_receiver *rx, uint32_t tolerance)
{
    const uint64_t before =
        (uint64_t)fef_length(rx, rx->l1.post.dynamic.frame_idx) + DVBT2_P1_SAMPLES + tolerance;
    const bool there = rx->frame.start >= before + rx_stream_first(&rx->stream);
    dvbt2_p1_result p1;
    if (rx->status.other_profile ||
        fef_length(rx, rx->l1.post.dynamic.frame_idx) < DVBT2_P1_SAMPLES + tolerance || !there)
        return;
    if (dvbt2_p1_check(&rx->acquisition.p1, rx_stream_at(&rx->stream, rx->frame.start - before), tolerance,
                       &p1))
        rx->status.other_profile = p1.info.t2 && p1.info.profile != rx->p1.info.profile;
}

dvbt2_progress dvbt2_check_p1(dvbt2_receiver *rx)
{
    const uint32_t tolerance = P1_TOLERANCE + rx->now->parameters.guard_length / 2;
    const uint64_t first = rx->frame.start - DVBT2_P1_SAMPLES - tolerance;
    if (!rx_stream_fetch(&rx->stream, first + DVBT2_P1_SAMPLES + 2 * tolerance))
        return DVBT2_STEP_SAMPLES;
    look_into_fef(rx, tolerance);
    dvbt2_p1_result p1;
    const float complex *samples = dvbt2_tone_filter_run(
        &rx->acquisition.tones, rx_stream_at(&rx->stream, first), DVBT2_P1_SAMPLES + 2 * tolerance);
    rx->p1.found = dvbt2_p1_check(&rx->acquisition.p1, samples, tolerance, &p1) &&
                   p1.info.s1 == rx->p1.info.s1 && p1.info.s2 == rx->p1.info.s2;
    if (rx->p1.found) {
        rx->p1.start = first + p1.start;
        rx->p1.carrier = p1.carrier;
        dvbt2_see_p1(rx, rx->p1.start);
        rx->acquisition.guard = rx->now->parameters.mode.guard;
        rx->status.guard_interval = (uint8_t)rx->acquisition.guard;
    }
    if (rx->p1.found || !dvbt2_look_back(rx))
        rx->step = DVBT2_STEP_WINDOW;
    return DVBT2_STEP_DONE;
}
