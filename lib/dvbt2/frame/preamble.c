/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The P2 symbols of a frame: window, L1-pre, L1-post. */
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "receiver/complex.h"
#include "dvbt2/frame/receiver_internal.h"

enum {
    MOST_SHIFT = 3,      /* carriers by which the offset may be wrong */
    PLACEMENTS = 3,      /* the window is moved at most so often */
    MOST_BAD_FRAMES = 2, /* without L1 and without P1, then the guard interval is measured anew */
    MOST_BAD_PRES = 3,   /* without L1-pre; a frame that was lost while tracking is read twice */
    MOST_BAD_POSTS = DVBT2_UNREAD_FRAMES, /* without L1-post; its soft bits are added over four frames */
    WINDOW_MEMORY = 30,                   /* frames that the place of the paths is followed over */
    SURE_LENGTH = 4096, /* the longer a symbol, the better the guard interval has told the clock: FFT length
                             * that is worth a frame */
};

/* The highest tap of an impulse response stands out by more than this when there are pilots where they are
 * expected: noise alone gives 12 in 10000 taps. */
static const float least_peak = 20;

/* Seconds of a T2 frame (clause 8.3.1), and a bit. */
static const double longest_frame = 0.2505;

/* Carrier offsets at the start of a frame, in carriers, that the loops follow; in a channel that moves; and of P1, which is less
 * exact. */
static const double most_offset = 0.15, most_moving_offset = 0.3, most_p1_offset = 0.5;
/* Standard deviations that chance does not reach. */
static const double sure = 6;

/* In symbols of another kind the share of pilots is smaller, and so is the signal among the noise on P2's
 * grid. */
static const float least_signal = 0.5f;

/* ---- the window */

/* Samples of P2 symbol l's window. */
static uint64_t window_of(const dvbt2_receiver *rx, uint32_t l)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    return rx->frame.start + (uint64_t)l * p->symbol_length + dvbt2_ofdm_window(p);
}

/* Samples by which the window should start later. */
static double displacement(const dvbt2_receiver *rx)
{
    return rx->now->channel.delays.middle - rx->now->channel.centre;
}

/* Is the window good enough where it is? */
static bool centred(const dvbt2_receiver *rx)
{
    return fabs(displacement(rx)) <= fmax(1.5, rx->now->parameters.guard_length / 64.0);
}

/* Delays count from the middle of the impulse response. */
static void centre_delays(dvbt2_receiver *rx)
{
    const dvbt2_delays *delays = &rx->now->channel.delays;
    const double middle = (delays->first + delays->last) / 2;
    dvbt2_demodulator_set_origin(rx->now, rx->now->origin + (int32_t)floor(middle + 0.5));
}

/* P1 finds the carrier offset to some Hz; in noise and with echoes it may be 450 Hz off, which are two
 * carriers of 32K. */
static void check_carrier(dvbt2_receiver *rx)
{
    const float complex *window = rx_stream_at(&rx->stream, window_of(rx, 0));
    int best = 0;
    float most = dvbt2_demodulator_measure(rx->now, window, 0, false);
    for (int shift = -MOST_SHIFT; shift <= MOST_SHIFT; shift++) {
        if (shift == 0)
            continue;
        float peak = dvbt2_demodulator_measure(rx->now, window, shift, false);
        if (peak > 2 * most) {
            most = peak;
            best = shift;
        }
    }
    const uint32_t length = rx->now->parameters.fft_length;
    if (best != 0)
        rx_stream_correct_from(&rx->stream, rx_stream_before(&rx->stream, window_of(rx, 0), length / 2),
                               best * rx->rate / length, 0);
    rx->window.carrier_checked = true;
}

static bool make_preamble(dvbt2_receiver *rx)
{
    dvbt2_mode mode = {.fft = rx->p1.info.fft,
                       .guard = rx->acquisition.guard,
                       .miso = rx->p1.info.miso,
                       .profile = rx->p1.info.profile};
    dvbt2_demodulator_destroy(rx->preamble);
    return dvbt2_demodulator_create(&mode, &rx->preamble, &rx->error) == LDPC_OK;
}

/* The demodulator of the last frame's mode fits, or one that knows only P2. */
static bool choose_demodulator(dvbt2_receiver *rx)
{
    if (rx->full) {
        const dvbt2_mode *mode = &rx->full->parameters.mode;
        if (mode->fft == rx->p1.info.fft && mode->guard == rx->acquisition.guard &&
            mode->miso == rx->p1.info.miso) {
            rx->now = rx->full;
            return true;
        }
    }
    if (!rx->preamble && !make_preamble(rx))
        return false;
    rx->now = rx->preamble;
    return true;
}

/* Are the delays of the last frame those of its paths, and not another reading of the response? */
static bool delays_known(const dvbt2_receiver *rx)
{
    return rx->tracking.locked && rx->l1.misfit <= 1;
}

/* Moves the start of the frame to the middle of the paths, within `reach` samples. */
static void move_window(dvbt2_receiver *rx, uint64_t reach)
{
    const uint64_t start = rx->frame.start;
    if (!delays_known(rx))
        dvbt2_demodulator_set_origin(rx->now, 0);
    for (int i = 0; i < PLACEMENTS; i++) {
        const float complex *window = rx_stream_at(&rx->stream, window_of(rx, 0));
        float peak = dvbt2_demodulator_measure(rx->now, window, 0, !delays_known(rx));
        const dvbt2_delays *delays = &rx->now->channel.delays;
        rx->window.pilots_found = peak >= least_peak && delays->signal > least_signal * delays->noise;
        if (!rx->window.pilots_found)
            return;
        if (centred(rx)) {
            centre_delays(rx);
            return;
        }
        int64_t moved = (int64_t)(rx->frame.start - start) + (int64_t)floor(displacement(rx) + 0.5);
        if (moved > (int64_t)reach || -moved > (int64_t)reach || (int64_t)start + moved < 0)
            return;
        rx->frame.start = (uint64_t)((int64_t)start + moved);
    }
}

/* In a channel that moves, the place of its paths from frame to frame tells the clock. `expected`: where the frame
 * should have begun. */
static void follow_window(dvbt2_receiver *rx, uint64_t expected)
{
    const uint64_t frame = rx->frame.start - rx->frame.last_start;
    const bool usable = rx->tracking.locked && rx->window.pilots_found && dvbt2_demodulator_moves(rx->now) &&
                        rx->frame.start >= rx->tracking.steered_from;
    if (!usable || frame > longest_frame * rx->rate) {
        rx_loop_start(&rx->window.loop, WINDOW_MEMORY, false);
        rx->window.loop.count = rx->now->parameters.fft_length / SURE_LENGTH;
        rx->window.moved = 0;
        return;
    }
    rx->window.moved += (double)(int64_t)(rx->frame.start - expected);
    rx_loop *window = &rx->window.loop;
    rx_loop_update(window, rx->window.moved + displacement(rx) - rx_loop_expected(window), HUGE_VAL, 1);
    rx_stream_correct(&rx->stream, 0, window->rate / (double)frame * 1e6);
    window->rate = 0; /* it is corrected from here on */
}

bool dvbt2_p1_agrees(const dvbt2_receiver *rx)
{
    return fabs(rx->p1.carrier) * rx->now->parameters.fft_length < most_p1_offset * rx->rate;
}

/* Has the carrier made a step since the last frame? Its guard interval and P1 show it. Where paths fade, their Doppler shifts
 * are part of the offset. */
static bool carrier_stepped(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    const uint64_t there =
        rx->stream.end - rx->frame.start - p->fft_length; /* of the guard interval's repetition */
    const uint32_t count = there < p->guard_length ? (uint32_t)there : p->guard_length;
    double deviation;
    const float complex *samples = dvbt2_tone_filter_run(
        &rx->acquisition.tones, rx_stream_at(&rx->stream, rx->frame.start), (size_t)p->fft_length + count);
    const double offset = dvbt2_guard_carrier(samples, p->fft_length, count, &deviation);
    const double most = dvbt2_demodulator_moves(rx->now) ? most_moving_offset : most_offset;
    return fabs(offset) > most + sure * deviation || (!rx->window.pilots_found && !dvbt2_p1_agrees(rx));
}

dvbt2_progress dvbt2_place_window(dvbt2_receiver *rx)
{
    if (!rx->now && !choose_demodulator(rx)) {
        rx->acquisition.guard_known = false;
        dvbt2_restart_search(rx, DVBT2_LOSS_MEMORY);
        return DVBT2_STEP_DONE;
    }
    const dvbt2_parameters *p = &rx->now->parameters;
    /* Unknown delays may move the window by a quarter of a symbol. */
    const uint64_t window = window_of(rx, 0), most = delays_known(rx) ? DVBT2_P1_SAMPLES : p->fft_length / 4;
    if (!rx_stream_fetch(&rx->stream, window + p->fft_length + most))
        return DVBT2_STEP_SAMPLES;
    if (window < rx_stream_first(&rx->stream)) {
        dvbt2_restart_search(rx, DVBT2_LOSS_GAP);
        return DVBT2_STEP_DONE;
    }
    const bool known = rx->window.carrier_checked && rx->p1.found && (rx->tracking.locked || rx->l1.pre_read);
    if (!rx->window.carrier_checked)
        check_carrier(rx);
    const uint64_t expected = rx->frame.start;
    /* samples before the first P1 may not be there */
    move_window(rx, window - rx_stream_before(&rx->stream, window, most));
    if (known && carrier_stepped(rx)) {
        dvbt2_measure_again(rx);
        return DVBT2_STEP_DONE;
    }
    follow_window(rx, expected);
    dvbt2_demodulator_start(rx->now);
    rx->step = DVBT2_STEP_P2;
    return DVBT2_STEP_DONE;
}

/* ---- L1 */

/* Cells `first` .. `first` + count - 1 of L1 to rx->l1.cells. */
static void collect_l1(dvbt2_receiver *rx, uint32_t first, uint32_t count)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = dvbt2_l1_symbol(p, first + i) * p->c_p2 + dvbt2_l1_cell(p, first + i);
        rx->l1.cells[i] = rx->frame.p2_cells[place];
        rx->l1.noise[i] = rx->frame.p2_noise[place];
    }
}

/* Error of the cells of L1-pre beside the axis of their BPSK, over the noise that is expected of them; 1 unless most cells have more:
 * then the impulse response was misread, and the channel is wrong between the pilots. */
static double misfit_of_symbol(const dvbt2_receiver *rx, uint32_t l)
{
    /* of half the noise, which is Q's share; a chi-square value of 1 degree of freedom is above 0.91 once in three times */
    const double usual = 0.91;
    double sum = 0;
    uint32_t above = 0, count = 0;
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++) {
        if (dvbt2_l1_symbol(&rx->now->parameters, i) != l)
            continue;
        const double q = (double)cimagf(rx->l1.cells[i]), share = 2 * q * q / (double)rx->l1.noise[i];
        above += share > usual;
        sum += share;
        count++;
    }
    return 2 * above > count ? fmax(1, sum / count) : 1;
}

/* A misread channel response is wrong for all P2 symbols, a burst hits one of them: the worst of several does not count. */
static double misfit_of_l1_pre(const dvbt2_receiver *rx)
{
    double worst = misfit_of_symbol(rx, 0), second = 1;
    for (uint32_t l = 1; l < rx->now->parameters.n_p2; l++) {
        const double misfit = misfit_of_symbol(rx, l);
        second = fmax(second, fmin(worst, misfit));
        worst = fmax(worst, misfit);
    }
    return rx->now->parameters.n_p2 > 1 ? second : worst;
}

static bool read_l1_pre(dvbt2_receiver *rx)
{
    dvbt2_l1_pre pre;
    collect_l1(rx, 0, DVBT2_L1_PRE_CELLS);
    if (!dvbt2_l1_pre_decode(rx->l1.decoder, (const float *)rx->l1.cells, rx->l1.noise, &pre)) {
        rx->status.l1_errors++;
        return false;
    }
    rx->l1.misfit = misfit_of_l1_pre(rx);
    rx->l1.pre = pre;
    rx->l1.has_pre = true;
    return true;
}

static bool same_mode(const dvbt2_mode *a, const dvbt2_mode *b)
{
    return a->fft == b->fft && a->guard == b->guard && a->pilot_pattern == b->pilot_pattern &&
           a->extended == b->extended && a->miso == b->miso && a->tone_reservation == b->tone_reservation &&
           a->n_data_symbols == b->n_data_symbols;
}

/* A demodulator for the mode that L1-pre has announced. */
static ldpc_status prepare_mode(dvbt2_receiver *rx)
{
    dvbt2_mode mode;
    ldpc_status status = dvbt2_mode_from_l1(&rx->l1.pre, &mode, &rx->error);
    if (status != LDPC_OK || (rx->full && same_mode(&rx->full->parameters.mode, &mode)))
        return status;
    dvbt2_parameters p;
    status = dvbt2_parameters_derive(&mode, &p, &rx->error);
    if (status != LDPC_OK)
        return status;
    if (p.frame_length > longest_frame * rx->rate)
        return ldpc_fail(&rx->error, LDPC_ERR_PARAM,
                         "L1-pre tells of frames of %.3g s: expected at most 0.25 s",
                         p.frame_length / rx->rate);
    if (rx->now == rx->full)
        rx->now = NULL;
    dvbt2_demodulator_destroy(rx->full);
    return dvbt2_demodulator_create(&mode, &rx->full, &rx->error);
}

/* Does the dynamic part differ in more than FRAME_IDX? */
static bool differs(const dvbt2_l1_post *a, const dvbt2_l1_post *b)
{
    if (a->config.num_plp != b->config.num_plp || a->dynamic.type_2_start != b->dynamic.type_2_start ||
        a->dynamic.sub_slice_interval != b->dynamic.sub_slice_interval)
        return true;
    for (uint32_t i = 0; i < a->config.num_plp; i++)
        if (a->dynamic.plp[i].plp_start != b->dynamic.plp[i].plp_start ||
            a->dynamic.plp[i].plp_num_blocks != b->dynamic.plp[i].plp_num_blocks)
            return true;
    return false;
}

/* The sentence about an L1-post whose CRC is wrong. */
static void explain_unread_post(dvbt2_receiver *rx)
{
    static const double least_cn[] = {-2, 1, 6, 10.5}; /* dB, rate 1/2 in BPSK .. 64QAM */
    const double cn = dvbt2_carrier_to_noise(rx->now);
    const uint8_t mod = rx->l1.pre.l1_mod & 3;
    const char *name = dvbt2_l1_modulation_name(mod);
    if (cn < least_cn[mod])
        ldpc_fail(&rx->error, LDPC_AGAIN,
                  "L1-post cannot be read: C/N is too low for its %s (%.1f dB, it needs %.1f dB)", name, cn,
                  least_cn[mod]);
    else
        ldpc_fail(&rx->error, LDPC_AGAIN,
                  "L1-post cannot be read, though a C/N of %.1f dB is enough for its %s: echoes may be too "
                  "late, or there is interference",
                  cn, name);
}

static bool read_l1_post(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    if (dvbt2_frame_map_init(p, rx->l1.pre.l1_post_size, &rx->frame.map, &rx->error) != LDPC_OK)
        return false;
    collect_l1(rx, DVBT2_L1_PRE_CELLS, rx->l1.pre.l1_post_size);
    ldpc_status status =
        dvbt2_l1_post_decode(rx->l1.decoder, &rx->l1.pre, p->n_p2, (const float *)rx->l1.cells, rx->l1.noise,
                             &rx->l1.new_post, &rx->error);
    if (status != LDPC_OK) {
        rx->status.l1_errors++;
        if (status == LDPC_AGAIN)
            explain_unread_post(rx);
        return false;
    }
    rx->l1.changes = rx->l1.has_post && rx->tracking.locked && differs(&rx->l1.post, &rx->l1.new_post);
    rx->l1.post = rx->l1.new_post;
    rx->l1.has_post = true;
    rx->l1.concealed = 0;
    return true;
}

/* The frame may be received when a later one tells L1-post. */
static void remember_unread(dvbt2_receiver *rx)
{
    if (rx->l1.n_unread == DVBT2_UNREAD_FRAMES)
        memmove(rx->l1.unread, rx->l1.unread + 1, --rx->l1.n_unread * sizeof *rx->l1.unread);
    rx->l1.unread[rx->l1.n_unread++] = rx->frame.start;
}

/* No L1: the next frame may have it. */
static void miss_frame(dvbt2_receiver *rx, dvbt2_loss reason)
{
    const bool locked = rx->tracking.locked;
    if (!locked && rx->l1.pre_read)
        remember_unread(rx);
    if (locked) /* else it is the same frame once more, or one behind it */
        rx->losses.missed = rx->frame.start;
    /* what was measured may have been no signal: the wrong guard interval, or a clock far off */
    const uint32_t most = !rx->p1.found                                ? MOST_BAD_FRAMES
                          : (!rx->tracking.locked && !rx->l1.pre_read) ? MOST_BAD_PRES
                                                                       : MOST_BAD_POSTS;
    const bool other_guard = locked && !rx->l1.pre_read && dvbt2_change_is_due(rx);
    if (++rx->l1.bad_frames >= most || other_guard) {
        rx->acquisition.guard_known = false;
        rx->l1.bad_frames = 0;
    }
    if (locked)
        dvbt2_search_again(rx, reason);
    else
        dvbt2_restart_search(rx, reason);
}

/* Is there no frame between the last one without L1-post and this one, whose P1 was not found? FEF parts, whose length is
 * not known yet, leave that open. */
static bool follows_unread(const dvbt2_receiver *rx)
{
    const bool fef = rx->l1.pre.s2 & 1;
    if (rx->tracking.locked || rx->l1.n_unread == 0 || fef)
        return true;
    const dvbt2_parameters *p = &rx->full->parameters;
    const uint64_t expected = rx->l1.unread[rx->l1.n_unread - 1] + p->frame_length;
    return rx->frame.start + p->guard_length >= expected && rx->frame.start <= expected + p->guard_length;
}

/* All P2 symbols are in rx->frame.p2_cells. False: nothing is known about this frame, for a reason. */
static bool read_l1(dvbt2_receiver *rx, dvbt2_loss *reason)
{
    if (rx->tracking.locked && dvbt2_change_is_due(rx))
        dvbt2_l1_decoder_reset(rx->l1.decoder); /* what is added up is the old configuration */
    bool pre = rx->l1.pre_read = read_l1_pre(rx);
    const ldpc_status status = pre ? prepare_mode(rx) : LDPC_OK;
    *reason = status == LDPC_ERR_MEMORY ? DVBT2_LOSS_MEMORY : pre ? DVBT2_LOSS_L1_POST : DVBT2_LOSS_L1_PRE;
    if (status != LDPC_OK)
        return false;
    if (pre && rx->now != rx->full)
        return true; /* P2 comes once more */
    rx->status.state = DVBT2_STATE_L1_POST;
    if (rx->now == rx->full && !follows_unread(rx))
        dvbt2_l1_decoder_reset(rx->l1.decoder); /* FRAME_IDX has counted on by more than one */
    if (rx->now == rx->full && read_l1_post(rx))
        return true;
    return rx->now == rx->full && dvbt2_conceal_l1(rx);
}

static void finish_preamble(dvbt2_receiver *rx)
{
    const int32_t origin = rx->now->origin; /* a new mode replaces the demodulator that has received P2 */
    /* the L1 decoder remembers earlier frames: what it reads need not come from this place */
    bool there = !rx->tracking.locked || rx->p1.found || rx->window.pilots_found;
    if (!there ||
        !rx->p1.found) /* without P1 this may be no P2: soft bits of earlier frames would be read alone */
        dvbt2_l1_decoder_reset(rx->l1.decoder);
    dvbt2_loss reason = DVBT2_LOSS_P1;
    if (!there || !read_l1(rx, &reason)) {
        miss_frame(rx, reason);
        return;
    }
    if (rx->now !=
        rx->full) { /* once more, with the pilots of extended carriers and the normal symbols' filters */
        dvbt2_demodulator_set_origin(rx->full, origin);
        rx->now = rx->full;
        dvbt2_tracking_reset(&rx->full->tracking, &rx->full->parameters);
        dvbt2_demodulator_start(rx->full);
        return;
    }
    rx->l1.bad_frames = 0;
    if (dvbt2_rewind(rx))
        return;
    if (rx->frame.start >= rx->tracking.steered_from)
        dvbt2_steer(rx);
    dvbt2_begin_frame(rx);
}

dvbt2_progress dvbt2_receive_p2(dvbt2_receiver *rx)
{
    dvbt2_demodulator *d = rx->now;
    const dvbt2_parameters *p = &d->parameters;
    uint64_t last = window_of(rx, p->n_p2 - 1);
    if (!dvbt2_outputs_have_room(rx, 0))
        return DVBT2_STEP_FULL;
    if (!rx_stream_fetch(&rx->stream, last + p->fft_length))
        return DVBT2_STEP_SAMPLES;
    for (uint32_t l = 0; l < p->n_p2; l++)
        dvbt2_demodulator_push(d, rx_stream_at(&rx->stream, window_of(rx, l)));
    for (int l; (l = dvbt2_demodulator_pull(d)) >= 0;) {
        dvbt2_decision_directed_keep(rx, (uint32_t)l);
        memcpy(rx->frame.p2_cells + (size_t)l * p->c_p2, d->cells, p->c_p2 * sizeof *d->cells);
        memcpy(rx->frame.p2_noise + (size_t)l * p->c_p2, d->noise, p->c_p2 * sizeof *d->noise);
    }
    finish_preamble(rx);
    return DVBT2_STEP_DONE;
}
