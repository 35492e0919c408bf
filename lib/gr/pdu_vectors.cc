/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What PDUs hold: a pair of metadata (a dictionary) and a vector of numbers. */
#include "pdu_vectors.h"

#include <string>

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
    if (pmt::is_u8vector(data))
        vector.bytes = pmt::u8vector_elements(data, vector.count);
    else if (pmt::is_s8vector(data))
        vector.bytes = reinterpret_cast<const uint8_t *>(pmt::s8vector_elements(data, vector.count));
    else if (pmt::is_f32vector(data))
        vector.floats = pmt::f32vector_elements(data, vector.count);
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
    if (d_count++ == 0) {
        const std::string length = count > 0 ? " of " + std::to_string(count) + " items" : "";
        const std::string text = "a PDU" + length + " is dropped: whole blocks of " + std::to_string(items) +
                                 " are expected, in a vector of 8-bit integers or, for LLRs, floats";
        d_logger->warn("{}", text);
    }
    return false;
}

} // namespace ldpc
} // namespace gr
