/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_PACKET_DECODER_IMPL_H
#define INCLUDED_GR_LDPC_PACKET_DECODER_IMPL_H

#include <gnuradio/ldpc/ldpc_packet_decoder.h>

#include "ldpc_decoder_pdu_impl.h"

namespace gr
{
namespace ldpc
{

class ldpc_packet_decoder_impl : public ldpc_packet_decoder, public ldpc_decoder_pdu_impl
{
  public:
    explicit ldpc_packet_decoder_impl(const packet_decoder_options &options);

    bool start() override;

    uint64_t packets() const override;
    uint64_t crc_errors() const override;

  private:
    pmt::pmt_t decode(const pmt::pmt_t &pdu) override;
    void add_statistics(stats_dict &stats) const override;
    const void *whole_codewords(const pdu_vector &vector, size_t bits, const word_shape &shape);

    packet_format_handle d_format;
    uint64_t d_packets = 0, d_crc_errors = 0;
    std::vector<uint8_t> d_whole; /* data of the current PDU */
};

} // namespace ldpc
} // namespace gr

#endif
