/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H
#define INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H

#include <gnuradio/ldpc/ldpc_encoder_bb.h>

#include "codeword_stream.h"
#include "handles.h"

#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class ldpc_encoder_bb_impl : virtual public ldpc_encoder_bb
{
  public:
    enum class items { bits, symbols, packed }; /* packed: 8 bits per item */

    ldpc_encoder_bb_impl(code_handle code, const std::string &length_tag_name, const std::string &start_tag,
                         items of_stream);

    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;
    bool start() override;
    uint64_t dropped() const override;

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

  private:
    ldpc_status encode_items(const uint8_t *in, size_t codewords, uint8_t *out);

    code_handle d_code;
    int d_n, d_k; /* bits */
    int d_width;  /* bits per item */
    int d_n_items, d_k_items;
    mutable std::mutex d_mutex; /* guards the fields below */
    codeword_stream d_codewords;
    std::vector<uint8_t> d_message, d_codeword;
};

} // namespace ldpc
} // namespace gr

#endif
