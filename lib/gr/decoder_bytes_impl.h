/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder blocks with bytes as input: int8 LLRs, hard bits or symbol costs. */
#ifndef INCLUDED_GR_LDPC_DECODER_BYTES_IMPL_H
#define INCLUDED_GR_LDPC_DECODER_BYTES_IMPL_H

#include "decoder_base_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

class decoder_bytes_impl : public decoder_base_impl
{
  protected:
    using decoder_base_impl::decoder_base_impl;

    bool as_is() const override
    {
        return bytes_are_llrs(d_options);
    }
    void convert(const void *in, void *llr, size_t codewords, const code_path &path) const override
    {
        bytes_to_llrs(d_options, path.shape, static_cast<const uint8_t *>(in), codewords,
                      static_cast<int8_t *>(llr));
    }
};

template <class Interface> class decoder_bytes_block : public Interface, public decoder_bytes_impl
{
  public:
    decoder_bytes_block(const char *name, const decoder_options &options, const std::string &backend,
                        const block_traits &traits = block_traits())
        : gr::block(name, io_signature::make(1, 1, sizeof(int8_t)),
                    io_signature::make(1, 1, sizeof(uint8_t))),
          decoder_bytes_impl(options, backend, traits)
    {
    }
};

} // namespace ldpc
} // namespace gr

#endif
