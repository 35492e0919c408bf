/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_FEC_DECODER_IMPL_H
#define INCLUDED_GR_LDPC_FEC_DECODER_IMPL_H

#include <gnuradio/ldpc/fec_decoder.h>

#include "fec_frames.h"
#include "handles.h"
#include "llrs.h"
#include "total_failure.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace gr
{
namespace ldpc
{

class fec_decoder_impl : public fec_decoder
{
  public:
    explicit fec_decoder_impl(const fec_decoder_options &options);

    void generic_work(fec_input in, void *out) override;
    bool set_frame_size(unsigned int frame_size) override;
    double rate() override
    {
        return static_cast<double>(d_k) / d_n;
    }
    int get_input_size() override
    {
        return static_cast<int>(d_codewords * d_n);
    }
    int get_output_size() override
    {
        return static_cast<int>(d_codewords * d_k);
    }
    float get_iterations() override
    {
        return d_iterations;
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
    std::string kernel() const override
    {
        return ldpc_decoder_kernel(d_decoder.get());
    }
    uint64_t frames() const override
    {
        return d_frames;
    }
    uint64_t failed() const override
    {
        return d_failed;
    }

  private:
    uint32_t decode(const float *soft, uint8_t *bits);

    code_handle d_code;
    decoder_handle d_decoder;
    int d_n, d_k;
    float d_factor;              /* converts soft bits to LLRs */
    bool d_floats;               /* the decoder's LLRs are floats instead of int8 */
    size_t d_codewords = 1;      /* codewords per frame */
    std::vector<uint8_t> d_llrs; /* LLRs of one codeword */
    total_failure d_failure;
    lost_llrs d_lost;
    std::mutex d_working;                /* several blocks may use this object at the same time */
    std::atomic<float> d_iterations{-1}; /* mean iterations of the last frame; -1 before the first frame */
    std::atomic<uint64_t> d_frames{0}, d_failed{0}; /* codewords */
};

} // namespace ldpc
} // namespace gr

#endif
