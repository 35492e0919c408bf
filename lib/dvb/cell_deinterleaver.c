/* SPDX-License-Identifier: BSD-3-Clause */
/* Cell and time deinterleaver of DVB-T2 (EN 302 755, 6.4 and 6.5). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { COLUMNS = 5 }; /* number of columns of a FEC block in the time interleaver */

struct ldpc_cell_deinterleaver {
    uint32_t cells, ti_blocks;
    /* inverse of L0, twice (2 * cells values) */
    uint16_t *place;
    uint16_t shift[LDPC_T2_MAX_BLOCKS]; /* P(r), which is added to L0 modulo `cells` in FEC block r */
};

/* ---- cell interleaver, 6.4 */

static uint32_t index_bits(uint32_t cells)
{
    uint32_t bits = 0;
    while (1u << bits < cells)
        bits++;
    return bits;
}

/* Taps of the shift register of `bits` - 1 bits (EN 302 755, 6.4). */
static uint32_t taps(uint32_t bits)
{
    switch (bits) {
    case 11:
        return 1u << 0 | 1u << 3;
    case 12:
        return 1u << 0 | 1u << 2;
    case 13:
        return 1u << 0 | 1u << 1 | 1u << 4 | 1u << 6;
    case 14:
        return 1u << 0 | 1u << 1 | 1u << 4 | 1u << 5 | 1u << 9 | 1u << 11;
    default:
        return 1u << 0 | 1u << 1 | 1u << 2 | 1u << 12;
    }
}

static uint32_t parity(uint32_t x)
{
    uint32_t odd = 0;
    for (; x; x &= x - 1)
        odd ^= 1;
    return odd;
}

static void make_places(uint32_t cells, uint16_t *place)
{
    const uint32_t bits = index_bits(cells);
    uint32_t state = 0, next = 0;
    for (uint32_t i = 0; i < 1u << bits; i++) {
        if (i == 2)
            state = 1;
        else if (i > 2)
            state = state >> 1 | parity(state & taps(bits)) << (bits - 2);
        const uint32_t cell = state | (i & 1) << (bits - 1);
        if (cell < cells)
            place[cell] = (uint16_t)next++;
    }
}

static uint32_t reversed(uint32_t x, uint32_t bits)
{
    uint32_t result = 0;
    for (uint32_t b = 0; b < bits; b++)
        result |= (x >> b & 1) << (bits - 1 - b);
    return result;
}

static void make_shifts(uint32_t cells, uint16_t *shift)
{
    const uint32_t bits = index_bits(cells);
    for (uint32_t counter = 0, r = 0; r < LDPC_T2_MAX_BLOCKS; counter++) {
        const uint32_t value = reversed(counter, bits);
        if (value < cells)
            shift[r++] = (uint16_t)value;
    }
}

/* ---- handle */

ldpc_status ldpc_cell_deinterleaver_create(const char *code, const char *modulation, uint32_t ti_blocks,
                                           ldpc_cell_deinterleaver **result, ldpc_error *err)
{
    ldpc_modcod modcod;
    if (result)
        *result = NULL;
    if (!code || !modulation || !result)
        return ldpc_fail(err, LDPC_ERR_NULL, "code, modulation and result must not be NULL");
    const ldpc_status status = ldpc_modcod_make(code, modulation, &modcod, err);
    if (status != LDPC_OK)
        return status;
    if (!modcod.t2)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "code %.60s: expected dvbt2:..., because only DVB-T2 has a cell interleaver", code);
    if (ti_blocks > 255)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "ti_blocks %u: expected 0 .. 255 TI blocks per interleaving frame", ti_blocks);
    ldpc_cell_deinterleaver *deint = ldpc_allocate(1, sizeof *deint);
    uint16_t *place = ldpc_allocate(2 * (size_t)modcod.cells, sizeof *place);
    if (!deint || !place) {
        free(deint);
        free(place);
        return ldpc_fail_memory(err);
    }
    deint->cells = modcod.cells;
    deint->ti_blocks = ti_blocks;
    deint->place = place;
    make_places(modcod.cells, place);
    memcpy(place + modcod.cells, place, modcod.cells * sizeof *place);
    make_shifts(modcod.cells, deint->shift);
    *result = deint;
    return LDPC_OK;
}

void ldpc_cell_deinterleaver_destroy(ldpc_cell_deinterleaver *deint)
{
    if (!deint)
        return;
    free(deint->place);
    free(deint);
}

size_t ldpc_cell_deinterleaver_cells(const ldpc_cell_deinterleaver *deint)
{
    return deint ? deint->cells : 0;
}

/* ---- time interleaver, 6.5 */

uint32_t ldpc_ti_blocks(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks)
{
    return !deint ? 0 : deint->ti_blocks ? deint->ti_blocks : n_blocks;
}

uint32_t ldpc_ti_block_size(const ldpc_cell_deinterleaver *deint, uint32_t n_blocks, uint32_t i)
{
    const uint32_t count = ldpc_ti_blocks(deint, n_blocks);
    if (i >= count)
        return 0;
    return n_blocks / count + (i >= count - n_blocks % count);
}

/* Reads FEC block r, which occupies `columns` adjacent columns of the TI block. A row of the TI block has `row`
 * cells. Rows are in different memory pages, so each row is prefetched and read once.
 *
 *     TI block of FEC blocks a and b:   a0 a1 a2 a3 a4 b0 b1 b2 b3 b4    row 0
 *                                       a0 a1 a2 a3 a4 b0 b1 b2 b3 b4    row 1
 *                                       ...
 *
 * Before cell deinterleaving, column c holds the cells c * rows .. c * rows + rows - 1.
 */
static inline void read_columns(const ldpc_cell_deinterleaver *deint, uint32_t r, const uint32_t columns,
                                size_t row, const uint32_t width, const float *restrict in,
                                float *restrict out)
{
    enum { AHEAD = 8 }; /* prefetched rows */
    const uint32_t rows = deint->cells / columns;
    const uint16_t *restrict place = deint->place + deint->cells - deint->shift[r];
    for (uint32_t i = 0; i < rows; i++, in += width * row) {
        if (columns > 1 && i + AHEAD < rows) {
            __builtin_prefetch(in + AHEAD * width * row);
            __builtin_prefetch(in + AHEAD * width * row + width * columns - 1);
        }
        for (uint32_t column = 0; column < columns; column++)
            memcpy(out + width * place[column * rows + i], in + width * column, width * sizeof *out);
    }
}

static void read_block(const ldpc_cell_deinterleaver *deint, uint32_t r, size_t row, uint32_t width,
                       const float *in, float *out)
{
    if (deint->ti_blocks == 0 && width == 2)
        read_columns(deint, 0, 1, 1, 2, in, out);
    else if (deint->ti_blocks == 0)
        read_columns(deint, 0, 1, 1, 1, in, out);
    else if (width == 2)
        read_columns(deint, r, COLUMNS, row, 2, in + (size_t)2 * COLUMNS * r, out);
    else
        read_columns(deint, r, COLUMNS, row, 1, in + (size_t)COLUMNS * r, out);
}

ldpc_status ldpc_cells_deinterleave(const ldpc_cell_deinterleaver *deint, uint32_t ti_size, uint32_t first,
                                    uint32_t count, uint32_t width, const float *in, float *out)
{
    if (!deint || !in || !out)
        return LDPC_ERR_NULL;
    if (ti_size == 0 || ti_size > LDPC_T2_MAX_BLOCKS || count == 0 || first >= ti_size ||
        count > ti_size - first || (width != 1 && width != 2) || (deint->ti_blocks == 0 && ti_size > 1))
        return LDPC_ERR_RANGE;
    for (uint32_t r = first; r < first + count; r++, out += (size_t)width * deint->cells)
        read_block(deint, r, (size_t)ti_size * COLUMNS, width, in, out);
    return LDPC_OK;
}
