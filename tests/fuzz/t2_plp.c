/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes any frames to a PLP decoder, in any order and divided into any parts. Random cells give no
 * codewords. Therefore baseband frames can also be passed directly to the stages after BCH. */
#include "dvbt2/plp/common_plp.h"
#include "fuzz.h"
#include "ldpc/dvbt2_plp.h"

enum { MOST_CELLS = 8100, FEEDS = 6, HEADER = 10, PULLED = 50 };

/* ---- cells */

/* Returns a frame description with one short FEC block. */
static dvbt2_plp_frame frame_of(fuzz_input *in)
{
    uint32_t flags = fuzz_byte(in);
    dvbt2_plp_frame frame = {
        .cells = MOST_CELLS, .cells_per_block = MOST_CELLS, .n_blocks = 1, .ti_blocks = 1, .frames = 1};
    frame.plp =
        (dvbt2_l1_plp){.plp_payload_type = DVBT2_PAYLOAD_TS, .frame_interval = 1, .time_il_length = 1};
    frame.frame = fuzz_byte(in);
    frame.lost = flags & 1 ? fuzz_byte(in) : 0;
    if (flags & 2)
        frame.frames = fuzz_byte(in);
    if (flags & 4)
        frame.part = fuzz_byte(in);
    if (flags & 8) {
        frame.n_blocks = fuzz_byte(in) << 2;
        frame.cells = fuzz_word32(in) >> (flags & 16 ? 0 : 16);
    }
    if (flags & 32) {
        frame.plp.plp_cod = fuzz_below(in, 9);
        frame.plp.plp_mod = fuzz_below(in, 5);
        frame.plp.plp_rotation = fuzz_byte(in) & 1;
        frame.ti_blocks = fuzz_byte(in);
    }
    if (flags & 64)
        frame.cells_per_block = fuzz_word32(in) >> 16;
    return frame;
}

static void pull(dvbt2_plp_decoder *dec)
{
    uint8_t ts[4 * LDPC_TS_PACKET];
    size_t count;
    while ((count = dvbt2_plp_decoder_pull(dec, ts, 4)) > 0)
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(ts[i * LDPC_TS_PACKET] == 0x47);
}

static void feed(fuzz_input *in, dvbt2_plp_decoder *dec)
{
    dvbt2_plp_frame frame = frame_of(in);
    uint32_t first = fuzz_byte(in) << 5, flags = fuzz_byte(in);
    size_t count = (1 + fuzz_byte(in)) << 5;
    count = count > MOST_CELLS ? MOST_CELLS : count;
    if (flags & 1) { /* the whole frame at once */
        first = 0;
        count = frame.cells < MOST_CELLS ? frame.cells : MOST_CELLS;
    }
    float *iq = malloc(2 * count * sizeof *iq),
          *noise = malloc(count * sizeof *noise); /* memory of exact size */
    FUZZ_CHECK(iq && noise);
    for (size_t i = 0; i < count; i++) {
        iq[2 * i] = i * i % 7 < 4 ? 0.7f : -0.7f;
        iq[2 * i + 1] = i % 5 < 3 ? 0.7f : -0.7f;
        noise[i] = flags & 2 ? -1 : 0.1f;
    }
    dvbt2_plp_decoder_feed(dec, &frame, first, count, iq, noise);
    free(iq);
    free(noise);
}

static void decode_cells(fuzz_input *in, int stream)
{
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder *dec;
    dvbt2_plp_decoder_params_init(&params);
    params.max_iterations = 2;
    params.stream = stream;
    FUZZ_CHECK(dvbt2_plp_decoder_create(&params, &dec, NULL) == LDPC_OK);
    for (uint32_t feeds = 0; in->left && feeds < FEEDS; feeds++) {
        uint32_t then = fuzz_byte(in);
        feed(in, dec);
        if (then & 1)
            pull(dec);
        if (then & 2)
            dvbt2_plp_decoder_break(dec);
        if (then & 4)
            dvbt2_plp_decoder_finish(dec);
    }
    dvbt2_plp_decoder_finish(dec);
    pull(dec);
    dvbt2_plp_counters counters = dvbt2_plp_decoder_counters(dec);
    FUZZ_CHECK(counters.failed_codewords <= counters.codewords && counters.bit_errors <= counters.bits);
    FUZZ_CHECK(counters.bch_failed <= counters.codewords);
    dvbt2_plp_decoder_destroy(dec);
}

/* ---- baseband frames of a data PLP and a common PLP */

typedef struct draws {
    fuzz_input *in;
    uint64_t random;
} draws;

static uint32_t draw(draws *d, unsigned bits)
{
    return fuzz_bits(d->in, &d->random, bits);
}

static const struct {
    const char *name;
    uint32_t k; /* bits of a baseband frame (EN 302 755, tables 6 and 7) */
} codes[] = {
    {"dvbt2:16200:1/3", 5232 },
    {"dvbt2:16200:3/5", 9552 },
    {"dvbt2:64800:1/2", 32208},
    {"dvbt2:64800:5/6", 53840}
};

static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = bytes[i / 8] >> (7 - i % 8) & 1;
        crc = (crc << 1 ^ ((crc >> 7 ^ bit) & 1 ? 0xD5 : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

FUZZ_NO_COVERAGE static void scramble(uint8_t *bytes, size_t count)
{
    uint32_t state = 0x4A80; /* 1 + x^14 + x^15 */
    for (size_t i = 0; i < 8 * count; i++) {
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        bytes[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
}

FUZZ_NO_COVERAGE static void fill(draws *d, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t random = fuzz_random(&d->random);
        bytes[i] = (uint8_t)(random >> 29 ? random >> 16 : 0xFF);
    }
}

/* Makes a frame. Most frames hold a transport stream and have valid lengths. */
static void make_frame(draws *d, uint8_t *frame, uint32_t k)
{
    const uint32_t bytes = (k + 7) / 8, room = k - 80;
    fill(d, frame, bytes);
    frame[0] = (uint8_t)((draw(d, 2) ? 0xC0 : draw(d, 2) << 6) | draw(d, 6));
    uint32_t dfl = draw(d, 1) ? room : draw(d, 16);
    const uint32_t syncd = draw(d, draw(d, 1) ? 11 : 16);
    if (draw(d, 2) && dfl > room)
        dfl = room;
    if (draw(d, 1)) { /* UPL or ISSY */
        frame[2] = 0x05;
        frame[3] = (uint8_t)(0xE0 + 8 * draw(d, 2));
    }
    frame[4] = (uint8_t)(dfl >> 8);
    frame[5] = (uint8_t)dfl;
    frame[7] = (uint8_t)(syncd >> 8);
    frame[8] = (uint8_t)syncd;
    frame[9] = (uint8_t)(crc8(frame, 9) ^ draw(d, 1));
    scramble(frame, bytes);
}

static void push_frame(draws *d, dvbt2_baseband *baseband, uint64_t time)
{
    uint8_t frame[53840 / 8];
    const uint32_t code = draw(d, 2), flags = draw(d, 8);
    dvbt2_interleaving_info info = {.start = time};
    info.plp.in_band_a_flag = flags & 1;
    info.plp.in_band_b_flag = flags & 2;
    info.plp.time_il_type = flags & 4;
    info.plp.time_il_length = (uint8_t)draw(d, 8);
    make_frame(d, frame, codes[code].k);
    FUZZ_CHECK(dvbt2_baseband_push(baseband, codes[code].name, frame, !(flags & 0x78),
                                   flags & 128 ? &info : NULL) == LDPC_OK);
    if (draw(d, 6) == 0)
        dvbt2_baseband_break(baseband);
    FUZZ_CHECK(baseband->packets.count == baseband->timeline.times.count);
    FUZZ_CHECK(baseband->timeline.settled <= baseband->timeline.taken + baseband->timeline.times.count);
    FUZZ_CHECK(baseband->signalling.a.n_frames <= 255);
}

static void take_generic_frames(dvbt2_baseband *baseband)
{
    uint8_t frame[DVBT2_MAX_FRAME_BYTES];
    for (size_t bytes; (bytes = dvbt2_baseband_take_frame(baseband, frame, sizeof frame)) > 0;) {
        FUZZ_CHECK(bytes >= HEADER && bytes <= sizeof frame);
        FUZZ_CHECK(bytes == HEADER + ((frame[4] << 8 | frame[5]) + 7u) / 8);
    }
    FUZZ_CHECK(baseband->frames.count == 0);
}

static void take_baseband_frames(fuzz_input *in)
{
    static uint8_t ts[PULLED * LDPC_TS_PACKET];
    dvbt2_plp_decoder_params params;
    dvbt2_baseband data, common;
    uint64_t merged = 0, unplaced = 0;
    draws d = {.in = in};
    const uint32_t frames = fuzz_byte(in);
    d.random = fuzz_word32(in);
    dvbt2_plp_decoder_params_init(&params);
    params.generic_frames = true;
    FUZZ_CHECK(dvbt2_baseband_init(&data, &params) == LDPC_OK);
    FUZZ_CHECK(dvbt2_baseband_init(&common, &params) == LDPC_OK);
    common.timeline.clock = &data.timeline.own;
    for (uint32_t i = 0; i < frames; i++) {
        push_frame(&d, draw(&d, 1) ? &data : &common, (uint64_t)i * (1 + draw(&d, 20)));
        const size_t taken =
            dvbt2_common_plp_take(&data, &common, draw(&d, 7) == 0, ts, PULLED, &merged, &unplaced);
        for (size_t p = 0; p < taken; p++)
            FUZZ_CHECK(ts[p * LDPC_TS_PACKET] == 0x47);
        take_generic_frames(&data);
        dvbt2_common_plp_limit(&common, &unplaced);
        FUZZ_CHECK(data.not_null <= data.packets.count && common.not_null <= common.packets.count);
        if (draw(&d, 4) == 0) /* L1 without common PLP */
            dvbt2_baseband_take(&common, ts, PULLED);
    }
    dvbt2_baseband_free(&data);
    dvbt2_baseband_free(&common);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const uint32_t kind = fuzz_byte(&in);
    if (kind & 128)
        take_baseband_frames(&in);
    else
        decode_cells(&in, kind & 1 ? 3 : LDPC_BB_ANY_STREAM);
    return 0;
}
