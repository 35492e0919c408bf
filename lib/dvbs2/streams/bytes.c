/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/bytes.h"

#include <string.h>

#include "base/memory.h"

bool dvbs2_bytes_append(dvbs2_bytes *to, const uint8_t *bytes, size_t count)
{
    if (to->count + count > to->room) {
        const size_t room = 2 * (to->count + count);
        uint8_t *grown = ldpc_reallocate(to->bytes, room, 1);
        if (!grown)
            return false;
        to->bytes = grown;
        to->room = room;
    }
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
    return true;
}

bool dvbs2_bytes_append_length(dvbs2_bytes *to, size_t length)
{
    const uint8_t prefix[] = {(uint8_t)(length >> 8), (uint8_t)length};
    return dvbs2_bytes_append(to, prefix, sizeof prefix);
}
