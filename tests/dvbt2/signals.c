/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/golden.h"

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

static void read_text(const char *path, test_signal *signal)
{
    char name[32];
    unsigned unused;
    FILE *file = golden_open(path);
    while (fscanf(file, " %31s", name) == 1) {
        if (!strcmp(name, "plp")) {
            assert_true(signal->n_plps < SIGNAL_MAX_PLPS);
            read_plp(file, &signal->plp[signal->n_plps++]);
        } else {
            uint32_t *value = !strcmp(name, "samples")  ? &signal->n_samples
                              : !strcmp(name, "frames") ? &signal->frames
                                                        : &unused;
            assert_int_equal(fscanf(file, " %u", value), 1);
        }
    }
    fclose(file);
}

void test_signal_read(const char *name, test_signal *signal)
{
    const float step = 0.3352F;
    char path[64];
    memset(signal, 0, sizeof(*signal));
    snprintf(path, sizeof(path), "signals/%s.txt", name);
    read_text(path, signal);
    signal->samples = malloc(signal->n_samples * sizeof(*signal->samples));
    uint8_t *codes = malloc(signal->n_samples);
    assert_true(signal->samples && codes);
    snprintf(path, sizeof(path), "signals/%s.cs4", name);
    FILE *file = golden_open(path);
    assert_int_equal(fread(codes, 1, signal->n_samples, file), signal->n_samples);
    fclose(file);
    for (uint32_t i = 0; i < signal->n_samples; i++) {
        float re = (float)(codes[i] >> 4) - 7.5F, im = (float)(codes[i] & 15) - 7.5F;
        signal->samples[i] = step * (re + I * im);
    }
    free(codes);
}

void test_signal_free(test_signal *signal)
{
    for (uint32_t i = 0; i < signal->n_plps; i++)
        free(signal->plp[i].crc);
    free(signal->samples);
}
