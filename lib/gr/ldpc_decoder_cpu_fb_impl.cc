/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU, float LLRs in. */
#include "ldpc_decoder_cpu_fb_impl.h"

#include <gnuradio/io_signature.h>
#include <volk/volk.h>

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
                io_signature::make(1, 1, sizeof(uint8_t))),
      decoder_base_impl(options, "cpu")
{
}

/* Quantise, with rounding and saturation; float arithmetic takes the LLRs as they are but for the sign. */
void ldpc_decoder_cpu_fb_impl::convert(const void *in, void *llr, size_t count) const
{
    const float *from = static_cast<const float *>(in);
    const float sign = positive_is_zero() ? 1.0f : -1.0f;
    if (float_llrs())
        volk_32f_s32f_multiply_32f(static_cast<float *>(llr), from, sign, count);
    else
        volk_32f_s32f_convert_8i(static_cast<int8_t *>(llr), from, sign * llr_scale(), count);
}

} // namespace ldpc
} // namespace gr
