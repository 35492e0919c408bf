/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_GR_LDPC_NB_LDPC_ENCODER_IMPL_H
#define INCLUDED_GR_LDPC_NB_LDPC_ENCODER_IMPL_H

#include <gnuradio/ldpc/nb_ldpc_encoder.h>

#include "ldpc_encoder_bb_impl.h"

namespace gr
{
namespace ldpc
{

class nb_ldpc_encoder_impl : public nb_ldpc_encoder, public ldpc_encoder_bb_impl
{
  public:
    nb_ldpc_encoder_impl(const std::string &code, bool symbols, const std::string &length_tag_name,
                         const std::string &start_tag);
};

} // namespace ldpc
} // namespace gr

#endif
