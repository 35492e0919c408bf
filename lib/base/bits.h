/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts between unpacked and packed bits. Unpacked: one bit per byte, in bit 0; the other bits of the byte
 * are ignored. Packed: eight bits per byte, the first bit most significant.
 *
 *     unpacked   b0 b1 b2 b3 b4 b5 b6 b7 b8 ...          one byte each
 *     packed     128 b0 + 64 b1 + 32 b2 + ... + b7 | 128 b8 + ...
 */
#ifndef LDPC_BITS_H
#define LDPC_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the size in bytes of `bits` packed bits. */
static inline size_t ldpc_packed_bytes(size_t bits)
{
    return (bits + 7) / 8;
}

/* Returns bit i of packed bits. */
static inline uint8_t ldpc_packed_bit(const uint8_t *packed, size_t i)
{
    return packed[i / 8] >> (7 - i % 8) & 1;
}

/* Packs eight bits into a byte. Bit 8 i of the 64-bit word becomes bit i of the result: the multiplication
 * moves it to bit 63 - i of the product, where no other term overlaps it. */
static inline uint8_t ldpc_pack_eight(const uint8_t *bits)
{
    uint64_t eight;
    memcpy(&eight, bits, sizeof eight);
    return (uint8_t)((eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x8040201008040201) >> 56);
}

/* Unpacks a byte. The multiplication makes eight copies of the byte; copy i keeps only its bit 7 - i. Adding
 * 127 to a copy carries this bit into the copy's top bit. */
static inline void ldpc_unpack_eight(uint8_t byte, uint8_t *bits)
{
    const uint64_t kept = byte * UINT64_C(0x0101010101010101) & UINT64_C(0x0102040810204080);
    const uint64_t eight = (kept + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(bits, &eight, sizeof eight);
}

/* Packs `count` bits into ldpc_packed_bytes(count) bytes. The last byte is padded with zeros. */
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

/* Unpacks `count` bits into `count` bytes. */
static inline void ldpc_unpack(const uint8_t *packed, size_t count, uint8_t *bits)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        ldpc_unpack_eight(packed[i / 8], bits + i);
    for (; i < count; i++)
        bits[i] = ldpc_packed_bit(packed, i);
}

#endif
