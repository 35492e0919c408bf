/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the loss of C/N in dB that in-band interferers cause, compared with a receiver that knows the
 * interference on each carrier.
 *
 *     test_t2_interference [SEED]   random interferers; the seed is printed
 *     test_t2_interference table    all rows of docs/measurements/dvbt2.md */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/interferers.h"
#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

static const double rate = 64e6 / 7;
/* Maximum C/N loss caused by an interferer, relative to the optimum, dB. */
static const double most = 0.7;
static unsigned seed = 1;

typedef enum kind { TONES, DC, FM, NARROW, PAL } kind;

typedef struct interferer {
    const char *name;
    kind kind;
    uint32_t tones;
    double level; /* level of each tone relative to the signal, dB */
} interferer;

static const interferer interferers[] = {
    {"none",                         TONES,  0,  0  },
    {"tone, -40 dBc",                TONES,  1,  -40},
    {"tone, -30 dBc",                TONES,  1,  -30},
    {"tone, -20 dBc",                TONES,  1,  -20},
    {"tone, -10 dBc",                TONES,  1,  -10},
    {"tone, 0 dBc",                  TONES,  1,  0  },
    {"tone, +10 dBc",                TONES,  1,  10 },
    {"16 tones, -30 dBc each",       TONES,  16, -30},
    {"DC, 0 dBc",                    DC,     1,  0  },
    {"FM, 200 kHz wide, -20 dBc",    FM,     1,  -20},
    {"FM, 200 kHz wide, -5 dBc",     FM,     1,  -5 },
    {"carrier of 12.5 kHz, -10 dBc", NARROW, 1,  -10},
    {"PAL with sound, -10 dBc",      PAL,    1,  -10},
};
enum { INTERFERERS = sizeof interferers / sizeof *interferers };

typedef struct trial_mode {
    const char *name;
    double cn; /* dB */
    dvbt2_mode mode;
} trial_mode;

static const trial_mode modes[] = {
    {"2K 1/16 PP4",
     14, {.fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4, .n_data_symbols = 120}},
    {"8K ext 1/16 PP4",
     18, {.fft = DVBT2_FFT_8K,
      .guard = DVBT2_GUARD_1_16,
      .pilot_pattern = 4,
      .extended = true,
      .n_data_symbols = 62}                                                                 },
    {"16K ext 19/128 PP3",
     18, {.fft = DVBT2_FFT_16K,
      .guard = DVBT2_GUARD_19_128,
      .pilot_pattern = 3,
      .extended = true,
      .n_data_symbols = 40}                                                                 },
    {"32K ext 1/128 PP7",
     22, {.fft = DVBT2_FFT_32K,
      .guard = DVBT2_GUARD_1_128,
      .pilot_pattern = 7,
      .extended = true,
      .n_data_symbols = 40}                                                                 },
};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- interferers */

static double any_frequency(void)
{
    return 7e6 * (uniform() - 0.5);
}

static float complex *make(const interferer *of, uint32_t count)
{
    float complex *samples = calloc(count, sizeof *samples);
    const double amplitude = pow(10, of->level / 20);
    assert_non_null(samples);
    for (uint32_t i = 0; i < of->tones; i++)
        switch (of->kind) {
        case TONES:
            interferer_tone(samples, count, rate, any_frequency(), amplitude);
            break;
        case DC:
            interferer_tone(samples, count, rate, 0, amplitude);
            break;
        case FM:
            interferer_fm(samples, count, rate, any_frequency(), 40e3, amplitude);
            break;
        case NARROW:
            interferer_narrow(samples, count, rate, any_frequency(), amplitude);
            break;
        case PAL:
            interferer_pal(samples, count, rate, amplitude);
            break;
        }
    return samples;
}

/* ---- trials */

static double bits_to_db(double bits)
{
    return decibel(exp2(bits) - 1);
}

static double genie(const dvbt2_parameters *p, const float complex *samples, uint32_t count, double noise_of)
{
    enum { MOST = 24 };
    const uint32_t n = p->fft_length, symbols = count / n < MOST ? count / n : MOST;
    fftwf_complex *buffer = fftwf_alloc_complex(n);
    double *power = calloc(p->carriers, sizeof *power), bits = 0;
    assert_true(buffer && power);
    fftwf_plan plan = fftwf_plan_dft_1d((int)n, buffer, buffer, FFTW_FORWARD, FFTW_ESTIMATE);
    for (uint32_t s = 0; s < symbols; s++) {
        memcpy(buffer, samples + (size_t)s * n, n * sizeof *buffer);
        fftwf_execute(plan);
        for (uint32_t k = 0; k < p->carriers; k++)
            power[k] +=
                (double)rx_power(buffer[(p->first_bin + n / 2 + k) % n]) / n / n * p->carriers / symbols;
    }
    for (uint32_t k = 0; k < p->carriers; k++)
        bits += log2(1 + 1 / (noise_of + power[k])) / p->carriers;
    fftwf_destroy_plan(plan);
    fftwf_free(buffer);
    free(power);
    return bits_to_db(bits);
}

typedef struct loss {
    double receiver, genie; /* dB */
} loss;

static loss measure(const trial_mode *m, const interferer *of)
{
    const double cn = m->cn;
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(&m->mode, &p, NULL), LDPC_OK);
    const uint32_t frames = 4, count = frames * p.frame_length;
    const double per_carrier = pow(10, -cn / 10);
    float complex *samples = make(of, count);
    const mode_trial_way way = {.frames = frames,
                                .dense = true,
                                .noise = per_carrier * p.fft_length / p.carriers,
                                .interferer = samples,
                                .interferer_samples = count};
    const mode_trial_result r = mode_trial_run(&m->mode, &way);
    loss l = {cn, cn - genie(&p, samples, count, per_carrier)};
    if (r.cells > 0)
        l.receiver = cn - bits_to_db(fmax(r.information, 1e-3));
    free(samples);
    return l;
}

/* Tests each interferer in one of two modes. */
static void test_cost(void **state)
{
    (void)state;
    double none[2];
    for (uint32_t m = 0; m < 2; m++)
        none[m] = measure(&modes[m], &interferers[0]).receiver;
    for (uint32_t i = 1; i < INTERFERERS; i++) {
        const uint32_t m = (i + seed) % 2;
        const loss l = measure(&modes[m], &interferers[i]);
        print_message("seed %u, %s, C/N %.0f dB, %s: costs %.2f dB, at best %.2f\n", seed, modes[m].name,
                      modes[m].cn, interferers[i].name, l.receiver - none[m], l.genie);
        assert_true(l.receiver - none[m] < l.genie + most);
    }
    /* without interferer */
    assert_true(fmax(none[0], none[1]) < 0.7);
}

static bool print_table(void)
{
    double none[MODES];
    bool good = true;
    for (uint32_t i = 0; i < INTERFERERS; i++) {
        printf("| %s |", interferers[i].name);
        for (uint32_t m = 0; m < MODES; m++) {
            const loss l = measure(&modes[m], &interferers[i]);
            printf(" %.2f (%.2f) |", l.receiver, l.genie);
            fflush(stdout);
            none[m] = i > 0 ? none[m] : l.receiver;
            good = l.receiver - none[m] < l.genie + most && good;
        }
        printf("\n");
    }
    return good;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cost),
    };
    if (argc > 1 && strcmp(argv[1], "table") == 0)
        return print_table() ? 0 : 1;
    if (argc > 1)
        seed = (unsigned)strtoul(argv[1], NULL, 10);
    for (unsigned i = 0; i < 1000 * seed; i++)
        uniform();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
