/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the PLP decoder with changing formats, noise, erasures, damaged FEC blocks and invalid formats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/packet_frame.h"

static sent_frame *transmit(dvbt2_plp_format format, float noise)
{
    return packet_frame_send(&format, 0, noise);
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

/* Checks that all packets of a frame are received in order. */
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
        packet_frame_free(sent[f]);
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

/* Noise 0 marks an eighth of the cells as erasures. */
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
    packet_frame_free(sent);
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
    packet_frame_free(sent);
    dvbt2_plp_decoder_destroy(dec);
}

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
    packet_frame_free(sent);
    dvbt2_plp_decoder_destroy(dec);
}

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
    assert_int_equal(dvbt2_plp_decoder_set_backend(dec, "abacus"), LDPC_ERR_PARAM);
    assert_non_null(strstr(dvbt2_plp_decoder_message(dec), "no backend \"abacus\""));
    assert_int_equal(dvbt2_plp_decoder_set_backend(dec, NULL), LDPC_ERR_NULL);
    assert_int_equal(dvbt2_plp_decoder_set_backend(NULL, "cpu"), LDPC_ERR_NULL);
    packet_frame_free(sent);
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
    packet_frame_free(sent);
    dvbt2_plp_decoder_destroy(dec);
}

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
    assert_int_equal(dvbt2_plp_decoder_prepare(dec, &robust), LDPC_OK); /* waits for all codewords */
    for (size_t i = 0; i < sent->packets / 3; i++) {
        assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 1);
        assert_memory_equal(ts, sent->ts[i], LDPC_TS_PACKET);
    }
    assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 0);
    const float *iq = sent->iq + 2 * last, *noise = sent->noise + last;
    assert_int_equal(dvbt2_plp_decoder_feed(dec, &frame, last, block, iq, noise), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).frames, 1);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).bb.header_errors, 2);
    for (size_t i = sent->packets * 2 / 3; i < sent->packets; i += !memcmp(ts, sent->ts[i], LDPC_TS_PACKET))
        assert_int_equal(dvbt2_plp_decoder_pull(dec, ts, 1), 1);
    packet_frame_free(sent);
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
    /* The LDPC code corrects the loss of one part of six. */
    for (uint32_t part = 1; part < 6; part++) {
        dvbt2_plp_frame frame = part_of(sent, 6, part);
        frame.frame += 100;
        feed(dec, sent, &frame);
    }
    assert_int_equal(dvbt2_plp_decoder_finish(dec), LDPC_OK);
    expect_packets(dec, sent);
    assert_int_equal(dvbt2_plp_decoder_counters(dec).frames, 2);
    packet_frame_free(sent);
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
    packet_frame_free(sent);
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
