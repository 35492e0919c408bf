/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/golden.h"

static void read_plp(FILE *file, signal_plp *plp)
{
    char profile[8];
    unsigned id, crc;
    assert_int_equal(fscanf(file, " %7s %u %u", profile, &id, &plp->count), 3);
    plp->lite = !strcmp(profile, "lite");
    plp->plp_id = (uint8_t)id;
    plp->crc = calloc(plp->count, sizeof(*plp->crc));
    assert_non_null(plp->crc);
    for (uint32_t i = 0; i < plp->count; i++) {
        assert_int_equal(fscanf(file, " %x", &crc), 1);
        plp->crc[i] = crc;
    }
}

/* Returns the bits of I and Q. */
static uint32_t read_text(const char *path, test_signal *signal)
{
    char name[32];
    uint32_t bits = 0, unused;
    FILE *file = golden_open(path);
    while (fscanf(file, " %31s", name) == 1) {
        if (!strcmp(name, "plp")) {
            assert_true(signal->n_plps < SIGNAL_MAX_PLPS);
            read_plp(file, &signal->plp[signal->n_plps++]);
        } else {
            uint32_t *value = !strcmp(name, "samples")  ? &signal->n_samples
                              : !strcmp(name, "bits")   ? &bits
                              : !strcmp(name, "frames") ? &signal->frames
                                                        : &unused;
            assert_int_equal(fscanf(file, " %u", value), 1);
        }
    }
    fclose(file);
    return bits;
}

/* Scales I to rms 1. */
static void read_samples(const char *path, uint32_t bits, test_signal *signal)
{
    const float step = 0.3352F, rms = 22.7F;
    const size_t bytes = signal->n_samples * bits / 4;
    uint8_t *codes = malloc(bytes);
    assert_non_null(codes);
    FILE *file = golden_open(path);
    assert_int_equal(fread(codes, 1, bytes, file), bytes);
    fclose(file);
    for (uint32_t i = 0; i < signal->n_samples; i++) {
        if (bits == 4)
            signal->samples[i] =
                step * (((float)(codes[i] >> 4) - 7.5F) + I * ((float)(codes[i] & 15) - 7.5F));
        else
            signal->samples[i] = ((float)(int8_t)codes[2 * i] + I * (float)(int8_t)codes[2 * i + 1]) / rms;
    }
    free(codes);
}

void test_signal_read(const char *name, test_signal *signal)
{
    char path[64];
    memset(signal, 0, sizeof(*signal));
    snprintf(path, sizeof(path), "signals/%s.txt", name);
    const uint32_t bits = read_text(path, signal);
    assert_true(bits == 4 || bits == 8);
    signal->samples = malloc(signal->n_samples * sizeof(*signal->samples));
    assert_non_null(signal->samples);
    snprintf(path, sizeof(path), "signals/%s.cs%u", name, bits);
    read_samples(path, bits, signal);
}

void test_signal_free(test_signal *signal)
{
    for (uint32_t i = 0; i < signal->n_plps; i++)
        free(signal->plp[i].crc);
    free(signal->samples);
}
