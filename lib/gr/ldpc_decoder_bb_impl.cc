/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder blocks with int8 LLRs. */
#include "decoder_bytes_impl.h"
#include "options.h"

#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_gpu_bb.h>

namespace gr
{
namespace ldpc
{

ldpc_decoder_cpu_bb::sptr ldpc_decoder_cpu_bb::make(const decoder_options &options)
{
    return gnuradio::make_block_sptr<decoder_bytes_block<ldpc_decoder_cpu_bb>>("ldpc_decoder_cpu_bb", options,
                                                                               "cpu");
}

ldpc_decoder_gpu_bb::sptr ldpc_decoder_gpu_bb::make(const gpu_decoder_options &options)
{
    return gnuradio::make_block_sptr<decoder_bytes_block<ldpc_decoder_gpu_bb>>("ldpc_decoder_gpu_bb", options,
                                                                               options.backend);
}

} // namespace ldpc
} // namespace gr
