/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets through a transmitter that is made here from the library's tables, and back through the PLP
 * decoder: formats that change from frame to frame, noise, erasures, broken FEC blocks, formats that make no
 * sense. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "ldpc/code.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbt2_plp.h"

enum { MAX_PACKETS = 400, UNIT_BITS = 8 * (LDPC_TS_PACKET - 1), HEADER_BITS = 80 };

/* An interleaving frame and the packets in it. */
typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise;
    size_t packets;
    uint8_t ts[MAX_PACKETS][LDPC_TS_PACKET];
} sent_frame;

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* About Gaussian, mean power 1 */
static float random_noise(void)
{
    float sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (float)random_bits() / (float)(1 << 24) - 0.5f;
    return sum;
}

/* ---- a transmitter */

static void put(uint8_t **bits, uint32_t value, int count)
{
    while (count--)
        *(*bits)++ = value >> count & 1;
}

/* g(x) = x^8 + x^7 + x^6 + x^4 + x^2 + 1 over bits */
static uint32_t crc8(const uint8_t *bits, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++)
        crc = (crc << 1 ^ (((crc >> 7 ^ bits[i]) & 1) ? 0xD5u : 0)) & 0xFF;
    return crc;
}

/* Whole packets in a baseband frame of high efficiency mode (EN 302 755, clause 5.1.7), scrambled. */
static void make_frame(sent_frame *sent, uint32_t k, uint8_t *frame)
{
    uint32_t packets = (k - HEADER_BITS) / UNIT_BITS;
    uint8_t *at = frame, stage[16] = {0, 1, 0, 0, 1, 0, 1, 0, 1};
    memset(frame, 0, k);
    put(&at, 0xF000, 16); /* MATYPE: transport stream, single, constant coding */
    put(&at, 0, 16);
    put(&at, packets * UNIT_BITS, 16);
    put(&at, 0, 24); /* no ISSY, SYNCD 0 */
    put(&at, crc8(frame, 72) ^ 1u, 8);
    for (uint32_t p = 0; p < packets; p++) {
        uint8_t *packet = sent->ts[sent->packets++];
        packet[0] = 0x47;
        for (uint32_t i = 1; i < LDPC_TS_PACKET; i++)
            packet[i] = (uint8_t)random_bits();
        packet[1] = (uint8_t)(random_bits() & 0x0F); /* no error indicator, no null packet */
        ldpc_unpack(packet + 1, UNIT_BITS, at);
        at += UNIT_BITS;
    }
    for (uint32_t i = 0; i < k; i++) {
        uint8_t bit = stage[14] ^ stage[15];
        memmove(stage + 2, stage + 1, 14);
        stage[1] = bit;
        frame[i] ^= bit;
    }
}

/* The cells of a codeword, in the order of the demapper. */
static void map_codeword(const ldpc_demapper *demapper, bool rotated, const uint8_t *codeword, float *iq)
{
    size_t n = ldpc_demapper_n(demapper), bits = ldpc_demapper_bits(demapper), cells = n / bits;
    uint32_t *index = calloc(cells, sizeof *index);
    assert_non_null(index);
    for (size_t i = 0; i < n; i++) {
        size_t at = ldpc_demapper_order(demapper)[i];
        index[at / bits] |= (uint32_t)codeword[i] << (bits - 1 - at % bits);
    }
    for (size_t c = 0; c < cells; c++) {
        const float *point = ldpc_demapper_points(demapper) + 2 * index[c];
        iq[2 * c] = point[0];
        iq[2 * (rotated ? (c + 1) % cells : c) + 1] = point[1];
    }
    free(index);
}

/* One FEC block with new packets. */
static void make_block(sent_frame *sent, const ldpc_code *code, const ldpc_bch *bch,
                       const ldpc_demapper *demapper, float *iq)
{
    uint8_t *frame = malloc(ldpc_bch_k(bch)), *message = malloc(ldpc_code_k(code)),
            *codeword = malloc(ldpc_code_n(code));
    assert_true(frame && message && codeword);
    make_frame(sent, ldpc_bch_k(bch), frame);
    assert_int_equal(ldpc_bch_encode(bch, frame, 1, false, message), LDPC_OK);
    assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
    map_codeword(demapper, sent->format.rotated, codeword, iq);
    free(frame);
    free(message);
    free(codeword);
}

/* From the order of the demapper to that of transmission: the deinterleaver tells where each cell goes. */
static void interleave(const dvbt2_plp_format *format, size_t cells, const float *blocks, float *iq)
{
    ldpc_cell_deinterleaver *deint;
    assert_int_equal(
        ldpc_cell_deinterleaver_create(format->code, format->modulation, format->ti_blocks, &deint, NULL),
        LDPC_OK);
    uint32_t ti_blocks = ldpc_ti_blocks(deint, format->fec_blocks);
    for (uint32_t t = 0; t < ti_blocks; t++) {
        uint32_t size = ldpc_ti_block_size(deint, format->fec_blocks, t);
        size_t count = size * cells;
        float *number = malloc(count * sizeof *number), *from = malloc(count * sizeof *from);
        assert_true(number && from);
        for (size_t i = 0; i < count; i++)
            number[i] = (float)i;
        assert_int_equal(ldpc_cells_deinterleave(deint, size, 0, size, 1, number, from), LDPC_OK);
        for (size_t i = 0; i < count; i++)
            memcpy(iq + 2 * (size_t)from[i], blocks + 2 * i, 2 * sizeof *iq);
        free(number);
        free(from);
        blocks += 2 * count;
        iq += 2 * count;
    }
    ldpc_cell_deinterleaver_destroy(deint);
}

static sent_frame *transmit(dvbt2_plp_format format, float noise)
{
    sent_frame *sent = calloc(1, sizeof *sent);
    ldpc_code *code;
    ldpc_bch *bch;
    ldpc_demapper *demapper;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = format.code;
    params.modulation = format.modulation;
    params.rotated = format.rotated;
    assert_non_null(sent);
    assert_int_equal(ldpc_code_create(format.code, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_bch_create(format.code, &bch, NULL), LDPC_OK);
    assert_int_equal(ldpc_demapper_create(&params, &demapper, NULL), LDPC_OK);
    size_t block = ldpc_demapper_cells(demapper);
    sent->format = format;
    sent->cells = format.fec_blocks * block;
    sent->iq = calloc(sent->cells, 2 * sizeof *sent->iq);
    sent->noise = calloc(sent->cells, sizeof *sent->noise);
    float *blocks = calloc(sent->cells, 2 * sizeof *blocks);
    assert_true(sent->iq && sent->noise && blocks);
    for (uint32_t b = 0; b < format.fec_blocks; b++)
        make_block(sent, code, bch, demapper, blocks + 2 * b * block);
    interleave(&format, block, blocks, sent->iq);
    for (size_t i = 0; i < 2 * sent->cells; i++)
        sent->iq[i] += sqrtf(noise / 2) * random_noise();
    for (size_t i = 0; i < sent->cells; i++)
        sent->noise[i] = noise;
    free(blocks);
    ldpc_demapper_destroy(demapper);
    ldpc_bch_destroy(bch);
    ldpc_code_destroy(code);
    return sent;
}

static void release(sent_frame *sent)
{
    free(sent->iq);
    free(sent->noise);
    free(sent);
}

/* ---- tests */

static const dvbt2_plp_format dense = {0, "dvbt2:16200:1/2", "64qam", true, 2, 5};
static const dvbt2_plp_format robust = {0, "dvbt2:16200:2/3", "qpsk", false, 1, 3};
static const dvbt2_plp_format plain = {0, "dvbt2:16200:1/2", "16qam", false, 0, 2};

static dvbt2_plp_decoder *make_decoder(void)
{
    dvbt2_plp_decoder *dec;
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder_params_init(&params);
    params.threads = 2;
    assert_int_equal(dvbt2_plp_decoder_create(&params, &dec, NULL), LDPC_OK);
    return dec;
}

/* The packets of a frame come next, all of them. */
static void expect_packets(dvbt2_plp_decoder *dec, const sent_frame *sent)
{
    uint8_t ts[7 * LDPC_TS_PACKET];
    for (size_t at = 0; at < sent->packets;) {
        size_t wanted = sent->packets - at < 7 ? sent->packets - at : 7;
        assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, wanted), wanted);
        assert_memory_equal(ts, sent->ts[at], wanted * LDPC_TS_PACKET);
        at += wanted;
    }
}

static void test_formats_change_from_frame_to_frame(void **state)
{
    (void)state;
    enum { FRAMES = 7 };
    const dvbt2_plp_format order[FRAMES] = {dense, dense, robust, plain, dense, plain, robust};
    sent_frame *sent[FRAMES];
    uint64_t codewords = 0, packets = 0;
    dvbt2_plp_decoder *dec = make_decoder();
    for (int f = 0; f < FRAMES; f++) {
        sent[f] = transmit(order[f], order[f].rotated ? 0.02f : 0.05f);
        codewords += order[f].fec_blocks;
        packets += sent[f]->packets;
        assert_int_equal(dvbt2_plp_decoder_cells(dec, &order[f]), sent[f]->cells);
        assert_int_equal(dvbt2_plp_decoder_push(dec, &order[f], sent[f]->iq, sent[f]->noise), LDPC_OK);
    }
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    for (int f = 0; f < FRAMES; f++) {
        expect_packets(dec, sent[f]);
        release(sent[f]);
    }
    dvbt2_plp_counters counters = dvbt2_plp_decoder_counters(dec);
    assert_int_equal(dvbt2_plp_decoder_pull(dec, (uint8_t[LDPC_TS_PACKET]){0}, 1), 0);
    assert_int_equal(counters.frames, FRAMES);
    assert_int_equal(counters.codewords, codewords);
    assert_int_equal(counters.failed_codewords, 0);
    assert_int_equal(counters.bits, 16200 * codewords);
    assert_in_range(counters.bit_errors, 1, counters.bits / 10);
    assert_int_equal(counters.bb.packets, packets);
    assert_int_equal(counters.bb.header_errors, 0);
    assert_true(strncmp(dvbt2_plp_decoder_kernel(dec), "cpu ", 4) == 0);
    dvbt2_plp_decoder_destroy(dec);
}

/* An eighth of the cells says nothing: they are erasures, whatever stands in them. */
static void test_cells_without_a_noise_are_erasures(void **state)
{
    (void)state;
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(robust, 0.02f);
    for (size_t i = 0; i < sent->cells; i += 8) {
        sent->iq[2 * i] = -50 * sent->iq[2 * i];
        sent->iq[2 * i + 1] = NAN;
        sent->noise[i] = i % 16 ? 0 : INFINITY;
    }
    assert_int_equal(dvbt2_plp_decoder_push(dec, &robust, sent->iq, sent->noise), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    expect_packets(dec, sent);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

static void test_noise_is_counted_and_gives_no_packet_unmarked(void **state)
{
    (void)state;
    uint8_t ts[LDPC_TS_PACKET];
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(dense, 20.0f);
    assert_int_equal(dvbt2_plp_decoder_push(dec, &dense, sent->iq, sent->noise), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    while (dvbt2_plp_decoder_pull(dec, ts, 1))
        assert_true(ts[1] & 0x80); /* transport_error_indicator */
    dvbt2_plp_counters counters = dvbt2_plp_decoder_counters(dec);
    assert_int_equal(counters.failed_codewords, dense.fec_blocks);
    assert_int_equal(counters.bch_failed, dense.fec_blocks);
    assert_int_equal(counters.iterations, 25 * dense.fec_blocks);
    assert_int_equal(counters.bits, 0);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

/* Counts go on after dvbt2_plp_decoder_break(). */
static void test_a_break_keeps_the_counts(void **state)
{
    (void)state;
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(plain, 0.02f);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dvbt2_plp_decoder_push(dec, &plain, sent->iq, sent->noise), LDPC_OK);
        dvbt2_plp_decoder_break(dec);
        expect_packets(dec, sent);
    }
    assert_int_equal(dvbt2_plp_decoder_counters(dec).bb.packets, 2 * sent->packets);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

/* More formats than are kept: the last ones leave, their counts stay. */
static void test_another_backend_keeps_packets_and_counts(void **state)
{
    (void)state;
    sent_frame *sent = transmit(dense, 0.02f);
    dvbt2_plp_decoder *dec = make_decoder();
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(dvbt2_plp_decoder_push(dec, &dense, sent->iq, sent->noise), LDPC_OK);
        assert_int_equal(dvbt2_plp_decoder_set_backend(dec, "cpu"), LDPC_OK);
        assert_string_equal(dvbt2_plp_decoder_kernel(dec), "");
    }
    expect_packets(dec, sent);
    expect_packets(dec, sent);
    dvbt2_plp_counters counters = dvbt2_plp_decoder_counters(dec);
    assert_int_equal(counters.codewords, 2 * dense.fec_blocks);
    assert_int_equal(counters.bb.packets, 2 * sent->packets);
    assert_int_equal(dvbt2_plp_decoder_set_backend(dec, "abacus"), LDPC_OK); /* said with the next frame */
    assert_int_equal(dvbt2_plp_decoder_push(dec, &dense, sent->iq, sent->noise), LDPC_ERR_PARAM);
    assert_int_equal(dvbt2_plp_decoder_set_backend(dec, NULL), LDPC_ERR_NULL);
    assert_int_equal(dvbt2_plp_decoder_set_backend(NULL, "cpu"), LDPC_ERR_NULL);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

static void test_many_formats(void **state)
{
    (void)state;
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(plain, 0.02f);
    assert_int_equal(dvbt2_plp_decoder_push(dec, &plain, sent->iq, sent->noise), LDPC_OK);
    for (uint32_t ti_blocks = 1; ti_blocks <= 20; ti_blocks++) {
        dvbt2_plp_format other = plain;
        other.ti_blocks = ti_blocks;
        assert_int_equal(dvbt2_plp_decoder_prepare(dec, &other), LDPC_OK);
    }
    assert_int_equal(dvbt2_plp_decoder_counters(dec).bb.packets, sent->packets);
    expect_packets(dec, sent);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

/* As dvbt2_receiver_pull() hands cells over: an interleaving frame in three T2 frames, each in pieces. */
static dvbt2_plp_frame part_of(const sent_frame *sent, uint32_t frames, uint32_t part)
{
    return (dvbt2_plp_frame){
        .frame = 10 + 2 * part,
        .cells = (uint32_t)sent->cells / frames,
        .cells_per_block = (uint32_t)sent->cells / sent->format.fec_blocks,
        .n_blocks = sent->format.fec_blocks,
        .ti_blocks = sent->format.ti_blocks,
        .frames = frames,
        .part = part,
        .plp = {.plp_mod = 1, .frame_interval = 2},
    };
}

static void feed(dvbt2_plp_decoder *dec, const sent_frame *sent, const dvbt2_plp_frame *frame)
{
    size_t at = (size_t)frame->part * frame->cells;
    for (uint32_t first = 0; first < frame->cells;) {
        uint32_t count = frame->cells - first < 1000 ? frame->cells - first : 1000;
        assert_int_equal(dvbt2_plp_decoder_feed(dec, frame, first, count, sent->iq + 2 * (at + first),
                                                sent->noise + at + first),
                         LDPC_OK);
        first += count;
    }
}

/* The second of three TI blocks never comes: the first one is decoded before that is known, the third one after. */
static void test_a_ti_block_does_not_wait_for_the_others(void **state)
{
    (void)state;
    const dvbt2_plp_format three = {0, "dvbt2:16200:1/2", "16qam", false, 3, 6};
    uint8_t ts[LDPC_TS_PACKET];
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(three, 0.01f);
    const dvbt2_plp_frame frame = part_of(sent, 1, 0);
    const uint32_t block = (uint32_t)sent->cells / 3, last = 2 * block;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &frame, 0, block, sent->iq, sent->noise), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_prepare(dec, &robust), LDPC_OK); /* waits for codewords in flight */
    for (size_t i = 0; i < sent->packets / 3; i++) {
        assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 1);
        assert_memory_equal(ts, sent->ts[i], LDPC_TS_PACKET);
    }
    assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 0);
    const float *iq = sent->iq + 2 * last, *noise = sent->noise + last;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &frame, last, block, iq, noise), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).frames, 1);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).bb.header_errors, 2); /* the code's zero codeword */
    for (size_t i = sent->packets * 2 / 3; i < sent->packets; i += !memcmp(ts, sent->ts[i], LDPC_TS_PACKET))
        assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 1);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

static void test_an_interleaving_frame_of_several_frames(void **state)
{
    (void)state;
    const dvbt2_plp_format long_one = {0, "dvbt2:16200:1/2", "16qam", false, 1, 6};
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(long_one, 0.01f);
    for (uint32_t part = 0; part < 3; part++) {
        dvbt2_plp_frame frame = part_of(sent, 3, part);
        feed(dec, sent, &frame);
    }
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    expect_packets(dec, sent);
    /* one of six parts is missing: erasures, which this code and noise can stand */
    for (uint32_t part = 1; part < 6; part++) {
        dvbt2_plp_frame frame = part_of(sent, 6, part);
        frame.frame += 100;
        feed(dec, sent, &frame);
    }
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    expect_packets(dec, sent);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).frames, 2);
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

static void test_cells_that_a_frame_does_not_have(void **state)
{
    (void)state;
    dvbt2_plp_decoder *dec = make_decoder();
    sent_frame *sent = transmit(plain, 0.01f);
    dvbt2_plp_frame frame = part_of(sent, 1, 0), wrong = frame;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &frame, 1, frame.cells, sent->iq, sent->noise),
                     LDPC_ERR_RANGE);
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &frame, frame.cells + 1, 1, sent->iq, sent->noise),
                     LDPC_ERR_RANGE);
    wrong.frame++;
    wrong.n_blocks = 70000;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &wrong, 0, 1, sent->iq, sent->noise), LDPC_ERR_RANGE);
    wrong = frame;
    wrong.frame += 2;
    wrong.plp.plp_mod = 5;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &wrong, 0, frame.cells, sent->iq, sent->noise),
                     LDPC_ERR_PARAM);
    assert_non_null(strstr(dvbt2_plp_decoder_message(dec), "reserved"));
    release(sent);
    dvbt2_plp_decoder_destroy(dec);
}

static void test_formats_that_make_no_sense(void **state)
{
    (void)state;
    const struct {
        dvbt2_plp_format format;
        ldpc_status status;
        const char *sentence;
    } cases[] = {
        {{0, "dvbs2:16200:1/2", "qpsk", false, 1, 1},    LDPC_ERR_NAME,  "dvbs2:16200:1/2"},
        {{0, "dvbt2:16200:1/7", "qpsk", false, 1, 1},    LDPC_ERR_NAME,  "1/7"            },
        {{0, "dvbt2:16200:1/2", "8psk", false, 1, 1},    LDPC_ERR_PARAM, "8psk"           },
        {{0, "dvbt2:16200:1/2", "qpsk", false, 1, 1024}, LDPC_ERR_RANGE, "1024"           },
        {{0, "dvbt2:16200:1/2", "qpsk", false, 256, 1},  LDPC_ERR_PARAM, "256"            },
    };
    float cell[2] = {0};
    dvbt2_plp_decoder *dec = make_decoder();
    assert_string_equal(dvbt2_plp_decoder_message(dec), "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dvbt2_plp_decoder_push(dec, &cases[i].format, cell, cell), cases[i].status);
        assert_non_null(strstr(dvbt2_plp_decoder_message(dec), cases[i].sentence));
        assert_int_equal(dvbt2_plp_decoder_cells(dec, &cases[i].format), 0);
    }
    dvbt2_plp_format endless = {0};
    memset(endless.code, 'x', sizeof endless.code);
    assert_int_equal(dvbt2_plp_decoder_prepare(dec, &endless), LDPC_ERR_PARAM);
    assert_int_equal(dvbt2_plp_decoder_push(dec, NULL, cell, cell), LDPC_ERR_NULL);
    assert_int_equal(dvbt2_plp_decoder_push(NULL, &plain, cell, cell), LDPC_ERR_NULL);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).frames, 0);
    dvbt2_plp_decoder_destroy(dec);
    dvbt2_plp_decoder_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_change_from_frame_to_frame),
        cmocka_unit_test(test_cells_without_a_noise_are_erasures),
        cmocka_unit_test(test_noise_is_counted_and_gives_no_packet_unmarked),
        cmocka_unit_test(test_a_break_keeps_the_counts),
        cmocka_unit_test(test_another_backend_keeps_packets_and_counts),
        cmocka_unit_test(test_many_formats),
        cmocka_unit_test(test_a_ti_block_does_not_wait_for_the_others),
        cmocka_unit_test(test_an_interleaving_frame_of_several_frames),
        cmocka_unit_test(test_cells_that_a_frame_does_not_have),
        cmocka_unit_test(test_formats_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
