/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the deframer: both modes, ISSY, deleted null packets, data fields that end inside a byte. Lost or
 * damaged frames may affect only their own packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "ldpc/ldpc.h"

enum { FRAMES = 12, MAX_PACKETS = 1024, MAX_BITS = 58192, MAX_UNIT_BITS = 8 * 192 };

/* Settings of the test transmitter. */
typedef struct sending {
    const char *name;
    bool high_efficiency;
    uint32_t issy; /* number of bytes in the ISSY field after each packet */
    bool null_deletion;
    bool short_upl; /* true: UPL does not include the DNP byte */
    uint32_t dfl;   /* 0 = all that fits */
    int stream;     /* ISI of the input stream; negative: single input stream */
} sending;

typedef struct sent {
    uint32_t k, packets;
    uint8_t ts[MAX_PACKETS][LDPC_TS_PACKET];
    uint32_t first[MAX_PACKETS], last[MAX_PACKETS];
    uint8_t frame[FRAMES][MAX_BITS]; /* scrambled bits, one per byte */
} sent;

static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = bytes[i / 8] >> (7 - i % 8) & 1;
        crc = (crc << 1 ^ ((crc >> 7 ^ bit) & 1 ? 0xD5 : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

static void put(uint8_t **bits, uint32_t value, int count)
{
    while (count-- > 0)
        *(*bits)++ = value >> count & 1;
}

static bool is_null(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

static void make_packet(uint8_t *packet, uint32_t number, bool null)
{
    memset(packet, 0xFF, LDPC_TS_PACKET);
    packet[0] = 0x47;
    packet[1] = 0x1F;
    packet[3] = 0x10;
    for (uint32_t i = null ? LDPC_TS_PACKET : 1; i < LDPC_TS_PACKET; i++)
        packet[i] = (uint8_t)(number * 31 + i * (7 + number % 5));
    if (!null)
        packet[1] = number >> 8 & 0x0F;
}

/* Writes a packet with CRC-8, ISSY and DNP. Returns the number of bytes. */
static uint32_t make_unit(const sending *s, const uint8_t *packet, uint32_t deleted, uint8_t *crc,
                          uint8_t *unit)
{
    uint32_t size = 0;
    if (!s->high_efficiency)
        unit[size++] = *crc;
    memcpy(unit + size, packet + 1, LDPC_TS_PACKET - 1);
    size += LDPC_TS_PACKET - 1;
    for (uint32_t i = 0; i < s->issy && !s->high_efficiency; i++)
        unit[size++] = (uint8_t)(0xC0 + i);
    if (s->null_deletion)
        unit[size++] = (uint8_t)deleted;
    *crc = crc8(unit + 1, size - 1);
    return size;
}

static void make_header(const sending *s, uint8_t *bits, uint32_t unit, uint32_t dfl, uint32_t syncd)
{
    uint8_t bytes[10], *start = bits;
    put(&bits, 3, 2);
    put(&bits, s->stream < 0, 1);
    put(&bits, 1, 1);
    put(&bits, s->issy > 0, 1);
    put(&bits, s->null_deletion, 1);
    put(&bits, 2, 2);
    put(&bits, s->stream < 0 ? 0 : (uint32_t)s->stream, 8);
    put(&bits, s->high_efficiency ? 0x1234 : 8 * (s->short_upl ? 188 : unit), 16);
    put(&bits, dfl, 16);
    put(&bits, s->high_efficiency ? 0 : 0x47, 8);
    put(&bits, syncd, 16);
    ldpc_pack(start, 72, bytes);
    put(&bits, crc8(bytes, 9) ^ (s->high_efficiency ? 1u : 0u), 8);
}

/* Adds or removes the scrambling sequence. */
static void scramble(uint8_t *bits, uint32_t count)
{
    uint8_t stage[16] = {0, 1, 0, 0, 1, 0, 1, 0, 1}; /* 1 .. 15 */
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bit = stage[14] ^ stage[15];
        memmove(stage + 2, stage + 1, 14);
        stage[1] = bit;
        bits[i] ^= bit;
    }
}

static uint32_t unit_bits(const sending *s)
{
    return 8 * (188 - s->high_efficiency + (s->high_efficiency ? 0 : s->issy) + s->null_deletion);
}

/* Returns the number of user packets that begin in the first `bits` bits of the data fields. */
static uint8_t *fill_stream(const sending *s, sent *all, uint32_t bits, uint32_t dfl)
{
    uint8_t *stream = malloc(bits + MAX_UNIT_BITS), unit[MAX_UNIT_BITS / 8], crc = 0;
    uint32_t deleted = 0;
    assert_non_null(stream);
    for (uint32_t at = 0; at < bits; all->packets++) {
        uint32_t i = all->packets;
        assert_in_range(i, 0, MAX_PACKETS - 1);
        bool null = s->null_deletion && i % 3 == 1;
        make_packet(all->ts[i], i, null);
        all->first[i] = at / dfl;
        all->last[i] = (at + unit_bits(s) - 1) / dfl;
        if (null) {
            deleted++;
            continue;
        }
        assert_int_equal(8 * make_unit(s, all->ts[i], deleted, &crc, unit), unit_bits(s));
        ldpc_unpack(unit, unit_bits(s), stream + at);
        at += unit_bits(s);
        deleted = 0;
    }
    return stream;
}

static sent *transmit(const sending *s)
{
    sent *all = calloc(1, sizeof *all);
    ldpc_bch *bch;
    assert_non_null(all);
    assert_int_equal(ldpc_bch_create(s->name, &bch, NULL), LDPC_OK);
    all->k = ldpc_bch_k(bch);
    ldpc_bch_destroy(bch);
    uint32_t dfl = s->dfl ? s->dfl : all->k - 80, unit = unit_bits(s);
    uint8_t *stream = fill_stream(s, all, FRAMES * dfl, dfl);
    for (uint32_t f = 0; f < FRAMES; f++) {
        uint32_t syncd = (unit - f * dfl % unit) % unit;
        make_header(s, all->frame[f], unit / 8, dfl, syncd < dfl ? syncd : LDPC_BB_NO_START);
        memcpy(all->frame[f] + 80, stream + f * dfl, dfl);
        scramble(all->frame[f], all->k);
    }
    free(stream);
    return all;
}

/* ---- receiving */

typedef struct received {
    uint32_t packets;
    uint8_t ts[MAX_PACKETS][LDPC_TS_PACKET];
    ldpc_bb_counters counters;
    ldpc_bb_header header;
} received;

/* lost, broken: bit i is frame i */
static received *receive(const char *name, const sent *all, bool packed, uint32_t lost, uint32_t broken)
{
    received *got = calloc(1, sizeof *got);
    ldpc_bb_deframer *deframer;
    uint8_t bytes[MAX_BITS / 8];
    size_t count;
    assert_non_null(got);
    assert_int_equal(ldpc_bb_deframer_create(name, LDPC_BB_ANY_STREAM, &deframer, NULL), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_k(deframer), all->k);
    for (uint32_t f = 0; f < FRAMES; f++) {
        if (lost >> f & 1)
            continue;
        const uint8_t *frame = all->frame[f];
        if (packed)
            ldpc_pack(frame, all->k, bytes);
        assert_int_equal(ldpc_bb_deframer_push(deframer, packed ? bytes : frame, packed, broken >> f & 1),
                         LDPC_OK);
        while ((count = ldpc_bb_deframer_pull(deframer, got->ts[got->packets], 3)) > 0)
            got->packets += (uint32_t)count;
    }
    got->counters = ldpc_bb_deframer_counters(deframer);
    got->header = ldpc_bb_deframer_header(deframer);
    assert_int_equal(got->counters.packets, got->packets);
    ldpc_bb_deframer_destroy(deframer);
    return got;
}

static void check(const sending *s, uint32_t lost, uint32_t broken)
{
    sent *all = transmit(s);
    for (int packed = 0; packed < 2; packed++) {
        received *got = receive(s->name, all, packed, lost, broken);
        uint32_t next = 0, marked = 0, nulls = 0;
        for (uint32_t i = 0; i < all->packets; i++) {
            uint32_t frames = (2u << all->last[i]) - (1u << all->first[i]);
            if (all->last[i] >= FRAMES || frames & lost)
                continue;
            if (frames & broken && is_null(all->ts[i]) && s->null_deletion)
                continue;
            if (frames & broken)
                all->ts[i][1] |= 0x80;
            marked += all->ts[i][1] >> 7;
            nulls += is_null(all->ts[i]);
            assert_in_range(next, 0, got->packets - 1);
            if (memcmp(got->ts[next], all->ts[i], LDPC_TS_PACKET))
                fail_msg("%s: packet %u came out otherwise", s->name, i);
            all->ts[i][1] &= 0x7F;
            next++;
        }
        assert_int_equal(got->packets, next);
        assert_int_equal(got->counters.ts_errors, marked);
        assert_int_equal(got->counters.null_packets, s->null_deletion ? nulls : 0);
        assert_int_equal(got->counters.header_errors + got->counters.crc_errors + got->counters.other_frames,
                         0);
        assert_true(lost ? got->counters.lost_packets > 0 : got->counters.lost_packets == 0);
        assert_true(got->header.valid && got->header.high_efficiency == s->high_efficiency);
        free(got);
    }
    free(all);
}

static const sending sendings[] = {
    {"dvbt2:64800:2/3",  false, 0, false, false, 0,           -1},
    {"dvbt2:64800:2/3",  true,  0, false, false, 0,           -1},
    {"dvbt2:64800:1/2",  false, 3, false, false, 0,           -1},
    {"dvbt2:64800:3/4",  false, 2, true,  false, 0,           -1},
    {"dvbt2:64800:3/4",  true,  3, true,  false, 0,           -1},
    {"dvbt2:16200:1/4",  true,  0, false, false, 2 * 187 * 8, -1},
    {"dvbc2:16200:8/9",  true,  0, true,  false, 0,           -1},
    {"dvbs2:64800:9/10", false, 0, false, false, 0,           -1},
    {"dvbs2:16200:1/2",  false, 0, true,  true,  0,           -1},
    {"dvbs2:16200:1/4",  false, 0, false, false, 8 * 100,     -1}, /* packets longer than frames */
    {"dvbs2x:30780:1/5", false, 0, false, false, 0,           -1}, /* data fields end inside a byte */
    {"dvbs2x:30780:1/3", false, 0, true,  false, 0,           7 },
};
enum { SENDINGS = sizeof sendings / sizeof *sendings };

static void test_all_packets(void **state)
{
    (void)state;
    for (int i = 0; i < SENDINGS; i++)
        check(&sendings[i], 0, 0);
}

static void test_lost_frames(void **state)
{
    (void)state;
    for (int i = 0; i < SENDINGS; i++)
        if (sendings[i].dfl == 0) {
            check(&sendings[i], 1u << 4, 0);
            check(&sendings[i], 3u << 4 | 1u << 8, 0);
        }
}

static void test_broken_frames(void **state)
{
    (void)state;
    for (int i = 0; i < SENDINGS; i++)
        if (sendings[i].high_efficiency || !sendings[i].null_deletion)
            check(&sendings[i], 0, 1u << 5 | 1u << 6);
}

static void test_crc(void **state)
{
    (void)state;
    const sending s = {"dvbs2:64800:1/2", false, 0, true, false, 0, -1};
    sent *all = transmit(&s);
    received *clean = receive(s.name, all, false, 0, 0);
    uint32_t wrong = 0;
    while (all->first[wrong] < 3 || is_null(all->ts[wrong]) || !is_null(all->ts[wrong - 1]))
        wrong++;
    uint32_t unit = unit_bits(&s), start = (unit - 3 * (all->k - 80) % unit) % unit, behind = 0;
    for (uint32_t i = wrong; all->first[i - 1] == 3; i--)
        behind += !is_null(all->ts[i - 1]);
    all->frame[3][80 + start + behind * unit + 8 * 50] ^= 1;
    received *got = receive(s.name, all, false, 0, 0);
    received *broken = receive(s.name, all, false, 0, 1u << 3);
    assert_int_equal(got->counters.crc_errors, 1);
    assert_int_equal(got->counters.ts_errors, 1);
    assert_int_equal(got->packets, clean->packets - 1);
    assert_memory_equal(got->ts, clean->ts, (wrong - 1) * LDPC_TS_PACKET);
    clean->ts[wrong][1] |= 0x80;
    clean->ts[wrong][50] ^= 0x80;
    for (uint32_t i = wrong; i < clean->packets; i++)
        assert_memory_equal(got->ts[i - 1], clean->ts[i], LDPC_TS_PACKET);
    assert_int_equal(broken->packets, got->packets);
    assert_int_equal(broken->counters.broken_frames, 1);
    assert_true(broken->counters.ts_errors > 1);
    free(clean);
    free(broken);
    free(got);
    free(all);
}

static void test_header(void **state)
{
    (void)state;
    const sending s = {"dvbt2:64800:2/3", false, 0, false, false, 0, -1};
    for (uint32_t bit = 0; bit < 80; bit += 3) {
        sent *all = transmit(&s);
        all->frame[5][bit] ^= 1;
        received *got = receive(s.name, all, true, 0, 1u << 5);
        received *without = receive(s.name, all, true, 1u << 5, 0);
        if (bit != 79) { /* bit 79 selects the mode */
            assert_int_equal(got->counters.header_errors, 1);
            assert_int_equal(got->packets, without->packets);
            assert_memory_equal(got->ts, without->ts, sizeof got->ts);
        }
        free(got);
        free(without);
        free(all);
    }
}

/* Frames of other input streams are skipped. Frames without a transport stream are also skipped. */
static void test_other_frames(void **state)
{
    (void)state;
    const sending s = {"dvbs2:16200:3/4", false, 0, false, false, 0, 9};
    sent *all = transmit(&s);
    uint8_t ts[LDPC_TS_PACKET];
    for (int32_t stream = 8; stream <= 9; stream++) {
        ldpc_bb_deframer *deframer;
        assert_int_equal(ldpc_bb_deframer_create(s.name, stream, &deframer, NULL), LDPC_OK);
        assert_int_equal(ldpc_bb_deframer_push(deframer, all->frame[0], false, false), LDPC_OK);
        assert_int_equal(ldpc_bb_deframer_counters(deframer).other_frames, stream == 8);
        assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 1), stream == 9);
        assert_int_equal(ldpc_bb_deframer_header(deframer).stream, 9);
        ldpc_bb_deframer_destroy(deframer);
    }
    free(all);
}

static void test_empty_frame(void **state)
{
    (void)state;
    const sending s = {"dvbs2:16200:2/3", false, 0, false, false, 0, -1};
    sent *all = transmit(&s);
    ldpc_bb_deframer *deframer;
    uint8_t ts[16 * LDPC_TS_PACKET];
    size_t count = 0;
    assert_int_equal(ldpc_bb_deframer_create(s.name, LDPC_BB_ANY_STREAM, &deframer, NULL), LDPC_OK);
    memset(all->frame[1], 0, all->k);
    make_header(&s, all->frame[1], 188, 0, 0);
    scramble(all->frame[1], all->k);
    for (uint32_t f = 0; f < 2; f++) {
        assert_int_equal(ldpc_bb_deframer_push(deframer, all->frame[f], false, false), LDPC_OK);
        count += ldpc_bb_deframer_pull(deframer, ts, 16);
    }
    assert_int_equal(count, (all->k - 80) / 8 / 188);
    assert_true(ldpc_bb_deframer_header(deframer).valid);
    assert_int_equal(ldpc_bb_deframer_counters(deframer).lost_packets, 0);
    assert_int_equal(ldpc_bb_deframer_counters(deframer).other_frames, 0);
    ldpc_bb_deframer_destroy(deframer);
    free(all);
}

static void test_order_of_calls(void **state)
{
    (void)state;
    const sending s = {"dvbt2:16200:1/2", true, 0, false, false, 0, -1};
    sent *all = transmit(&s);
    ldpc_bb_deframer *deframer;
    uint8_t ts[8 * LDPC_TS_PACKET];
    assert_int_equal(ldpc_bb_deframer_create(s.name, LDPC_BB_ANY_STREAM, &deframer, NULL), LDPC_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 8), 0);
        assert_int_equal(ldpc_bb_deframer_push(deframer, all->frame[0], false, false), LDPC_OK);
        assert_int_equal(ldpc_bb_deframer_push(deframer, all->frame[1], false, false), LDPC_AGAIN);
        assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 2), 2);
        assert_memory_equal(ts, all->ts[0], LDPC_TS_PACKET);
        assert_int_equal(ldpc_bb_deframer_push(deframer, all->frame[1], false, false), LDPC_AGAIN);
        assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 8), 2);
        assert_int_equal(ldpc_bb_deframer_counters(deframer).packets, 4);
        ldpc_bb_deframer_reset(deframer);
        assert_int_equal(ldpc_bb_deframer_counters(deframer).packets, 0);
    }
    ldpc_bb_deframer_destroy(deframer);
    free(all);
}

/* A frame of another standard arrives between two frames. */
static void test_change_of_code(void **state)
{
    (void)state;
    const sending t2 = {"dvbt2:16200:1/2", true, 0, false, false, 0, -1},
                  s2 = {"dvbs2:64800:2/3", false, 0, false, false, 0, -1};
    sent *one = transmit(&t2), *two = transmit(&s2);
    ldpc_bb_deframer *deframer;
    ldpc_error err = {""};
    static uint8_t ts[64 * LDPC_TS_PACKET];
    assert_int_equal(ldpc_bb_deframer_create(t2.name, LDPC_BB_ANY_STREAM, &deframer, NULL), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_push(deframer, one->frame[0], false, false), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_set_code(deframer, s2.name, &err), LDPC_AGAIN);
    assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 64), 4);
    assert_int_equal(ldpc_bb_deframer_set_code(deframer, "wimax:576:1/2", &err), LDPC_ERR_NAME);
    assert_int_equal(ldpc_bb_deframer_set_code(NULL, s2.name, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bb_deframer_set_code(deframer, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bb_deframer_k(deframer), one->k);
    assert_int_equal(ldpc_bb_deframer_set_code(deframer, s2.name, &err), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_k(deframer), two->k);
    assert_int_equal(ldpc_bb_deframer_push(deframer, two->frame[0], false, false), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_pull(deframer, ts, 64), (two->k - 80) / 8 / LDPC_TS_PACKET);
    assert_memory_equal(ts, two->ts[0], LDPC_TS_PACKET);
    assert_int_equal(ldpc_bb_deframer_set_code(deframer, t2.name, &err), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_push(deframer, two->frame[0], false, false), LDPC_OK);
    assert_int_equal(ldpc_bb_deframer_counters(deframer).header_errors, 1); /* of another length */
    ldpc_bb_deframer_destroy(deframer);
    free(one);
    free(two);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_bb_deframer *deframer;
    ldpc_error err = {""};
    uint8_t ts[LDPC_TS_PACKET];
    assert_int_equal(ldpc_bb_deframer_create("wimax:576:1/2", -1, &deframer, &err), LDPC_ERR_NAME);
    assert_null(deframer);
    assert_non_null(strstr(err.message, "wimax:576:1/2"));
    assert_int_equal(ldpc_bb_deframer_create("dvbt2:16200:1/2", 256, &deframer, &err), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_bb_deframer_create("dvbt2:16200:1/2", -2, &deframer, &err), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_bb_deframer_create(NULL, -1, &deframer, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bb_deframer_create("dvbt2:16200:1/2", -1, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bb_deframer_push(NULL, ts, true, false), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bb_deframer_pull(NULL, ts, 1), 0);
    assert_int_equal(ldpc_bb_deframer_k(NULL), 0);
    assert_int_equal(ldpc_bb_deframer_counters(NULL).frames, 0);
    assert_false(ldpc_bb_deframer_header(NULL).valid);
    ldpc_bb_deframer_reset(NULL);
    ldpc_bb_deframer_destroy(NULL);
}

static void test_noise(void **state)
{
    (void)state;
    uint64_t seed = 1;
    ldpc_bb_deframer *deframer;
    uint8_t frame[3072], ts[LDPC_TS_PACKET];
    assert_int_equal(ldpc_bb_deframer_create("dvbt2:16200:1/4", -1, &deframer, NULL), LDPC_OK);
    for (int f = 0; f < 2000; f++) {
        for (size_t i = 0; i < sizeof frame; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            frame[i] = (uint8_t)(seed >> 60);
        }
        assert_int_equal(ldpc_bb_deframer_push(deframer, frame, false, true), LDPC_OK);
        while (ldpc_bb_deframer_pull(deframer, ts, 1))
            assert_int_equal(ts[0], 0x47);
    }
    assert_in_range(ldpc_bb_deframer_counters(deframer).header_errors, 1950, 2000);
    ldpc_bb_deframer_destroy(deframer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_packets),     cmocka_unit_test(test_lost_frames),
        cmocka_unit_test(test_broken_frames),   cmocka_unit_test(test_crc),
        cmocka_unit_test(test_header),          cmocka_unit_test(test_other_frames),
        cmocka_unit_test(test_empty_frame),     cmocka_unit_test(test_order_of_calls),
        cmocka_unit_test(test_wrong_arguments), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_change_of_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
