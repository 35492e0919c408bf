/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Acquisition of P1, guard interval, carrier and clock. */
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "dvbt2/frame/receiver_internal.h"

enum {
    SEARCH_BLOCK = DVBT2_TONE_BLOCK,
    BEFORE_P1 = 3000,
};

/* The other profile is accepted after this number of seconds without a P1 of this profile. */
static const double profile_memory = 1;

/* Larger carrier offsets (in carrier spacings) are corrected with the offset measured in P1. This
 * measurement is wrong by up to 900 Hz. */
static const double carrier_tolerance = 0.4;
/* Maximum clock offset of usual receivers, ppm. P1 is found with larger clock errors too. */
static const double usual_ppm = 100;

void dvbt2_count_loss(dvbt2_receiver *rx, dvbt2_loss reason)
{
    rx->status.last_loss = reason;
    rx->status.losses[reason]++;
}

void dvbt2_count_missed(dvbt2_receiver *rx)
{
    rx->status.lost_frames += rx->losses.missed > 0;
    rx->losses.missed = 0;
}

/* Returns true if L1-pre contradicts the measured guard interval. */
static bool contradicts(const dvbt2_receiver *rx)
{
    return rx->now && rx->now == rx->full && rx->full->parameters.mode.guard != rx->acquisition.guard;
}

/* Undoes a large clock correction that L1-pre has not confirmed. It may be wrong, and hide P1. */
static void undo_clock(dvbt2_receiver *rx)
{
    if (fabs(rx->acquisition.reclocked) > usual_ppm) {
        rx_stream_correct(&rx->stream, 0, -rx->acquisition.reclocked);
        rx->acquisition.guard_known = false;
    }
    rx->acquisition.reclocked = 0;
}

/* Abandons the lock and searches from sample number `from`. */
static void lose(dvbt2_receiver *rx, dvbt2_loss reason, uint64_t from)
{
    if (contradicts(rx))
        reason = DVBT2_LOSS_GUARD_INTERVAL;
    if ((rx->lock.locked && reason != DVBT2_LOSS_NONE) || reason == DVBT2_LOSS_GUARD_INTERVAL ||
        reason == DVBT2_LOSS_MEMORY)
        dvbt2_count_loss(rx, reason);
    if (reason == DVBT2_LOSS_GUARD_INTERVAL)
        ldpc_fail(&rx->error, LDPC_ERR_PARAM, "L1-pre gives guard interval %s, but the signal has %s",
                  dvbt2_guard_interval_name(rx->l1.pre.guard_interval),
                  dvbt2_guard_interval_name(rx->acquisition.guard));
    /* The carrier correction may come from a false P1. */
    rx_stream_correct(&rx->stream, -rx->acquisition.retuned, 0);
    rx->acquisition.retuned = 0;
    undo_clock(rx);
    rx->step = DVBT2_STEP_SEARCH;
    rx->status.state = DVBT2_STATE_SEARCH;
    rx->acquisition.searched = from;
    rx->now = NULL;
    if (rx->full)
        dvbt2_demodulator_forget(rx->full);
    if (rx->preamble)
        dvbt2_demodulator_forget(rx->preamble);
    rx->lock.locked = rx->losses.placed = false;
    rx_resampler_keep(&rx->stream.resampler, DVBT2_MOST_BACK);
    dvbt2_p1_search_reset(&rx->acquisition.p1, rx->acquisition.searched);
}

void dvbt2_restart_search(dvbt2_receiver *rx, dvbt2_loss reason)
{
    lose(rx, reason, rx->stream.end);
}

/* ---- frames without L1-post */

/* Returns 0 if the frames are not contiguous. */
static uint32_t frames_since(const dvbt2_receiver *rx, uint64_t from)
{
    const dvbt2_parameters *p = &rx->full->parameters;
    const uint32_t cycle = rx->l1.pre.num_t2_frames > 0 ? rx->l1.pre.num_t2_frames : 1;
    uint32_t idx = rx->l1.post.dynamic.frame_idx, count = 0;
    uint64_t at = rx->frame.start;
    while (at > from + p->guard_length) {
        idx = (idx + cycle - 1) % cycle;
        const uint64_t length = p->frame_length + dvbt2_fef_after(&rx->l1.post.config, (uint8_t)idx);
        if (at < length)
            return 0;
        at -= length;
        count++;
    }
    return at + p->guard_length >= from ? count : 0;
}

/* Returns true if the frame at `start` is stored and has not been received. */
static bool can_be_received(const dvbt2_receiver *rx, uint64_t start)
{
    return start > rx->l1.rewound_from && start >= rx_stream_first(&rx->stream);
}

static void count_back(dvbt2_receiver *rx, uint32_t count)
{
    const uint32_t cycle = rx->l1.pre.num_t2_frames > 0 ? rx->l1.pre.num_t2_frames : 1;
    uint32_t idx = rx->l1.post.dynamic.frame_idx;
    for (uint32_t i = 0; i <= count; i++)
        idx = (idx + cycle - 1) % cycle;
    rx->l1.post.dynamic.frame_idx = (uint8_t)idx;
    rx->l1.post.has_next = rx->l1.changes = false;
    rx->l1.concealed = 0;
    dvbt2_l1_decoder_reset(rx->l1.decoder);
}

bool dvbt2_rewind(dvbt2_receiver *rx)
{
    const bool same_l1 = dvbt2_l1_post_from_sum(rx->l1.decoder) && rx->l1.post.dynamic.l1_change_counter == 0;
    for (uint32_t i = 0; i < rx->l1.n_unread && same_l1 && !rx->lock.locked; i++) {
        const uint32_t count = frames_since(rx, rx->l1.unread[i]);
        if (count == 0 || !can_be_received(rx, rx->l1.unread[i]))
            continue;
        count_back(rx, count);
        rx->l1.rewound_from = rx->frame.start;
        rx->lock.steered_from = rx->stream.end;
        rx->frame.start = rx->l1.unread[i];
        rx->frame.carrier = rx->stream.resampler.carrier;
        rx->frame.clock_ppm = rx->stream.resampler.clock_ppm;
        rx->lock.locked = true;
        rx->status.locks++;
        rx->lock.bad_symbols = 0;
        rx->step = DVBT2_STEP_WINDOW;
        return true;
    }
    return false;
}

/* ---- search */

static void restore_steering(dvbt2_receiver *rx)
{
    rx_resampler_set_carrier(&rx->stream.resampler, rx->frame.carrier);
    rx_resampler_set_clock(&rx->stream.resampler, rx->frame.clock_ppm);
    if (rx->full)
        dvbt2_tracking_reset(&rx->full->tracking, &rx->full->parameters);
}

void dvbt2_undo_large_corrections(dvbt2_receiver *rx)
{
    const rx_resampler *r = &rx->stream.resampler;
    const double offset = r->mirrored ? -rx->params.offset : rx->params.offset;
    if (fabs(r->clock_ppm) <= usual_ppm && fabs(r->carrier - offset) <= dvbt2_most_offset(rx->rate) / 2)
        return;
    rx->frame.carrier = offset;
    rx->frame.clock_ppm = 0;
    restore_steering(rx);
    rx->acquisition.guard_known = false;
}

static uint64_t next_unsearched(dvbt2_receiver *rx)
{
    const uint64_t end = rx->stream.end, first = rx_stream_first(&rx->stream);
    const uint64_t from = rx->acquisition.unsearched > first ? rx->acquisition.unsearched : first;
    rx->acquisition.unsearched = end;
    return from < end ? from : end;
}

void dvbt2_search_again(dvbt2_receiver *rx, dvbt2_loss reason)
{
    restore_steering(rx);
    lose(rx, reason, next_unsearched(rx));
}

static bool wanted(const dvbt2_receiver *rx, const dvbt2_p1_info *info)
{
    if (!info->t2)
        return false;
    switch (rx->params.profile) {
    case DVBT2_PROFILE_BASE_ONLY:
        return info->profile == DVBT2_PROFILE_BASE;
    case DVBT2_PROFILE_LITE_ONLY:
        return info->profile == DVBT2_PROFILE_LITE;
    case DVBT2_PROFILE_AUTO:
        break;
    }
    return !rx->acquisition.profile_known || info->profile == rx->p1.info.profile;
}

static bool may_be_read(const dvbt2_receiver *rx)
{
    bool found = false;
    for (uint32_t i = 0; i < rx->l1.n_unread; i++)
        found |= rx->l1.unread[i] < rx->losses.missed + DVBT2_P1_SAMPLES;
    return found;
}

/* Searches the stored samples for the next wanted P1. */
static bool search_p1(dvbt2_receiver *rx, dvbt2_p1_result *result, dvbt2_progress *progress)
{
    rx_stream_fetch(&rx->stream, rx->acquisition.searched + SEARCH_BLOCK);
    uint64_t there = rx->stream.end - rx->acquisition.searched;
    uint32_t count = there < SEARCH_BLOCK ? (uint32_t)there : SEARCH_BLOCK, used;
    *progress = count > 0 ? DVBT2_STEP_DONE : DVBT2_STEP_SAMPLES;
    if (count == 0)
        return false;
    /* tone detection needs a longer block */
    const uint64_t from = rx_stream_before(&rx->stream, rx->acquisition.searched + count, SEARCH_BLOCK);
    const float complex *samples =
        dvbt2_tone_filter_run(&rx->acquisition.tones, rx_stream_at(&rx->stream, from),
                              (size_t)(rx->acquisition.searched + count - from));
    bool found = dvbt2_p1_search_push(&rx->acquisition.p1, samples + (rx->acquisition.searched - from), count,
                                      &used, result);
    rx->acquisition.searched += used;
    if (!found) {
        if (rx->acquisition.searched > rx->losses.missed + DVBT2_MOST_BACK && !may_be_read(rx))
            dvbt2_count_missed(rx);
        return false;
    }
    if (result->start > rx->acquisition.wanted_at + (uint64_t)(profile_memory * rx->limit_rate))
        rx->acquisition.profile_known = false; /* this may be another signal */
    const bool right = wanted(rx, &result->info);
    rx->acquisition.unwanted += result->info.t2 && !right;
    rx->status.other_profile |= rx->acquisition.unwanted >= DVBT2_ENOUGH_UNWANTED;
    return right;
}

static bool same_preamble(const dvbt2_p1_info *a, const dvbt2_p1_info *b)
{
    return a->s1 == b->s1 && a->s2 == b->s2;
}

void dvbt2_see_p1(dvbt2_receiver *rx, uint64_t start)
{
    rx->acquisition.wanted_at = start;
    if (rx->status.frames_seen > 0 && start < rx->losses.seen_at + DVBT2_P1_SAMPLES)
        return; /* lost frames are already counted */
    rx->losses.seen_at = start;
    rx->status.frames_seen++;
}

static void take_p1(dvbt2_receiver *rx, const dvbt2_p1_result *p1)
{
    if (p1->start > rx->losses.missed && !may_be_read(rx))
        dvbt2_count_missed(rx);
    rx->p1.info = rx->status.p1 = p1->info;
    rx->acquisition.profile_known = true;
    rx->p1.start = p1->start;
    rx->p1.carrier = p1->carrier;
    rx->p1.found = true;
    dvbt2_see_p1(rx, p1->start);
}

static void begin_preamble(dvbt2_receiver *rx)
{
    rx->frame.start = rx->p1.start + DVBT2_P1_SAMPLES;
    rx->lock.bad_symbols = 0;
    rx_resampler_keep(&rx->stream.resampler, RX_BACK);
    rx->step = DVBT2_STEP_WINDOW;
    rx->status.state = DVBT2_STATE_L1_PRE;
}

bool dvbt2_look_back(dvbt2_receiver *rx)
{
    dvbt2_p1_result p1;
    dvbt2_progress progress;
    const uint64_t end = rx->stream.end;
    rx->acquisition.searched = next_unsearched(rx);
    dvbt2_p1_search_reset(&rx->acquisition.p1, rx->acquisition.searched);
    uint64_t other = end;
    bool found = false;
    while (rx->acquisition.searched < end && !found) {
        if (!search_p1(rx, &p1, &progress))
            continue;
        found = same_preamble(&p1.info, &rx->p1.info) && !p1.mirrored;
        if (!found && other == end)
            other = rx_stream_before(&rx->stream, p1.start, DVBT2_P1_SAMPLES);
    }
    if (!found) {
        rx->acquisition.unsearched = other; /* another signal may start here */
        return false;
    }
    rx->losses.skipped++;
    restore_steering(rx);
    dvbt2_l1_decoder_reset(rx->l1.decoder);
    lose(rx, DVBT2_LOSS_GAP, p1.start);
    take_p1(rx, &p1);
    begin_preamble(rx);
    return true;
}

static void begin_guard(dvbt2_receiver *rx, double carrier)
{
    const uint64_t from = rx_stream_before(&rx->stream, rx->p1.start, BEFORE_P1);
    const double all = rx->stream.resampler.carrier + carrier;
    rx->status.carrier_hz = (rx->status.mirrored ? -all : all) - rx->params.offset;
    rx->acquisition.retuned = rx_stream_retune(&rx->stream, from, carrier) ? carrier : 0;
    rx->p1.carrier = carrier - rx->acquisition.retuned;
    rx->acquisition.guard_known = rx->status.guard_known = false;
    rx->window.carrier_checked = false;
    dvbt2_demodulator_destroy(rx->preamble);
    rx->preamble = NULL;
    rx->step = DVBT2_STEP_GUARD;
    rx->status.state = DVBT2_STATE_GUARD;
}

/* Conjugates the samples, because the source exchanges I and Q. */
static void mirror(dvbt2_receiver *rx)
{
    rx_stream_mirror(&rx->stream);
    rx->frame.carrier = -rx->frame.carrier;
    rx->status.mirrored = !rx->status.mirrored;
}

void dvbt2_measure_again(dvbt2_receiver *rx)
{
    if (rx->lock.locked)
        rx->losses.missed = rx->frame.start;
    lose(rx, DVBT2_LOSS_STEP, rx->p1.start);
    rx->stream.resampler.drift = 0;
    begin_guard(rx, rx->p1.carrier);
}

dvbt2_progress dvbt2_search(dvbt2_receiver *rx)
{
    dvbt2_p1_result p1;
    dvbt2_progress progress;
    rx->stream.resampler.drift = 0;
    if (!search_p1(rx, &p1, &progress))
        return progress;
    if (p1.mirrored)
        mirror(rx);
    double spacing = rx->rate / (double)(1024u << p1.info.fft);
    const bool carrier_known =
        rx->l1.pre_read || rx->acquisition.just_measured || fabs(p1.carrier) < carrier_tolerance * spacing;
    const bool known =
        rx->acquisition.guard_known && !p1.mirrored && same_preamble(&p1.info, &rx->p1.info) && carrier_known;
    rx->acquisition.just_measured = false;
    take_p1(rx, &p1);
    if (known)
        begin_preamble(rx);
    else
        begin_guard(rx, p1.carrier);
    return DVBT2_STEP_DONE;
}

/* P1 gives the number of whole carrier spacings. The guard interval gives the fraction. */
static double refine_carrier(const dvbt2_receiver *rx, const dvbt2_guard_result *guard)
{
    double spacing = rx->rate / guard->lag;
    return (floor(rx->p1.carrier / spacing - guard->fraction + 0.5) + guard->fraction) * spacing;
}

/* The clock offset is limited, because it is inaccurate in short symbols. */
static void correct_from_p1(dvbt2_receiver *rx, const dvbt2_guard_result *guard)
{
    const uint32_t length = 1024u << rx->p1.info.fft,
                   symbol = length + dvbt2_guard_length(rx->p1.info.fft, guard->guard);
    const uint64_t from = rx_stream_before(&rx->stream, rx->p1.start, length / 2);
    const double spacing = rx->rate / guard->lag, drift = guard->drift * spacing / symbol * rx->rate;
    /* seconds from sample `from` to the middle of the symbols that gave the carrier offset */
    const double middle = ((double)(rx->p1.start - from) + DVBT2_P1_SAMPLES +
                           dvbt2_guard_symbols(rx->p1.info.fft) * symbol / 2.0) /
                          rx->rate;
    rx->acquisition.reclocked = fmax(-DVBT2_MOST_PPM, fmin(DVBT2_MOST_PPM, guard->clock_ppm));
    rx_stream_correct_from(&rx->stream, from, refine_carrier(rx, guard) - drift * middle, drift,
                           rx->acquisition.reclocked);
    rx->lock.steered_from = rx->stream.end;
    if (rx->full)
        dvbt2_tracking_reset(&rx->full->tracking, &rx->full->parameters);
}

dvbt2_progress dvbt2_find_guard(dvbt2_receiver *rx)
{
    uint64_t first = rx->p1.start + DVBT2_P1_SAMPLES;
    if (!rx_stream_fetch(&rx->stream, first + dvbt2_guard_samples(rx->p1.info.fft)))
        return DVBT2_STEP_SAMPLES;
    dvbt2_guard_result guard;
    const float complex *samples = dvbt2_tone_filter_run(
        &rx->acquisition.tones, rx_stream_at(&rx->stream, first), dvbt2_guard_samples(rx->p1.info.fft));
    bool found = dvbt2_guard_find(samples, rx->p1.info.fft, rx->p1.info.guards, &guard);
    if (!found) {
        dvbt2_restart_search(rx, DVBT2_LOSS_NONE);
        return DVBT2_STEP_DONE;
    }
    rx->acquisition.guard = guard.guard;
    rx->acquisition.guard_known = rx->status.guard_known = rx->acquisition.just_measured = true;
    rx->l1.n_unread = 0;
    rx->l1.pre_read = false;
    dvbt2_l1_decoder_reset(rx->l1.decoder);
    rx->status.guard_interval = (uint8_t)guard.guard;
    rx->acquisition.retuned = 0;
    correct_from_p1(rx, &guard);
    begin_preamble(rx);
    return DVBT2_STEP_DONE;
}
