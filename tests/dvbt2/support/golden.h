/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helper functions for the tests of libdvbt2: digests, and access to the files of this folder. */
#ifndef DVBT2_TEST_GOLDEN_H
#define DVBT2_TEST_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dvbt2/standard/parameters.h"

/* Updates a CRC-32 as zlib computes it; the first call takes 0. */
uint32_t golden_crc(uint32_t crc, const void *data, size_t bytes);

/* Opens the file of this folder, and fails the test if it does not exist. */
FILE *golden_open(const char *name);

/* Returns the value that the standard assigns to a name, and fails the test for an unknown name. */
dvbt2_fft_size golden_fft(const char *name);
dvbt2_guard_interval golden_guard(const char *name);

/* A line of symbols.txt: a mode and the digests of its symbols. */
typedef struct golden_mode {
    dvbt2_mode mode;
    uint32_t crc[2][3]; /* digests, indexed by transmitter group and kind of symbol */
} golden_mode;

/* Reads the next line. Returns false at the end of the file. */
bool golden_read_mode(FILE *file, golden_mode *mode);

#endif
