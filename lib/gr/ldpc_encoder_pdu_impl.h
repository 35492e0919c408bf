/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_LDPC_ENCODER_PDU_IMPL_H
#define INCLUDED_GR_LDPC_LDPC_ENCODER_PDU_IMPL_H

#include <gnuradio/ldpc/ldpc_encoder_pdu.h>

#include "handles.h"
#include "pdu_vectors.h"

#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class ldpc_encoder_pdu_impl : public ldpc_encoder_pdu
{
  public:
    ldpc_encoder_pdu_impl(const std::string &code, bool packed);

    bool start() override;

    int n() const override
    {
        return d_n;
    }
    int k() const override
    {
        return d_k;
    }
    std::string code() const override
    {
        return ldpc_code_name(d_code.get());
    }
    uint64_t dropped() const override;

  private:
    pmt::pmt_t encode(const pmt::pmt_t &pdu);
    void encode_packed(const uint8_t *in, size_t codewords);

    code_handle d_code;
    int d_n, d_k; /* bits */
    bool d_packed;
    size_t d_in_items, d_out_items; /* bytes of a message, of a codeword */
    mutable std::mutex d_mutex;     /* guards the fields below */
    dropped_pdus d_dropped;
    std::vector<uint8_t> d_out;                 /* data of the current PDU */
    std::vector<uint8_t> d_message, d_codeword; /* message and codeword, if packed */
};

} // namespace ldpc
} // namespace gr

#endif
