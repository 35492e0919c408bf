/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receives a band of 20 transponders: 27.5 Mbaud, 8PSK 2/3 with pilots, roll-off 0.2, every 34 MHz, 700 MS/s as cs8.
 * Usage: dvbs2_band [SECONDS [ES_N0_DB [THREADS [CARRIERS [BACKEND]]]]]
 *
 * A cyclic piece of 8.9 ms is pushed again and again. Of the 20 carriers, the first CARRIERS are received. At the joints of
 * the pieces, packets are lost, but frames are not. */
#define _POSIX_C_SOURCE 200809L
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2_band.h"
#include "receiver/channeliser.h"

enum {
    CARRIERS = 20,
    FRAMES = 11,
    FRAME = 22194, /* symbols */
    SYMBOLS = FRAMES * FRAME,
    SAMPLES = 280 * FRAME, /* 700 / 27.5 samples per symbol */
    CODE = 4 * 13 + 1,
    SPACING = 301857, /* bins of the FFT of all samples, 34.0 MHz */
    MEASURED = 40,    /* blocks */
};

static const double pi = 3.14159265358979323846, sample_rate = 700e6, symbol_rate = 27.5e6, roll_off = 0.2;

static double now(clockid_t of)
{
    struct timespec t;
    clock_gettime(of, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double frequency_of(size_t carrier)
{
    return ((double)carrier - (CARRIERS - 1) / 2.0) * SPACING * (sample_rate / SAMPLES);
}

static void *need(void *memory)
{
    if (!memory)
        exit(1);
    return memory;
}

/* ---- signal */

/* Amplitude of the root raised cosine spectrum at a frequency relative to the symbol rate. */
static double root_cosine(double f)
{
    const double x = (fabs(f) - (1 - roll_off) / 2) / roll_off;
    return x < 0 ? 1 : x > 1 ? 0 : cos(pi / 2 * x);
}

/* Writes the spectrum of FRAMES frames, which are repeated. */
static float complex *symbol_spectrum(void)
{
    sender s = {.seed = 1};
    float complex *symbols = need(fftwf_malloc((SYMBOLS + FRAME) * sizeof *symbols));
    fftwf_plan plan = need(fftwf_plan_dft_1d(SYMBOLS, symbols, symbols, FFTW_FORWARD, FFTW_ESTIMATE));
    for (size_t count = 0; count < SYMBOLS;)
        count += sender_frame(&s, CODE, symbols + count);
    fftwf_execute(plan);
    fftwf_destroy_plan(plan);
    return symbols;
}

static int8_t *make_band(double esn0_db)
{
    float complex *symbols = symbol_spectrum(), *band = need(fftwf_malloc(SAMPLES * sizeof *band));
    int8_t *samples = need(malloc(2 * (size_t)SAMPLES));
    fftwf_plan plan = need(fftwf_plan_dft_1d(SAMPLES, band, band, FFTW_BACKWARD, FFTW_ESTIMATE));
    const int half = (int)(SYMBOLS * (1 + roll_off) / 2);
    memset(band, 0, SAMPLES * sizeof *band);
    for (int c = 0; c < CARRIERS; c++) {
        const long centre = lrint(frequency_of((size_t)c) * SAMPLES / sample_rate);
        for (int k = -half; k <= half; k++) {
            const double complex delay = cexp(2 * pi * I * fmod(0.0371 * c * k, 1));
            band[(centre + k + SAMPLES) % SAMPLES] +=
                (float complex)(root_cosine((double)k / SYMBOLS) * delay) * symbols[(k + SYMBOLS) % SYMBOLS];
        }
    }
    fftwf_execute(plan);
    /* mean power of a carrier in `band`: SYMBOLS^2 * symbol_rate / sample_rate */
    const double scale = 6.0 / SYMBOLS * sqrt(sample_rate / symbol_rate), power = 36;
    for (size_t i = 0; i < SAMPLES; i++) {
        const float complex x =
            band[i] * (float)scale + noise(power * sample_rate / symbol_rate * pow(10, -esn0_db / 10));
        samples[2 * i] = (int8_t)lrint(fmax(-127, fmin(127, (double)crealf(x))));
        samples[2 * i + 1] = (int8_t)lrint(fmax(-127, fmin(127, (double)cimagf(x))));
    }
    fftwf_destroy_plan(plan);
    fftwf_free(symbols);
    fftwf_free(band);
    return samples;
}

/* ---- channeliser alone, one thread */

static void measure_channeliser(const int8_t *samples, size_t carriers)
{
    rx_channeliser c;
    rx_channel_band bands[CARRIERS];
    for (size_t i = 0; i < carriers; i++)
        bands[i] = (rx_channel_band){frequency_of(i), symbol_rate * 0.61};
    if (!rx_channeliser_init(&c, LDPC_CS8, sample_rate, sample_rate, bands, carriers))
        exit(1);
    float complex *work = need(rx_channeliser_allocate(2 * (size_t)c.fft)),
                  *spectra = need(rx_channeliser_allocate((size_t)MEASURED * c.fft));
    double transform = 1, outputs = 1;
    for (int t = 0; t < 5; t++) {
        double begun = now(CLOCK_THREAD_CPUTIME_ID);
        for (size_t b = 0; b < MEASURED; b++)
            rx_channeliser_transform(&c, samples + 2 * b * c.hop, work, spectra + b * c.fft);
        transform = fmin(transform, now(CLOCK_THREAD_CPUTIME_ID) - begun);
        begun = now(CLOCK_THREAD_CPUTIME_ID);
        for (size_t i = 0; i < carriers; i++)
            for (size_t b = 0; b < MEASURED; b++)
                rx_channeliser_outputs(&c, &c.channels[i], spectra + b * c.fft, work);
        outputs = fmin(outputs, now(CLOCK_THREAD_CPUTIME_ID) - begun);
    }
    const double seconds = MEASURED * c.hop / sample_rate, symbols = seconds * symbol_rate * (double)carriers;
    printf("channeliser, one thread: FFTs of %u and %u, %.3f samples per symbol\n", c.fft, c.channels[0].size,
           c.channels[0].rate / symbol_rate);
    printf("  conversion and FFT  %5.2f ns per sample  %5.2f ns per symbol\n",
           1e9 * transform / seconds / sample_rate, 1e9 * transform / symbols);
    printf("  channels            %5.2f ns per output  %5.2f ns per symbol\n",
           1e9 * outputs / symbols * symbol_rate / c.channels[0].rate, 1e9 * outputs / symbols);
    rx_channeliser_free(&c);
}

/* ---- all */

static dvbs2_band *create(uint32_t threads, size_t carriers, const char *backend)
{
    dvbs2_band_params params;
    dvbs2_receiver_params receivers[CARRIERS];
    dvbs2_band *band;
    ldpc_error err;
    dvbs2_band_params_init(&params);
    params.sample_rate = sample_rate;
    params.format = LDPC_CS8;
    params.threads = threads;
    params.backend = backend;
    for (size_t i = 0; i < carriers; i++) {
        dvbs2_receiver_params_init(&receivers[i]);
        receivers[i].symbol_rate = symbol_rate;
        receivers[i].offset = frequency_of(i);
        receivers[i].roll_off = roll_off;
    }
    if (dvbs2_band_create(&params, receivers, carriers, &band, &err)) {
        puts(err.message);
        exit(1);
    }
    return band;
}

static uint64_t failed_frames(dvbs2_band *band, size_t carriers, uint64_t *frames)
{
    uint64_t failed = 0;
    *frames = 0;
    for (size_t i = 0; i < carriers; i++) {
        dvbs2_status status;
        dvbs2_band_status(band, i, &status);
        failed += status.failed_frames;
        *frames += status.frames;
    }
    return failed;
}

/* Returns the samples of a channel that its receiver has taken; others are in the queue. */
static double received(dvbs2_band *band)
{
    dvbs2_status status;
    dvbs2_band_status(band, 0, &status);
    return (double)status.samples;
}

static void measure_band(const int8_t *samples, double seconds, uint32_t threads, size_t carriers,
                         const char *backend)
{
    dvbs2_band *band = create(threads, carriers, backend);
    const size_t pieces = (size_t)ceil(seconds * sample_rate / SAMPLES), lead = pieces / 10 + 3;
    double wall = 0, cpu = 0, before = 0, pushed = 0;
    uint64_t frames;
    const double begun = now(CLOCK_MONOTONIC), warm = strcmp(backend, "cpu") ? 12 : 0;
    for (size_t i = 0; i < lead + pieces; i++) {
        if (i < lead && now(CLOCK_MONOTONIC) - begun < warm) /* until the kernel of the GPU is compiled */
            i = 0;
        if (i == lead) { /* after the acquisition */
            wall = now(CLOCK_MONOTONIC);
            cpu = now(CLOCK_PROCESS_CPUTIME_ID);
            before = received(band);
        }
        dvbs2_band_push(band, samples, SAMPLES);
        pushed += SAMPLES;
    }
    dvbs2_band_finish(band);
    wall = now(CLOCK_MONOTONIC) - wall;
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    const uint64_t failed = failed_frames(band, carriers, &frames);
    const double signal = (1 - before / received(band)) * pushed / sample_rate,
                 symbols = signal * symbol_rate * (double)carriers;
    printf("%zu carriers, %u threads: %.3f s of signal in %.3f s: %.1f carriers in real time\n", carriers,
           threads, signal, wall, (double)carriers * signal / wall);
    printf("  processor %.1f ns per symbol, %.1f cores; %llu frames, %llu failed\n", 1e9 * cpu / symbols,
           cpu / wall, (unsigned long long)frames, (unsigned long long)failed);
    dvbs2_band_destroy(band);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0.5, esn0_db = argc > 2 ? atof(argv[2]) : 10;
    const uint32_t threads = argc > 3 ? (uint32_t)atoi(argv[3]) : 16;
    const size_t carriers = argc > 4 ? (size_t)atoi(argv[4]) : CARRIERS;
    if (carriers < 1 || carriers > CARRIERS)
        return 1;
    int8_t *samples = make_band(esn0_db);
    measure_channeliser(samples, carriers);
    measure_band(samples, seconds, threads, carriers, argc > 5 ? argv[5] : "cpu");
    free(samples);
    return 0;
}
