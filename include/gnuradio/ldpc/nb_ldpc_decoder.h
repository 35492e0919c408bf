/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of codes over larger fields: LLRs of bits or costs of symbols in, bits or symbols out. */
#ifndef INCLUDED_GR_LDPC_NB_LDPC_DECODER_H
#define INCLUDED_GR_LDPC_NB_LDPC_DECODER_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of nb_ldpc_decoder; n and k count bits, log2 q for each symbol. */
struct nb_decoder_options : decoder_options {
    std::string backend = "cpu"; //!< "cpu", "gpu" (CUDA, else OpenCL), "cuda" or "opencl"
    bool symbols = false;        //!< a symbol in each output byte instead of a bit
};

/*!
 * \brief LDPC decoder over GF(q), q = 4 .. 256.
 *
 * The bits of a symbol come with the most significant one first. Input "llrs": int8 LLRs of the bits in steps
 * of 1/llr_scale nat. Input "costs": for each symbol q bytes, ln P(best) - ln P(a) in the same steps for a =
 * 0
 * .. q-1.
 */
class GR_LDPC_API nb_ldpc_decoder : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<nb_ldpc_decoder> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense, std::runtime_error when
     * the backend cannot be used */
    static sptr make(const nb_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
