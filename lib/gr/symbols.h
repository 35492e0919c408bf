/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts between symbols over GF(q), one per byte, and bits, MSB first. */
#ifndef INCLUDED_GR_LDPC_SYMBOLS_H
#define INCLUDED_GR_LDPC_SYMBOLS_H

#include <cstddef>
#include <cstdint>

namespace gr
{
namespace ldpc
{

/* Joins `width` bits to a symbol. */
inline void join_bits(const uint8_t *bits, size_t count, int width, uint8_t *symbols)
{
    for (size_t s = 0; s < count; s++) {
        unsigned symbol = 0;
        for (int b = 0; b < width; b++)
            symbol = symbol << 1 | *bits++;
        symbols[s] = static_cast<uint8_t>(symbol);
    }
}

/* Splits symbols into their lowest `width` bits. */
inline void split_symbols(const uint8_t *symbols, size_t count, int width, uint8_t *bits)
{
    for (size_t s = 0; s < count; s++)
        for (int b = width - 1; b >= 0; b--)
            *bits++ = symbols[s] >> b & 1;
}

} // namespace ldpc
} // namespace gr

#endif
