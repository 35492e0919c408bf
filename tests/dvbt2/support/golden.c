/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

uint32_t golden_crc(uint32_t crc, const void *data, size_t bytes)
{
    static uint32_t table[256];
    for (uint32_t i = 0; i < 256 && !table[255]; i++) {
        table[i] = i;
        for (int b = 0; b < 8; b++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320 : 0);
    }
    crc = ~crc;
    for (size_t i = 0; i < bytes; i++)
        crc = crc >> 8 ^ table[(crc ^ ((const uint8_t *)data)[i]) & 0xFF];
    return ~crc;
}

FILE *golden_open(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/dvbt2/%s", LDPC_TESTS_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

dvbt2_fft_size golden_fft(const char *name)
{
    for (int i = 0; i < DVBT2_FFT_SIZES; i++) {
        if (!strcmp(name, dvbt2_fft_size_name((dvbt2_fft_size)i)))
            return (dvbt2_fft_size)i;
    }
    fail_msg("unknown FFT size %s", name);
    return DVBT2_FFT_SIZES;
}

dvbt2_guard_interval golden_guard(const char *name)
{
    for (uint8_t i = 0; i < DVBT2_GUARD_INTERVALS; i++) {
        if (!strcmp(name, dvbt2_guard_interval_name(i)))
            return (dvbt2_guard_interval)i;
    }
    fail_msg("unknown guard interval %s", name);
    return DVBT2_GUARD_INTERVALS;
}

bool golden_read_mode(FILE *file, golden_mode *l)
{
    char text[256], fft[8], carriers[4], guard[8], antennas[8], tones[4];
    unsigned pattern, symbols, *a = l->crc[0], *b = l->crc[1];
    do {
        if (!fgets(text, sizeof(text), file))
            return false;
    } while (text[0] == '#');
    int n = sscanf(text, "%7s %3s %7s PP%u %7s %3s %u %x %x %x %x %x %x", fft, carriers, guard, &pattern,
                   antennas, tones, &symbols, &a[0], &a[1], &a[2], &b[0], &b[1], &b[2]);
    l->mode = (dvbt2_mode){
        .fft = golden_fft(fft),
        .guard = golden_guard(guard),
        .pilot_pattern = (uint8_t)pattern,
        .extended = carriers[0] == 'E',
        .miso = !strcmp(antennas, "MISO"),
        .tone_reservation = !strcmp(tones, "TR"),
        .n_data_symbols = (uint16_t)symbols,
    };
    assert_int_equal(n, l->mode.miso ? 13 : 10);
    return true;
}
