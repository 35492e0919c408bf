/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes samples to the DVB-T2 receiver: a signal that is cut, repeated, rotated, noisy, or replaced with
 * input bytes. One signal has absurd L1 with a correct CRC. Afterwards the receiver must receive a good
 * signal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dvbt2/support/finite.h"
#include "dvbt2/support/golden.h"
#include "dvbt2/support/l1_writer.h"
#include "dvbt2/support/signals.h"
#include "dvbt2/support/transmitter.h"
#include "fuzz.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"
#include "receiver/complex.h"

enum {
    FRAMES = 2,
    CELLS = 8100,
    MOST_SAMPLES = 1 << 16,
    MOST_CELLS = 1 << 14,
    PARTS = 12,
    OUTPUTS = 3,
    TS_PACKET = 188,
    PACKETS = 100,
    /* good frames since the last lock: at least LEAST_FRAMES, at most MOST_FRAMES until the receiver tracks
     * them */
    LEAST_FRAMES = 3,
    MOST_FRAMES = 20,
    /* maximum number of samples until the receiver tracks the good signal, 0.9 s */
    MOST_CLEAN = 1 << 23
};

static const char *const names[] = {"made", "lite", "type2", "miso"};
enum { SIGNALS = sizeof names / sizeof *names };

/* Signal "made": 2K FFT, guard interval 1/32, PP7. The frame has room for one FEC block in QPSK. */
static const dvbt2_l1_pre made_pre = {.guard_interval = DVBT2_GUARD_1_32,
                                      .pilot_pattern = 6,
                                      .l1_mod = DVBT2_L1_BPSK,
                                      .num_t2_frames = FRAMES,
                                      .num_data_symbols = 6,
                                      .num_rf = 1};
static transmitter made;
static const float complex *made_cells;

static dvbt2_l1_post made_post(uint8_t frame)
{
    dvbt2_l1_post post = {
        .config = {.sub_slices_per_frame = 1, .num_plp = 1},
          .dynamic = {.frame_idx = frame                        }
    };
    post.config.plp[0] = (dvbt2_l1_plp){.plp_id = 1,
                                        .plp_type = DVBT2_PLP_TYPE_1,
                                        .plp_payload_type = DVBT2_PAYLOAD_TS,
                                        .frame_interval = 1,
                                        .time_il_length = 1,
                                        .plp_num_blocks_max = 1};
    post.dynamic.plp[0] = (dvbt2_l1_plp_dynamic){.plp_id = 1, .plp_num_blocks = 1};
    return post;
}

static void make_frame(uint8_t frame, float complex *samples)
{
    static dvbt2_l1_post post;
    post = made_post(frame);
    transmitter_send(&made, &post, &made_cells, samples);
}

static void make_signal(test_signal *signal)
{
    static float complex cells[CELLS];
    static signal_plp plp = {.plp_id = 1};
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = rx_cplx(i % 3 ? 0.7071F : -0.7071F, i % 5 ? 0.7071F : -0.7071F);
    made_cells = cells;
    transmitter_open(&made, &made_pre);
    *signal = (test_signal){.n_samples = FRAMES * made.p.frame_length, .n_plps = 1, .plp = {plp}};
    signal->samples = malloc(signal->n_samples * sizeof *signal->samples);
    FUZZ_CHECK(signal->samples);
    for (uint8_t frame = 0; frame < FRAMES; frame++)
        make_frame(frame, signal->samples + frame * made.p.frame_length);
}

static const test_signal *signal_of(uint32_t number)
{
    static test_signal signals[SIGNALS];
    test_signal *signal = &signals[number];
    if (!signal->samples && number)
        test_signal_read(names[number], signal);
    else if (!signal->samples)
        make_signal(signal);
    return signal;
}

/* ---- reception */

typedef struct reception {
    const test_signal *signal;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    uint32_t frames; /* number of frames whose cells were all received */
} reception;

static bool was_sent(const signal_plp *plp, const uint8_t *packet)
{
    const uint32_t crc = golden_crc(0, packet, TS_PACKET);
    for (uint32_t i = 0; i < plp->count; i++)
        if (plp->crc[i] == crc)
            return true;
    return (packet[1] & 0x80) != 0; /* marked as wrong */
}

static void pull_packets(reception *r)
{
    static uint8_t ts[PACKETS * TS_PACKET];
    for (size_t count; (count = dvbt2_plp_decoder_pull(r->decoder, ts, PACKETS)) > 0;)
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(was_sent(&r->signal->plp[0], ts + i * TS_PACKET));
}

static void pull(reception *r)
{
    static float iq[2 * MOST_CELLS], noise[MOST_CELLS];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (uint32_t output = 0; output < OUTPUTS; output++)
        for (size_t count;
             (count = dvbt2_receiver_pull(r->rx, output, MOST_CELLS, iq, noise, &frame, &first)) > 0;) {
            FUZZ_CHECK(count <= MOST_CELLS && frame.cells > 0 && first + count <= frame.cells);
            for (size_t i = 0; i < count; i++)
                FUZZ_CHECK(isfinite(iq[2 * i] + iq[2 * i + 1] + noise[i]));
            if (output > 0)
                continue;
            dvbt2_plp_decoder_feed(r->decoder, &frame, first, count, iq, noise);
            pull_packets(r);
            r->frames += first + count == frame.cells && frame.plp.plp_id == r->signal->plp[0].plp_id;
        }
}

static void push(reception *r, const float complex *samples, size_t count)
{
    for (size_t done = 0, taken; done < count; done += taken) {
        taken = dvbt2_receiver_push(r->rx, samples + done, count - done);
        FUZZ_CHECK(taken <= count - done && all_finite(r->rx));
        pull(r);
    }
}

/* ---- frames with absurd L1 */

typedef struct draws {
    fuzz_input *in;
    uint64_t random;
} draws;

static uint32_t draw(draws *d, unsigned bits)
{
    return fuzz_bits(d->in, &d->random, bits);
}

static uint32_t draw_either(draws *d, unsigned many, unsigned few)
{
    return draw(d, draw(d, 1) ? many : few);
}

static void spoil_plp(draws *d, dvbt2_l1_plp *plp, dvbt2_l1_plp_dynamic *dynamic)
{
    plp->plp_id = (uint8_t)draw(d, 2);
    plp->plp_type = (uint8_t)draw_either(d, 3, 1);
    plp->plp_payload_type = (uint8_t)draw(d, 5);
    plp->first_frame_idx = (uint8_t)draw_either(d, 8, 1);
    plp->plp_cod = (uint8_t)draw(d, 3);
    plp->plp_mod = (uint8_t)draw_either(d, 3, 2);
    plp->plp_rotation = draw(d, 1);
    plp->plp_fec_type = (uint8_t)draw_either(d, 2, 1);
    plp->frame_interval = (uint8_t)draw_either(d, 8, 2);
    plp->time_il_length = (uint8_t)draw_either(d, 8, 2);
    plp->time_il_type = draw(d, 1);
    plp->in_band_a_flag = draw(d, 1);
    plp->in_band_b_flag = draw(d, 1);
    plp->plp_mode = (uint8_t)draw(d, 2);
    dynamic->plp_id = plp->plp_id;
    dynamic->plp_start = draw_either(d, 22, 10);
    dynamic->plp_num_blocks = (uint16_t)draw_either(d, 10, 2);
}

static void spoil_post(draws *d, dvbt2_l1_post *post)
{
    post->config.sub_slices_per_frame = (uint16_t)draw_either(d, 15, 3);
    post->config.num_plp = (uint8_t)draw(d, 2);
    post->config.fef_type = (uint8_t)draw(d, 4);
    post->config.fef_length = draw_either(d, 22, 12);
    post->config.fef_interval = (uint8_t)draw_either(d, 8, 1);
    post->dynamic.frame_idx = (uint8_t)draw_either(d, 8, 1);
    post->dynamic.sub_slice_interval = draw_either(d, 22, 10);
    post->dynamic.type_2_start = draw_either(d, 22, 10);
    post->dynamic.l1_change_counter = (uint8_t)draw(d, 8);
    for (uint32_t i = 0; i < post->config.num_plp; i++)
        spoil_plp(d, &post->config.plp[i], &post->dynamic.plp[i]);
}

/* Changes at most one field of the mode. */
static void spoil_pre(draws *d, dvbt2_l1_pre *pre)
{
    switch (draw(d, 4)) {
    case 0:
        pre->pilot_pattern = (uint8_t)draw(d, 4);
        break;
    case 1:
        pre->num_data_symbols = (uint16_t)draw(d, 12);
        break;
    case 2:
        pre->guard_interval = (uint8_t)draw(d, 3);
        break;
    case 3:
        pre->bwt_ext = true;
        break;
    case 4:
        pre->papr = (uint8_t)draw(d, 4);
        break;
    case 5:
        pre->num_t2_frames = (uint8_t)draw(d, 1);
        break;
    case 6:
        pre->num_rf = (uint8_t)draw(d, 3);
        break;
    case 7:
        pre->s2 = (uint8_t)draw(d, 4);
        break;
    case 8:
        pre->l1_repetition_flag = true;
        break;
    default:
        break;
    }
}

static void make_absurd_frame(draws *d, uint8_t frame, float complex *samples)
{
    static dvbt2_l1_post told;
    told = made_post(frame);
    spoil_pre(d, &made.pre);
    spoil_post(d, &told);
    made.told = &told;
    make_frame(frame, samples);
    made.pre = made_pre;
    made.told = NULL;
}

/* Pushes absurd frames, beginning at the next start of a frame. Returns the position after them. */
static uint32_t push_absurd_frames(fuzz_input *in, reception *r, uint32_t at)
{
    static float complex samples[MOST_SAMPLES];
    const uint32_t length = made.p.frame_length, frames = 1 + fuzz_below(in, 32);
    draws d = {in, fuzz_byte(in)};
    FUZZ_CHECK(length <= MOST_SAMPLES);
    at %= r->signal->n_samples;
    const uint32_t rest = (length - at % length) % length;
    push(r, r->signal->samples + at, rest);
    at += rest;
    for (uint32_t i = 0; i < frames; i++, at += length) {
        make_absurd_frame(&d, (uint8_t)(at / length % FRAMES), samples);
        push(r, samples, length);
    }
    return at;
}

/* ---- changes of a signal */

static void exchange(float complex *part, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const float complex other = part[count - 1 - i];
        part[count - 1 - i] = part[i];
        part[i] = other;
    }
}

/* Changes one sample. */
static float complex spoilt(uint32_t kind, float complex sample, float level, uint64_t *random)
{
    switch (kind) {
    case 1:
    case 8:
        return sample * level;
    case 2:
        return sample + level * rx_cplx((float)fuzz_random(random) * 0x1p-31F - 1,
                                        (float)fuzz_random(random) * 0x1p-31F - 1);
    case 4:
        return 0;
    case 5:
        return conjf(sample);
    case 6:
        return rx_cplx(crealf(sample) > 0 ? level : -level, cimagf(sample) > 0 ? level : -level);
    default:
        return sample;
    }
}

/* Replaces a few samples, or all samples, with arbitrary floats. */
static void put_floats(fuzz_input *in, float complex *part, uint32_t count)
{
    uint32_t edits = fuzz_byte(in), bits[2] = {0};
    for (uint32_t i = 0; i < edits; i++) {
        const uint32_t place = (fuzz_byte(in) << 8) % count;
        bits[0] = fuzz_word32(in);
        bits[1] = fuzz_word32(in);
        memcpy(&part[place + fuzz_byte(in) % (count - place)], bits, sizeof bits);
    }
    for (uint32_t i = 0; i < count && edits == 1; i++)
        memcpy(&part[i], bits, sizeof bits);
}

/* Makes a part of the signal that begins at sample `at`. Returns the number of samples in the part. */
static uint32_t make_part(fuzz_input *in, const test_signal *signal, uint32_t at, float complex *part)
{
    const uint32_t kind = fuzz_below(in, 9), count = (1 + fuzz_byte(in)) * (MOST_SAMPLES / 256);
    uint64_t random = fuzz_byte(in);
    const float byte = (float)fuzz_byte(in);
    const float level =
        powf(10, kind == 8 ? byte / 8 - 24 : byte / 42 - 3); /* 0.001 .. 1000, or impossible levels */
    for (uint32_t i = 0; i < count; i++)
        part[i] = spoilt(kind, signal->samples[(at + i) % signal->n_samples], level, &random);
    if (kind == 3)
        put_floats(in, part, count);
    if (kind == 7)
        exchange(part, count);
    return count;
}

/* ---- one run */

static void push_part(fuzz_input *in, reception *r, uint32_t *at)
{
    static float complex part[MOST_SAMPLES];
    const uint32_t then = fuzz_below(in, 8);
    if (then == 3 && r->signal == signal_of(0)) {
        *at = push_absurd_frames(in, r, *at);
        return;
    }
    const uint32_t count = make_part(in, r->signal, *at, part);
    push(r, part, count);
    *at += then == 0 ? fuzz_byte(in) * 64 : count; /* lost or repeated samples */
    if (then == 1)
        dvbt2_receiver_gap(r->rx, *at % 256);
    if (then == 2)
        dvbt2_receiver_retune(r->rx, 64e6 / 7, NULL);
}

static dvbt2_status status_of(const reception *r)
{
    dvbt2_status status;
    dvbt2_receiver_status(r->rx, &status);
    return status;
}

/* After absurd frames, the loops may need some of the short frames of "made", or lose the signal again. */
static void push_clean_signal(reception *r, uint32_t at)
{
    const test_signal *signal = r->signal;
    dvbt2_status now = status_of(r);
    r->frames = 0;
    for (uint32_t pushed = 0; r->frames < LEAST_FRAMES || now.state != DVBT2_STATE_TRACKING;) {
        const uint32_t from = (at + pushed) % signal->n_samples;
        const uint64_t locks = now.locks;
        FUZZ_CHECK(pushed < MOST_CLEAN && r->frames < MOST_FRAMES);
        push(r, signal->samples + from, signal->n_samples - from);
        now = status_of(r);
        if (now.locks != locks)
            r->frames = 0;
        pushed += signal->n_samples - from;
    }
}

static reception open_reception(fuzz_input *in, uint32_t flags)
{
    dvbt2_receiver_params params;
    reception r = {.signal = signal_of(flags % SIGNALS)};
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7 * (1 + (double)((int32_t)fuzz_byte(in) - 128) * 1e-6);
    params.offset = ((double)fuzz_byte(in) - 128) * 100;
    params.decision_directed = flags >> 2 & 1;
    params.n_plps = OUTPUTS;
    params.plp[0] = r.signal->plp[0].plp_id;
    params.plp[1] = 2;
    params.plp[2] = DVBT2_COMMON_PLP;
    params.profile = r.signal->plp[0].lite ? DVBT2_PROFILE_LITE_ONLY : DVBT2_PROFILE_BASE_ONLY;
    FUZZ_CHECK(dvbt2_receiver_create(&params, &r.rx, NULL) == LDPC_OK);
    FUZZ_CHECK(dvbt2_plp_decoder_create(NULL, &r.decoder, NULL) == LDPC_OK);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint32_t flags = fuzz_byte(&in);
    uint32_t at = fuzz_byte(&in) * 256;
    reception r = open_reception(&in, flags);
    if (flags & 8) { /* lets the receiver synchronise before the damaged parts */
        push_clean_signal(&r, at);
        at = 0;
    }
    for (uint32_t parts = 0; in.left && parts < PARTS; parts++)
        push_part(&in, &r, &at);
    push_clean_signal(&r, at);
    dvbt2_status status;
    dvbt2_receiver_status(r.rx, &status);
    FUZZ_CHECK(status.message && status.frames <= status.frames_seen + status.locks + 1);
    dvbt2_plp_decoder_finish(r.decoder);
    pull_packets(&r);
    dvbt2_plp_decoder_destroy(r.decoder);
    dvbt2_receiver_destroy(r.rx);
    return 0;
}
