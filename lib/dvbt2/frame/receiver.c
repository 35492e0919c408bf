/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public interface of the receiver. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "base/versioned.h"
#include "receiver/complex.h"
#include "dvbt2/layouts.h"
#include "dvbt2/frame/receiver_internal.h"
#include "receiver/samples.h"

enum {
    RING = 1 << 22,   /* 0.36 s at 11.4 MS/s; a frame lasts up to 0.25 s */
    P2_CELLS = 22432, /* maximum number of cells in the P2 symbols of a frame (32K SISO) */
};

/* Occupied bandwidth of 32K with extended carriers, the largest of all modes, in units of 1/T. */
static const double occupied = 27841.0 / 32768;
/* Occupied bandwidth of 32K with normal carriers, the smallest of all modes, in units of 1/T. */
static const double least_occupied = 27265.0 / 32768;

/* sample rates in units of 1/T */
static const double lowest_rate = 0.875, highest_rate = 2.75;
static const double widest = 10;     /* widest channel, MHz; RING holds a frame of 0.25 s at this bandwidth */
static const double narrowest = 1.7; /* narrowest channel of the standard, MHz */

static const ldpc_layout params_layout = LDPC_LAYOUT(dvbt2_receiver_params, follow_plps);

void dvbt2_receiver_params_init_sized(dvbt2_receiver_params *params, size_t size)
{
    dvbt2_receiver_params defaults = {.size = size, .bandwidth = 8, .n_plps = 1};
    for (int i = 0; i < DVBT2_MAX_OUTPUTS; i++)
        defaults.plp[i] = DVBT2_FIRST_PLP;
    if (params)
        ldpc_write_struct(&params_layout, params, size, &defaults);
}

static ldpc_status check_plps(const dvbt2_receiver_params *params, ldpc_error *err)
{
    /* selects the last output */
    const int32_t least = DVBT2_COMMON_PLP - (int32_t)params->n_plps + 1;
    for (uint32_t i = 0; i < params->n_plps; i++)
        if (params->plp[i] < least || params->plp[i] > 255)
            return ldpc_fail(err, LDPC_ERR_RANGE, "PLP %d out of range (expected a PLP_ID 0 .. 255)",
                             params->plp[i]);
    return LDPC_OK;
}

static ldpc_status check_params(const dvbt2_receiver_params *params, ldpc_error *err)
{
    if (!rx_format_bytes(params->format))
        return ldpc_fail(err, LDPC_ERR_PARAM, "unknown sample format %d (expected cf32, cs16, cs8 or cu8)",
                         (int)params->format);
    if (!(params->bandwidth > 0 && params->bandwidth <= widest))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "bandwidth %.6g MHz out of range (expected more than 0, at most %g MHz)",
                         params->bandwidth, widest);
    const double rate = dvbt2_sample_rate(params->bandwidth), lowest = lowest_rate * rate,
                 highest = highest_rate * rate;
    if (!(params->sample_rate >= lowest * (1 - 1e-6) && params->sample_rate <= highest * (1 + 1e-6)))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "sample rate %.10g Hz out of range: a channel of %.4g MHz needs %.4g .. %.4g MHz",
                         params->sample_rate, params->bandwidth, lowest * 1e-6, highest * 1e-6);
    double room = (params->sample_rate - least_occupied * rate) / 2;
    if (!(fabs(params->offset) <= room))
        return ldpc_fail(
            err, LDPC_ERR_RANGE,
            "offset %.6g MHz out of range: a channel of %.4g MHz sampled at %.6g MHz allows up to %.4g MHz",
            params->offset * 1e-6, params->bandwidth, params->sample_rate * 1e-6, room * 1e-6);
    if ((unsigned)params->profile > DVBT2_PROFILE_LITE_ONLY)
        return ldpc_fail(err, LDPC_ERR_PARAM, "unknown profile %d (expected auto, base or lite)",
                         (int)params->profile);
    if (params->n_plps < 1 || params->n_plps > DVBT2_MAX_OUTPUTS)
        return ldpc_fail(err, LDPC_ERR_RANGE, "%u PLPs (expected 1 .. %d)", params->n_plps,
                         DVBT2_MAX_OUTPUTS);
    if (params->decision_directed > DVBT2_MAX_DECISION_DIRECTED)
        return ldpc_fail(err, LDPC_ERR_RANGE, "decision_directed %u (expected 0 .. %d)",
                         params->decision_directed, DVBT2_MAX_DECISION_DIRECTED);
    if (params->follow_plps > 1)
        return ldpc_fail(err, LDPC_ERR_PARAM, "follow_plps %u (expected 0 or 1)", params->follow_plps);
    return check_plps(params, err);
}

static size_t stream_span(void)
{
    return DVBT2_P1_SAMPLES + dvbt2_guard_samples(DVBT2_FFT_32K) + 4096;
}

static bool init_resampler(rx_resampler *resampler, const dvbt2_receiver_params *p, double rate)
{
    const rx_resampler_params params = {.format = p->format,
                                        .input_rate = p->sample_rate,
                                        .output_rate = rate,
                                        .occupied = occupied * rate,
                                        .most_ppm = DVBT2_MOST_PPM,
                                        .most_back = DVBT2_MOST_BACK};
    const bool made = rx_resampler_init(resampler, &params);
    rx_resampler_set_carrier(resampler, p->offset);
    return made;
}

static bool allocate_outputs(dvbt2_receiver *rx)
{
    const uint32_t most = dvbt2_most_outputs(&rx->params);
    rx->choice = ldpc_allocate(most, sizeof *rx->choice);
    rx->outputs = ldpc_allocate(most, sizeof *rx->outputs);
    bool made = rx->choice && rx->outputs;
    for (uint32_t i = 0; i < rx->params.n_plps && made; i++)
        made = dvbt2_cell_queue_init(&rx->outputs[i], DVBT2_CELL_QUEUE_CELLS);
    return made;
}

static bool allocate(dvbt2_receiver *rx)
{
    const dvbt2_receiver_params *p = &rx->params;
    if (!allocate_outputs(rx) ||
        (p->decision_directed > 0 && !dvbt2_decision_directed_init(&rx->directed, dvbt2_most_outputs(p))))
        return false;
    rx->frame.p2_cells = ldpc_allocate(P2_CELLS, sizeof *rx->frame.p2_cells);
    rx->frame.p2_noise = ldpc_allocate(P2_CELLS, sizeof *rx->frame.p2_noise);
    rx->l1.cells = ldpc_allocate(P2_CELLS, sizeof *rx->l1.cells);
    rx->l1.noise = ldpc_allocate(P2_CELLS, sizeof *rx->l1.noise);
    return rx->frame.p2_cells && rx->frame.p2_noise && rx->l1.cells && rx->l1.noise &&
           init_resampler(&rx->stream.resampler, p, rx->rate) &&
           rx_stream_init(&rx->stream, RING, stream_span()) &&
           dvbt2_tone_filter_init(&rx->acquisition.tones, stream_span()) &&
           dvbt2_p1_search_init(&rx->acquisition.p1, rx->rate) &&
           dvbt2_survey_init(&rx->acquisition.survey, p);
}

ldpc_status dvbt2_receiver_create(const dvbt2_receiver_params *given, dvbt2_receiver **rx, ldpc_error *err)
{
    if (!given || !rx)
        return ldpc_fail(err, LDPC_ERR_NULL, "params and rx must not be NULL");
    *rx = NULL;
    dvbt2_receiver_params own;
    const dvbt2_receiver_params *params = &own;
    ldpc_status status = ldpc_read_struct(&params_layout, &own, given, err);
    if (status == LDPC_OK)
        status = check_params(params, err);
    if (status != LDPC_OK)
        return status;
    dvbt2_receiver *r = ldpc_allocate(1, sizeof *r);
    if (!r)
        return ldpc_fail_memory(err);
    r->params = *params;
    r->rate = dvbt2_sample_rate(params->bandwidth);
    r->limit_rate = params->bandwidth < narrowest - 1e-6 ? dvbt2_sample_rate(8) : r->rate;
    status = allocate(r) ? dvbt2_l1_decoder_create(&r->l1.decoder, err) : ldpc_fail_memory(err);
    if (status != LDPC_OK) {
        dvbt2_receiver_destroy(r);
        return status;
    }
    dvbt2_restart_search(r, DVBT2_LOSS_NONE);
    *rx = r;
    return LDPC_OK;
}

void dvbt2_receiver_destroy(dvbt2_receiver *rx)
{
    if (!rx)
        return;
    dvbt2_demodulator_destroy(rx->preamble);
    dvbt2_demodulator_destroy(rx->full);
    dvbt2_l1_decoder_destroy(rx->l1.decoder);
    dvbt2_decision_directed_free(&rx->directed);
    dvbt2_p1_search_free(&rx->acquisition.p1);
    dvbt2_survey_free(&rx->acquisition.survey);
    dvbt2_tone_filter_free(&rx->acquisition.tones);
    rx_stream_free(&rx->stream);
    for (uint32_t i = 0; i < rx->params.n_plps && rx->outputs; i++)
        dvbt2_cell_queue_free(&rx->outputs[i]);
    free(rx->outputs);
    free(rx->choice);
    free(rx->frame.p2_cells);
    free(rx->frame.p2_noise);
    free(rx->l1.cells);
    free(rx->l1.noise);
    free(rx);
}

/* ---- input of samples, output of cells */

static dvbt2_progress step(dvbt2_receiver *rx)
{
    if (rx->directed.leaving)
        return dvbt2_decision_directed_leave(rx) ? DVBT2_STEP_DONE : DVBT2_STEP_FULL;
    switch (rx->step) {
    case DVBT2_STEP_SEARCH:
        return dvbt2_search(rx);
    case DVBT2_STEP_GUARD:
        return dvbt2_find_guard(rx);
    case DVBT2_STEP_WINDOW:
        return dvbt2_place_window(rx);
    case DVBT2_STEP_P2:
        return dvbt2_receive_p2(rx);
    case DVBT2_STEP_SYMBOLS:
        return dvbt2_receive_symbols(rx);
    case DVBT2_STEP_CHECK_P1:
        return dvbt2_check_p1(rx);
    }
    return DVBT2_STEP_SAMPLES;
}

static void advance(dvbt2_receiver *rx)
{
    dvbt2_progress progress;
    do
        progress = step(rx);
    while (progress == DVBT2_STEP_DONE);
    rx->blocked = progress == DVBT2_STEP_FULL;
}

/* After this time without a P1 in seconds, the search is in vain, except in T2-Lite with FEF parts of up to 1 s.
 * T2 frames and other FEF parts last up to 250 ms each. */
static const double patience = 0.5;

static bool searches_in_vain(const dvbt2_receiver *rx)
{
    return rx->step == DVBT2_STEP_SEARCH &&
           (double)(rx->stream.end - rx->acquisition.wanted_at) > patience * rx->limit_rate;
}

static void help_search(dvbt2_receiver *rx, const void *samples, size_t count)
{
    if (!searches_in_vain(rx)) {
        dvbt2_survey_reset(&rx->acquisition.survey);
        return;
    }
    dvbt2_survey_add(&rx->acquisition.survey, samples, count);
    if (!rx->blocked)
        dvbt2_undo_large_corrections(rx);
}

size_t dvbt2_receiver_push(dvbt2_receiver *rx, const void *samples, size_t count)
{
    if (!rx || !samples)
        return 0;
    const size_t bytes = rx_format_bytes(rx->params.format);
    size_t taken = 0;
    for (;;) {
        const char *next = (const char *)samples + taken * bytes;
        const size_t written = rx_resampler_write(&rx->stream.resampler, next, count - taken);
        taken += written;
        advance(rx);
        help_search(rx, next, written);
        if (rx->blocked || taken == count)
            break;
    }
    rx->status.samples += taken;
    return taken;
}

static void start_over(dvbt2_receiver *rx, dvbt2_loss reason)
{
    rx->blocked = false;
    rx->l1.n_unread = 0;
    rx->l1.pre_read = rx->acquisition.just_measured = false;
    dvbt2_give_up_frame(rx);
    rx->blocked = rx->directed.leaving;
    dvbt2_l1_decoder_reset(rx->l1.decoder); /* FRAME_IDX is not consecutive */
    dvbt2_restart_search(rx, reason);
}

void dvbt2_receiver_gap(dvbt2_receiver *rx, uint64_t samples)
{
    if (!rx)
        return;
    start_over(rx, DVBT2_LOSS_GAP);
    rx->losses.missing += (uint64_t)fmin((double)samples * rx->rate / rx->params.sample_rate, 0x1p53);
}

ldpc_status dvbt2_receiver_retune(dvbt2_receiver *rx, double sample_rate, ldpc_error *err)
{
    if (!rx)
        return ldpc_fail(err, LDPC_ERR_NULL, "rx must not be NULL");
    dvbt2_receiver_params params = rx->params;
    params.sample_rate = sample_rate;
    ldpc_status status = check_params(&params, err);
    if (status != LDPC_OK)
        return status;
    rx_resampler resampler;
    if (!init_resampler(&resampler, &params, rx->rate)) {
        rx_resampler_free(&resampler);
        return ldpc_fail_memory(err);
    }
    if (rx->status.mirrored)
        rx_resampler_mirror(&resampler);
    start_over(rx, DVBT2_LOSS_NONE);
    rx_resampler_free(&rx->stream.resampler);
    rx->stream.resampler = resampler;
    rx->stream.start = rx->acquisition.unsearched = rx->stream.end;
    rx->params = params;
    rx->acquisition.survey.rate = sample_rate;
    dvbt2_survey_reset(&rx->acquisition.survey);
    rx->frame.carrier = resampler.carrier;
    rx->frame.clock_ppm = 0;
    rx->acquisition.guard_known = rx->status.guard_known = rx->acquisition.profile_known = false;
    rx->status.other_profile = false;
    rx->l1.has_pre = rx->l1.has_post = false;
    rx->acquisition.wanted_at = rx->stream.end;
    rx->acquisition.unwanted = 0;
    rx->losses.missed = 0;
    rx->losses.last_known = false;
    rx->error.message[0] = 0;
    if (rx->full)
        dvbt2_demodulator_retune(rx->full);
    if (rx->preamble)
        dvbt2_demodulator_retune(rx->preamble);
    return LDPC_OK;
}

size_t dvbt2_receiver_pull(dvbt2_receiver *rx, uint32_t output, size_t max, float *iq, float *noise,
                           dvbt2_plp_frame *frame, uint32_t *first)
{
    if (!rx || output >= rx->params.n_plps || !iq || !noise)
        return 0;
    size_t count = dvbt2_cell_queue_pull(&rx->outputs[output], max, iq, noise, frame, first);
    if (count > 0 || !rx->blocked)
        return count;
    advance(rx);
    return dvbt2_cell_queue_pull(&rx->outputs[output], max, iq, noise, frame, first);
}

uint32_t dvbt2_receiver_outputs(const dvbt2_receiver *rx)
{
    return rx ? rx->params.n_plps : 0;
}

int32_t dvbt2_receiver_output_plp(const dvbt2_receiver *rx, uint32_t output)
{
    return rx && output < rx->params.n_plps ? rx->params.plp[output] : DVBT2_FIRST_PLP;
}

/* ---- status */

/* Returns the status message. */
static const char *message_of(const dvbt2_receiver *rx)
{
    if (rx->status.frames_seen == 0 && rx->acquisition.unwanted >= DVBT2_ENOUGH_UNWANTED)
        return rx->params.profile == DVBT2_PROFILE_LITE_ONLY ? "this is T2-base; there is no T2-Lite"
                                                             : "this is T2-Lite; there is no T2-base";
    if (searches_in_vain(rx) && rx->acquisition.survey.message[0])
        return rx->acquisition.survey.message;
    if (rx->status.frames_seen == 0 && searches_in_vain(rx))
        return "no P1 symbol was found: there is no DVB-T2 signal, or it is too weak";
    return rx->error.message;
}

static dvbt2_status status_of(const dvbt2_receiver *rx)
{
    if (!rx)
        return (dvbt2_status){.message = ""};
    dvbt2_status status = rx->status;
    double power = rx->stream.resampler.imbalance.power;
    status.level_db = 10 * log10(power > 0 ? power : 1e-20); /* silence has -200 dB */
    status.message = message_of(rx);
    status.frames -= status.losses[DVBT2_LOSS_ECHO]; /* output, but not decodable */
    status.lost_frames += status.losses[DVBT2_LOSS_ECHO];
    return status;
}

void dvbt2_receiver_status_sized(const dvbt2_receiver *rx, dvbt2_status *status, size_t size)
{
    dvbt2_status now = status_of(rx);
    now.size = size;
    ldpc_write_struct(&dvbt2_status_layout, status, size, &now);
}

const dvbt2_l1_pre *dvbt2_receiver_l1_pre(const dvbt2_receiver *rx)
{
    return rx && rx->l1.has_pre ? &rx->l1.pre : NULL;
}

const dvbt2_l1_post *dvbt2_receiver_l1_post(const dvbt2_receiver *rx)
{
    return rx && rx->l1.has_post ? &rx->l1.post : NULL;
}

static float share_of(float power, double sum)
{
    const double share = (double)power / sum;
    return isfinite(share) ? (float)share : 0;
}

size_t dvbt2_receiver_impulse_response(const dvbt2_receiver *rx, size_t max, float *power, double *first_us,
                                       double *step_us)
{
    const dvbt2_demodulator *d = rx ? rx->now : NULL;
    if (!d || !power || d->received == 0)
        return 0;
    const dvbt2_impulse *impulse = &d->channel.impulse;
    const uint32_t n = impulse->length;
    double us = 1e6 / rx->rate, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (double)impulse->power[i];
    size_t count = max < n ? max : n;
    for (size_t i = 0; i < count; i++) /* centred */
        power[i] = share_of(impulse->power[(n + i - count / 2) % n], sum);
    if (first_us)
        *first_us = -(double)(count / 2) * impulse->step * us;
    if (step_us)
        *step_us = impulse->step * us;
    return count;
}

size_t dvbt2_receiver_frequency_response(const dvbt2_receiver *rx, size_t max, float *power)
{
    const dvbt2_demodulator *d = rx ? rx->now : NULL;
    if (!d || !power || d->received == 0)
        return 0;
    double sum = 0;
    for (size_t i = 0; i < max; i++) {
        size_t k = max > 1 ? i * (d->parameters.carriers - 1) / (max - 1) : d->parameters.carriers / 2;
        power[i] = rx_power(d->h[0][k]) + (d->parameters.mode.miso ? rx_power(d->h[1][k]) : 0);
        sum += isfinite(power[i]) ? (double)power[i] : 0;
    }
    for (size_t i = 0; i < max; i++)
        power[i] = share_of(power[i], sum / (double)max);
    return max;
}
