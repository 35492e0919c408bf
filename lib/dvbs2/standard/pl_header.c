/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/standard/pl_header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dvbs2/standard/vlsnr.h"
#include "receiver/complex.h"

/* EN 302 307-1, 5.5.2: SOF, generator rows (s2x_row: b0), scrambling of the PLS code. MSB first. */
static const uint32_t sof = 0x18D2E82;
static const uint32_t s2x_row = 0x90AC2DDD;
static const uint32_t rows[6] = {0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF, 0xFFFFFFFF};
static const uint64_t pls_scrambling = 0x719D83C953422DFA;

enum {
    FIRST_S2X = 128, /* PLS codes of S2X */
    VLSNR_SET_1 = 129,
    VLSNR_SET_2 = 131,
    VLSNR_SET_2_SYMBOLS = 16686,
    DUMMY_SLOTS = 36,
    /* Each bit of the code is sent twice, and b7 is added to the second copy. */
    CODE_PAIRS = DVBS2_PLS / 2,
};

/* ---- frames */

static uint32_t bits_per_cell(const char *modulation)
{
    if (!strcmp(modulation, "qpsk"))
        return 2;
    if (modulation[0] == '8')
        return 3;
    uint32_t bits = 4;
    for (int points = atoi(modulation); 1 << bits < points;)
        bits++;
    return bits;
}

static void set_data_frame(dvbs2_frame_format *format, const ldpc_dvbs2_modcod *row)
{
    const uint32_t n = strstr(row->code, ":16200:") ? 16200 : 64800, bits = bits_per_cell(row->modulation);
    format->kind = DVBS2_FRAME_DATA;
    format->repeats = 1;
    format->cells = (n / bits + DVBS2_SLOT - 1) / DVBS2_SLOT * DVBS2_SLOT;
    format->length = DVBS2_HEADER + format->cells;
    if (format->pilots)
        format->length += (format->cells - 1) / DVBS2_SECTION * DVBS2_PILOTS;
}

dvbs2_frame_format dvbs2_frame_format_of(uint8_t pls_code)
{
    dvbs2_frame_format format = {.pls_code = pls_code, .kind = DVBS2_FRAME_RESERVED};
    format.pilots = pls_code & 1;
    if (pls_code < 4) { /* MODCOD 0 */
        format.kind = DVBS2_FRAME_DUMMY;
        format.pilots = false;
        format.cells = DUMMY_SLOTS * DVBS2_SLOT;
        format.length = DVBS2_HEADER + format.cells;
    } else if (pls_code == VLSNR_SET_1 || pls_code == VLSNR_SET_2) {
        format.kind = DVBS2_FRAME_VLSNR;
        format.vlsnr = pls_code == VLSNR_SET_1 ? 1 : 2;
        format.length = pls_code == VLSNR_SET_1 ? DVBS2_MOST_SYMBOLS : VLSNR_SET_2_SYMBOLS;
    }
    const ldpc_dvbs2_modcod *row;
    for (; (row = ldpc_dvbs2_modcod_list(format.modcod)); format.modcod++)
        if (row->pls_code == (pls_code & ~1)) {
            set_data_frame(&format, row);
            break;
        }
    return format;
}

const ldpc_dvbs2_modcod *dvbs2_modcod(uint32_t index)
{
    return index < DVBS2_FIRST_VLSNR ? ldpc_dvbs2_modcod_list(index)
                                     : dvbs2_vlsnr_modcod(index - DVBS2_FIRST_VLSNR);
}

/* Returns the length of the additional pilot block in the middle of a section of a VL-SNR frame, or 0. */
static uint32_t middle_pilots(uint32_t set, uint32_t section)
{
    const uint32_t last = set == 1 ? 21 : 10, full = set == 1 ? 18 : 9;
    if (set == 0 || section == 0 || section > last)
        return 0;
    return section > full ? DVBS2_PILOTS : set == 1 ? 34 : 32;
}

bool dvbs2_next_section(const dvbs2_frame_format *format, dvbs2_section *s)
{
    enum { PERIOD = DVBS2_SECTION + DVBS2_PILOTS };
    const bool start = s->count == 0;
    s->first = start && format->vlsnr ? DVBS2_VLSNR_HEADER : s->first + s->count + s->pilots;
    s->done += s->count;
    const uint32_t left = format->cells * format->repeats - s->done, at = s->first % PERIOD;
    const uint32_t middle = at == 0 ? middle_pilots(format->vlsnr, s->first / PERIOD) : 0;
    const uint32_t most = !format->pilots ? left : middle ? (DVBS2_SECTION - middle) / 2 : DVBS2_SECTION - at;
    s->count = left < most ? left : most;
    s->pilots = left <= most ? 0 : middle ? middle : DVBS2_PILOTS;
    return s->count > 0;
}

/* ---- symbols */

static uint32_t pls_word(uint8_t pls_code)
{
    uint32_t word = pls_code & FIRST_S2X ? s2x_row : 0;
    for (int i = 0; i < 6; i++)
        word ^= pls_code >> (6 - i) & 1 ? rows[i] : 0;
    return word;
}

static float complex symbol_of(uint32_t position, uint64_t bit)
{
    const float half_power = 0.70710678f, part = bit & 1 ? -half_power : half_power;
    return position % 2 ? rx_cplx(-part, part) : rx_cplx(part, part);
}

void dvbs2_header_symbols(uint8_t pls_code, float complex symbols[DVBS2_HEADER])
{
    const uint32_t word = pls_word(pls_code);
    for (uint32_t i = 0; i < DVBS2_SOF; i++)
        symbols[i] = symbol_of(i, sof >> (DVBS2_SOF - 1 - i));
    for (uint32_t i = 0; i < DVBS2_PLS; i++) {
        const uint64_t bit = word >> (CODE_PAIRS - 1 - i / 2) ^ (i & pls_code);
        const float complex s = symbol_of(i, bit ^ pls_scrambling >> (DVBS2_PLS - 1 - i));
        symbols[DVBS2_SOF + i] = pls_code & FIRST_S2X ? rx_cplx(-cimagf(s), crealf(s)) : s;
    }
}

/* ---- decoding */

/* Computes a Hadamard transform in place. Each result is the sum of all elements, with the signs of one
 * combination of rows[0] .. rows[4]. */
static void hadamard(float complex x[CODE_PAIRS])
{
    for (uint32_t half = 1; half < CODE_PAIRS; half *= 2)
        for (uint32_t i = 0; i < CODE_PAIRS; i++)
            if (!(i & half)) {
                const float complex a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
}

static uint8_t code_of_index(uint32_t index)
{
    uint8_t code = 0;
    for (uint32_t i = 0; i < 5; i++)
        code |= (uint8_t)((index >> i & 1) << (6 - i));
    return code;
}

static void try_codes(const float complex pls[DVBS2_PLS], float complex start, bool s2x, bool pilots,
                      dvbs2_header *best, float *highest)
{
    float complex x[CODE_PAIRS];
    for (uint32_t m = 0; m < CODE_PAIRS; m++) {
        const float complex pair = pilots ? pls[2 * m] - pls[2 * m + 1] : pls[2 * m] + pls[2 * m + 1];
        const bool minus = s2x && s2x_row >> (CODE_PAIRS - 1 - m) & 1;
        x[m] = minus ? -pair : pair;
    }
    hadamard(x);
    for (uint32_t i = 0; i < 2 * CODE_PAIRS; i++) {
        float complex sum = i < CODE_PAIRS ? x[i] : -x[i - CODE_PAIRS]; /* b6 inverts all bits */
        if (s2x)                                                        /* rotates by 90 degrees */
            sum = rx_cplx(cimagf(sum), -crealf(sum));
        sum += start;
        if (rx_power(sum) <= *highest)
            continue;
        *highest = rx_power(sum);
        best->sum = sum;
        best->pls_code = (uint8_t)(code_of_index(i % CODE_PAIRS) | (i < CODE_PAIRS ? 0 : 2) | pilots |
                                   (s2x ? FIRST_S2X : 0));
    }
}

dvbs2_header dvbs2_header_decode(const float complex symbols[DVBS2_HEADER], double frequency)
{
    dvbs2_header best = {0};
    float complex pls[DVBS2_PLS], start = 0, turn = 1;
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    float energy = 0, highest = -1;
    for (uint32_t i = 0; i < DVBS2_HEADER; i++, turn = rx_mul(turn, step)) {
        const bool in_sof = i < DVBS2_SOF;
        const uint64_t bit = in_sof ? sof >> (DVBS2_SOF - 1 - i) : pls_scrambling >> (DVBS2_HEADER - 1 - i);
        const float complex x = rx_mul_conj(rx_mul(symbols[i], turn), symbol_of(i, bit));
        energy += rx_power(x);
        if (in_sof)
            start += x;
        else
            pls[i - DVBS2_SOF] = x;
    }
    for (int choice = 0; choice < 4; choice++)
        try_codes(pls, start, choice & 1, choice & 2, &best, &highest);
    best.match = energy > 0 ? highest / (DVBS2_HEADER * energy) : 0;
    return best;
}

/* In pi/2-BPSK, symbol k + 1 is symbol k times j or -j. */
float dvbs2_header_metric(const float complex symbols[DVBS2_HEADER])
{
    float complex start = 0, pairs = 0;
    for (uint32_t i = 0; i + 1 < DVBS2_SOF; i++) {
        const float complex product = rx_mul_conj(symbols[i + 1], symbols[i]);
        const uint32_t change = sof >> (DVBS2_SOF - 1 - i) ^ sof >> (DVBS2_SOF - 2 - i) ^ i;
        start += change & 1 ? -product : product;
    }
    for (uint32_t i = DVBS2_SOF; i < DVBS2_HEADER; i += 2) {
        const float complex product = rx_mul_conj(symbols[i + 1], symbols[i]);
        const uint64_t change =
            pls_scrambling >> (DVBS2_HEADER - 1 - i) ^ pls_scrambling >> (DVBS2_HEADER - 2 - i);
        pairs += change & 1 ? -product : product;
    }
    return sqrtf(fmaxf(rx_power(start + pairs), rx_power(start - pairs)));
}
