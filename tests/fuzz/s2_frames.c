/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts PLS codes to frame formats, and any baseband frames to packets and PDUs. */
#include "base/bits.h"
#include "dvbs2/standard/vlsnr.h"
#include "dvbs2/streams/streams.h"
#include "fuzz.h"
#include "ldpc/dvb_cells.h"

enum { HEADER = 10, MOST_BYTES = 64800 / 8, MOST_FRAMES = 40, CODES = 3 };

static const char *const codes[CODES] = {"dvbs2:64800:1/4", "dvbs2:16200:1/4", "dvbs2x:64800:13/45"};

static uint8_t crc_8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc << 1 ^ (crc & 0x80 ? 0xD5u : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

FUZZ_NO_COVERAGE static void scramble(uint8_t *frame, size_t bits)
{
    uint32_t state = 0x4A80;
    for (size_t i = 0; i < bits; i++) {
        const uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        frame[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
}

static void check_format(const dvbs2_frame_format *format)
{
    FUZZ_CHECK(format->length <= DVBS2_MOST_SYMBOLS);
    FUZZ_CHECK((format->length == 0) == (format->kind == DVBS2_FRAME_RESERVED));
    if (format->kind != DVBS2_FRAME_DATA)
        return;
    dvbs2_section s = {0};
    uint32_t symbols = DVBS2_HEADER + (format->vlsnr ? DVBS2_VLSNR_HEADER : 0), cells = 0;
    for (; dvbs2_next_section(format, &s); cells += s.count)
        symbols += s.count + s.pilots;
    FUZZ_CHECK(dvbs2_modcod(format->modcod) != NULL);
    FUZZ_CHECK(format->length == symbols && format->cells * format->repeats == cells);
}

/* flags: valid header, generic stream, bit errors */
static void push(fuzz_input *in, dvbs2_streams *streams)
{
    const char *code = codes[fuzz_below(in, CODES)];
    const uint32_t flags = fuzz_byte(in);
    uint8_t frame[MOST_BYTES] = {0}, header[HEADER];
    ldpc_bch *bch;
    FUZZ_CHECK(ldpc_bch_create(code, &bch, NULL) == LDPC_OK);
    const uint32_t k = ldpc_bch_k(bch);
    ldpc_bch_destroy(bch);
    for (int i = 0; i < HEADER; i++)
        header[i] = (uint8_t)fuzz_byte(in);
    if (flags & 1) {
        const uint32_t dfl = (uint32_t)(header[4] << 8 | header[5]) % (k - 8 * HEADER + 1);
        header[0] = flags & 2 ? (header[0] & 0x3F) | 0x40 : header[0];
        header[4] = (uint8_t)(dfl >> 8);
        header[5] = (uint8_t)dfl;
        header[7] = header[8] = 0;
        header[9] = crc_8(header, HEADER - 1);
    }
    fuzz_fill(in, frame, ldpc_packed_bytes(k), fuzz_byte(in));
    memcpy(frame, header, HEADER);
    scramble(frame, k);
    bool selected;
    FUZZ_CHECK(dvbs2_streams_push(streams, code, frame, flags & 4, &selected) == LDPC_OK);
    for (size_t i = 0; i < streams->n_packets; i++)
        FUZZ_CHECK(streams->packets[i * LDPC_TS_PACKET] == 0x47);
    size_t at = 0;
    while (at < streams->pdu_bytes) {
        FUZZ_CHECK(at + 2 <= streams->pdu_bytes);
        at += 2 + ((size_t)streams->pdus[at] << 8 | streams->pdus[at + 1]);
    }
    FUZZ_CHECK(at == streams->pdu_bytes && !(flags & 4 && at > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    dvbs2_streams streams;
    const uint8_t pls_code = (uint8_t)fuzz_byte(&in);
    const dvbs2_frame_format format = dvbs2_frame_format_of(pls_code);
    const dvbs2_frame_format vlsnr = dvbs2_vlsnr_format(pls_code % DVBS2_VLSNR_MODCODS);
    check_format(&format);
    check_format(&vlsnr);
    FUZZ_CHECK(dvbs2_streams_init(&streams, (int32_t)fuzz_below(&in, 3) - 1));
    for (int frames = 0; in.left && frames < MOST_FRAMES; frames++)
        push(&in, &streams);
    dvbs2_streams_free(&streams);
    return 0;
}
