/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_DECODER_GPU_BB_IMPL_H
#define INCLUDED_GR_LDPC_DECODER_GPU_BB_IMPL_H

#include "decoder_bytes_impl.h"

#include <gnuradio/ldpc/ldpc_decoder_gpu_bb.h>

namespace gr
{
namespace ldpc
{

class ldpc_decoder_gpu_bb_impl : public ldpc_decoder_gpu_bb, public decoder_bytes_impl
{
  public:
    explicit ldpc_decoder_gpu_bb_impl(const decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
