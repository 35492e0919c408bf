/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes arbitrary baseband frames to the deframer. Checks the sync bytes and the counters. A frame must be refused
 * while packets of the previous frame are waiting.
 *
 * Frames are scrambled and have a CRC-8, so the search varies only the fields. */
#include "base/bits.h"
#include "fuzz.h"
#include "ldpc/ldpc.h"

enum { MOST_BYTES = 16200 / 8, HEADER_BYTES = 10, MOST_FRAMES = 8, DEFRAMERS = 3 };

static ldpc_bb_deframer *deframer_of(uint32_t i)
{
    static ldpc_bb_deframer *deframers[DEFRAMERS];
    static const char *const names[DEFRAMERS] = {"dvbs2:16200:1/4", "dvbt2:16200:1/2", "dvbc2:16200:2/3"};
    if (!deframers[i])
        FUZZ_CHECK(ldpc_bb_deframer_create(names[i], i == 2 ? 5 : LDPC_BB_ANY_STREAM, &deframers[i], NULL) ==
                   LDPC_OK);
    ldpc_bb_deframer_reset(deframers[i]);
    return deframers[i];
}

/* CRC-8 of EN 302 307-1, clause 5.1.4: g(x) = x^8 + x^7 + x^6 + x^4 + x^2 + 1. */
FUZZ_NO_COVERAGE static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = ldpc_packed_bit(bytes, i) ^ (crc >> 7 & 1);
        crc = (crc << 1 ^ (bit ? 0xD5 : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

/* Scrambling of clause 5.2.2: 1 + x^14 + x^15. Stage 1 is bit 14. */
FUZZ_NO_COVERAGE static void scramble(uint8_t *bytes, size_t bits)
{
    uint32_t state = 0x4A80;
    for (size_t i = 0; i < bits; i++) {
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        bytes[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
}

/* Makes the header of a full frame, or takes ten bytes of the input as header. Then changes up to two bytes
 * of the header. */
static void make_header(fuzz_input *in, uint32_t flags, uint32_t k, uint8_t *header)
{
    const uint32_t field = k - 8 * HEADER_BYTES, syncd = fuzz_byte(in) * 8;
    const uint8_t full[HEADER_BYTES] = {0xF0,
                                        (uint8_t)fuzz_byte(in),
                                        188 * 8 >> 8,
                                        188 * 8 & 0xFF,
                                        (uint8_t)(field >> 8),
                                        (uint8_t)field,
                                        0x47,
                                        (uint8_t)(syncd >> 8),
                                        (uint8_t)syncd,
                                        0};
    memcpy(header, full, sizeof full);
    for (uint32_t i = 0; flags & 1 && i < HEADER_BYTES; i++)
        header[i] = (uint8_t)fuzz_byte(in);
    for (uint32_t edits = fuzz_below(in, 3); edits; edits--) {
        uint32_t place = fuzz_below(in, HEADER_BYTES);
        header[place] = (uint8_t)fuzz_byte(in);
    }
    if (!(flags & 2)) /* inverts the CRC's last bit in high efficiency mode */
        header[HEADER_BYTES - 1] = crc8(header, HEADER_BYTES - 1) ^ (flags >> 2 & 1);
}

static size_t pull_all(ldpc_bb_deframer *deframer)
{
    uint8_t ts[3 * LDPC_TS_PACKET];
    size_t count, total = 0;
    do {
        count = ldpc_bb_deframer_pull(deframer, ts, 3);
        FUZZ_CHECK(count <= 3);
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(ts[i * LDPC_TS_PACKET] == 0x47);
        total += count;
    } while (count == 3);
    return total;
}

static size_t push(fuzz_input *in, ldpc_bb_deframer *deframer)
{
    uint32_t flags = fuzz_byte(in), k = ldpc_bb_deframer_k(deframer);
    uint8_t frame[MOST_BYTES] = {0}, header[HEADER_BYTES], unpacked[8 * MOST_BYTES];
    make_header(in, flags, k, header);
    fuzz_fill(in, frame, ldpc_packed_bytes(k), fuzz_byte(in));
    memcpy(frame, header, sizeof header);
    scramble(frame, k);
    ldpc_unpack(frame, k, unpacked);
    bool packed = flags & 8, broken = flags & 16;
    FUZZ_CHECK(ldpc_bb_deframer_push(deframer, packed ? frame : unpacked, packed, broken) == LDPC_OK);
    ldpc_bb_header seen = ldpc_bb_deframer_header(deframer);
    FUZZ_CHECK(!seen.valid || seen.dfl <= k - 8 * HEADER_BYTES);
    return pull_all(deframer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    ldpc_bb_deframer *deframer = deframer_of(fuzz_below(&in, DEFRAMERS));
    size_t packets = 0, frames = 0;
    for (; in.left && frames < MOST_FRAMES; frames++)
        packets += push(&in, deframer);
    ldpc_bb_counters counters = ldpc_bb_deframer_counters(deframer);
    FUZZ_CHECK(counters.frames == frames && counters.packets == packets);
    FUZZ_CHECK(counters.header_errors + counters.other_frames <= frames);
    FUZZ_CHECK(counters.null_packets + counters.crc_errors <= packets && counters.ts_errors <= packets);
    return 0;
}
