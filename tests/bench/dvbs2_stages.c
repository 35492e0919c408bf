/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the CPU time of each stage of the DVB-S2 receiver on one thread. The roof is the time of the
 * stage's multiply-adds in registers. Usage: dvbs2_stages [TRIES [PLS_CODE ES_N0_DB]...]
 *
 * The signal has two samples per symbol (cs16), roll-off 0.2, pilots, a carrier offset of 0.0113 cycles per
 * symbol and a clock offset of 12 ppm. The first LEAD frames are not measured, because acquisition ends
 * there. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dvbs2/streams/fec.h"
#include "dvbs2/streams/streams.h"
#include "dvbs2/support/sender.h"
#include "dvbs2/sync/front_end.h"
#include "ldpc/dvbs2.h"

enum {
    SENT = 40,
    LEAD = 10,
    PIECE = 4096,
    MOST_SYMBOLS = 33282,
    ITERATIONS = 50,
    TRIES = 5,
    BLOCK = DVBS2_TIMING_BLOCK
};

static const double rate = 2e6, symbol_rate = 1e6, roll_off = 0.2;

typedef struct signal {
    int16_t *samples;
    size_t count;
} signal_of;

/* Stages. */
enum { WRITE, FILTER, TIMING, SYNCHRONISE, DEMAP, DECODE, STREAMS, WHOLE, CALLER, FRONT_END, STAGES };
static const char *const names[STAGES] = {"convert, remove DC, image and carrier",
                                          "matched filter and interpolator",
                                          "timing",
                                          "synchronise",
                                          "demap",
                                          "decode LDPC and BCH",
                                          "deframe",
                                          "whole receiver",
                                          "two threads: caller",
                                          "two threads: front end"};

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- multiply-adds of this core */

#if defined(__x86_64__)
#define PEAK(name, isa, width)                                                                               \
    __attribute__((target(isa))) static double name(void)                                                    \
    {                                                                                                        \
        typedef float vec __attribute__((vector_size(width)));                                               \
        enum { SUMS = 12, LOOPS = 200000 };                                                                  \
        vec sum[SUMS], factor = {0};                                                                         \
        memset(sum, 0, sizeof sum);                                                                          \
        factor += 0.999f;                                                                                    \
        const double begun = now();                                                                          \
        for (int i = 0; i < LOOPS; i++) {                                                                    \
            for (int s = 0; s < SUMS; s++)                                                                   \
                sum[s] = sum[s] * factor + factor;                                                           \
            __asm__ volatile("" : "+x"(factor));                                                             \
        }                                                                                                    \
        const double took = now() - begun;                                                                   \
        for (int s = 1; s < SUMS; s++)                                                                       \
            sum[0] += sum[s];                                                                                \
        __asm__ volatile("" ::"x"(sum[0]));                                                                  \
        return (double)LOOPS * SUMS * (width / 4) / took;                                                    \
    }
#ifndef __clang__ /* Clang contracts vector operations by default */
#pragma GCC optimize("fp-contract=fast")
#endif
PEAK(peak_avx512, "avx512f,avx512vl,fma", 64)
PEAK(peak_avx2, "avx2,fma", 32)
static double peak(void)
{
    double most = 0;
    for (int i = 0; i < 20; i++)
        most = fmax(most, __builtin_cpu_supports("avx512f") ? peak_avx512() : peak_avx2());
    return most;
}
#else
static double peak(void)
{
    return NAN;
}
#endif

/* ---- signal */

static signal_of make_signal(uint8_t code, double esn0_db)
{
    sender s = {.seed = 1};
    const double ratio = rate / symbol_rate * (1 + 12e-6);
    float complex *symbols = malloc((SENT + 1) * MOST_SYMBOLS * sizeof *symbols);
    float complex *samples = malloc((size_t)(SENT * 2.01 * MOST_SYMBOLS) * sizeof *samples);
    if (!symbols || !samples)
        exit(1);
    size_t count = 0;
    for (int i = 0; i < SENT; i++)
        count += sender_frame(&s, code, symbols + count);
    const signal_of made = {malloc((size_t)(SENT * 2.01 * MOST_SYMBOLS) * 4),
                            sender_shape(symbols, count, ratio, roll_off, samples)};
    channel(samples, made.count, 0.2, 0.0113 / ratio, esn0_db - 10 * log10(ratio));
    for (size_t i = 0; i < 2 * made.count; i++)
        made.samples[i] = (int16_t)lrint(5000 * (double)((const float *)samples)[i]);
    free(symbols);
    free(samples);
    return made;
}

/* ---- stages */

static bool counts(const signal_of *sent, size_t done)
{
    return done >= sent->count / SENT * LEAD;
}

static size_t piece(const signal_of *sent, size_t done)
{
    return sent->count - done < PIECE ? sent->count - done : PIECE;
}

static dvbs2_front_end make_front_end(void)
{
    dvbs2_front_end front;
    const dvbs2_front_end_params params = {
        .format = LDPC_CS16, .sample_rate = rate, .symbol_rate = symbol_rate, .roll_off = roll_off};
    if (!dvbs2_front_end_init(&front, &params))
        exit(1);
    return front;
}

/* Filters all samples without timing recovery. */
static void time_filter(const signal_of *sent, double times[STAGES])
{
    static float complex pairs[2 * BLOCK];
    dvbs2_front_end front = make_front_end();
    rx_resampler *r = &front.resampler;
    rx_resampler_set_clock(r, 12);
    rx_resampler_keep(r, 2 * BLOCK);
    for (size_t done = 0; done < sent->count;) {
        const double begun = now();
        const bool add = counts(sent, done);
        done += rx_resampler_write(r, sent->samples + 2 * done, piece(sent, done));
        const double written = now();
        while (rx_resampler_read(r, pairs, 2 * BLOCK) == 2 * BLOCK)
            ;
        times[WRITE] += add ? written - begun : 0;
        times[FILTER] += add ? now() - written : 0;
    }
    dvbs2_front_end_free(&front);
}

typedef struct chain {
    dvbs2_front_end front;
    dvbs2_synchroniser sync;
    dvbs2_fec fec;
    dvbs2_streams streams;
    int8_t llr[64800];
} chain;

static void decode(chain *c, const dvbs2_pl_frame *frame, double times[STAGES])
{
    dvbs2_fec_result result;
    bool selected;
    const ldpc_cells cells = {.n_codewords = 1, .iq = (const float *)frame->cells, .noise = frame->noise};
    const double begun = now();
    if (dvbs2_fec_decode(&c->fec, frame, &result, NULL) != LDPC_OK)
        exit(1);
    const double decoded = now();
    ldpc_demap(c->fec.chains[frame->format.modcod].demapper, &cells, c->llr);
    const double demapped = now();
    dvbs2_streams_push(&c->streams, ldpc_dvbs2_modcod_list(frame->format.modcod)->code, result.frame,
                       result.broken, &selected);
    times[STREAMS] += now() - demapped;
    times[DEMAP] += demapped - decoded;
    times[DECODE] += (decoded - begun) - (demapped - decoded);
}

static void time_chain(const signal_of *sent, double times[STAGES])
{
    static chain c;
    dvbs2_pl_frame frame;
    c = (chain){.front = make_front_end()};
    if (!dvbs2_synchroniser_init(&c.sync, 0) || !dvbs2_fec_init(&c.fec, ITERATIONS) ||
        !dvbs2_streams_init(&c.streams, LDPC_BB_ANY_STREAM))
        exit(1);
    for (size_t done = 0; done < sent->count;) {
        size_t room;
        if (!counts(sent, done))
            memset(times + TIMING, 0, (WHOLE - TIMING) * sizeof *times);
        double begun = now();
        done += dvbs2_front_end_write(&c.front, sent->samples + 2 * done, piece(sent, done));
        for (bool got = true; got;) {
            float complex *symbols = dvbs2_synchroniser_room(&c.sync, &room);
            got = room >= BLOCK && dvbs2_front_end_read(&c.front, symbols);
            times[TIMING] += now() - begun;
            begun = now();
            if (got)
                dvbs2_synchroniser_add(&c.sync, BLOCK);
            while (dvbs2_synchroniser_read(&c.sync, &frame)) {
                times[SYNCHRONISE] += now() - begun;
                decode(&c, &frame, times);
                begun = now();
            }
            times[SYNCHRONISE] += now() - begun;
            begun = now();
        }
    }
    times[TIMING] -= times[WRITE] + times[FILTER];
    dvbs2_front_end_free(&c.front);
    dvbs2_synchroniser_free(&c.sync);
    dvbs2_fec_free(&c.fec);
    dvbs2_streams_free(&c.streams);
}

/* CPU time of the calling thread in seconds. */
static double own(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Measures the CPU time of the process and of the calling thread. */
static void time_whole(const signal_of *sent, uint32_t threads, double *all, double *caller)
{
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    dvbs2_receiver_params_init(&params);
    params.sample_rate = rate;
    params.symbol_rate = symbol_rate;
    params.roll_off = roll_off;
    params.format = LDPC_CS16;
    params.max_iterations = ITERATIONS;
    params.threads = threads;
    if (dvbs2_receiver_create(&params, &rx, NULL) != LDPC_OK)
        exit(1);
    double begun = now(), own_begun = own();
    for (size_t done = 0; done < sent->count;) {
        if (!counts(sent, done)) {
            begun = now();
            own_begun = own();
        }
        done += dvbs2_receiver_push(rx, sent->samples + 2 * done, piece(sent, done));
        while (dvbs2_receiver_pull(rx))
            ;
    }
    *all = now() - begun;
    *caller = own() - own_begun;
    dvbs2_status status;
    dvbs2_receiver_status(rx, &status);
    if (status.failed_frames || !status.frames)
        printf("%d of %d frames failed\n", (int)status.failed_frames, (int)status.frames);
    dvbs2_receiver_destroy(rx);
}

/* ---- table */

/* Number of multiply-adds per symbol. Each sample needs 2 for the conversion, 9 for moments and image, and 9
 * for the carrier. */
static void operations(double of[STAGES])
{
    dvbs2_front_end front = make_front_end();
    of[WRITE] = 2 * (2 + 9 + 9);
    of[FILTER] = 2 * 2 * (double)front.resampler.taps;
    of[TIMING] = 8;
    of[SYNCHRONISE] = 2 * 4;
    dvbs2_front_end_free(&front);
}

static void measure(size_t tries, uint8_t code, double esn0_db)
{
    const signal_of sent = make_signal(code, esn0_db);
    double best[STAGES], work[STAGES] = {0}, sum = 0;
    const double symbols = (double)sent.count / 2 * (SENT - LEAD) / SENT, each = 1e9 / peak();
    for (size_t t = 0; t < tries; t++) {
        double times[STAGES] = {0};
        time_filter(&sent, times);
        time_chain(&sent, times);
        time_whole(&sent, 1, &times[WHOLE], &times[CALLER]);
        time_whole(&sent, 2, &times[FRONT_END], &times[CALLER]);
        times[FRONT_END] -= times[CALLER];
        for (int i = 0; i < STAGES; i++)
            best[i] = t == 0 || times[i] < best[i] ? times[i] : best[i];
    }
    operations(work);
    printf("PLS code %u, Es/N0 %.1f dB, kernels %s, multiply-adds %.1f per ns\n", code, esn0_db,
           rx_kernels_best()->name, 1 / each);
    printf("%-40s %10s %10s\n", "", "ns/symbol", "roof");
    for (int i = 0; i < STAGES; i++) {
        const double took = 1e9 * best[i] / symbols;
        sum += i < WHOLE ? took : 0;
        printf("%-40s %10.2f", names[i], took);
        printf(work[i] > 0 ? " %10.2f\n" : "\n", work[i] * each);
    }
    printf("%-40s %10.2f\nwhole receiver: %.1f Mbaud; with two threads on two cores: %.1f\n\n",
           "sum of the stages", sum, 1e-6 * symbols / best[WHOLE],
           1e-6 * symbols / fmax(best[CALLER], best[FRONT_END]));
    free(sent.samples);
}

int main(int argc, char **argv)
{
    const size_t tries = argc > 1 ? (size_t)atoi(argv[1]) : TRIES;
    if (argc < 4) {
        measure(tries, 4 * 13 + 1, 9.6);
        measure(tries, 4 * 4 + 1, 4.0);
    }
    for (int i = 2; i + 1 < argc; i += 2)
        measure(tries, (uint8_t)atoi(argv[i]), atof(argv[i + 1]));
    return 0;
}
