/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_FEC_ENCODER_IMPL_H
#define INCLUDED_GR_LDPC_FEC_ENCODER_IMPL_H

#include <gnuradio/ldpc/fec_encoder.h>

#include "fec_frames.h"
#include "handles.h"

namespace gr
{
namespace ldpc
{

class fec_encoder_impl : public fec_encoder
{
  public:
    explicit fec_encoder_impl(const std::string &code);

    void generic_work(fec_input in, void *out) override;
    bool set_frame_size(unsigned int frame_size) override;
    double rate() override
    {
        return static_cast<double>(d_n) / d_k;
    }
    int get_input_size() override
    {
        return static_cast<int>(d_codewords * d_k);
    }
    int get_output_size() override
    {
        return static_cast<int>(d_codewords * d_n);
    }

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
    size_t d_codewords = 1; /* codewords per frame */
};

} // namespace ldpc
} // namespace gr

#endif
