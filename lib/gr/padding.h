/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Padding of packed bits (MSB first): unused bits of the last byte must be 0. */
#ifndef INCLUDED_GR_LDPC_PADDING_H
#define INCLUDED_GR_LDPC_PADDING_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

inline size_t packed_bytes(size_t bits)
{
    return (bits + 7) / 8;
}

/* Returns whether the padding bits in the last byte are 0. bits: number of bits before the padding. */
inline bool is_padded(const uint8_t *packed, size_t bits)
{
    return bits % 8 == 0 || (packed[bits / 8] & 0xff >> bits % 8) == 0;
}

/* block: "message" or "codeword" */
inline std::string padding_error(const char *block, const uint8_t *packed, size_t bits)
{
    return std::string("the last byte of each packed ") + block + " of " + std::to_string(bits) +
           " bits must end in " + std::to_string(8 - bits % 8) + " padding bits of value 0, but one is " +
           std::to_string(packed[bits / 8]);
}

} // namespace ldpc
} // namespace gr

#endif
