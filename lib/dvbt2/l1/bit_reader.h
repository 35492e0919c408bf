/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads signalling fields from bits stored one per byte. */
#ifndef DVBT2_BIT_READER_H
#define DVBT2_BIT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads bits in order of transmission. Past the end, reads 0 and sets `overrun`. */
typedef struct dvbt2_bit_reader {
    const uint8_t *bits;
    size_t left;
    bool overrun;
} dvbt2_bit_reader;

static inline uint64_t dvbt2_take64(dvbt2_bit_reader *r, unsigned count)
{
    uint64_t value = 0;
    if (count > r->left) {
        r->overrun = true;
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        value = value << 1 | (r->bits[i] & 1);
    r->bits += count;
    r->left -= count;
    return value;
}

static inline uint32_t dvbt2_take32(dvbt2_bit_reader *r, unsigned count)
{
    return (uint32_t)dvbt2_take64(r, count);
}

static inline uint16_t dvbt2_take16(dvbt2_bit_reader *r, unsigned count)
{
    return (uint16_t)dvbt2_take64(r, count);
}

static inline uint8_t dvbt2_take8(dvbt2_bit_reader *r, unsigned count)
{
    return (uint8_t)dvbt2_take64(r, count);
}

static inline bool dvbt2_take_flag(dvbt2_bit_reader *r)
{
    return dvbt2_take64(r, 1) != 0;
}

#endif
