/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/support/sender.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ldpc/code.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvb_fec.h"

static const double pi = 3.14159265358979323846;

enum { GOLD_PERIOD = (1 << 18) - 1, HEADER_BYTES = 10, PACKET = 188, RESERVED_CELLS = 8100 };

/* ---- random numbers */

static uint64_t random_state = 1;

void sender_seed(uint64_t seed)
{
    random_state = seed;
}

double uniform(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}

float complex noise(double power)
{
    const double radius = sqrt(-power * log(uniform())), angle = 2 * pi * uniform();
    return (float)(radius * cos(angle)) + (float)(radius * sin(angle)) * I;
}

void channel(float complex *symbols, size_t count, double phase, double frequency, double esn0_db)
{
    const double power = pow(10, -esn0_db / 10);
    for (size_t i = 0; i < count; i++) {
        const double angle = 2 * pi * (phase + frequency * (double)i);
        symbols[i] = symbols[i] * ((float)cos(angle) + (float)sin(angle) * I) + noise(power);
    }
}

/* ---- baseband frames */

static uint8_t crc8(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < 8 * count; i++) {
        const uint32_t bit = bytes[i / 8] >> (7 - i % 8) & 1;
        crc = (crc << 1 ^ (((crc >> 7 ^ bit) & 1) ? 0xD5u : 0)) & 0xFF;
    }
    return (uint8_t)crc;
}

void sender_packet(const sender *s, uint32_t number, uint8_t packet[PACKET])
{
    uint32_t state = number * 2654435761u + s->seed;
    for (int i = 0; i < PACKET; i++, state = state * 1664525u + 1013904223u)
        packet[i] = (uint8_t)(state >> 24);
    packet[0] = 0x47;
    packet[1] &= 0x0F;
    for (int i = 0; i < 4; i++)
        packet[4 + i] = (uint8_t)(number >> (24 - 8 * i));
}

static uint8_t next_byte(sender *s)
{
    if (s->packet_at == 0)
        sender_packet(s, s->packets++, s->packet);
    const uint8_t byte = s->packet_at == 0 ? s->crc : s->packet[s->packet_at];
    s->packet_at++;
    if (s->packet_at == PACKET) {
        s->packet_at = 0;
        s->crc = crc8(s->packet + 1, PACKET - 1);
    }
    return byte;
}

/* Fills s->frame as EN 302 307-1, clauses 5.1.6 and 5.2.2, describe. */
static void make_frame(sender *s, uint32_t k)
{
    const uint32_t field = k / 8 - HEADER_BYTES, syncd = 8 * ((PACKET - s->packet_at) % PACKET);
    const uint8_t matype = s->stream ? 0xD0 : 0xF0; /* MATYPE-1: transport stream, single or multiple input
                                                     * streams, CCM, roll-off 0.35 */
    const uint8_t header[9] = {matype,
                               s->stream,
                               8 * PACKET >> 8,
                               (8 * PACKET) & 255,
                               (uint8_t)(8 * field >> 8),
                               (uint8_t)(8 * field),
                               0x47,
                               (uint8_t)(syncd >> 8),
                               (uint8_t)syncd};
    memcpy(s->frame, header, sizeof header);
    s->frame[9] = crc8(header, sizeof header);
    for (uint32_t i = 0; i < field; i++)
        s->frame[HEADER_BYTES + i] = next_byte(s);
    uint8_t stage[16] = {0, 1, 0, 0, 1, 0, 1, 0, 1};
    for (uint32_t i = 0; i < k; i++) {
        const uint8_t bit = stage[14] ^ stage[15];
        memmove(stage + 2, stage + 1, 14);
        stage[1] = bit;
        s->frame[i / 8] ^= (uint8_t)(bit << (7 - i % 8));
    }
    s->frame_bytes = k / 8;
}

/* ---- cells */

/* LDPC code, BCH code and demapper of a MODCOD, kept for later frames. MODCODs may share codes. */
typedef struct coding {
    const char *name;
    ldpc_code *code;
    ldpc_bch *bch;
    ldpc_demapper *demapper;
} coding;

static coding coding_of(const ldpc_dvbs2_modcod *modcod)
{
    static coding made[128];
    coding *c = &made[modcod - ldpc_dvbs2_modcod_list(0)];
    if (c->code)
        return *c;
    for (size_t i = 0; i < sizeof made / sizeof *made && !c->code; i++)
        if (made[i].code && !strcmp(made[i].name, modcod->code))
            *c = made[i];
    if (!c->code) {
        c->name = modcod->code;
        assert_int_equal(ldpc_code_create(c->name, &c->code, NULL), LDPC_OK);
        assert_int_equal(ldpc_bch_create(c->name, &c->bch, NULL), LDPC_OK);
    }
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = modcod->code;
    params.modulation = modcod->modulation;
    assert_int_equal(ldpc_demapper_create(&params, &c->demapper, NULL), LDPC_OK);
    return *c;
}

static size_t make_cells(sender *s, const ldpc_dvbs2_modcod *modcod, float complex *cells)
{
    static uint8_t bits[8 * SENDER_FRAME_BYTES], message[64800], codeword[64800];
    static uint32_t label[32400];
    const coding c = coding_of(modcod);
    const uint32_t k = ldpc_bch_k(c.bch);
    make_frame(s, k);
    for (uint32_t i = 0; i < k; i++)
        bits[i] = s->frame[i / 8] >> (7 - i % 8) & 1;
    assert_int_equal(ldpc_bch_encode(c.bch, bits, 1, false, message), LDPC_OK);
    assert_int_equal(ldpc_encode(c.code, message, 1, codeword), LDPC_OK);
    const size_t n = ldpc_demapper_n(c.demapper), per_cell = ldpc_demapper_bits(c.demapper);
    const size_t count = ldpc_demapper_cells(c.demapper);
    memset(label, 0, sizeof label);
    for (size_t i = 0; i < n; i++) {
        const size_t at = ldpc_demapper_order(c.demapper)[i];
        label[at / per_cell] |= (uint32_t)codeword[i] << (per_cell - 1 - at % per_cell);
    }
    for (size_t i = 0; i < count; i++) {
        const float *point = ldpc_demapper_points(c.demapper) + 2 * label[i];
        cells[i] = point[0] + point[1] * I;
    }
    return count;
}

/* ---- PL frames: clauses 5.5.2 to 5.5.4 */

/* Writes the bits of a string of hexadecimal digits. */
static uint8_t hex_bit(const char *digits, int i)
{
    const char digit = digits[i / 4];
    return (uint8_t)((digit <= '9' ? digit - '0' : digit - 'A' + 10) >> (3 - i % 4) & 1);
}

void sender_header(uint8_t pls_code, float complex symbols[90])
{
    static const char *const generator[] = {"90AC2DDD", "55555555", "33333333", "0F0F0F0F",
                                            "00FF00FF", "0000FFFF", "FFFFFFFF"};
    uint8_t bits[90];
    for (int i = 0; i < 26; i++)
        bits[i] = (uint8_t)(0x18D2E82 >> (25 - i) & 1);
    for (int i = 0; i < 64; i++) {
        uint8_t bit = (pls_code & 1) & i;
        for (int row = 0; row < 7; row++)
            bit ^= (uint8_t)(pls_code >> (7 - row) & 1) & hex_bit(generator[row], i / 2);
        bits[26 + i] = bit ^ hex_bit("719D83C953422DFA", i);
    }
    for (int i = 0; i < 90; i++) {
        const double angle =
            pi / 4 + pi / 2 * (i % 2) + pi * bits[i] + (i >= 26 && pls_code & 128 ? pi / 2 : 0);
        symbols[i] = (float)cos(angle) + (float)sin(angle) * I;
    }
}

static void make_sequences(uint8_t *x, uint8_t *y)
{
    memset(x, 0, GOLD_PERIOD);
    memset(y, 1, 18);
    x[0] = 1;
    for (int i = 0; i + 18 < GOLD_PERIOD; i++) {
        x[i + 18] = x[i + 7] ^ x[i];
        y[i + 18] = y[i + 10] ^ y[i + 7] ^ y[i + 5] ^ y[i];
    }
}

static void scramble(uint32_t gold, float complex *symbols, size_t count)
{
    static uint8_t x[GOLD_PERIOD], y[GOLD_PERIOD];
    if (!y[0])
        make_sequences(x, y);
    for (size_t i = 0; i < count; i++) {
        const size_t j = i + 131072;
        const int z = x[(i + gold) % GOLD_PERIOD] ^ y[i],
                  late = x[(j + gold) % GOLD_PERIOD] ^ y[j % GOLD_PERIOD];
        for (int turn = 0; turn < 2 * late + z; turn++)
            symbols[i] *= I;
    }
}

static size_t fill(float complex *symbols, size_t count, bool random)
{
    for (size_t i = 0; i < count; i++) {
        const double angle = pi / 4 + (random ? pi / 2 * floor(4 * uniform()) : 0);
        symbols[i] = (float)cos(angle) + (float)sin(angle) * I;
    }
    return count;
}

/* Scrambles the cells in place and inserts the pilot blocks between the sections. */
static size_t insert_pilots(float complex *symbols, size_t cells)
{
    const size_t blocks = (cells - 1) / 1440;
    for (size_t b = blocks; b > 0; b--) {
        const size_t left = cells - 1440 * b, count = left < 1440 ? left : 1440;
        memmove(symbols + 1476 * b, symbols + 1440 * b, count * sizeof *symbols);
        fill(symbols + 1476 * b - 36, 36, false);
    }
    return cells + 36 * blocks;
}

static const ldpc_dvbs2_modcod *modcod_of(uint8_t pls_code)
{
    size_t i = 0;
    while (ldpc_dvbs2_modcod_list(i) && ldpc_dvbs2_modcod_list(i)->pls_code != (pls_code & ~1))
        i++;
    return ldpc_dvbs2_modcod_list(i);
}

/* Number of cells, in whole slots of 90. */
static size_t count_cells(const ldpc_dvbs2_modcod *modcod)
{
    const size_t n = strtoul(strchr(modcod->code, ':') + 1, NULL, 10);
    const size_t points = modcod->modulation[0] == 'q' ? 4 : strtoul(modcod->modulation, NULL, 10);
    size_t bits = 0;
    while (points >> (bits + 1))
        bits++;
    return ((n + bits - 1) / bits + 89) / 90 * 90;
}

size_t sender_length(uint8_t pls_code)
{
    if (pls_code == 0)
        return 90 + 3240;
    if (pls_code == 129 || pls_code == 131)
        return pls_code == 129 ? 33282 : 16686;
    const ldpc_dvbs2_modcod *modcod = modcod_of(pls_code);
    const size_t cells = modcod ? count_cells(modcod) : RESERVED_CELLS;
    return 90 + cells + (pls_code & 1 ? (cells - 1) / 1440 * 36 : 0);
}

size_t sender_frame(sender *s, uint8_t pls_code, float complex *symbols)
{
    float complex *body = symbols + 90;
    size_t count;
    s->frame_bytes = 0;
    sender_header(pls_code, symbols);
    if (pls_code == 0)
        count = fill(body, 3240, false);
    else if (pls_code == 129 || pls_code == 131)
        count = fill(body, sender_length(pls_code) - 90, true);
    else {
        const ldpc_dvbs2_modcod *modcod = modcod_of(pls_code);
        count = modcod ? make_cells(s, modcod, body) : fill(body, RESERVED_CELLS, true);
        if (pls_code & 1)
            count = insert_pilots(body, count);
    }
    assert_int_equal(90 + count, sender_length(pls_code));
    scramble(s->gold, body, count);
    return 90 + count;
}

/* ---- VL-SNR frames: EN 302 307-2, 5.5.2 */

typedef struct vlsnr_row {
    uint8_t pls_code, walsh; /* a chip is inverted if chip number & walsh has an odd number of ones */
    bool inverted;
    uint32_t bits, repeats; /* of a cell */
    const char *code;
} vlsnr_row;

static const vlsnr_row vlsnr_rows[9] = {
    {129, 0, false, 2, 1, "dvbs2x:61560:2/9"  },
    {129, 1, false, 1, 1, "dvbs2x:30780:1/5"  },
    {129, 2, false, 1, 1, "dvbs2x:30780:11/45"},
    {129, 3, false, 1, 1, "dvbs2x:30780:1/3"  },
    {129, 4, false, 1, 2, "dvbs2x:15390:1/5"  },
    {129, 7, false, 1, 2, "dvbs2x:15390:11/45"},
    {131, 6, false, 1, 1, "dvbs2x:14976:1/5"  },
    {131, 5, false, 1, 1, "dvbs2x:14976:4/15" },
    {131, 8, true,  1, 1, "dvbs2x:14976:1/3"  },
};

static void make_vlsnr_header(const vlsnr_row *row, float complex *symbols)
{
    static const char *const word = "FBF23E837F9BC498708E0B39345EF6A2C9FE1B17378418D95A6F997A7B7D7B3E9FC9EA5E"
                                    "78BA03A6D51A279CC26543ECD0342B0498BF3D"
                                    "7DADD036E9D5312F1061C6DF82623772D3E0907384C73BD5ACEE25E2C959087D82615ADA"
                                    "E9AF0172CF9DA73F4835A4063F0723C9AEECF2"
                                    "ED41";
    for (int i = 0; i < 900; i++) {
        uint8_t bit = 0;
        if (i >= 2 && i < 898) {
            bit = hex_bit(word, i - 2) ^ row->inverted;
            for (int chip = (i - 2) / 56 & row->walsh; chip > 0; chip /= 2)
                bit ^= chip % 2;
        }
        const double angle = pi / 4 + pi / 2 * (i % 2) + pi * bit;
        symbols[i] = (float)cos(angle) + (float)sin(angle) * I;
    }
}

/* Returns whether symbol `at` after the PL header is a pilot. */
static bool is_vlsnr_pilot(uint8_t pls_code, size_t at)
{
    const size_t section = at / 1476, in = at % 1476;
    const size_t short_blocks = pls_code == 129 ? 18 : 9, last = pls_code == 129 ? 21 : 10;
    size_t middle = section == 0 || section > last ? 0
                    : section > short_blocks       ? 36
                    : pls_code == 129              ? 34
                                                   : 32;
    return in >= 1440 || (in >= (1440 - middle) / 2 && in < (1440 + middle) / 2);
}

size_t sender_vlsnr_frame(sender *s, uint32_t modcod, float complex *symbols)
{
    static uint8_t bits[64800], message[64800], codeword[64800];
    static float complex pilots[33192], quarters[33192];
    static coding made[9];
    const vlsnr_row *row = &vlsnr_rows[modcod];
    coding *c = &made[modcod];
    if (!c->code) {
        assert_int_equal(ldpc_code_create(row->code, &c->code, NULL), LDPC_OK);
        assert_int_equal(ldpc_bch_create(row->code, &c->bch, NULL), LDPC_OK);
    }
    make_frame(s, ldpc_bch_k(c->bch) & ~7u);
    memset(bits, 0, sizeof bits);
    for (uint32_t i = 0; i < 8 * s->frame_bytes; i++)
        bits[i] = s->frame[i / 8] >> (7 - i % 8) & 1;
    assert_int_equal(ldpc_bch_encode(c->bch, bits, 1, false, message), LDPC_OK);
    assert_int_equal(ldpc_encode(c->code, message, 1, codeword), LDPC_OK);
    const size_t length = row->pls_code == 129 ? 33282 - 90 : 16686 - 90;
    sender_header(row->pls_code, symbols);
    float complex *body = symbols + 90;
    make_vlsnr_header(row, body);
    fill(pilots, length, false);
    scramble(s->gold, pilots, length);
    for (size_t i = 0; i < length; i++)
        quarters[i] = 1;
    scramble(s->gold, quarters, length);
    for (size_t at = 900, i = 0; at < length; at++) {
        if (is_vlsnr_pilot(row->pls_code, at)) {
            body[at] = pilots[at];
            continue;
        }
        const uint8_t *b = codeword + i * row->bits / row->repeats;
        if (row->bits == 2)
            body[at] = ((float)(1 - 2 * b[0]) + (float)(1 - 2 * b[1]) * I) / (float)sqrt(2) * quarters[at];
        else
            body[at] = (float)(1 - 2 * b[0]) * (1 + I) / (float)sqrt(2) * (i % 2 ? I : 1) *
                       (fabsf(cimagf(quarters[at])) > 0.5f ? -1 : 1);
        i++;
    }
    return 90 + length;
}

/* ---- samples */

enum { HALF_SPAN = 32, STEPS = 512 };

static double root_raised_cosine(double t, double b)
{
    if (fabs(t) < 1e-9)
        return 1 - b + 4 * b / pi;
    if (fabs(fabs(4 * b * t) - 1) < 1e-6)
        return b / sqrt(2) * ((1 + 2 / pi) * sin(pi / 4 / b) + (1 - 2 / pi) * cos(pi / 4 / b));
    return (sin(pi * t * (1 - b)) + 4 * b * t * cos(pi * t * (1 + b))) / (pi * t * (1 - 16 * b * b * t * t));
}

size_t sender_shape(const float complex *symbols, size_t count, double ratio, double roll_off,
                    float complex *samples)
{
    enum { TAPS = 2 * HALF_SPAN, SUMS = 4 };
    static float pulse[STEPS + 1][TAPS]; /* first index: time after the middle symbol, times STEPS */
    float complex *padded = calloc(count + TAPS, sizeof *padded);
    assert_non_null(padded);
    memcpy(padded + HALF_SPAN, symbols, count * sizeof *symbols);
    for (int step = 0; step <= STEPS; step++)
        for (int k = 0; k < TAPS; k++)
            pulse[step][k] = (float)root_raised_cosine((double)step / STEPS + HALF_SPAN - k, roll_off);
    const size_t all = (size_t)((double)count * ratio);
    for (size_t n = 0; n < all; n++) {
        const double t = (double)n / ratio, at = (t - floor(t)) * STEPS;
        const float share = (float)(at - floor(at)), *tap = pulse[(int)at], *next_tap = pulse[(int)at + 1];
        const float *from = (const float *)(padded + (size_t)t);
        float sum[2 * SUMS] = {0};
        for (int k = 0; k < TAPS; k += SUMS)
            for (int i = 0; i < 2 * SUMS; i++)
                sum[i] += from[2 * k + i] * (tap[k + i / 2] * (1 - share) + next_tap[k + i / 2] * share);
        samples[n] = sum[0] + sum[2] + sum[4] + sum[6] + (sum[1] + sum[3] + sum[5] + sum[7]) * I;
    }
    free(padded);
    return all;
}
