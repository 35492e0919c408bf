/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder for the blocks of gr-fec. */
#ifndef INCLUDED_GR_LDPC_FEC_ENCODER_H
#define INCLUDED_GR_LDPC_FEC_ENCODER_H

#include <gnuradio/fec/generic_encoder.h>
#include <gnuradio/ldpc/api.h>

#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC encoder for the blocks of gr-fec: fec.encoder, fec.extended_encoder, fec.async_encoder ...
 *
 * Unpacked bits on both sides. A frame is one message; set_frame_size() takes any multiple of k.
 */
class GR_LDPC_API fec_encoder : public gr::fec::generic_encoder
{
  public:
    typedef std::shared_ptr<fec_encoder> sptr;

    /*! \throws std::invalid_argument with one sentence when there is no such code, or no encoder for it */
    static sptr make(const std::string &code);

    virtual int n() const = 0;            //!< bits of a codeword
    virtual int k() const = 0;            //!< bits of a message
    virtual std::string code() const = 0; //!< canonical name of the code

  protected:
    using generic_encoder::generic_encoder;
};

} // namespace ldpc
} // namespace gr

#endif
