/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_NB_LDPC_DECODER_IMPL_H
#define INCLUDED_GR_LDPC_NB_LDPC_DECODER_IMPL_H

#include "decoder_bytes_impl.h"

#include <gnuradio/ldpc/nb_ldpc_decoder.h>

namespace gr
{
namespace ldpc
{

class nb_ldpc_decoder_impl : public nb_ldpc_decoder, public decoder_bytes_impl
{
  public:
    explicit nb_ldpc_decoder_impl(const nb_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
