/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the permutations of the frequency interleaver. */
#include "dvbt2/standard/frequency_deinterleaver.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"

/* Position in R of each bit of R', lowest bit first (EN 302 755, clause 8.5). Index 1 is for odd symbols. 32K
 * has one permutation. */
typedef struct fft_register {
    uint16_t taps;
    uint8_t wires[2][14];
} fft_register;

/* clang-format off */
static const fft_register registers[DVBT2_FFT_SIZES] = {
    [DVBT2_FFT_1K] = {0x011, {{8, 7, 6, 5, 0, 1, 2, 3, 4}, {6, 8, 7, 4, 1, 0, 5, 2, 3}}},
    [DVBT2_FFT_2K] = {0x009, {{4, 3, 9, 6, 2, 8, 1, 5, 7, 0}, {6, 9, 4, 8, 5, 1, 0, 7, 2, 3}}},
    [DVBT2_FFT_4K] = {0x005, {{6, 3, 0, 9, 4, 2, 1, 8, 5, 10, 7}, {5, 9, 1, 4, 3, 0, 8, 10, 7, 2, 6}}},
    [DVBT2_FFT_8K] = {0x053, {{7, 1, 4, 2, 9, 6, 8, 10, 0, 3, 11, 5}, {11, 4, 9, 3, 1, 2, 5, 0, 6, 7, 10, 8}}},
    [DVBT2_FFT_16K] = {0xA33, {{9, 7, 6, 10, 12, 5, 1, 11, 0, 2, 3, 4, 8},
                               {6, 8, 10, 12, 2, 0, 4, 1, 11, 3, 5, 9, 7}}},
    [DVBT2_FFT_32K] = {0x1007, {{7, 13, 3, 4, 9, 2, 12, 11, 1, 8, 10, 0, 5, 6},
                                {7, 13, 3, 4, 9, 2, 12, 11, 1, 8, 10, 0, 5, 6}}},
};
/* clang-format on */

static uint32_t parity(uint32_t bits)
{
    bits ^= bits >> 8;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    return (bits ^ bits >> 1) & 1;
}

static uint32_t rewire(uint32_t state, const uint8_t *wires, uint32_t bits)
{
    uint32_t value = 0;
    for (uint32_t b = 0; b < bits; b++)
        value |= (state >> b & 1) << wires[b];
    return value;
}

/* Writes the values of H(p) below n_cells. For even 32K symbols, writes the inverse permutation. */
void dvbt2_frequency_permutation(dvbt2_fft_size fft, bool odd, uint32_t n_cells, uint16_t *order)
{
    const fft_register *reg = &registers[fft];
    bool inverse = fft == DVBT2_FFT_32K && !odd;
    uint32_t bits = 9 + fft, state = 0, q = 0; /* bits of R */
    for (uint32_t i = 0; i < 1024U << fft && q < n_cells; i++) {
        if (i == 2)
            state = 1;
        else if (i > 2)
            state = state >> 1 | parity(state & reg->taps) << (bits - 1);
        uint32_t cell = rewire(state, reg->wires[odd], bits) + (i % 2 << bits);
        if (cell >= n_cells)
            continue;
        if (inverse)
            order[cell] = (uint16_t)q;
        else
            order[q] = (uint16_t)cell;
        q++;
    }
}

struct dvbt2_frequency_deinterleaver {
    dvbt2_parameters parameters;
    /* [dvbt2_symbol_kind][parity of the symbol number]; NULL if unused */
    uint16_t *order[3][2];
};

static bool make_orders(dvbt2_frequency_deinterleaver *deint, dvbt2_symbol_kind kind, uint32_t n_cells)
{
    for (int odd = 0; odd < 2 && n_cells; odd++) {
        deint->order[kind][odd] = ldpc_allocate(n_cells, sizeof(uint16_t));
        if (!deint->order[kind][odd])
            return false;
        dvbt2_frequency_permutation(deint->parameters.mode.fft, odd, n_cells, deint->order[kind][odd]);
    }
    return true;
}

ldpc_status dvbt2_frequency_deinterleaver_create(const dvbt2_parameters *parameters,
                                                 dvbt2_frequency_deinterleaver **deint, ldpc_error *err)
{
    if (deint)
        *deint = NULL;
    if (!parameters || !deint)
        return ldpc_fail(err, LDPC_ERR_NULL, "parameters and deinterleaver must not be NULL");
    dvbt2_frequency_deinterleaver *d = ldpc_allocate(1, sizeof(*d));
    if (!d)
        return ldpc_fail_memory(err);
    d->parameters = *parameters;
    if (!make_orders(d, DVBT2_SYMBOL_P2, parameters->c_p2) ||
        !make_orders(d, DVBT2_SYMBOL_NORMAL, parameters->c_data) ||
        !make_orders(d, DVBT2_SYMBOL_CLOSING, parameters->n_fc)) {
        dvbt2_frequency_deinterleaver_destroy(d);
        return ldpc_fail_memory(err);
    }
    *deint = d;
    return LDPC_OK;
}

void dvbt2_frequency_deinterleaver_destroy(dvbt2_frequency_deinterleaver *deint)
{
    if (!deint)
        return;
    for (int i = 0; i < 6; i++)
        free(deint->order[i / 2][i % 2]);
    free(deint);
}

const uint16_t *dvbt2_frequency_order(const dvbt2_frequency_deinterleaver *deint, uint32_t l)
{
    const dvbt2_parameters *p = &deint->parameters;
    if (l >= p->n_p2 && l >= p->n_symbols)
        return NULL;
    return deint->order[dvbt2_symbol_kind_of(p, l)][l % 2];
}
