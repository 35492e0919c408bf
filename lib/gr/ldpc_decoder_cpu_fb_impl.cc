/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder block with float LLRs. */
#include "ldpc_decoder_cpu_fb_impl.h"

#include "options.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

ldpc_decoder_cpu_fb::sptr ldpc_decoder_cpu_fb::make(const decoder_options &options)
{
    return gnuradio::make_block_sptr<ldpc_decoder_cpu_fb_impl>(options);
}

ldpc_decoder_cpu_fb_impl::ldpc_decoder_cpu_fb_impl(const decoder_options &options)
    : gr::block("ldpc_decoder_cpu_fb", io_signature::make(1, 1, sizeof(float)),
                io_signature::make(1, 1, options.output == "posterior" ? sizeof(float) : sizeof(uint8_t))),
      decoder_base_impl(options, "cpu")
{
    is_first("input", options.input, {"llrs"});
}

/* Quantises unless the arithmetic is float. */
void ldpc_decoder_cpu_fb_impl::convert(const void *in, void *llr, size_t codewords,
                                       const code_path &path) const
{
    const size_t count = codewords * path.shape.llrs;
    const float *from = static_cast<const float *>(in);
    const float sign = positive_is_zero() ? 1.0f : -1.0f;
    if (float_llrs()) {
        scale_llrs(from, static_cast<float *>(llr), count, sign);
        return;
    }
    quantise_llrs(from, static_cast<int8_t *>(llr), count, sign * llr_scale());
    if (d_lost.noticed(from, static_cast<const int8_t *>(llr), count))
        d_logger->warn("{}", lost_llrs::text(llr_scale()));
}

} // namespace ldpc
} // namespace gr
