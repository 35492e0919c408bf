/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits one per byte to packed bytes, most significant first, and back. */
#ifndef LDPC_BITS_H
#define LDPC_BITS_H

#include <stddef.h>
#include <stdint.h>

static inline size_t ldpc_packed_bytes(size_t bits)
{
    return (bits + 7) / 8;
}

/* Bit 0 of each byte counts; the last byte is filled up with zeros. */
static inline void ldpc_pack(const uint8_t *bits, size_t count, uint8_t *packed)
{
    for (size_t i = 0; i < count / 8; i++, bits += 8) {
        uint32_t byte = 0;
        for (int b = 0; b < 8; b++)
            byte = byte << 1 | (bits[b] & 1u);
        packed[i] = (uint8_t)byte;
    }
    for (size_t b = 0; b < count % 8; b++)
        packed[count / 8] = (uint8_t)((b ? packed[count / 8] : 0) | (bits[b] & 1) << (7 - b));
}

static inline void ldpc_unpack(const uint8_t *packed, size_t count, uint8_t *bits)
{
    for (size_t i = 0; i < count; i++)
        bits[i] = packed[i / 8] >> (7 - i % 8) & 1;
}

#endif
