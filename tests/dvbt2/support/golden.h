/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes digests and reads files of this folder. */
#ifndef DVBT2_TEST_GOLDEN_H
#define DVBT2_TEST_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dvbt2/standard/parameters.h"

/* Computes the CRC-32 of zlib. The first call starts with crc = 0. */
uint32_t golden_crc(uint32_t crc, const void *data, size_t bytes);

/* Opens a file. Fails the test if the file does not exist. */
FILE *golden_open(const char *name);

/* Returns the value that the standard assigns to a name. Fails the test if the name is unknown. */
dvbt2_fft_size golden_fft(const char *name);
dvbt2_guard_interval golden_guard(const char *name);

/* A line of symbols.txt. */
typedef struct golden_mode {
    dvbt2_mode mode;
    uint32_t crc[2][3]; /* [transmitter group][kind of symbol] */
} golden_mode;

/* Reads the next line. Returns false at the end of the file. */
bool golden_read_mode(FILE *file, golden_mode *mode);

#endif
