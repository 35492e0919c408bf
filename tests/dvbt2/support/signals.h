/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals of folder signals/ (make_signals.py). */
#ifndef DVBT2_TEST_SIGNALS_H
#define DVBT2_TEST_SIGNALS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNAL_MAX_PLPS = 2 };

typedef struct signal_plp {
    bool lite; /* PLP of T2-Lite frames */
    uint8_t plp_id;
    uint32_t count; /* packets that begin in the super-frame */
    uint32_t *crc;
} signal_plp;

typedef struct test_signal {
    float complex *samples;
    uint32_t n_samples; /* samples of the super-frame */
    uint32_t frames;    /* T2 frames of the super-frame */
    uint32_t n_plps;
    signal_plp plp[SIGNAL_MAX_PLPS];
} test_signal;

/* Fails the test if the signal does not exist. */
void test_signal_read(const char *name, test_signal *signal);
void test_signal_free(test_signal *signal);

#endif
