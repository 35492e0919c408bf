/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/standard/vlsnr.h"

#include <math.h>
#include <string.h>

#include "receiver/complex.h"

enum {
    SET_1 = 128, /* PLS codes without pilots */
    SET_2 = 130,
    SET_1_SYMBOLS = 30780, /* data symbols */
    SET_2_SYMBOLS = 14976,
    CHIPS = 16,
    CHIP = 56,  /* bits of a chip */
    MARGIN = 2, /* zeros before and after the chips */
    PARTS = 1 + CHIPS,
};

/* The header has 2 zeros, 16 chips of 56 bits, and 2 zeros. The MODCOD inverts eight chips. */
static const uint64_t chips[CHIPS] = {
    0xFBF23E837F9BC4, 0x98708E0B39345E, 0xF6A2C9FE1B1737, 0x8418D95A6F997A,
    0x7B7D7B3E9FC9EA, 0x5E78BA03A6D51A, 0x279CC26543ECD0, 0x342B0498BF3D7D,
    0xADD036E9D5312F, 0x1061C6DF826237, 0x72D3E0907384C7, 0x3BD5ACEE25E2C9,
    0x59087D82615ADA, 0xE9AF0172CF9DA7, 0x3F4835A4063F07, 0x23C9AEECF2ED41,
};

typedef struct row {
    ldpc_dvbs2_modcod modcod;
    uint16_t inverted; /* chips; the first chip is the most significant bit */
} row;

static const row rows[DVBS2_VLSNR_MODCODS] = {
    {{SET_1, "qpsk", "dvbs2x:61560:2/9"},     0x0000},
    {{SET_1, "bpsk", "dvbs2x:30780:1/5"},     0x5555},
    {{SET_1, "bpsk", "dvbs2x:30780:11/45"},   0x3333},
    {{SET_1, "bpsk", "dvbs2x:30780:1/3"},     0x6666},
    {{SET_1, "bpsk-s", "dvbs2x:15390:1/5"},   0x0F0F},
    {{SET_1, "bpsk-s", "dvbs2x:15390:11/45"}, 0x6969},
    {{SET_2, "bpsk", "dvbs2x:14976:1/5"},     0x3C3C},
    {{SET_2, "bpsk", "dvbs2x:14976:4/15"},    0x5A5A},
    {{SET_2, "bpsk", "dvbs2x:14976:1/3"},     0xFF00},
};

static const double frequency_step = 2 * RX_PI * 3e-4; /* radians per symbol; costs at most 0.3 dB */

/* ---- the symbols */

static float complex bpsk(uint32_t position, uint64_t bit)
{
    const float half_power = 0.70710678f, part = bit & 1 ? -half_power : half_power;
    return position % 2 ? rx_cplx(-part, part) : rx_cplx(part, part);
}

/* Returns a symbol of the second header, for the MODCOD that inverts no chip. */
static float complex symbol_of(uint32_t i)
{
    const bool margin = i < MARGIN || i >= MARGIN + CHIPS * CHIP;
    const uint32_t at = i - MARGIN;
    return bpsk(i, margin ? 0 : chips[at / CHIP] >> (CHIP - 1 - at % CHIP));
}

static bool is_inverted(uint32_t modcod, uint32_t chip)
{
    return rows[modcod].inverted >> (CHIPS - 1 - chip) & 1;
}

const ldpc_dvbs2_modcod *dvbs2_vlsnr_modcod(uint32_t i)
{
    return i < DVBS2_VLSNR_MODCODS ? &rows[i].modcod : NULL;
}

dvbs2_frame_format dvbs2_vlsnr_format(uint32_t i)
{
    const ldpc_dvbs2_modcod *modcod = &rows[i].modcod;
    dvbs2_frame_format format = dvbs2_frame_format_of(modcod->pls_code + 1);
    format.kind = DVBS2_FRAME_DATA;
    format.modcod = DVBS2_FIRST_VLSNR + i;
    format.repeats = strcmp(modcod->modulation, "bpsk-s") ? 1 : 2;
    format.cells = (modcod->pls_code == SET_1 ? SET_1_SYMBOLS : SET_2_SYMBOLS) / format.repeats;
    return format;
}

void dvbs2_vlsnr_symbols(uint32_t modcod, float complex symbols[DVBS2_LONG_HEADER])
{
    float complex *second = symbols + DVBS2_HEADER;
    dvbs2_header_symbols(rows[modcod].modcod.pls_code + 1, symbols);
    for (uint32_t i = 0; i < DVBS2_VLSNR_HEADER; i++)
        second[i] = symbol_of(i);
    for (uint32_t i = 0; i < CHIPS * CHIP; i++)
        if (is_inverted(modcod, i / CHIP))
            second[MARGIN + i] = -second[MARGIN + i];
}

/* ---- decoding */

/* Correlations with the two possible PL headers and with the chips, and the positions of their centres. */
typedef struct parts {
    float complex pl[2], chips[CHIPS];
    float energy;
} parts;

static parts correlate(const float complex *symbols, double frequency)
{
    parts p = {0};
    float complex headers[2][DVBS2_HEADER], turn = 1;
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    for (int set = 0; set < 2; set++)
        dvbs2_header_symbols((set ? SET_2 : SET_1) + 1, headers[set]);
    for (uint32_t i = 0; i < DVBS2_LONG_HEADER - MARGIN; i++, turn = rx_mul(turn, step)) {
        const float complex y = rx_mul(symbols[i], turn);
        const uint32_t second = i - DVBS2_HEADER;
        p.energy += rx_power(y);
        for (int set = 0; set < 2 && i < DVBS2_HEADER; set++)
            p.pl[set] += rx_mul_conj(y, headers[set][i]);
        if (i >= DVBS2_HEADER + MARGIN)
            p.chips[(second - MARGIN) / CHIP] += rx_mul_conj(y, symbol_of(second));
    }
    return p;
}

/* Returns the power of the coherent sum for a MODCOD and a change of the frequency. */
static float power_of(const parts *p, uint32_t modcod, double change)
{
    const double first = (DVBS2_HEADER - 1) / 2.0, chip = DVBS2_HEADER + MARGIN + (CHIP - 1) / 2.0 - first;
    const float complex step = rx_cplx((float)cos(change * CHIP), (float)-sin(change * CHIP));
    float complex sum = p->pl[rows[modcod].modcod.pls_code == SET_2];
    float complex turn = rx_cplx((float)cos(change * chip), (float)-sin(change * chip));
    for (uint32_t i = 0; i < CHIPS; i++, turn = rx_mul(turn, step)) {
        const float complex part = rx_mul(p->chips[i], turn);
        sum += is_inverted(modcod, i) ? -part : part;
    }
    return rx_power(sum);
}

dvbs2_vlsnr dvbs2_vlsnr_decode(const float complex symbols[DVBS2_LONG_HEADER], double frequency, double range)
{
    const parts p = correlate(symbols, frequency);
    const int steps = (int)ceil(range / frequency_step);
    dvbs2_vlsnr best = {0};
    float highest = 0;
    int at = 0;
    for (int step = -steps; step <= steps; step++)
        for (uint32_t modcod = 0; modcod < DVBS2_VLSNR_MODCODS; modcod++) {
            const float power = power_of(&p, modcod, step * frequency_step);
            if (!(power > highest))
                continue;
            highest = power;
            best.modcod = modcod;
            at = step;
        }
    const double before = (double)power_of(&p, best.modcod, (at - 1) * frequency_step);
    const double after = (double)power_of(&p, best.modcod, (at + 1) * frequency_step);
    const double bend = before - 2 * (double)highest + after,
                 peak = bend < 0 ? (before - after) / (2 * bend) : 0;
    best.frequency = frequency + (at + fmax(-0.5, fmin(0.5, peak))) * frequency_step;
    best.match = p.energy > 0 ? highest / ((DVBS2_HEADER + CHIPS * CHIP) * p.energy) : 0;
    return best;
}
