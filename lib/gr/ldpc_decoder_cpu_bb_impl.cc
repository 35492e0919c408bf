/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the CPU, int8 LLRs in. */
#include "ldpc_decoder_cpu_bb_impl.h"

#include <gnuradio/io_signature.h>

#include <algorithm>

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
      decoder_base_impl(options, "cpu")
{
}

/* Turn the sign round: needed when negative means 0. */
void ldpc_decoder_cpu_bb_impl::convert(const void *in, void *llr, size_t count) const
{
    const int8_t *from = static_cast<const int8_t *>(in);
    int8_t *to = static_cast<int8_t *>(llr);
    for (size_t i = 0; i < count; i++)
        to[i] = static_cast<int8_t>(-std::max<int>(from[i], -127));
}

} // namespace ldpc
} // namespace gr
