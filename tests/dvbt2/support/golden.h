/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test helpers of libdvbt2: digests and the files in this folder. */
#ifndef DVBT2_TEST_GOLDEN_H
#define DVBT2_TEST_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dvbt2/standard/parameters.h"

/* CRC-32 as in zlib; start with 0. */
uint32_t golden_crc(uint32_t crc, const void *data, size_t bytes);

/* Open the file in this folder; fails the test if it does not exist. */
FILE *golden_open(const char *name);

/* Return the value of a name in the standard; fail the test for an unknown name. */
dvbt2_fft_size golden_fft(const char *name);
dvbt2_guard_interval golden_guard(const char *name);

/* A line of symbols.txt: a mode and its digests. */
typedef struct golden_mode {
    dvbt2_mode mode;
    uint32_t crc[2][3]; /* digests, indexed by transmitter group and kind of symbol */
} golden_mode;

/* Read the next line; returns false at the end of the file. */
bool golden_read_mode(FILE *file, golden_mode *mode);

#endif
