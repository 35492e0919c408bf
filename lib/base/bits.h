/* SPDX-License-Identifier: BSD-3-Clause */
/* Unpacked bits: one per byte, in bit 0; all other bits are ignored. Packed bits: eight per byte, the first
 * most significant.
 *
 *     unpacked   b0 b1 b2 b3 b4 b5 b6 b7 b8 ...          one byte each
 *     packed     128 b0 + 64 b1 + 32 b2 + ... + b7 | 128 b8 + ...
 */
#ifndef LDPC_BITS_H
#define LDPC_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline size_t ldpc_packed_bytes(size_t bits)
{
    return (bits + 7) / 8;
}

static inline uint8_t ldpc_packed_bit(const uint8_t *packed, size_t i)
{
    return packed[i / 8] >> (7 - i % 8) & 1;
}

/* Packs eight bits. The multiplication moves bit 8 i to bit 63 - i of the product, without overlap. */
static inline uint8_t ldpc_pack_eight(const uint8_t *bits)
{
    uint64_t eight;
    memcpy(&eight, bits, sizeof eight);
    return (uint8_t)((eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x8040201008040201) >> 56);
}

/* Eight copies of the byte; copy i keeps bit 7 - i. Adding 127 moves this bit to the top. */
static inline void ldpc_unpack_eight(uint8_t byte, uint8_t *bits)
{
    const uint64_t kept = byte * UINT64_C(0x0101010101010101) & UINT64_C(0x0102040810204080);
    const uint64_t eight = (kept + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(bits, &eight, sizeof eight);
}

/* Packs `count` bits. The last byte is padded with zeros. */
static inline void ldpc_pack(const uint8_t *bits, size_t count, uint8_t *packed)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        packed[i / 8] = ldpc_pack_eight(bits + i);
    if (i < count) {
        uint8_t last[8] = {0};
        memcpy(last, bits + i, count - i);
        packed[i / 8] = ldpc_pack_eight(last);
    }
}

static inline void ldpc_unpack(const uint8_t *packed, size_t count, uint8_t *bits)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        ldpc_unpack_eight(packed[i / 8], bits + i);
    for (; i < count; i++)
        bits[i] = ldpc_packed_bit(packed, i);
}

#endif
