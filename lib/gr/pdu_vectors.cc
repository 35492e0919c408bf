/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads PDUs: pairs of a metadata dictionary and a vector of numbers. */
#include "pdu_vectors.h"

#include "padding.h"

#include <algorithm>

namespace gr
{
namespace ldpc
{

const pmt::pmt_t pdu_port = pmt::mp("pdus");

pdu_vector vector_of(const pmt::pmt_t &pdu)
{
    pdu_vector vector;
    if (!pmt::is_pair(pdu))
        return vector;
    const pmt::pmt_t &data = pmt::cdr(pdu);
    static const uint8_t no_bytes = 0; /* PMT returns NULL for an empty vector */
    if (pmt::is_u8vector(data))
        vector.bytes = pmt::u8vector_elements(data, vector.count);
    else if (pmt::is_s8vector(data))
        vector.bytes = reinterpret_cast<const uint8_t *>(pmt::s8vector_elements(data, vector.count));
    else if (pmt::is_f32vector(data))
        vector.floats = pmt::f32vector_elements(data, vector.count);
    if (vector.count == 0 && (pmt::is_u8vector(data) || pmt::is_s8vector(data)))
        vector.bytes = &no_bytes;
    return vector;
}

pmt::pmt_t metadata_of(const pmt::pmt_t &pdu)
{
    const pmt::pmt_t metadata = pmt::car(pdu);
    return pmt::is_dict(metadata) ? metadata : pmt::make_dict();
}

bool dropped_pdus::accept(size_t count, size_t items)
{
    if (count > 0 && count % items == 0)
        return true;
    const std::string length = count > 0 ? " of " + std::to_string(count) + " items" : "";
    drop("dropped a PDU" + length + " (expected whole blocks of " + std::to_string(items) +
         " in a vector of 8-bit integers or, for LLRs, floats)");
    return false;
}

bool dropped_pdus::accept_bits(const uint8_t *bits, size_t count)
{
    const uint8_t *const end = bits + count;
    const uint8_t *const wrong = std::find_if(bits, end, [](uint8_t item) { return item > 1; });
    if (wrong == end)
        return true;
    drop("dropped a PDU with an item of value " + std::to_string(*wrong) +
         " (expected 0 or 1, one bit per item; packed=True accepts 8 bits per item)");
    return false;
}

bool dropped_pdus::accept_packed(const uint8_t *packed, size_t count, size_t bits, const char *block)
{
    const uint8_t *const end = packed + count;
    while (packed < end && is_padded(packed, bits))
        packed += packed_bytes(bits);
    if (packed == end)
        return true;
    drop("dropped a PDU: " + padding_error(block, packed, bits));
    return false;
}

void dropped_pdus::drop(const std::string &text)
{
    if (d_count++ == 0)
        d_logger->warn("{}", text);
}

} // namespace ldpc
} // namespace gr
