/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the whole receiver with known channels, for the table of docs/measurements/dvbt2.md.
 *
 *     test_t2_channels              rows marked as quick, with short signals
 *     test_t2_channels ROW...       the given rows, as lines of the table
 *     test_t2_channels --list       names of all rows, for xargs
 *     test_t2_channels --head       head of the table
 *
 * A row fails if an unmarked packet is wrong, more is lost than allowed, or counters are inconsistent. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/channel_rows.h"
#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/packet_frame.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/support/transmitter.h"

enum { QUICK_FRAMES = 6 };

/* Transmitted signal with its packets. */
typedef struct sent_signal {
    channel_signal s;
    sent_frame **frames;
    uint32_t n_frames;
    uint32_t packets;
} sent_signal;

/* ---- transmitter */

static void fill_post(const channel_mode *m, const transmitter *t, dvbt2_l1_post *post,
                      dvbt2_plp_format *format)
{
    const uint32_t l1_post = 752 > t->p.n_p2 ? 752 : t->p.n_p2; /* QPSK needs at least 752 L1-post cells */
    dvbt2_frame_map map;
    assert_int_equal(dvbt2_frame_map_init(&t->p, l1_post, &map, NULL), LDPC_OK);
    const uint32_t bits = 2U * m->plp_mod + 2, block = 64800 / bits;
    *format =
        (dvbt2_plp_format){.rotated = true, .ti_blocks = m->ti_blocks, .fec_blocks = map.n_cells / block};
    snprintf(format->code, sizeof format->code, "dvbt2:64800:%s", dvbt2_rate_name(m->plp_cod));
    snprintf(format->modulation, sizeof format->modulation, "%s", m->modulation);
    memset(post, 0, sizeof *post);
    post->config.sub_slices_per_frame = 1;
    post->config.num_plp = 1;
    post->config.plp[0] = (dvbt2_l1_plp){.plp_type = 1,
                                         .plp_payload_type = 3,
                                         .plp_fec_type = 1,
                                         .plp_mod = m->plp_mod,
                                         .plp_cod = m->plp_cod,
                                         .plp_rotation = 1,
                                         .plp_mode = 2,
                                         .frame_interval = 1,
                                         .plp_num_blocks_max = (uint16_t)format->fec_blocks,
                                         .time_il_length = (uint8_t)m->ti_blocks};
    post->dynamic.plp[0].plp_start = map.n_cells - format->fec_blocks * block;
    post->dynamic.plp[0].plp_num_blocks = (uint16_t)format->fec_blocks;
}

/* Appends frames of a mode. */
static void send(const channel_mode *m, sent_signal *all)
{
    static dvbt2_l1_post post;
    dvbt2_plp_format format;
    transmitter t;
    const dvbt2_l1_pre pre = mode_trial_l1_pre(&m->mode);
    transmitter_open(&t, &pre);
    fill_post(m, &t, &post, &format);
    const uint32_t length = t.p.frame_length;
    all->s.samples =
        realloc(all->s.samples, (all->s.count + (size_t)m->frames * length) * sizeof *all->s.samples);
    all->frames = realloc(all->frames, (all->n_frames + m->frames) * sizeof(sent_frame *));
    assert_true(all->s.samples && all->frames);
    for (uint32_t f = 0; f < m->frames; f++) {
        sent_frame *frame = packet_frame_send(&format, all->packets, 0);
        const float complex *const cells[] = {(const float complex *)frame->iq};
        post.dynamic.frame_idx = f % 2;
        transmitter_send(&t, &post, cells, all->s.samples + all->s.count);
        all->frames[all->n_frames++] = frame;
        all->packets += (uint32_t)frame->packets;
        all->s.count += length;
    }
    if (all->s.rate == 0) {
        all->s.rate = 64e6 / 7;
        all->s.p = t.p;
    }
    transmitter_close(&t);
}

/* ---- receiver */

typedef struct outcome {
    uint32_t right, marked, wrong; /* packets */
    uint32_t not_finite;           /* number of values that are not finite */
    bool *received;                /* [packet] true: received */
    dvbt2_status status;           /* status at the end, without its message */
} outcome;

/* Returns the transmitted packet that equals this packet, or NULL. */
static const uint8_t *sent_packet(const sent_signal *all, uint32_t number)
{
    for (uint32_t f = 0; f < all->n_frames; f++)
        if (number - all->frames[f]->first < all->frames[f]->packets)
            return all->frames[f]->ts[number - all->frames[f]->first];
    return NULL;
}

static void compare(const sent_signal *all, const uint8_t *packet, outcome *o)
{
    if (packet[1] & 0x80) { /* transport_error_indicator */
        o->marked++;
        return;
    }
    const uint32_t number =
        (uint32_t)packet[4] << 24 | (uint32_t)packet[5] << 16 | (uint32_t)packet[6] << 8 | packet[7];
    const uint8_t *expected = sent_packet(all, number);
    if (!expected || memcmp(expected, packet, LDPC_TS_PACKET) != 0 || o->received[number]) {
        o->wrong++;
        return;
    }
    o->received[number] = true;
    o->right++;
}

static void take_packets(dvbt2_plp_decoder *decoder, const sent_signal *all, outcome *o)
{
    uint8_t ts[LDPC_TS_PACKET];
    while (dvbt2_plp_decoder_pull(decoder, ts, 1))
        compare(all, ts, o);
}

static outcome receive(const sent_signal *all)
{
    enum { PIECE = 8192, CELLS = 1 << 16, SILENCE = 400000 /* samples */ };
    static float iq[2 * CELLS], noise_of[CELLS];
    static const float complex silence[PIECE];
    const channel_signal *s = &all->s;
    outcome o = {0};
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    dvbt2_plp_frame frame;
    uint32_t first;
    o.received = calloc(all->packets, sizeof *o.received);
    assert_non_null(o.received);
    dvbt2_receiver_params_init(&params);
    params.sample_rate = s->rate * (1 + 1e-6 * s->rate_error);
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &decoder, NULL), LDPC_OK);
    for (size_t at = 0; at < s->count + SILENCE;) {
        const bool ended = at >= s->count;
        const size_t left = ended || s->count - at > PIECE ? PIECE : s->count - at;
        if (!ended)
            dvbt2_receiver_status(rx, &o.status);
        at += dvbt2_receiver_push(rx, ended ? silence : s->samples + at, left);
        for (size_t count; (count = dvbt2_receiver_pull(rx, 0, CELLS, iq, noise_of, &frame, &first)) > 0;) {
            for (size_t c = 0; c < count; c++)
                o.not_finite += !isfinite(iq[2 * c]) || !isfinite(iq[2 * c + 1]) || isnan(noise_of[c]);
            dvbt2_plp_decoder_feed(decoder, &frame, first, count, iq, noise_of);
            take_packets(decoder, all, &o);
        }
    }
    dvbt2_plp_decoder_finish(decoder);
    take_packets(decoder, all, &o);
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    return o;
}

/* ---- rows */

static void apply(const channel_step *steps, channel_signal *s)
{
    for (int i = 0; i < CHANNEL_STEPS && steps[i].change; i++)
        steps[i].change(s, steps[i].x);
}

static void send_second(const channel_row *row, sent_signal *all)
{
    if (row->pause < 0)
        all->s.count -= all->s.p.frame_length / 2;
    else if (row->pause > 0) {
        const uint32_t pause = (uint32_t)(row->pause * all->s.rate);
        all->s.samples = realloc(all->s.samples, ((size_t)all->s.count + pause) * sizeof *all->s.samples);
        assert_non_null(all->s.samples);
        memset(all->s.samples + all->s.count, 0, pause * sizeof *all->s.samples);
        all->s.count += pause;
    }
    const uint32_t first = all->s.count;
    send(row->then, all);
    channel_signal second = all->s;
    second.samples += first;
    second.count -= first;
    channel_carrier(&second, (const double[]){row->then_carrier, 0, 0});
}

static bool consistent(const outcome *o)
{
    const dvbt2_status *s = &o->status;
    uint64_t losses = s->state == DVBT2_STATE_TRACKING;
    for (int i = 0; i < DVBT2_MAX_LOSSES; i++)
        losses += i == DVBT2_LOSS_ECHO ? 0 : s->losses[i];
    return losses == s->locks && o->not_finite == 0 && isfinite(s->cn_db) && isfinite(s->expected_mer_db) &&
           isfinite(s->carrier_hz) && isfinite(s->clock_ppm);
}

static void explain(const channel_row *row, const sent_signal *all, const outcome *o)
{
    const dvbt2_status *s = &o->status;
    fprintf(stderr,
            "%s: C/N %.1f dB, %+.1f Hz, %+.2f ppm, %u locks, last loss \"%s\", %u frames, %u lost, %u not "
            "finite; "
            "packets lost by frame:",
            row->name, s->cn_db, s->carrier_hz, s->clock_ppm, (unsigned)s->locks,
            dvbt2_loss_name(s->last_loss), (unsigned)s->frames, (unsigned)s->lost_frames, o->not_finite);
    for (uint32_t f = 0; f < all->n_frames; f++) {
        uint32_t lost = 0;
        for (uint32_t i = 0; i < all->frames[f]->packets; i++)
            lost += !o->received[all->frames[f]->first + i];
        fprintf(stderr, " %u", lost);
    }
    fprintf(stderr, "\n");
}

static bool run(const channel_row *row, bool quick)
{
    sent_signal all = {0};
    channel_mode mode = *row->mode;
    if (quick) {
        mode.frames = QUICK_FRAMES;
        mode.mode.n_data_symbols /= 3;
    }
    send(&mode, &all);
    const double packets_of_frame = (double)all.packets / all.n_frames;
    if (row->then)
        send_second(row, &all);
    apply(row->air, &all.s);
    channel_noise(&all.s, &row->cn);
    apply(row->tuner, &all.s);
    const outcome o = receive(&all);
    const double lost = (all.packets - o.right) / packets_of_frame;
    const bool any = row->most == ANY_LOSS;
    const bool good = o.wrong == 0 && (any || lost <= row->most) && consistent(&o);
    char most[32] = "any";
    if (!any)
        snprintf(most, sizeof most, row->most > 0 ? "%g" : "none", row->most);
    printf("| %s | %s | %s | %.4g | %u | %u | %u | %u | %.2f | %s | %s | %s |\n", row->name, row->text,
           mode.name, row->cn, all.packets, o.right, o.marked, o.wrong, lost, most, good ? "yes" : "**no**",
           row->asked ? row->asked : "not known");
    if (!good)
        explain(row, &all, &o);
    free(o.received);
    for (uint32_t f = 0; f < all.n_frames; f++)
        packet_frame_free(all.frames[f]);
    free(all.frames);
    free(all.s.samples);
    return good;
}

static const channel_row *row_named(const char *name)
{
    for (size_t i = 0; i < channel_row_count; i++)
        if (strcmp(channel_rows[i].name, name) == 0)
            return &channel_rows[i];
    fprintf(stderr, "test_t2_channels: unknown row \"%s\" (see --list)\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    const char *option = argc > 1 ? argv[1] : "";
    const bool list = strcmp(option, "--list") == 0, head = strcmp(option, "--head") == 0;
    bool good = true;
    if (head)
        puts("| row | channel | mode | C/N, dB | packets sent | right | marked | wrong | frames lost | "
             "expected at most | as expected | "
             "asked of receivers |\n|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < channel_row_count && argc < 3 && !head; i++)
        if (list)
            puts(channel_rows[i].name);
        else if (argc < 2 && channel_rows[i].quick)
            good = run(&channel_rows[i], true) && good;
    for (int i = 1; i < argc && !list && !head; i++)
        good = run(row_named(argv[i]), false) && good;
    return good ? 0 : 1;
}
