/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A buffer between two blocks that is registered with a decoder's GPU. */
#ifndef INCLUDED_GR_LDPC_REGISTERED_BUFFER_H
#define INCLUDED_GR_LDPC_REGISTERED_BUFFER_H

#include <gnuradio/buffer.h>
#include <ldpc/decoder.h>

#include <memory>

namespace gr
{
namespace ldpc
{

/* From the construction to the destruction the GPU copies from the buffer by itself. No batch is in flight at the end, and the
 * decoder still exists. */
class registered_buffer
{
  public:
    /* Empty where the driver does not register this memory: another block has registered it, or the system
     * does not lock pages of this kind. */
    static std::unique_ptr<registered_buffer> make(ldpc_decoder *decoder, const buffer_sptr &buffer);
    ~registered_buffer();
    registered_buffer(const registered_buffer &) = delete;
    registered_buffer &operator=(const registered_buffer &) = delete;

  private:
    registered_buffer(ldpc_decoder *decoder, const buffer_sptr &buffer) : d_decoder(decoder), d_buffer(buffer)
    {
    }

    ldpc_decoder *d_decoder;
    buffer_sptr d_buffer;
};

} // namespace ldpc
} // namespace gr

#endif
