/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/generic.h"

#include <stdlib.h>

#include "base/crc8.h"
#include "base/memory.h"

dvbs2_generic *dvbs2_generic_create(void)
{
    return ldpc_allocate(1, sizeof(dvbs2_generic));
}

void dvbs2_generic_destroy(dvbs2_generic *generic)
{
    if (!generic)
        return;
    free(generic->packet.bytes);
    free(generic->pdus.bytes);
    free(generic);
}

void dvbs2_generic_break(dvbs2_generic *generic)
{
    generic->lost += generic->packet.count > 0;
    generic->packet.count = 0;
}

/* Outputs the packet if it is whole and has this CRC-8. */
static bool end_packet(dvbs2_generic *generic, uint8_t crc, uint8_t sync)
{
    dvbs2_bytes *packet = &generic->packet;
    if (packet->count == 0)
        return true;
    const size_t size = packet->count;
    packet->count = 0;
    if (size != generic->size || ldpc_crc8(packet->bytes + 1, size - 1) != crc) {
        generic->lost++;
        return true;
    }
    packet->bytes[0] = sync;
    generic->n_pdus++;
    return dvbs2_bytes_append_length(&generic->pdus, size) &&
           dvbs2_bytes_append(&generic->pdus, packet->bytes, size);
}

bool dvbs2_generic_push(dvbs2_generic *generic, const uint8_t *field, size_t count, size_t first, size_t size,
                        uint8_t sync)
{
    generic->pdus.count = generic->n_pdus = 0;
    if (size != generic->size)
        dvbs2_generic_break(generic);
    generic->size = size;
    if (generic->packet.count > 0 && !dvbs2_bytes_append(&generic->packet, field, first))
        return false;
    if (generic->packet.count > size)
        dvbs2_generic_break(generic);
    for (size_t at = first; at < count; at += size) {
        const size_t part = size < count - at ? size : count - at;
        if (!end_packet(generic, field[at], sync) || !dvbs2_bytes_append(&generic->packet, field + at, part))
            return false;
    }
    return true;
}
