/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H
#define INCLUDED_GR_LDPC_ENCODER_BB_IMPL_H

#include "handles.h"
#include "stream_end.h"

#include <gnuradio/ldpc/ldpc_encoder_bb.h>

namespace gr
{
namespace ldpc
{

class ldpc_encoder_bb_impl : public ldpc_encoder_bb
{
  public:
    explicit ldpc_encoder_bb_impl(const std::string &code);

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
    code_handle d_code;
    int d_n, d_k;
    stream_end d_end;
};

} // namespace ldpc
} // namespace gr

#endif
