/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits, one per byte, to packed bytes. */
#include "cpu/cpu_kernel.h"

#include <string.h>

/* Eight bytes of 0/1 in memory order to one byte, first bit on top. */
static uint8_t pack_eight(const uint8_t *bits)
{
    uint8_t byte = 0;
    for (int i = 0; i < 8; i++)
        byte = (uint8_t)(byte << 1 | bits[i]);
    return byte;
}

void ldpc_cpu_pack(const uint8_t *bits, size_t n, uint8_t *packed)
{
    size_t whole = n / 8;
    for (size_t i = 0; i < whole; i++)
        packed[i] = pack_eight(bits + 8 * i);
    if (n % 8) {
        uint8_t last[8] = {0};
        memcpy(last, bits + 8 * whole, n % 8);
        packed[whole] = pack_eight(last);
    }
}
