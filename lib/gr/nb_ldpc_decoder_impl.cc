/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonbinary LDPC decoder block. */
#include <gnuradio/ldpc/nb_ldpc_decoder.h>

#include "decoder_bytes_impl.h"

namespace gr
{
namespace ldpc
{

static block_traits traits_of(const nb_decoder_options &options)
{
    block_traits traits;
    traits.nonbinary = true;
    traits.symbols = options.symbols;
    return traits;
}

nb_ldpc_decoder::sptr nb_ldpc_decoder::make(const nb_decoder_options &options)
{
    return gnuradio::make_block_sptr<decoder_bytes_block<nb_ldpc_decoder>>(
        "nb_ldpc_decoder", options, options.backend, traits_of(options));
}

} // namespace ldpc
} // namespace gr
