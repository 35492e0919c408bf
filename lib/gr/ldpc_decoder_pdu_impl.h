/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_LDPC_DECODER_PDU_IMPL_H
#define INCLUDED_GR_LDPC_LDPC_DECODER_PDU_IMPL_H

#include <gnuradio/ldpc/ldpc_decoder_pdu.h>

#include "decoder_controls.h"
#include "llrs.h"
#include "pdu_vectors.h"

#include <vector>

namespace gr
{
namespace ldpc
{

class ldpc_decoder_pdu_impl : virtual public ldpc_decoder_pdu, public decoder_controls
{
  public:
    explicit ldpc_decoder_pdu_impl(const pdu_decoder_options &options);

    ~ldpc_decoder_pdu_impl() override;

    bool start() override;
    bool stop() override;

  protected:
    /* NULL: the PDU is dropped. */
    virtual pmt::pmt_t decode(const pmt::pmt_t &pdu);
    bool is_input(const pdu_vector &vector) const
    {
        return vector.bytes || (vector.floats && d_options.input == "llrs");
    }
    /* Converts input items to LLRs in the decoder's format. Codewords of packed bits end with padding. */
    const void *llrs_of(const pdu_vector &vector, const word_shape &shape);
    void decode_codewords(const word_shape &shape, const void *llrs, size_t codewords);
    /* Returns the metadata with ldpc_converged and ldpc_iterations. */
    pmt::pmt_t with_results(pmt::pmt_t metadata) const;

    dropped_pdus d_dropped;
    std::vector<uint8_t> d_out; /* bits or posteriors */

  private:
    uint64_t dropped_items() const override
    {
        return d_dropped.count();
    }
    void receive(const pmt::pmt_t &pdu);
    void check_abandoned();
    const void *llrs_of_floats(const pdu_vector &vector);
    const void *llrs_of_bytes(const pdu_vector &vector, const word_shape &shape);
    void warn_of_hard_bits(const pdu_vector &vector);
    void decode_batch(const word_shape &shape, const void *llrs, size_t first, size_t codewords);
    void fall_back(const std::string &reason) override;
    pmt::pmt_t result(const word_shape &shape, bool floats) const;

    ldpc_status decode_in_time(const ldpc_batch &batch, std::string &error);

    const time_limit d_limit;
    bool d_may_warn = true;
    std::vector<uint8_t> d_llrs; /* buffers for one PDU */
    lost_llrs d_lost;
    std::vector<ldpc_codeword_info> d_info;
};

} // namespace ldpc
} // namespace gr

#endif
