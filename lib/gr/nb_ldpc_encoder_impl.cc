/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonbinary LDPC encoder block. */
#include "nb_ldpc_encoder_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

nb_ldpc_encoder::sptr nb_ldpc_encoder::make(const std::string &code, bool symbols,
                                            const std::string &length_tag_name, const std::string &start_tag)
{
    return gnuradio::make_block_sptr<nb_ldpc_encoder_impl>(code, symbols, length_tag_name, start_tag);
}

nb_ldpc_encoder_impl::nb_ldpc_encoder_impl(const std::string &code, bool symbols,
                                           const std::string &length_tag_name, const std::string &start_tag)
    : gr::block("nb_ldpc_encoder", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      ldpc_encoder_bb_impl(make_nonbinary_code(code), length_tag_name, start_tag,
                           symbols ? items::symbols : items::bits)
{
}

} // namespace ldpc
} // namespace gr
