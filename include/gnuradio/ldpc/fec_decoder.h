/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder for the blocks of gr-fec. */
#ifndef INCLUDED_GR_LDPC_FEC_DECODER_H
#define INCLUDED_GR_LDPC_FEC_DECODER_H

#include <gnuradio/fec/generic_decoder.h>
#include <gnuradio/ldpc/ldpc_decoder_base.h>

#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/*! \brief Options of fec_decoder. Options for streams and GPUs have no effect. */
struct fec_decoder_options : decoder_options {
    float gain = 4; //!< LLR in nats of a soft bit of magnitude 1: 2 / noise variance
};

/*!
 * \brief LDPC decoder for the blocks of gr-fec: fec.decoder, fec.extended_decoder, fec.async_decoder ...
 *
 * Input: soft bits (float, positive for bit 1, as in gr-fec). Output: unpacked message bits. The default frame is
 * one codeword; set_frame_size() accepts any multiple of k.
 */
class GR_LDPC_API fec_decoder : public gr::fec::generic_decoder
{
  public:
    typedef std::shared_ptr<fec_decoder> sptr;

    /*! \throws std::invalid_argument if an option is invalid */
    static sptr make(const fec_decoder_options &options);

    virtual int n() const = 0;              //!< soft bits per codeword
    virtual int k() const = 0;              //!< message bits per codeword
    virtual std::string code() const = 0;   //!< canonical name of the code
    virtual std::string kernel() const = 0; //!< kernel in use, e.g. "avx512"
    virtual uint64_t frames() const = 0;    //!< codewords decoded
    virtual uint64_t failed() const = 0;    //!< codewords that did not converge

  protected:
    using generic_decoder::generic_decoder;
};

} // namespace ldpc
} // namespace gr

#endif
