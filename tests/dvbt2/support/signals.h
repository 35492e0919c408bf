/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals in the folder signals/; make_signals.py describes them. */
#ifndef DVBT2_TEST_SIGNALS_H
#define DVBT2_TEST_SIGNALS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNAL_MAX_PLPS = 2 };

typedef struct signal_plp {
    bool lite; /* PLP that the T2-Lite frames carry */
    uint8_t plp_id;
    uint32_t count; /* number of packets that begin in the super-frame; the last one may end in the next
                     * super-frame */
    uint32_t *crc;
} signal_plp;

typedef struct test_signal {
    float complex *samples; /* samples at 64/7 MHz with a mean power of about 2; the first sample is the start
                             * of P1 */
    uint32_t n_samples;     /* length of the super-frame in samples */
    uint32_t frames;        /* number of T2 frames in the super-frame */
    uint32_t n_plps;
    signal_plp plp[SIGNAL_MAX_PLPS];
} test_signal;

/* Reads a signal, and fails the test if it does not exist. */
void test_signal_read(const char *name, test_signal *signal);
void test_signal_free(test_signal *signal);

#endif
