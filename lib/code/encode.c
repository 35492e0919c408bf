/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes up to 64 messages at once (encoder.h). */
#include <stdlib.h>
#include <string.h>

#include "code/encoder.h"
#include "base/memory.h"
#include "code/nonbinary.h"

enum { LANES = 64 };

/* ---- unpacked bits to one uint64_t per column, and back
 *
 * Bit w of x[column] belongs to codeword w. An 8 x 8 bit transpose in a uint64_t converts eight bits of eight
 * codewords. It works for both byte orders. */

static const uint64_t low_bits = UINT64_C(0x0101010101010101);

static void load_bits(const uint8_t *bits, size_t codewords, const uint32_t *column, uint32_t count,
                      uint64_t *x)
{
    for (uint32_t i = 0; i < count; i += 8) {
        uint32_t some = count - i < 8 ? count - i : 8;
        for (size_t first = 0; first < codewords; first += 8) {
            uint64_t all = 0;
            for (size_t w = first; w < codewords && w < first + 8; w++) {
                uint64_t eight = 0;
                memcpy(&eight, bits + w * count + i, some);
                all |= (eight & low_bits) << (w - first);
            }
            uint8_t lanes[8];
            memcpy(lanes, &all, sizeof lanes);
            for (uint32_t b = 0; b < some; b++)
                ((uint8_t *)&x[column[i + b]])[first / 8] = lanes[b];
        }
    }
}

static void store_bits(const uint64_t *x, const uint32_t *column, uint32_t count, size_t codewords,
                       uint8_t *bits)
{
    for (uint32_t i = 0; i < count; i += 8) {
        uint32_t some = count - i < 8 ? count - i : 8;
        for (size_t first = 0; first < codewords; first += 8) {
            uint8_t lanes[8] = {0};
            for (uint32_t b = 0; b < some; b++)
                if (column[i + b] != LDPC_NO_COLUMN)
                    lanes[b] = ((const uint8_t *)&x[column[i + b]])[first / 8];
            uint64_t all;
            memcpy(&all, lanes, sizeof all);
            for (size_t w = first; w < codewords && w < first + 8; w++) {
                uint64_t eight = all >> (w - first) & low_bits;
                memcpy(bits + w * count + i, &eight, some);
            }
        }
    }
}

/* ---- the columns set aside: inverse matrix times syndrome
 *
 * Method of four Russians: a table has the 256 sums of eight syndromes. */

static void solve_aside(const ldpc_code *code, uint64_t *syndrome, uint64_t *x)
{
    const ldpc_encoder *encoder = code->encoder;
    uint32_t aside = encoder->aside;
    for (uint32_t i = 0; i < aside; i++)
        syndrome[i] = ldpc_check_sum(code, encoder->aside_check[i], x);
    for (uint32_t i = 0; i < aside; i++)
        x[encoder->aside_column[i]] = 0;
    for (uint32_t first = 0; first < aside; first += 8) {
        uint64_t combination[256] = {0};
        for (uint32_t i = 0; i < 8 && first + i < aside; i++)
            for (uint32_t c = 0; c < UINT32_C(1) << i; c++)
                combination[c | UINT32_C(1) << i] = combination[c] ^ syndrome[first + i];
        const uint8_t *pick = encoder->inverse + (size_t)(first / 8) * aside;
        for (uint32_t i = 0; i < aside; i++)
            x[encoder->aside_column[i]] ^= combination[pick[i]];
    }
}

/* All columns except the message must be zero on entry. */
static void solve(const ldpc_code *code, uint64_t *x)
{
    const ldpc_encoder *encoder = code->encoder;
    if (encoder->aside) {
        ldpc_take_steps(code, encoder->early_step, encoder->early_steps, x);
        solve_aside(code, x + code->columns, x);
    }
    ldpc_take_steps(code, encoder->step, encoder->steps, x);
}

static uint64_t *allocate_columns(const ldpc_code *code)
{
    return ldpc_allocate((size_t)code->columns + code->encoder->aside, sizeof(uint64_t));
}

static ldpc_status encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                          const uint32_t *out_column, uint32_t count, uint8_t *out)
{
    if (!code->encoder)
        return LDPC_ERR_LIMIT;
    uint64_t *x = allocate_columns(code);
    if (!x)
        return LDPC_ERR_MEMORY;
    for (size_t first = 0; first < n_codewords; first += LANES) {
        size_t codewords = n_codewords - first < LANES ? n_codewords - first : LANES;
        memset(x, 0, code->columns * sizeof *x);
        load_bits(message + first * code->k, codewords, code->message, code->k, x);
        solve(code, x);
        store_bits(x, out_column, count, codewords, out + first * count);
    }
    free(x);
    return LDPC_OK;
}

ldpc_status ldpc_encode_lanes(const ldpc_code *code, const uint64_t *message, uint64_t *codeword)
{
    if (!code->encoder)
        return LDPC_ERR_LIMIT;
    uint64_t *x = allocate_columns(code);
    if (!x)
        return LDPC_ERR_MEMORY;
    for (uint32_t i = 0; i < code->k; i++)
        x[code->message[i]] = message[i];
    solve(code, x);
    for (uint32_t i = 0; i < code->n; i++)
        codeword[i] = code->transmitted[i] == LDPC_NO_COLUMN ? 0 : x[code->transmitted[i]];
    free(x);
    return LDPC_OK;
}

ldpc_status ldpc_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords, uint8_t *codeword)
{
    if (!code || !message || !codeword)
        return LDPC_ERR_NULL;
    if (n_codewords == 0)
        return LDPC_ERR_RANGE;
    if (code->k == 0)
        return LDPC_ERR_PARAM;
    if (code->nb)
        return ldpc_nb_encode(code, message, n_codewords, codeword);
    return encode(code, message, n_codewords, code->transmitted, code->n, codeword);
}

ldpc_status ldpc_encode_columns(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                uint8_t *columns)
{
    uint32_t *natural = ldpc_allocate(code->columns, sizeof *natural);
    if (!natural)
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < code->columns; v++)
        natural[v] = v;
    ldpc_status status = encode(code, message, n_codewords, natural, code->columns, columns);
    free(natural);
    return status;
}
