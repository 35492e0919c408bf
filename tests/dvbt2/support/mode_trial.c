/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/mode_trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/support/synthetic.h"
#include "dvbt2/support/transmitter.h"

enum { CELLS_OF_BLOCK = TRIAL_BLOCK, MAX_CELLS = 1 << 20, MIN_FRAMES = 5, MIN_SAMPLES = 600000 };
/* Maximum loss of information, bits per cell, if the reported noise of the cells is wrong. A factor of 2
 * costs 0.3 bits if it is too high and 0.4 if it is too low. */
static const double most_bits_lost = 0.5;
/* Noise-free signals have less noise, and it is not reported exactly. */
static const double least_noise = 1e-3;

dvbt2_l1_pre mode_trial_l1_pre(const dvbt2_mode *mode)
{
    static const uint8_t s2_of_t[DVBT2_FFT_SIZES] = {3, 0, 2, 1, 4, 5};
    bool new_guard = mode->guard > DVBT2_GUARD_1_4;
    uint8_t s2 = s2_of_t[mode->fft];
    if (new_guard && mode->fft == DVBT2_FFT_8K)
        s2 = 6;
    if (new_guard && mode->fft == DVBT2_FFT_32K)
        s2 = 7;
    return (dvbt2_l1_pre){.s1 = mode->miso,
                          .s2 = (uint8_t)(s2 << 1),
                          .bwt_ext = mode->extended,
                          .guard_interval = (uint8_t)mode->guard,
                          .papr = mode->tone_reservation ? 2 : 0,
                          .l1_mod = DVBT2_L1_QPSK,
                          .pilot_pattern = (uint8_t)(mode->pilot_pattern - 1),
                          .num_t2_frames = 2,
                          .num_data_symbols = mode->n_data_symbols,
                          .num_rf = 1,
                          .t2_version = 2};
}

/* Describes one PLP that fills the frame (QPSK without a code). */
static uint32_t fill_frame(const transmitter *t, const trial_code *code, dvbt2_l1_post *post)
{
    dvbt2_frame_map map;
    const uint32_t l1_post = 752 > t->p.n_p2 ? 752 : t->p.n_p2; /* QPSK needs at least 752 L1-post cells */
    memset(post, 0, sizeof(*post));
    assert_int_equal(dvbt2_frame_map_init(&t->p, l1_post, &map, NULL), LDPC_OK);
    uint32_t blocks = map.n_cells / CELLS_OF_BLOCK;
    assert_in_range(blocks, 1, 1023);
    post->config.sub_slices_per_frame = 1;
    post->config.num_plp = 1;
    post->config.plp[0] =
        (dvbt2_l1_plp){.plp_type = 1, .frame_interval = 1, .time_il_length = 1, .plp_payload_type = 3};
    if (code) {
        post->config.plp[0].plp_fec_type = code->plp_fec_type;
        post->config.plp[0].plp_mod = code->plp_mod;
        post->config.plp[0].plp_cod = code->plp_cod;
    }
    post->dynamic.plp[0].plp_start = map.n_cells - blocks * CELLS_OF_BLOCK;
    post->dynamic.plp[0].plp_num_blocks = (uint16_t)blocks;
    return blocks * CELLS_OF_BLOCK;
}

/* Transmitted cells; each row is one frame. */
typedef struct sent_cells {
    float complex *cells;
    uint32_t frames, per_frame;
} sent_cells;

static uint32_t equal_cells(const float complex *a, const float complex *b, uint32_t count)
{
    uint32_t equal = 0;
    for (uint32_t i = 0; i < count; i++)
        equal += rx_power(a[i] - b[i]) < 0.09F;
    return equal;
}

static double mean_error(const float complex *a, const float complex *b, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)rx_power(a[i] - b[i]);
    return sum / count;
}

/* Returns the mean mutual information according to the reported noise, bits per cell (mode_trial_result). */
static double information(const float complex *sent, const float complex *cells, const float *noise_of,
                          uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double v = (double)noise_of[i] < least_noise ? least_noise : (double)noise_of[i];
        sum += log2(1 + 1 / v) +
               ((double)rx_power(cells[i]) / (1 + v) - (double)rx_power(cells[i] - sent[i]) / v) / log(2);
    }
    return sum / count;
}

/* Returns the information for a receiver that knows the noise of each group of cells. */
static double best_information(const float complex *sent, const float complex *cells, uint32_t count)
{
    enum { GROUP = 1024 };
    double sum = 0;
    for (uint32_t i = 0; i < count; i += GROUP) {
        const uint32_t group = count - i < GROUP ? count - i : GROUP;
        sum += group * log2(1 + 1 / fmax(mean_error(sent + i, cells + i, group), least_noise));
    }
    return sum / count;
}

static void add_information(double mean, uint32_t count, mode_trial_result *result)
{
    result->cells += count;
    result->information += (mean - result->information) * count / result->cells;
}

/* Returns the transmitted frame that is most similar to `cells`. Every eighth cell suffices. */
static const float complex *row_of(const sent_cells *sent, const float complex *cells)
{
    const float complex *best = sent->cells;
    float most = 0;
    for (uint32_t f = 0; f < sent->frames; f++) {
        const float complex *row = sent->cells + (size_t)f * sent->per_frame;
        float alike = 0;
        for (uint32_t c = 0; c < sent->per_frame; c += 8)
            alike += crealf(rx_mul_conj(cells[c], row[c]));
        if (alike > most) {
            most = alike;
            best = row;
        }
    }
    return best;
}

/* Evaluate a complete frame. */
static void judge(const sent_cells *sent, const trial_code *code, const float complex *cells,
                  const float *noise_of, mode_trial_result *result)
{
    const float complex *row = row_of(sent, cells);
    const uint32_t blocks = sent->per_frame / CELLS_OF_BLOCK;
    const double bits = information(row, cells, noise_of, sent->per_frame);
    if (row != sent->cells)
        add_information(bits, sent->per_frame, result);
    if (!code) {
        if (equal_cells(row, cells, sent->per_frame) < sent->per_frame ||
            !(bits >= best_information(row, cells, sent->per_frame) - most_bits_lost))
            return;
        if (result->right++ > 0)
            result->error = fmax(result->error, mean_error(row, cells, sent->per_frame));
        return;
    }
    const uint32_t decoded = trial_code_receive(code, blocks, row, cells, noise_of);
    result->right += decoded == blocks;
    result->lost -= decoded;
}

/* Receives samples and evaluates complete frames. */
static void receive(const float complex *samples, uint32_t n_samples, const sent_cells *sent,
                    double bandwidth, double rate, const mode_trial_way *way, mode_trial_result *result)
{
    static float iq[2 * MAX_CELLS], noise_of[MAX_CELLS];
    static const float complex silence[4096];
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_plp_frame info;
    uint32_t first;
    dvbt2_receiver_params_init(&params);
    params.bandwidth = bandwidth;
    params.sample_rate = rate * (1 + 1e-6 * way->rate_ppm);
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    float complex *cells = malloc(sent->per_frame * sizeof(*cells));
    float *frame_noise = malloc(sent->per_frame * sizeof(*frame_noise));
    assert_true(cells && frame_noise);
    for (uint32_t at = 0; at < n_samples + 40 * 4096;) {
        bool ended = at >= n_samples;
        uint32_t left = ended ? 4096 : n_samples - at < 8192 ? n_samples - at : 8192;
        if (at <= n_samples)
            dvbt2_receiver_status(rx, &result->status);
        if (strstr(result->status.message, "echo beyond the pilots"))
            result->beyond_pilots = true;
        at += (uint32_t)dvbt2_receiver_push(rx, ended ? silence : samples + at, left);
        for (size_t count;
             (count = dvbt2_receiver_pull(rx, 0, MAX_CELLS, iq, noise_of, &info, &first)) > 0;) {
            if (info.cells != sent->per_frame)
                continue; /* cells of the previous mode */
            for (size_t c = 0; c < count; c++) {
                cells[first + c] = rx_cplx(iq[2 * c], iq[2 * c + 1]);
                frame_noise[first + c] = noise_of[c];
                result->not_finite += !isfinite(iq[2 * c]) || !isfinite(iq[2 * c + 1]) || isnan(noise_of[c]);
            }
            if (first + count == sent->per_frame)
                judge(sent, way->code, cells, frame_noise, result);
        }
    }
    result->status.message = "";
    free(cells);
    free(frame_noise);
    dvbt2_receiver_destroy(rx);
}

/* Returns a random 256-QAM point. The mean power is 1. */
static float complex dense_cell(uint32_t random)
{
    const float step = 0.15339300F / 2;
    return rx_cplx(step * (float)(2 * (int)(random >> 28) - 15),
                   step * (float)(2 * (int)(random >> 24 & 15) - 15));
}

static sent_cells make_cells(const trial_code *code, uint32_t frames, uint32_t per_frame, bool dense)
{
    sent_cells sent = {malloc((size_t)frames * per_frame * sizeof(*sent.cells)), frames, per_frame};
    uint32_t seed = 1;
    assert_non_null(sent.cells);
    for (uint32_t f = 0; code && f < frames; f++)
        trial_code_send(code, per_frame / CELLS_OF_BLOCK, sent.cells + (size_t)f * per_frame);
    for (size_t c = 0; !code && c < (size_t)frames * per_frame; c++) {
        seed = seed * 1664525 + 1013904223;
        sent.cells[c] = dense ? dense_cell(seed)
                              : rx_cplx(seed >> 31 ? 0.70710678F : -0.70710678F,
                                        seed >> 30 & 1 ? 0.70710678F : -0.70710678F);
    }
    return sent;
}

/* Transmits all frames without gaps. */
static float complex *send(transmitter *t, dvbt2_l1_post *post, const sent_cells *sent)
{
    const uint32_t length = t->p.frame_length;
    float complex *samples = malloc((size_t)sent->frames * length * sizeof(*samples));
    assert_non_null(samples);
    for (uint32_t f = 0; f < sent->frames; f++) {
        const float complex *const cells[] = {sent->cells + (size_t)f * sent->per_frame};
        post->dynamic.frame_idx = f % 2;
        transmitter_send(t, post, cells, samples + (size_t)f * length);
    }
    return samples;
}

static uint32_t put_before(const dvbt2_mode *mode, float complex **samples, uint32_t count)
{
    enum { FRAMES = 3 };
    static dvbt2_l1_post post;
    transmitter t;
    const dvbt2_l1_pre pre = mode_trial_l1_pre(mode);
    transmitter_open(&t, &pre);
    sent_cells sent = make_cells(NULL, FRAMES, fill_frame(&t, NULL, &post), false);
    float complex *both = send(&t, &post, &sent);
    const uint32_t first = FRAMES * t.p.frame_length;
    both = realloc(both, ((size_t)first + count) * sizeof(*both));
    assert_non_null(both);
    memcpy(both + first, *samples, count * sizeof(*both));
    free(*samples);
    *samples = both;
    free(sent.cells);
    transmitter_close(&t);
    return first + count;
}

/* Returns the sum of weight[i] * samples[i]. `count` must be a multiple of 4. */
static float complex weighted_sum(const float *weight, const float complex *samples, int count)
{
    enum { SUMS = 4 };
    const float *iq = (const float *)samples;
    float sum[2 * SUMS] = {0}; /* separate sums, which the compiler can vectorise */
    for (int k = 0; k < count; k += SUMS)
        for (int i = 0; i < 2 * SUMS; i++)
            sum[i] += iq[2 * k + i] * weight[k + i / 2];
    return rx_cplx(sum[0] + sum[2] + sum[4] + sum[6], sum[1] + sum[3] + sum[5] + sum[7]);
}

static float complex *double_rate(float complex *samples, uint32_t count)
{
    enum { SIDE = 48 };
    float complex *twice = calloc(2 * (size_t)count, sizeof(*twice));
    float tap[2 * SIDE];
    assert_non_null(twice);
    for (int i = 0; i < 2 * SIDE; i++) {
        const double x = i - SIDE + 0.5, hann = cos(RX_PI * x / (2 * SIDE));
        tap[i] = (float)(sin(RX_PI * x) / (RX_PI * x) * hann * hann);
    }
    for (uint32_t n = 0; n < count; n++) {
        twice[2 * n] = samples[n];
        if (n >= SIDE && n + SIDE < count)
            twice[2 * n + 1] = weighted_sum(tap, samples + n + 1 - SIDE, 2 * SIDE);
    }
    free(samples);
    return twice;
}

/* Returns the number of samples from the step to sample n, or 0 before the step. */
static double samples_after(double n, double step)
{
    return step > 0 ? fmax(0, n - step) : 0;
}

/* Resamples the signal like a receiver with a faster clock (sinc with a Hann window). */
static float complex *change_clock(const mode_trial_way *way, double rate, double step,
                                   float complex *samples, uint32_t count)
{
    enum { SIDE = 16, PARTS = 1024 };
    static float weights[PARTS][2 * SIDE];
    float complex *changed = calloc(count, sizeof(*changed));
    assert_non_null(changed);
    for (int part = 0; part < PARTS && weights[PARTS - 1][SIDE - 1] == 0; part++)
        interpolation_weights((double)part / PARTS, SIDE, weights[part]);
    for (uint32_t n = 0; n < count; n++) {
        const double late =
            1e-6 * (way->clock_drift * n / rate / 2 * n + way->clock_step * samples_after(n, step));
        const double t = n - late, whole = floor(t);
        if (whole >= SIDE && whole + SIDE < count)
            changed[n] = weighted_sum(weights[(int)((t - whole) * PARTS)], samples + (size_t)whole + 1 - SIDE,
                                      2 * SIDE);
    }
    free(samples);
    return changed;
}

static double carrier_turns(const mode_trial_way *way, double rate, double step, double n)
{
    const double turns =
        way->carrier * n + way->carrier_drift * n / rate / 2 * n + way->carrier_step * samples_after(n, step);
    return fmod(turns / rate, 1);
}

static void disturb(const mode_trial_way *way, uint32_t delay, double rate, double step,
                    float complex *samples, uint32_t count)
{
    const float gain = (float)pow(10, way->gain_step_db / 20);
    for (uint32_t n = 0; way->echo < 0 && n + delay < count; n++)
        samples[n] += rx_mul(samples[n + delay], way->echo_gain);
    for (uint32_t n = count; way->echo >= 0 && n-- > delay;)
        samples[n] += rx_mul(samples[n - delay], way->echo_gain);
    const bool turns = way->carrier != 0 || way->carrier_drift != 0 || way->carrier_step != 0;
    for (uint32_t n = 0; n < count && turns; n++)
        samples[n] = rx_mul(samples[n], phasor(carrier_turns(way, rate, step, n)));
    for (uint32_t n = 0; n < count && way->mirrored; n++)
        samples[n] = rx_cplx(cimagf(samples[n]), crealf(samples[n]));
    for (uint32_t n = 0; n < count && way->noise > 0; n++)
        samples[n] += noise(way->noise);
    for (uint32_t n = 0; n < count && way->interferer; n++)
        samples[n] += way->interferer[n % way->interferer_samples];
    for (uint32_t n = 0; n < count && gain != 1; n++)
        samples[n] *= samples_after(n, step) > 0 ? gain : 1;
}

static uint32_t lose(const mode_trial_way *way, uint32_t frame_length, float complex *samples, uint32_t count)
{
    const uint32_t at = (uint32_t)(way->gap_at * frame_length), lost = (uint32_t)(way->gap * frame_length);
    memmove(samples + at, samples + at + lost, (count - lost - at) * sizeof(*samples));
    return count - lost;
}

mode_trial_result mode_trial_run(const dvbt2_mode *mode, const mode_trial_way *way)
{
    static dvbt2_l1_post post;
    mode_trial_result result = {0};
    transmitter t;
    const dvbt2_l1_pre pre = mode_trial_l1_pre(mode);
    const double bandwidth = way->bandwidth > 0 ? way->bandwidth : 8;
    transmitter_open(&t, &pre);
    const uint32_t n_cells = fill_frame(&t, way->code, &post);
    result.sent = way->frames > 0 ? way->frames : MIN_FRAMES + MIN_SAMPLES / t.p.frame_length;
    sent_cells sent = make_cells(way->code, result.sent, n_cells, way->dense);
    float complex *samples = send(&t, &post, &sent);
    uint32_t count = result.sent * t.p.frame_length;
    if (way->before)
        count = put_before(way->before, &samples, count);
    const uint32_t factor = way->doubled ? 2 : 1;
    const double rate = factor * dvbt2_sample_rate(bandwidth);
    if (way->doubled)
        samples = double_rate(samples, count);
    count *= factor;
    const double step = way->step_at * t.p.frame_length * factor;
    if (way->clock_step != 0 || way->clock_drift != 0)
        samples = change_clock(way, rate, step, samples, count);
    disturb(way, (uint32_t)(fabs(way->echo) * t.p.guard_length * factor), rate, step, samples, count);
    if (way->spoil)
        way->spoil(way->how, &t.p, samples, count);
    count = lose(way, factor * t.p.frame_length, samples, count);
    if (way->code)
        result.codewords = result.lost = result.sent * (n_cells / CELLS_OF_BLOCK);
    receive(samples, count, &sent, bandwidth, rate, way, &result);
    free(sent.cells);
    free(samples);
    transmitter_close(&t);
    return result;
}
