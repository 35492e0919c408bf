/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H
#define INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H

#include "handles.h"
#include "stream_end.h"

#include <gnuradio/ldpc/ldpc_encoder_bb.h>

#include <vector>

namespace gr
{
namespace ldpc
{

class ldpc_encoder_bb_impl : virtual public ldpc_encoder_bb
{
  public:
    /* Items are bits, or symbols of log2 q bits. */
    explicit ldpc_encoder_bb_impl(code_handle code, bool symbols = false);

    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;
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

  private:
    ldpc_status encode_symbols(const uint8_t *in, size_t words, uint8_t *out);

    code_handle d_code;
    int d_n, d_k; /* bits */
    int d_width;  /* bits of an item */
    int d_n_items, d_k_items;
    stream_end d_end;
    std::vector<uint8_t> d_message, d_codeword; /* bits of one codeword, for items that are symbols */
};

} // namespace ldpc
} // namespace gr

#endif
