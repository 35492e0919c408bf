/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals of the folder signals/, which make_signals.py describes. */
#ifndef DVBT2_TEST_SIGNALS_H
#define DVBT2_TEST_SIGNALS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNAL_MAX_PLPS = 2 };

typedef struct signal_plp {
    bool lite; /* of the T2-Lite frames */
    uint8_t plp_id;
    uint32_t count; /* packets that begin in the super-frame; the last may not end in it */
    uint32_t *crc;
} signal_plp;

typedef struct test_signal {
    float complex *samples; /* 64/7 MHz, power about 2, the first is the first of P1 */
    uint32_t n_samples;     /* a whole super-frame */
    uint32_t frames;        /* T2 frames of it */
    uint32_t n_plps;
    signal_plp plp[SIGNAL_MAX_PLPS];
} test_signal;

/* Fails the test if there is no such signal. */
void test_signal_read(const char *name, test_signal *signal);
void test_signal_free(test_signal *signal);

#endif
