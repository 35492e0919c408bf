/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/issy.h"

uint64_t dvbt2_bufs_bits(uint32_t unit, uint32_t bufs)
{
    static const uint32_t units[] = {1, 1024, 1024 * 1024, 8 * 1024};
    return (uint64_t)bufs * units[unit & 3];
}

dvbt2_issy dvbt2_issy_of(const ldpc_bb_packet *packet)
{
    if (packet->issy_bytes != 2 && packet->issy_bytes != 3)
        return (dvbt2_issy){.kind = DVBT2_ISSY_NONE};
    /* 24 bits, left-aligned */
    const uint32_t field = packet->issy_bytes == 2 ? packet->issy << 8 : packet->issy;
    if (packet->issy_bytes == 2 && !(field >> 23))
        return (dvbt2_issy){.kind = DVBT2_ISSY_ISCR, .value = field >> 8, .bits = 15};
    if (packet->issy_bytes == 3 && field >> 22 == 2)
        return (dvbt2_issy){.kind = DVBT2_ISSY_ISCR, .value = field & 0x3FFFFF, .bits = 22};
    if (field >> 20 == 0xC)
        return (dvbt2_issy){.kind = DVBT2_ISSY_BUFS,
                            .value = dvbt2_bufs_bits(field >> 18, field >> 8 & 0x3FF)};
    if (field >> 20 == 0xD) {
        const uint32_t exponent = field >> 15 & 31, rest = packet->issy_bytes == 2 ? 0 : 8;
        return (dvbt2_issy){.kind = DVBT2_ISSY_TTO,
                            .value = ((uint64_t)(field & 0x7FFF) << exponent) >> 8,
                            .step = exponent > rest ? UINT64_C(1) << (exponent - rest) : 1};
    }
    return (dvbt2_issy){.kind = DVBT2_ISSY_NONE};
}
