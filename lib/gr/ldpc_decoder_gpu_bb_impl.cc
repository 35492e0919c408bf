/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the GPU, int8 LLRs in. */
#include "ldpc_decoder_gpu_bb_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

ldpc_decoder_gpu_bb::sptr ldpc_decoder_gpu_bb::make(const decoder_options &options)
{
    return gnuradio::make_block_sptr<ldpc_decoder_gpu_bb_impl>(options);
}

static block_traits gpu_traits()
{
    block_traits traits;
    traits.to_the_cpu = "fallback=\"cpu\"";
    return traits;
}

ldpc_decoder_gpu_bb_impl::ldpc_decoder_gpu_bb_impl(const decoder_options &options)
    : gr::block("ldpc_decoder_gpu_bb", io_signature::make(1, 1, sizeof(int8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      decoder_bytes_impl(options, "cuda", gpu_traits())
{
}

} // namespace ldpc
} // namespace gr
