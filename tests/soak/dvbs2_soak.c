/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receives DVB-S2 and S2X for hours: dvbs2_soak HOURS [THREADS [SEED]]
 *
 * One receiver gets segments of frames with random MODCODs, with a gap before each segment. Every packet is
 * compared with the transmitted one. Each minute, a line is printed. Exit status: 1 if a packet was wrong or none was
 * received, if less than 0.9 of the frames were received, if more than one of 1000 frames failed, or if the resident memory grew after the first fifth of the time. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dvbs2/support/sender.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbs2.h"

enum { FRAMES = 12, MOST_SYMBOLS = 33300, PIECE = 10000, LEAST_GROWTH = 2 << 20 };

static const double esn0_db = 24, least_share = 0.01, least_received = 0.9;

typedef struct soak {
    dvbs2_receiver *rx;
    sender transmitter;
    size_t modcods, next_modcod;   /* each MODCOD is sent once before the random ones */
    uint64_t sent, wrong, packets; /* number of frames; numbers of packets */
    float complex symbols[FRAMES * MOST_SYMBOLS], samples[2 * FRAMES * MOST_SYMBOLS];
} soak;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        exit(2);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static size_t make_segment(soak *s)
{
    size_t count = 0;
    for (int i = 0; i < FRAMES; i++) {
        const size_t random = (size_t)(uniform() * (double)s->modcods),
                     modcod = s->next_modcod < s->modcods ? s->next_modcod++ : random;
        const uint8_t code = ldpc_dvbs2_modcod_list(modcod)->pls_code;
        count += sender_frame(&s->transmitter, (uint8_t)(code + (uniform() < 0.5)), s->symbols + count);
        s->sent++;
    }
    const size_t n = sender_shape(s->symbols, count, 2, 0.2, s->samples);
    channel(s->samples, n, uniform(), 0.01 * (uniform() - 0.5), esn0_db - 3.01);
    return n;
}

static void pull(soak *s)
{
    const dvbs2_frame *frame;
    while ((frame = dvbs2_receiver_pull(s->rx)) != NULL)
        for (size_t i = 0; i < frame->n_packets; i++, s->packets++) {
            const uint8_t *got = frame->packets + i * LDPC_TS_PACKET;
            uint8_t sent[LDPC_TS_PACKET];
            sender_packet(&s->transmitter,
                          (uint32_t)got[4] << 24 | (uint32_t)got[5] << 16 | (uint32_t)got[6] << 8 | got[7],
                          sent);
            s->wrong += memcmp(got, sent, sizeof sent) != 0;
        }
}

static void receive_segment(soak *s)
{
    const size_t n = make_segment(s);
    dvbs2_receiver_gap(s->rx);
    for (size_t done = 0; done < n;) {
        const size_t left = n - done;
        done += dvbs2_receiver_push(s->rx, s->samples + done, left < PIECE ? left : PIECE);
        pull(s);
    }
}

static dvbs2_status report(const soak *s, double seconds)
{
    dvbs2_status status;
    dvbs2_receiver_status(s->rx, &status);
    printf("%6.0f s: %llu frames, %llu failed, %llu locks, %llu packets, %llu wrong, %.1f MiB\n", seconds,
           (unsigned long long)status.frames, (unsigned long long)status.failed_frames,
           (unsigned long long)status.locks, (unsigned long long)s->packets, (unsigned long long)s->wrong,
           resident_bytes() / (1 << 20));
    fflush(stdout);
    return status;
}

int main(int argc, char **argv)
{
    static soak s;
    const double start = now(), length = argc > 1 ? 3600 * atof(argv[1]) : 0;
    dvbs2_receiver_params params;
    dvbs2_receiver_params_init(&params);
    params.sample_rate = 2e6;
    params.symbol_rate = 1e6;
    params.threads = argc > 2 ? (uint32_t)atoi(argv[2]) : 2;
    if (length <= 0 || dvbs2_receiver_create(&params, &s.rx, NULL) != LDPC_OK) {
        fprintf(stderr, "usage: dvbs2_soak HOURS [THREADS [SEED]]\n");
        return 2;
    }
    s.transmitter.seed = argc > 3 ? (uint32_t)atoi(argv[3]) : 1;
    sender_seed(s.transmitter.seed);
    while (ldpc_dvbs2_modcod_list(s.modcods))
        s.modcods++;
    double before = 0, due = 0;
    for (double seconds = 0; seconds < length; seconds = now() - start) {
        receive_segment(&s);
        if (seconds >= due) {
            report(&s, seconds);
            due += 60;
        }
        if (seconds < length / 5 || s.next_modcod < s.modcods)
            before = resident_bytes();
    }
    const dvbs2_status status = report(&s, now() - start);
    const double growth = resident_bytes() - before;
    dvbs2_receiver_destroy(s.rx);
    const bool grew = growth > fmax(LEAST_GROWTH, least_share * before),
               right = s.wrong == 0 && s.packets > 0 &&
                       (double)status.frames >= least_received * (double)s.sent &&
                       1000 * status.failed_frames <= status.frames;
    printf("%s, memory grew by %.1f MiB after the first fifth\n", right ? "right" : "wrong",
           growth / (1 << 20));
    return !right || grew;
}
