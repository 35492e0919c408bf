/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_PACKET_ENCODER_IMPL_H
#define INCLUDED_GR_LDPC_PACKET_ENCODER_IMPL_H

#include <gnuradio/ldpc/ldpc_packet_encoder.h>

#include "handles.h"
#include "pdu_vectors.h"

#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class ldpc_packet_encoder_impl : public ldpc_packet_encoder
{
  public:
    ldpc_packet_encoder_impl(const std::string &code, int crc, int multiple, bool packed);

    bool start() override;

    int n() const override
    {
        return codeword_bits(d_code.get());
    }
    int k() const override
    {
        return message_bits(d_code.get());
    }
    std::string code() const override
    {
        return ldpc_code_name(d_code.get());
    }
    uint64_t dropped() const override;

  private:
    pmt::pmt_t encode(const pmt::pmt_t &pdu);

    code_handle d_code;
    packet_format_handle d_format;
    size_t d_multiple; /* bits */
    bool d_packed;
    mutable std::mutex d_mutex; /* guards the fields below */
    dropped_pdus d_dropped;
    std::vector<uint8_t> d_bits, d_bytes; /* data of the current PDU */
};

} // namespace ldpc
} // namespace gr

#endif
