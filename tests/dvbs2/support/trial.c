/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECE = 5000 }; /* samples */

static void take(trial *t, const sender *s, const dvbs2_frame *frame)
{
    for (size_t i = 0; i < frame->n_packets; i++) {
        uint8_t sent[LDPC_TS_PACKET];
        const uint8_t *packet = frame->packets + i * LDPC_TS_PACKET;
        const uint32_t number =
            (uint32_t)packet[4] << 24 | (uint32_t)packet[5] << 16 | (uint32_t)packet[6] << 8 | packet[7];
        sender_packet(s, number, sent);
        t->right += !memcmp(packet, sent, sizeof sent);
        t->wrong += memcmp(packet, sent, sizeof sent) != 0 || (t->packets > 0 && number != t->next);
        t->next = number + 1;
        t->packets++;
    }
}

static void add_adjacent(const trial *t, size_t count, double ratio, float complex *samples, size_t n)
{
    const double pi = 3.14159265358979, gain = pow(10, t->adjacent_db / 20);
    float complex *symbols = malloc(count * sizeof *symbols), *other = malloc((n + 1) * sizeof *other);
    assert_true(symbols && other);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < count; i++)
            symbols[i] = (float)cos(pi / 4 + pi / 2 * floor(4 * uniform())) * (1 + I);
        sender_shape(symbols, count, ratio, t->roll_off, other);
        for (size_t i = 0; i < n; i++) {
            const double at = t->adjacent_at > 0 ? t->adjacent_at : 1.25;
            const double turn = 2 * pi * remainder(at * side * (double)i / ratio, 1);
            samples[i] += other[i] * (float complex)(gain * (cos(turn) + sin(turn) * I));
        }
    }
    free(symbols);
    free(other);
}

/* Saleh's model of a travelling-wave tube amplifier. */
static void amplify(float complex *symbols, size_t count, double back_off_db)
{
    const double gain = pow(10, -back_off_db / 20), pi = 3.14159265358979;
    double power = 0;
    for (size_t i = 0; i < count; i++) {
        const double r2 = pow(gain * cabs((double complex)symbols[i]), 2), turn = pi / 2 * r2 / (1 + r2);
        symbols[i] *= (float complex)((cos(turn) + sin(turn) * I) / (1 + r2));
        power += creal((double complex)(symbols[i] * conjf(symbols[i]))) / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        symbols[i] /= (float)sqrt(power);
}

static size_t make_samples(const trial *t, sender *senders, float complex **samples)
{
    float complex *symbols = malloc((t->frames + 1) * 33300 * sizeof *symbols);
    assert_non_null(symbols);
    size_t count = 0;
    for (size_t i = 0; i < t->frames; i++)
        count += sender_frame(&senders[t->streams ? i % t->streams : 0],
                              t->odd && i == t->frames / 2 ? t->odd : t->code, symbols + count);
    float phase = 0;
    for (size_t i = 0; i < count && t->walk > 0; i++) {
        phase += crealf(noise(2 * t->walk));
        symbols[i] *= cosf(phase) + sinf(phase) * I;
    }
    for (size_t i = count; i-- > 1 && t->echo_db != 0;)
        symbols[i] += (float)pow(10, t->echo_db / 20) * symbols[i - 1] * I;
    if (t->back_off_db > 0)
        amplify(symbols, count, t->back_off_db);
    const double ratio = t->ratio * (1 + 1e-6 * t->ppm);
    *samples = calloc((size_t)((double)count * ratio + 1) + t->lead, sizeof **samples);
    assert_non_null(*samples);
    const size_t n = t->lead + sender_shape(symbols, count, ratio, t->roll_off, *samples + t->lead);
    if (t->adjacent_db != 0)
        add_adjacent(t, count, ratio, *samples, n);
    channel(*samples, n, 0.2, t->offset / ratio, t->esn0_db - 10 * log10(t->ratio));
    free(symbols);
    for (size_t i = 0; i < n && t->drift != 0; i++) {
        const double at = (double)i / ratio,
                     turn = remainder(t->drift * at * at / 2, 1) * 2 * 3.14159265358979;
        (*samples)[i] *= (float)cos(turn) + (float)sin(turn) * I;
    }
    const float level = (float)pow(10, t->step_db / 20);
    for (size_t i = n / 2; i < n && level != 1; i++)
        (*samples)[i] *= level;
    return n;
}

void run(trial *t)
{
    sender senders[2] = {
        {.stream = t->streams ? 1 : 0, .seed = 1},
        {.stream = 2,                  .seed = 2}
    };
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    const dvbs2_frame *frame;
    float complex *samples;
    dvbs2_receiver_params_init(&params);
    params.symbol_rate = 1e6;
    params.sample_rate = t->ratio * 1e6;
    params.threads = t->threads ? t->threads : 1;
    params.offset = t->offset_range > 0 ? (t->offset - 0.9 * t->offset_range) * 1e6 : 0;
    params.offset_range = t->offset_range * 1e6;
    params.format = t->cu8 > 0 ? LDPC_CU8 : LDPC_CF32;
    params.stream = t->streams ? 2 : LDPC_BB_ANY_STREAM;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    const size_t n = make_samples(t, senders, &samples);
    for (size_t i = 0; i < t->bad; i++) {
        static const float values[] = {NAN, INFINITY, 0, 1e20f};
        samples[i] = values[i % 4];
        samples[n / 2 + i % 100] = samples[i];
    }
    uint8_t *bytes = malloc(2 * n);
    assert_non_null(bytes);
    for (size_t i = 0; i < 2 * n && t->cu8 > 0; i++)
        bytes[i] = (uint8_t)lrint(127.5 + 127 * t->cu8 * (double)((const float *)samples)[i]);
    for (size_t done = 0, held = 0; done < n;) {
        const void *next = t->cu8 > 0 ? (const void *)(bytes + 2 * done) : samples + done;
        const size_t left = t->gap && done < t->gap_at ? t->gap_at - done : n - done;
        const size_t taken = dvbs2_receiver_push(rx, next, left < PIECE ? left : PIECE);
        assert_true(taken > 0 || held > 0); /* when all frames are pulled, there is room for samples */
        done += taken;
        if (t->gap && taken > 0 && done == t->gap_at) {
            if (!t->unmarked)
                dvbs2_receiver_gap(rx);
            done += t->gap;
        }
        held = taken > 0 ? held + 1 : t->hold;
        if (held < t->hold)
            continue;
        held = 0;
        while ((frame = dvbs2_receiver_pull(rx)) != NULL) {
            take(t, &senders[t->streams ? 1 : 0], frame);
            dvbs2_receiver_status(rx, &t->status);
            if (t->status.frames == 1)
                t->first_carrier_hz = t->status.carrier_hz;
        }
    }
    dvbs2_receiver_finish(rx);
    while ((frame = dvbs2_receiver_pull(rx)) != NULL)
        take(t, &senders[t->streams ? 1 : 0], frame);
    dvbs2_receiver_status(rx, &t->status);
    dvbs2_receiver_destroy(rx);
    free(bytes);
    free(samples);
}

void all_received(trial *t)
{
    run(t);
    assert_true(t->packets > 0);
    assert_int_equal(t->wrong, 0);
    assert_true(t->status.frames + 1 >= t->frames);
    assert_int_equal(t->status.failed_frames, 0);
    assert_int_equal(t->status.locks, 1);
    assert_int_equal(t->status.state, DVBS2_STATE_TRACKING);
    assert_float_equal(t->status.roll_off, t->roll_off, 1e-6);
    assert_float_equal(t->status.carrier_hz, t->offset * 1e6, 20);
    assert_float_equal(t->status.clock_ppm, t->ppm, 5);
    assert_float_equal(t->status.esn0_db, t->esn0_db, 0.5);
    assert_float_equal(t->status.level_db, 10 * log10(1 + t->ratio * pow(10, -t->esn0_db / 10)), 0.2);
    assert_int_equal(t->status.lost_packets, 0);
}
