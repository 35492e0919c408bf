/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder over larger fields. */
#include "nb_ldpc_decoder_impl.h"

#include "options.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

nb_ldpc_decoder::sptr nb_ldpc_decoder::make(const nb_decoder_options &options)
{
    return gnuradio::make_block_sptr<nb_ldpc_decoder_impl>(options);
}

/* The backend's choice includes what to do when it fails. */
static decoder_options with_fallback(const nb_decoder_options &options)
{
    decoder_options changed = options;
    if (is_first("backend", options.backend, {"auto", "cpu", "cuda"}))
        changed.fallback = "cpu";
    return changed;
}

static item_forms forms_of(const nb_decoder_options &options)
{
    item_forms forms;
    forms.nonbinary = true;
    forms.costs = !is_first("input", options.input, {"llrs", "costs"});
    forms.symbols = options.symbols;
    return forms;
}

nb_ldpc_decoder_impl::nb_ldpc_decoder_impl(const nb_decoder_options &options)
    : gr::block("nb_ldpc_decoder", io_signature::make(1, 1, sizeof(int8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      decoder_bytes_impl(with_fallback(options), options.backend, forms_of(options))
{
}

} // namespace ldpc
} // namespace gr
