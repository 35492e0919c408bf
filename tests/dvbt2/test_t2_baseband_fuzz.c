/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baseband frames whose header has a right CRC-8 and absurd contents, of a data PLP and a common PLP, with in-band
 * signalling, ISSY and deleted null packets at random: what follows the BCH decoder survives them and keeps its
 * queues together.
 *
 *     test_t2_baseband_fuzz [FRAMES]          default 20000
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/plp/merge.h"

enum { HEADER = 10, PULLED = 50 };

static const struct {
    const char *name;
    uint32_t k; /* bits of a baseband frame: EN 302 755, tables 6 and 7 */
} codes[] = {
    {"dvbt2:16200:1/3", 5232 },
    {"dvbt2:16200:3/5", 9552 },
    {"dvbt2:64800:1/2", 32208},
    {"dvbt2:64800:5/6", 53840}
};

static unsigned long frames = 20000;
static uint64_t seed = 88172645463325252;

static uint32_t random_bits(unsigned count)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> (64 - count));
}

static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = bytes[i / 8] >> (7 - i % 8) & 1;
        crc = (crc << 1 ^ ((crc >> 7 ^ bit) & 1 ? 0xD5 : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

static void scramble(uint8_t *bytes, size_t count)
{
    uint32_t state = 0x4A80; /* 1 + x^14 + x^15 */
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        bytes[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
}

/* A transport stream more often than not, and lengths that fit more often than not. */
static void make_frame(uint8_t *frame, uint32_t k)
{
    const uint32_t bytes = (k + 7) / 8, room = k - 80;
    for (uint32_t i = 0; i < bytes; i++)
        frame[i] = (uint8_t)(random_bits(3) ? random_bits(8) : 0xFF);
    frame[0] = (uint8_t)((random_bits(2) ? 0xC0 : random_bits(2) << 6) | random_bits(6));
    uint32_t dfl = random_bits(1) ? room : random_bits(16);
    uint32_t syncd = random_bits(1) ? random_bits(11) : random_bits(16);
    if (random_bits(2) && dfl > room)
        dfl = room;
    if (random_bits(1)) { /* UPL of a transport stream; in high efficiency mode an ISSY field */
        frame[2] = 0x05;
        frame[3] = (uint8_t)(0xE0 + 8 * random_bits(2));
    }
    frame[4] = (uint8_t)(dfl >> 8);
    frame[5] = (uint8_t)dfl;
    frame[7] = (uint8_t)(syncd >> 8);
    frame[8] = (uint8_t)syncd;
    frame[9] = (uint8_t)(crc8(frame, 9) ^ random_bits(1));
    scramble(frame, bytes);
}

static void push_random(dvbt2_baseband *baseband, uint64_t time)
{
    uint8_t frame[53840 / 8];
    const uint32_t code = random_bits(2);
    dvbt2_interleaving_info info = {.start = time};
    info.plp.in_band_a_flag = random_bits(1);
    info.plp.in_band_b_flag = random_bits(1);
    info.plp.time_il_type = random_bits(1);
    info.plp.time_il_length = (uint8_t)random_bits(8);
    make_frame(frame, codes[code].k);
    const bool begins = random_bits(1);
    assert_int_equal(
        dvbt2_baseband_push(baseband, codes[code].name, frame, random_bits(4) == 0, begins ? &info : NULL),
        LDPC_OK);
    if (random_bits(6) == 0)
        dvbt2_baseband_break(baseband);
    assert_int_equal(baseband->packets.count, baseband->timeline.times.count);
    assert_true(baseband->timeline.settled <= baseband->timeline.taken + baseband->timeline.times.count);
    assert_in_range(baseband->signalling.a.n_frames, 0, 255);
}

static void check_frames(dvbt2_baseband *baseband)
{
    uint8_t frame[DVBT2_MAX_FRAME_BYTES];
    for (size_t bytes; (bytes = dvbt2_baseband_take_frame(baseband, frame, sizeof frame)) > 0;) {
        assert_in_range(bytes, HEADER, sizeof frame);
        assert_int_equal(bytes, HEADER + ((frame[4] << 8 | frame[5]) + 7) / 8);
    }
    assert_int_equal(baseband->frames.count, 0);
}

static void test_absurd_frames(void **state)
{
    (void)state;
    static uint8_t ts[PULLED * LDPC_TS_PACKET];
    dvbt2_plp_decoder_params params;
    dvbt2_baseband data, common;
    uint64_t merged = 0, unplaced = 0, packets = 0;
    dvbt2_plp_decoder_params_init(&params);
    params.generic_frames = true;
    assert_int_equal(dvbt2_baseband_init(&data, &params), LDPC_OK);
    assert_int_equal(dvbt2_baseband_init(&common, &params), LDPC_OK);
    common.timeline.clock = &data.timeline.own;
    for (unsigned long i = 0; i < frames; i++) {
        push_random(random_bits(1) ? &data : &common, i * (1 + random_bits(20)));
        size_t taken = dvbt2_merge_take(&data, &common, random_bits(7) == 0, ts, PULLED, &merged, &unplaced);
        for (size_t p = 0; p < taken; p++)
            assert_int_equal(ts[p * LDPC_TS_PACKET], 0x47);
        packets += taken;
        check_frames(&data);
        dvbt2_merge_limit(&common, &unplaced);
        assert_true(data.not_null <= data.packets.count && common.not_null <= common.packets.count);
        if (random_bits(4) == 0) /* as where L1 has no common PLP any more */
            packets += dvbt2_baseband_take(&common, ts, PULLED);
    }
    assert_true(packets > frames);
    assert_true(data.signalling.in_band_frames > 0 && data.signalling.in_band_errors > 0);
    assert_true(data.generic[0] && data.generic[1] && data.generic[2]);
    dvbt2_baseband_free(&data);
    dvbt2_baseband_free(&common);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        frames = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_absurd_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
