/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures demappers and deinterleavers on one core, by CPU time. Usage: dvb_demap [SECONDS PER LINE]
 *
 * Each line gives the best and the median speed from cells to LLRs in code order, or in cell order for
 * DVB-C2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ldpc/dvb_cells.h"

/* CPU time of this process, s. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static const struct line {
    const char *code, *modulation;
    bool rotated, exact, cell_noise;
} lines[] = {
    {"dvbt2:64800:2/3",      "qpsk",    false, false, false},
    {"dvbt2:64800:2/3",      "16qam",   false, false, false},
    {"dvbt2:64800:2/3",      "64qam",   false, false, false},
    {"dvbt2:64800:2/3",      "64qam",   false, false, true },
    {"dvbt2:64800:2/3",      "64qam",   false, true,  false},
    {"dvbt2:64800:2/3",      "256qam",  false, false, false},
    {"dvbt2:64800:2/3",      "256qam",  true,  false, false},
    {"dvbt2:64800:2/3",      "256qam",  true,  false, true },
    {"dvbt2:64800:2/3",      "256qam",  true,  true,  false},
    {"dvbt2:64800:2/3",      "256qam",  true,  true,  true },
    {"dvbt2:64800:2/3",      "64qam",   true,  false, true },
    {"dvbs2:64800:3/4",      "qpsk",    false, false, false},
    {"dvbs2:64800:3/4",      "8psk",    false, false, false},
    {"dvbs2:64800:3/4",      "16apsk",  false, false, false},
    {"dvbs2:64800:3/4",      "32apsk",  false, false, false},
    {"dvbs2:64800:3/4",      "32apsk",  false, true,  false},
    {"dvbc2:64800:3/4",      "1024qam", false, false, false},
    {"dvbc2:64800:3/4",      "4096qam", false, false, false},
    {"dvbs2x:64800:100/180", "8apsk",   false, false, false},
    {"dvbs2x:64800:132/180", "64apsk",  false, false, false},
    {"dvbs2x:64800:135/180", "128apsk", false, false, false},
    {"dvbs2x:64800:135/180", "256apsk", false, false, false},
    {"dvbs2x:64800:135/180", "256apsk", false, true,  false},
};

enum { MOST_RUNS = 1000 };

static int faster(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* One measured call. */
struct job {
    ldpc_demapper *dem;
    ldpc_cells cells;
    int8_t *llr;
    const ldpc_cell_deinterleaver *deint;
    uint32_t ti_size;
    float *out;
};

static void demap(struct job *job)
{
    ldpc_demap(job->dem, &job->cells, job->llr);
}

static void measure_noise(struct job *job)
{
    float noise;
    ldpc_demapper_noise(job->dem, &job->cells, &noise);
}

static void deinterleave(struct job *job)
{
    ldpc_cells_deinterleave(job->deint, job->ti_size, 0, job->ti_size, 2, job->cells.iq, job->out);
}

/* Prints the best and the median rate in million items per second. */
static void measure(void (*call)(struct job *), struct job *job, double items, double seconds,
                    double result[2])
{
    static double rates[MOST_RUNS];
    size_t runs = 0;
    for (const double start = now(); runs < 3 || (now() - start < seconds && runs < MOST_RUNS); runs++) {
        const double begin = now();
        for (int i = 0; i < 10; i++)
            call(job);
        rates[runs] = 10e-6 * items / (now() - begin);
    }
    qsort(rates, runs, sizeof *rates, faster);
    result[0] = rates[0];
    result[1] = rates[runs / 2];
}

/* A TI block of maximum size has 68 FEC blocks of 256-QAM. */
static int run_deinterleaver(double seconds)
{
    const uint32_t size = 68;
    double rate[2];
    ldpc_cell_deinterleaver *deint;
    if (ldpc_cell_deinterleaver_create("dvbt2:64800:2/3", "256qam", 3, &deint, NULL) != LDPC_OK)
        return 1;
    const size_t count = size * ldpc_cell_deinterleaver_cells(deint);
    float *const in = calloc(2 * count, sizeof *in), *const out = calloc(2 * count, sizeof *out);
    if (!in || !out)
        return 1;
    struct job job = {.cells = {.iq = in}, .deint = deint, .ti_size = size, .out = out};
    measure(deinterleave, &job, (double)count, seconds, rate);
    printf("time and cell deinterleaver, 256-QAM, TI block of 68 FEC blocks: %.1f, median %.1f million "
           "cells/s\n",
           rate[0], rate[1]);
    ldpc_cell_deinterleaver_destroy(deint);
    free(in);
    free(out);
    return 0;
}

static int run_line(const struct line *line, const char *kernel, double seconds)
{
    ldpc_error error;
    ldpc_demapper *dem;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = line->code;
    params.modulation = line->modulation;
    params.rotated = line->rotated;
    params.exact = line->exact;
    params.kernel = kernel;
    params.deinterleave = strncmp(line->code, "dvbc2", 5) != 0; /* not supported for DVB-C2 */
    if (ldpc_demapper_create(&params, &dem, &error) != LDPC_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const size_t count = ldpc_demapper_cells(dem);
    float *const iq = malloc(2 * count * sizeof *iq), *const noise = malloc(count * sizeof *noise);
    int8_t *const llr = malloc(ldpc_demapper_n(dem));
    if (!iq || !noise || !llr)
        return 1;
    for (size_t i = 0; i < count; i++) {
        const size_t point = (size_t)rand() & (((size_t)1 << ldpc_demapper_bits(dem)) - 1);
        iq[2 * i] = ldpc_demapper_points(dem)[2 * point] + 0.1f * ((float)rand() / (float)RAND_MAX - 0.5f);
        iq[2 * i + 1] =
            ldpc_demapper_points(dem)[2 * point + 1] + 0.1f * ((float)rand() / (float)RAND_MAX - 0.5f);
        noise[i] = 0.01f + 0.01f * (float)rand() / (float)RAND_MAX;
    }
    double rate[2], noise_rate[2];
    struct job job = {
        dem, {.n_codewords = 1, .iq = iq, .cell_noise = line->cell_noise ? noise : NULL, .noise = 0.015f},
        llr, NULL,
        0,   NULL
    };
    measure(demap, &job, (double)ldpc_demapper_n(dem), seconds, rate);
    measure_noise(&job); /* the first call creates a table */
    measure(measure_noise, &job, (double)ldpc_demapper_n(dem), seconds / 4, noise_rate);
    printf("%-8s %-20s %-7s %-8s %-8s %-10s %9.1f %9.1f %9.1f\n", kernel, line->code, line->modulation,
           line->rotated ? "rotated" : "", line->exact ? "exact" : "max-log",
           line->cell_noise ? "per cell" : "one", rate[0], rate[1], noise_rate[0]);
    fflush(stdout);
    ldpc_demapper_destroy(dem);
    free(iq);
    free(noise);
    free(llr);
    return 0;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0.5;
    const char *kernel;
    int failed = 0;
    puts("million LLRs/s on one core; the last column is measuring the noise");
    printf("%-8s %-20s %-7s %-8s %-8s %-10s %9s %9s %9s\n", "kernel", "code", "cells", "", "rule", "noise",
           "best", "median", "measured");
    for (size_t k = 0; (kernel = ldpc_demapper_kernel_list(k)); k++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines && !failed; i++)
            failed = run_line(&lines[i], kernel, seconds);
    return failed || run_deinterleaver(seconds);
}
