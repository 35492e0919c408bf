/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receives the P2 symbols: places the FFT window, decodes L1-pre and L1-post. */
#include <math.h>
#include <string.h>

#include "base/status_internal.h"
#include "receiver/complex.h"
#include "dvbt2/frame/receiver_internal.h"

enum {
    /* maximum carrier offset before P2, in carriers */
    MOST_SHIFT = 3,
    PLACEMENTS = 3,
    /* After this number of frames without L1 and P1, the guard interval is measured again. */
    MOST_BAD_FRAMES = 2,
    /* frames with P1 but without L1-pre */
    MOST_BAD_PRES = 3,
    MOST_BAD_POSTS = DVBT2_UNREAD_FRAMES,
    WINDOW_MEMORY = 30, /* frames */
    /* only P2 symbols up to this one may give the impulse response */
    MOST_REFERENCE = 3,
    /* If the FFT is at least this long, a guard interval gives the clock offset as accurately as a frame. */
    SURE_LENGTH = 4096,
};

/* Minimum ratio of highest to mean tap power if P2 pilots are present. Noise reaches 12 with 10000 taps. */
static const float least_peak = 20;

/* Maximum length of a T2 frame in seconds (clause 8.3.1), with a margin. */
static const double longest_frame = 0.2505;

/* Maximum carrier offsets of the loops, in carrier spacings: in a static channel, in a time-varying channel,
 * after P1. */
static const double most_offset = 0.15, most_moving_offset = 0.3, most_p1_offset = 0.5;
/* Significance threshold in standard deviations. */
static const double sure = 6;

/* Minimum SNR on the P2 grid. */
static const float least_signal = 0.5f;

/* ---- FFT window */

/* Returns the start of the FFT window of P2 symbol l. */
static uint64_t window_of(const dvbt2_receiver *rx, uint32_t l)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    return rx->frame.start + (uint64_t)l * p->symbol_length + dvbt2_ofdm_window(p);
}

/* Returns the displacement of the window in samples. It is positive if the window is too early. */
static double displacement(const dvbt2_receiver *rx)
{
    return rx->now->channel.delays.middle - rx->now->channel.centre;
}

static bool centred(const dvbt2_receiver *rx)
{
    return fabs(displacement(rx)) <= fmax(1.5, rx->now->parameters.guard_length / 64.0);
}

static void centre_delays(dvbt2_receiver *rx)
{
    const dvbt2_delays *delays = &rx->now->channel.delays;
    const double middle = (delays->first + delays->last) / 2;
    dvbt2_demodulator_set_origin(rx->now, rx->now->origin + (int32_t)floor(middle + 0.5));
}

/* Noise and echoes change the P1 offset by up to 450 Hz, which are two carrier spacings of 32K. */
static void check_carrier(dvbt2_receiver *rx)
{
    const float complex *window = rx_stream_at(&rx->stream, window_of(rx, rx->now->reference));
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
                               best * rx->rate / length, 0, 0);
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

static bool delays_known(const dvbt2_receiver *rx)
{
    return rx->lock.locked && rx->l1.misfit <= 1;
}

/* reach: maximum displacement, samples */
static void move_window(dvbt2_receiver *rx, uint64_t reach)
{
    const uint64_t start = rx->frame.start;
    if (!delays_known(rx))
        dvbt2_demodulator_set_origin(rx->now, 0);
    for (int i = 0; i < PLACEMENTS; i++) {
        const float complex *window = rx_stream_at(&rx->stream, window_of(rx, rx->now->reference));
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

static void follow_window(dvbt2_receiver *rx, uint64_t expected)
{
    const uint64_t frame = rx->frame.start - rx->frame.last_start;
    const bool usable = rx->lock.locked && rx->window.pilots_found && dvbt2_demodulator_moves(rx->now) &&
                        rx->frame.start >= rx->lock.steered_from;
    if (!usable || frame > longest_frame * rx->limit_rate) {
        rx_loop_start(&rx->window.loop, WINDOW_MEMORY, false);
        rx->window.loop.count = rx->now->parameters.fft_length / SURE_LENGTH;
        rx->window.moved = 0;
        return;
    }
    rx->window.moved += (double)(int64_t)(rx->frame.start - expected);
    rx_loop *window = &rx->window.loop;
    rx_loop_update(window, rx->window.moved + displacement(rx) - rx_loop_expected(window), HUGE_VAL, 1);
    rx_stream_correct(&rx->stream, 0, window->rate / (double)frame * 1e6);
    window->rate = 0; /* already applied */
}

static bool p1_agrees(const dvbt2_receiver *rx)
{
    return fabs(rx->p1.carrier) * rx->now->parameters.fft_length < most_p1_offset * rx->rate;
}

static bool carrier_stepped(dvbt2_receiver *rx)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    const uint64_t there = rx->stream.end - rx->frame.start - p->fft_length;
    const uint32_t count = there < p->guard_length ? (uint32_t)there : p->guard_length;
    double deviation;
    const float complex *samples = dvbt2_tone_filter_run(
        &rx->acquisition.tones, rx_stream_at(&rx->stream, rx->frame.start), (size_t)p->fft_length + count);
    const double offset = dvbt2_guard_carrier(samples, p->fft_length, count, &deviation);
    const double most = dvbt2_demodulator_moves(rx->now) ? most_moving_offset : most_offset;
    return fabs(offset) > most + sure * deviation || (!rx->window.pilots_found && !p1_agrees(rx));
}

/* Finds the P2 symbol that gives the impulse response. reach: maximum shift of the window, samples. Returns
 * false if more samples are needed. */
static bool choose_reference(dvbt2_receiver *rx, uint64_t reach)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    const uint32_t most = p->n_p2 - 1 < MOST_REFERENCE ? p->n_p2 - 1 : MOST_REFERENCE;
    rx->now->reference = 0;
    for (uint32_t l = 0; l <= most && rx->lock.locked; l++) {
        const uint64_t window = window_of(rx, l);
        if (!rx_stream_fetch(&rx->stream, window + p->fft_length + reach))
            return false;
        if (!dvbt2_demodulator_hit(rx->now, rx_stream_at(&rx->stream, window))) {
            rx->now->reference = l;
            break;
        }
    }
    return true;
}

/* Starts a frame in rx->now. */
static void start_demodulator(dvbt2_receiver *rx)
{
    dvbt2_demodulator_start(rx->now, rx->stream.resampler.drift / (rx->rate * rx->rate));
}

dvbt2_progress dvbt2_place_window(dvbt2_receiver *rx)
{
    if (!rx->now && !choose_demodulator(rx)) {
        rx->acquisition.guard_known = false;
        dvbt2_restart_search(rx, DVBT2_LOSS_MEMORY);
        return DVBT2_STEP_DONE;
    }
    const dvbt2_parameters *p = &rx->now->parameters;
    /* With unknown delays, the window may move by a quarter of a symbol. */
    const uint64_t window = window_of(rx, 0), most = delays_known(rx) ? DVBT2_P1_SAMPLES : p->fft_length / 4;
    if (!rx_stream_fetch(&rx->stream, window + p->fft_length + most))
        return DVBT2_STEP_SAMPLES;
    if (window < rx_stream_first(&rx->stream)) {
        dvbt2_restart_search(rx, DVBT2_LOSS_GAP);
        return DVBT2_STEP_DONE;
    }
    if (!choose_reference(rx, most))
        return DVBT2_STEP_SAMPLES;
    const bool known = rx->window.carrier_checked && rx->p1.found && (rx->lock.locked || rx->l1.pre_read);
    if (!rx->window.carrier_checked)
        check_carrier(rx);
    const uint64_t expected = rx->frame.start;
    move_window(rx, window - rx_stream_before(&rx->stream, window, most));
    if (known && carrier_stepped(rx)) {
        dvbt2_measure_again(rx);
        return DVBT2_STEP_DONE;
    }
    follow_window(rx, expected);
    start_demodulator(rx);
    rx->step = DVBT2_STEP_P2;
    return DVBT2_STEP_DONE;
}

/* ---- L1 */

/* Copies L1 cells `first` .. `first` + count - 1 to rx->l1.cells. */
static void collect_l1(dvbt2_receiver *rx, uint32_t first, uint32_t count)
{
    const dvbt2_parameters *p = &rx->now->parameters;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = dvbt2_l1_symbol(p, first + i) * p->c_p2 + dvbt2_l1_cell(p, first + i);
        rx->l1.cells[i] = rx->frame.p2_cells[place];
        rx->l1.noise[i] = rx->frame.p2_noise[place];
    }
}

static double misfit_of_symbol(const dvbt2_receiver *rx, uint32_t l)
{
    /* With probability 1/3, a chi-square value with 1 degree of freedom exceeds 0.91. */
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

/* A burst affects only one P2 symbol. */
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
    rx->l1.last_misfit = rx->lock.locked ? rx->l1.misfit : HUGE_VAL;
    rx->l1.misfit = misfit_of_l1_pre(rx);
    rx->l1.pre = pre;
    rx->l1.has_pre = true;
    rx->acquisition.reclocked = 0;
    return true;
}

static bool same_mode(const dvbt2_mode *a, const dvbt2_mode *b)
{
    return a->fft == b->fft && a->guard == b->guard && a->pilot_pattern == b->pilot_pattern &&
           a->extended == b->extended && a->miso == b->miso && a->tone_reservation == b->tone_reservation &&
           a->n_data_symbols == b->n_data_symbols;
}

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
    if (p.frame_length > longest_frame * rx->limit_rate)
        return ldpc_fail(&rx->error, LDPC_ERR_PARAM,
                         "L1-pre signals a frame length of %.3g s (maximum 0.25 s)",
                         p.frame_length / rx->rate);
    if (rx->now == rx->full)
        rx->now = NULL;
    dvbt2_demodulator_destroy(rx->full);
    return dvbt2_demodulator_create(&mode, &rx->full, &rx->error);
}

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

static void explain_unread_post(dvbt2_receiver *rx)
{
    /* C/N in dB at rate 1/2, BPSK .. 64QAM */
    static const double least_cn[] = {-2, 1, 6, 10.5};
    const double cn = dvbt2_carrier_to_noise(rx->now);
    const uint8_t mod = rx->l1.pre.l1_mod & 3;
    const char *name = dvbt2_l1_modulation_name(mod);
    if (cn < least_cn[mod])
        ldpc_fail(&rx->error, LDPC_AGAIN,
                  "L1-post cannot be decoded: the C/N is too low for its %s (%.1f dB, required %.1f dB)",
                  name, cn, least_cn[mod]);
    else
        ldpc_fail(&rx->error, LDPC_AGAIN,
                  "L1-post cannot be decoded although the C/N of %.1f dB is sufficient for its %s: there may "
                  "be late echoes or interference",
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
    rx->l1.changes = rx->l1.has_post && rx->lock.locked && differs(&rx->l1.post, &rx->l1.new_post);
    rx->l1.post = rx->l1.new_post;
    rx->l1.has_post = true;
    rx->l1.concealed = 0;
    return true;
}

static void remember_unread(dvbt2_receiver *rx)
{
    if (rx->l1.n_unread == DVBT2_UNREAD_FRAMES)
        memmove(rx->l1.unread, rx->l1.unread + 1, --rx->l1.n_unread * sizeof *rx->l1.unread);
    rx->l1.unread[rx->l1.n_unread++] = rx->frame.start;
}

static void miss_frame(dvbt2_receiver *rx, dvbt2_loss reason)
{
    const bool locked = rx->lock.locked;
    if (!locked && rx->l1.pre_read)
        remember_unread(rx);
    if (locked) /* may be a repeated frame */
        rx->losses.missed = rx->frame.start;
    const uint32_t most = !rx->p1.found                            ? MOST_BAD_FRAMES
                          : (!rx->lock.locked && !rx->l1.pre_read) ? MOST_BAD_PRES
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

static bool follows_unread(const dvbt2_receiver *rx)
{
    const bool fef = rx->l1.pre.s2 & 1;
    if (rx->lock.locked || rx->l1.n_unread == 0 || fef)
        return true;
    const dvbt2_parameters *p = &rx->full->parameters;
    const uint64_t expected = rx->l1.unread[rx->l1.n_unread - 1] + p->frame_length;
    return rx->frame.start + p->guard_length >= expected && rx->frame.start <= expected + p->guard_length;
}

static bool read_l1(dvbt2_receiver *rx, dvbt2_loss *reason)
{
    if (rx->lock.locked && dvbt2_change_is_due(rx))
        dvbt2_l1_decoder_reset(rx->l1.decoder);
    bool pre = rx->l1.pre_read = read_l1_pre(rx);
    const ldpc_status status = pre ? prepare_mode(rx) : LDPC_OK;
    *reason = status == LDPC_ERR_MEMORY ? DVBT2_LOSS_MEMORY : pre ? DVBT2_LOSS_L1_POST : DVBT2_LOSS_L1_PRE;
    if (status != LDPC_OK)
        return false;
    if (pre && rx->now != rx->full)
        return true; /* the P2 symbols are demodulated again */
    rx->status.state = DVBT2_STATE_L1_POST;
    if (rx->now == rx->full && !follows_unread(rx))
        dvbt2_l1_decoder_reset(rx->l1.decoder);
    if (rx->now == rx->full && read_l1_post(rx))
        return true;
    return rx->now == rx->full && dvbt2_conceal_l1(rx);
}

static void finish_preamble(dvbt2_receiver *rx)
{
    const int32_t origin = rx->now->origin;
    bool there = !rx->lock.locked || rx->p1.found || rx->window.pilots_found;
    if (!there || !rx->p1.found)
        dvbt2_l1_decoder_reset(rx->l1.decoder);
    dvbt2_loss reason = DVBT2_LOSS_P1;
    if (!there || !read_l1(rx, &reason)) {
        miss_frame(rx, reason);
        return;
    }
    /* P2 is demodulated again, with extended carriers and with the filters of normal symbols */
    if (rx->now != rx->full) {
        dvbt2_demodulator_set_origin(rx->full, origin);
        rx->now = rx->full;
        dvbt2_tracking_reset(&rx->full->tracking, &rx->full->parameters);
        start_demodulator(rx);
        return;
    }
    rx->l1.bad_frames = 0;
    if (dvbt2_rewind(rx))
        return;
    if (rx->frame.start >= rx->lock.steered_from)
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
