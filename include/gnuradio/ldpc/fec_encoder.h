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
 * Input and output: unpacked bits. The default frame is one message; set_frame_size() accepts any multiple of k.
 */
class GR_LDPC_API fec_encoder : public gr::fec::generic_encoder
{
  public:
    typedef std::shared_ptr<fec_encoder> sptr;

    /*! \throws std::invalid_argument if the code is unknown or has no encoder */
    static sptr make(const std::string &code);

    virtual int n() const = 0;            //!< codeword length, bits
    virtual int k() const = 0;            //!< message length, bits
    virtual std::string code() const = 0; //!< canonical name of the code

  protected:
    using generic_encoder::generic_encoder;
};

} // namespace ldpc
} // namespace gr

#endif
