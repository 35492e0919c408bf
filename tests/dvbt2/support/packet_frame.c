/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/packet_frame.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "ldpc/code.h"
#include "ldpc/dvb_cells.h"

enum { UNIT_BITS = 8 * (LDPC_TS_PACKET - 1), HEADER_BITS = 80 };

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Returns approximately Gaussian noise of mean power 1. */
static float random_noise(void)
{
    float sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (float)random_bits() / (float)(1 << 24) - 0.5f;
    return sum;
}

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

static uint32_t packets_of(const ldpc_bch *bch)
{
    return (ldpc_bch_k(bch) - HEADER_BITS) / UNIT_BITS;
}

/* Makes a scrambled baseband frame in high efficiency mode (EN 302 755, clause 5.1.7). */
static void make_frame(sent_frame *sent, const ldpc_bch *bch, uint8_t *frame)
{
    const uint32_t k = ldpc_bch_k(bch), packets = packets_of(bch);
    uint8_t *at = frame, stage[16] = {0, 1, 0, 0, 1, 0, 1, 0, 1};
    memset(frame, 0, k);
    put(&at, 0xF000, 16); /* MATYPE: transport stream, single input stream, CCM */
    put(&at, 0, 16);
    put(&at, packets * UNIT_BITS, 16);
    put(&at, 0, 24); /* no ISSY, SYNCD 0 */
    put(&at, crc8(frame, 72) ^ 1u, 8);
    for (uint32_t p = 0; p < packets; p++) {
        const uint32_t number = sent->first + (uint32_t)sent->packets;
        uint8_t *packet = sent->ts[sent->packets++];
        packet[0] = 0x47;
        for (uint32_t i = 1; i < LDPC_TS_PACKET; i++)
            packet[i] = (uint8_t)random_bits();
        /* no error indicator, no null packet */
        packet[1] = (uint8_t)(random_bits() & 0x0F);
        for (int i = 0; i < 4; i++)
            packet[4 + i] = (uint8_t)(number >> (24 - 8 * i));
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

/* Maps a codeword to cells in demapper order. */
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

static void make_block(sent_frame *sent, const ldpc_code *code, const ldpc_bch *bch,
                       const ldpc_demapper *demapper, float *iq)
{
    uint8_t *frame = malloc(ldpc_bch_k(bch)), *message = malloc(ldpc_code_k(code)),
            *codeword = malloc(ldpc_code_n(code));
    assert_true(frame && message && codeword);
    make_frame(sent, bch, frame);
    assert_int_equal(ldpc_bch_encode(bch, frame, 1, false, message), LDPC_OK);
    assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
    map_codeword(demapper, sent->format.rotated, codeword, iq);
    free(frame);
    free(message);
    free(codeword);
}

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

sent_frame *packet_frame_send(const dvbt2_plp_format *how, uint32_t first_packet, float noise)
{
    const dvbt2_plp_format format = *how;
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
    sent->first = first_packet;
    sent->ts = malloc((size_t)format.fec_blocks * packets_of(bch) * LDPC_TS_PACKET);
    sent->cells = format.fec_blocks * block;
    sent->iq = calloc(sent->cells, 2 * sizeof *sent->iq);
    sent->noise = calloc(sent->cells, sizeof *sent->noise);
    float *blocks = calloc(sent->cells, 2 * sizeof *blocks);
    assert_true(sent->ts && sent->iq && sent->noise && blocks);
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

void packet_frame_free(sent_frame *sent)
{
    free(sent->ts);
    free(sent->iq);
    free(sent->noise);
    free(sent);
}
