/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DECODER_CPU_FB_IMPL_H
#define INCLUDED_GR_LDPC_DECODER_CPU_FB_IMPL_H

#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>

#include "decoder_base_impl.h"
#include "llrs.h"

namespace gr
{
namespace ldpc
{

class ldpc_decoder_cpu_fb_impl : public ldpc_decoder_cpu_fb, public decoder_base_impl
{
  public:
    explicit ldpc_decoder_cpu_fb_impl(const decoder_options &options);

  protected:
    bool as_is() const override
    {
        return float_llrs() && positive_is_zero();
    }
    void convert(const void *in, void *llr, size_t codewords, const code_path &path) const override;

  private:
    mutable lost_llrs d_lost;
};

} // namespace ldpc
} // namespace gr

#endif
