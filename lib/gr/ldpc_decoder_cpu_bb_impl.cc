/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU, int8 LLRs in. */
#include "ldpc_decoder_cpu_bb_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

ldpc_decoder_cpu_bb::sptr ldpc_decoder_cpu_bb::make(const decoder_options &options)
{
    return gnuradio::make_block_sptr<ldpc_decoder_cpu_bb_impl>(options);
}

ldpc_decoder_cpu_bb_impl::ldpc_decoder_cpu_bb_impl(const decoder_options &options)
    : gr::block("ldpc_decoder_cpu_bb", io_signature::make(1, 1, sizeof(int8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      decoder_bytes_impl(options, "cpu")
{
}

} // namespace ldpc
} // namespace gr
