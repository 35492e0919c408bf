/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the output of streams, from baseband frames to packets and PDUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/streams.h"
#include "dvbs2/support/sender.h"

enum { QPSK_1_4_SHORT = 4 * 1 + 2, MOST_SYMBOLS = 8370, DFL = 4, K_BYTES = 3072 / 8 };

static const char *const code = "dvbs2:16200:1/4";

static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++)
        crc = (crc << 1 ^ (((crc >> 7 ^ bytes[i / 8] >> (7 - i % 8)) & 1) ? 0xD5u : 0)) & 0xFF;
    return (uint8_t)crc;
}

/* Makes the next frame of the sender. */
static const uint8_t *make(sender *s)
{
    static float complex symbols[MOST_SYMBOLS];
    sender_frame(s, QPSK_1_4_SHORT, symbols);
    assert_int_equal(s->frame_bytes, K_BYTES);
    return s->frame;
}

/* Changes a header field of two bytes, and its CRC-8. */
static void change(sender *s, int field, uint32_t from, uint32_t to)
{
    uint8_t difference[9] = {0};
    difference[field] = (uint8_t)((from ^ to) >> 8);
    difference[field + 1] = (uint8_t)(from ^ to);
    for (int i = 0; i < 9; i++)
        s->frame[i] ^= difference[i];
    s->frame[9] ^= crc8(difference, sizeof difference);
}

static void check_packets(const dvbs2_streams *streams, const sender *s, uint32_t first)
{
    for (size_t i = 0; i < streams->n_packets; i++) {
        uint8_t sent[LDPC_TS_PACKET];
        sender_packet(s, first + (uint32_t)i, sent);
        assert_memory_equal(streams->packets + i * LDPC_TS_PACKET, sent, sizeof sent);
    }
}

static void test_a_data_field_that_is_too_long(void **state)
{
    (void)state;
    sender s = {.seed = 1};
    dvbs2_streams streams;
    bool selected;
    const uint32_t dfl = 8 * (K_BYTES - 10);
    assert_true(dvbs2_streams_init(&streams, LDPC_BB_ANY_STREAM));
    for (uint32_t longer = 0; longer <= 8; longer += 8) {
        make(&s);
        change(&s, DFL, dfl, dfl + longer);
        assert_int_equal(dvbs2_streams_push(&streams, code, s.frame, false, &selected), LDPC_OK);
        assert_true(selected);
        assert_int_equal(streams.header_errors, longer > 0);
        assert_int_equal(streams.n_packets, longer > 0 ? 0 : 1);
    }
    make(&s);
    change(&s, DFL, dfl, 65535);
    assert_int_equal(dvbs2_streams_push(&streams, code, s.frame, false, &selected), LDPC_OK);
    assert_int_equal(streams.header_errors, 2);
    dvbs2_streams_free(&streams);
}

static void test_streams_that_vanish(void **state)
{
    (void)state;
    sender senders[3] = {
        {.stream = 1,   .seed = 1},
        {.stream = 7,   .seed = 2},
        {.stream = 255, .seed = 3}
    };
    static const int order[] = {0, 1, 0, 1, 0, 0, 0, 2, 0, 1, 1, 2, 0};
    uint32_t next[3] = {0};
    dvbs2_streams streams;
    bool selected;
    assert_true(dvbs2_streams_init(&streams, LDPC_BB_ANY_STREAM));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        sender *s = &senders[order[i]];
        assert_int_equal(dvbs2_streams_push(&streams, code, make(s), false, &selected), LDPC_OK);
        assert_true(streams.n_packets > 0);
        check_packets(&streams, s, next[order[i]]);
        next[order[i]] += (uint32_t)streams.n_packets;
    }
    const ldpc_bb_counters counters = dvbs2_streams_counters(&streams);
    assert_int_equal(counters.packets, next[0] + next[1] + next[2]);
    assert_int_equal(counters.lost_packets, 0);
    dvbs2_streams_free(&streams);
}

static void test_losses_are_counted(void **state)
{
    (void)state;
    sender wanted = {.stream = 3, .seed = 1}, other = {.stream = 4, .seed = 2};
    dvbs2_streams streams;
    bool selected;
    assert_true(dvbs2_streams_init(&streams, 3));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dvbs2_streams_push(&streams, code, make(&other), false, &selected), LDPC_OK);
        assert_false(selected);
        make(&wanted);
        if (i == 2)
            wanted.frame[0] ^= 0x40;
        assert_int_equal(dvbs2_streams_push(&streams, code, wanted.frame, i == 2, &selected), LDPC_OK);
        assert_true(selected);
    }
    const ldpc_bb_counters counters = dvbs2_streams_counters(&streams);
    assert_int_equal(streams.other_frames, 4);
    assert_int_equal(streams.header_errors, 1);
    assert_int_equal(counters.lost_packets, 1);
    assert_true(counters.packets >= 3);
    dvbs2_streams_free(&streams);
}

/* Scrambles a baseband frame (EN 302 307-1, clause 5.2.2). */
static void scramble(uint8_t *frame)
{
    uint32_t state = 0x4A80;
    for (size_t i = 0; i < 8 * K_BYTES; i++) {
        const uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        frame[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
}

enum { UPS = 40, UP = 188, SYNC = 0xB8 };

/* Writes generic packet `number`, whose first byte is the sync byte. */
static void generic_packet(size_t number, uint8_t packet[UP])
{
    for (size_t i = 0; i < UP; i++)
        packet[i] = (uint8_t)(number * 31 + i * i);
    packet[0] = SYNC;
}

/* Writes baseband frame `number` of a generic packetised stream with fields of `count` bytes. */
static void generic_frame(size_t number, size_t count, uint8_t frame[K_BYTES])
{
    static uint8_t sent[UPS * UP];
    for (size_t i = 0; i < UPS; i++) {
        generic_packet(i, sent + i * UP);
        if (i > 0) {
            uint8_t before[UP];
            generic_packet(i - 1, before);
            sent[i * UP] = crc8(before + 1, UP - 1);
        }
    }
    const size_t from = number * count, next = (from + UP - 1) / UP * UP;
    const unsigned syncd = next < from + count ? (unsigned)(8 * (next - from)) : 0xFFFF;
    const unsigned upl = 8 * UP, dfl = (unsigned)(8 * count);
    const uint8_t header[9] = {0x30,         0,    (uint8_t)(upl >> 8),   (uint8_t)upl,  (uint8_t)(dfl >> 8),
                               (uint8_t)dfl, SYNC, (uint8_t)(syncd >> 8), (uint8_t)syncd};
    memset(frame, 0, K_BYTES);
    memcpy(frame, header, sizeof header);
    frame[9] = crc8(header, sizeof header);
    memcpy(frame + 10, sent + from, count);
    scramble(frame);
}

/* Generic packets, longer and shorter than the data fields; frame `lost` is missing, frame `broken` has bit errors. */
static void check_generic(size_t count, size_t lost, size_t broken)
{
    dvbs2_streams streams;
    bool selected, got[UPS] = {false};
    assert_true(dvbs2_streams_init(&streams, LDPC_BB_ANY_STREAM));
    const size_t frames = UPS * UP / count;
    for (size_t i = 0; i < frames; i++) {
        uint8_t frame[K_BYTES];
        generic_frame(i, count, frame);
        if (i == lost) {
            dvbs2_streams_break(&streams);
            continue;
        }
        assert_int_equal(dvbs2_streams_push(&streams, code, frame, i == broken, &selected), LDPC_OK);
        assert_int_equal(streams.n_packets, 0);
        for (size_t at = 0; at < streams.pdu_bytes; at += 2 + UP) {
            uint8_t sent[UP];
            size_t number = 0;
            assert_int_equal(streams.pdus[at] << 8 | streams.pdus[at + 1], UP);
            for (generic_packet(0, sent); memcmp(sent, streams.pdus + at + 2, UP) != 0;
                 generic_packet(number, sent))
                assert_true(++number < UPS);
            assert_false(got[number]);
            got[number] = true;
        }
    }
    const size_t whole = (frames * count - 1) / UP; /* packets whose CRC-8 was sent */
    for (size_t i = 0; i < whole; i++) {
        const size_t first = i * UP / count,
                     last = (i + 1) * UP / count; /* first frame of the packet; last frame of its CRC-8 */
        const bool hit = (lost >= first && lost <= last) || (broken >= first && broken <= last);
        assert_int_equal(got[i], !hit);
    }
    assert_true((streams.lost_pdus > 0) == (lost < frames || broken < frames));
    dvbs2_streams_free(&streams);
}

static void test_generic_packets(void **state)
{
    (void)state;
    check_generic(300, SIZE_MAX, SIZE_MAX);
    check_generic(61, SIZE_MAX, SIZE_MAX);
    check_generic(UP, SIZE_MAX, SIZE_MAX);
    check_generic(300, 4, 7);
    check_generic(61, 11, 30);
}

/* A frame with an invalid packet size is counted as one lost packet. */
static void test_generic_packets_that_are_not_supported(void **state)
{
    (void)state;
    dvbs2_streams streams;
    bool selected;
    assert_true(dvbs2_streams_init(&streams, LDPC_BB_ANY_STREAM));
    for (unsigned upl = 0; upl < 16; upl++) {
        uint8_t frame[K_BYTES];
        sender s = {.seed = 1};
        generic_frame(0, 300, frame);
        memcpy(s.frame, frame, K_BYTES);
        change(&s, 2, 8 * UP, upl);
        assert_int_equal(dvbs2_streams_push(&streams, code, s.frame, false, &selected), LDPC_OK);
        assert_int_equal(streams.lost_pdus, upl + 1);
    }
    dvbs2_streams_free(&streams);
}

/* Each packet is counted once, whether a frame has several packets or a packet has several frames. */
static void test_generic_packets_with_issy(void **state)
{
    (void)state;
    static const size_t counts[] = {61, 300};
    for (int i = 0; i < 2; i++) {
        dvbs2_streams streams;
        bool selected;
        const size_t count = counts[i], frames = UPS * UP / count;
        assert_true(dvbs2_streams_init(&streams, LDPC_BB_ANY_STREAM));
        for (size_t number = 0; number < frames; number++) {
            sender s = {.seed = 1};
            generic_frame(number, count, s.frame);
            change(&s, 0, 0x3000, 0x3800);
            assert_int_equal(dvbs2_streams_push(&streams, code, s.frame, false, &selected), LDPC_OK);
        }
        assert_int_equal(streams.lost_pdus, (frames * count + UP - 1) / UP);
        assert_int_equal(streams.pdu_count, 0);
        dvbs2_streams_free(&streams);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_data_field_that_is_too_long),
        cmocka_unit_test(test_streams_that_vanish),
        cmocka_unit_test(test_losses_are_counted),
        cmocka_unit_test(test_generic_packets),
        cmocka_unit_test(test_generic_packets_that_are_not_supported),
        cmocka_unit_test(test_generic_packets_with_issy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
