/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/unpack.h"

#include <string.h>

/* Byte j of the copies keeps bit 7 - j; adding 127 carries it, wherever it stands, to the top of its byte. */
static uint64_t spread(uint8_t byte)
{
    uint64_t kept = (uint64_t)byte * 0x0101010101010101u & 0x0102040810204080u;
    return (kept + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

void ldpc_cuda_unpack(const uint8_t *packed, size_t bits, uint8_t *to)
{
    size_t i = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; i + 8 <= bits; i += 8) {
        uint64_t eight = spread(packed[i / 8]);
        memcpy(to + i, &eight, 8);
    }
#endif
    for (; i < bits; i++)
        to[i] = packed[i / 8] >> (7 - i % 8) & 1;
}
