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

/*! \brief Options of fec_decoder: those of decoder_options for the CPU that are no matter of streams. */
struct fec_decoder_options : decoder_options {
    float gain = 4; //!< LLR, in nat, that a soft bit of 1 stands for: 2 / noise variance
};

/*!
 * \brief LDPC decoder for the blocks of gr-fec: fec.decoder, fec.extended_decoder, fec.async_decoder ...
 *
 * Takes soft bits as gr-fec has them, floats that are positive for 1, and makes unpacked message bits. A frame
 * is one codeword; set_frame_size() takes any multiple of k.
 */
class GR_LDPC_API fec_decoder : public gr::fec::generic_decoder
{
  public:
    typedef std::shared_ptr<fec_decoder> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense */
    static sptr make(const fec_decoder_options &options);

    virtual int n() const = 0;              //!< soft bits of a codeword
    virtual int k() const = 0;              //!< message bits of a codeword
    virtual std::string code() const = 0;   //!< canonical name of the code
    virtual std::string kernel() const = 0; //!< kernel in use, e.g. "avx512"
    virtual uint64_t frames() const = 0;    //!< codewords decoded
    virtual uint64_t failed() const = 0;    //!< those that did not converge

  protected:
    using generic_decoder::generic_decoder;
};

} // namespace ldpc
} // namespace gr

#endif
