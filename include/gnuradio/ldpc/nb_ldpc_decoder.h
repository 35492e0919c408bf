/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonbinary LDPC decoder: bit LLRs or symbol costs in, bits or symbols out. */
#ifndef INCLUDED_GR_LDPC_NB_LDPC_DECODER_H
#define INCLUDED_GR_LDPC_NB_LDPC_DECODER_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of nb_ldpc_decoder. n and k count bits, log2 q per symbol. */
struct nb_decoder_options : decoder_options {
    std::string backend = "cpu"; //!< "cpu", "gpu" (CUDA or OpenCL), "cuda" or "opencl"
    bool symbols = false;        //!< one symbol per output byte instead of one bit
};

/*!
 * \brief LDPC decoder over GF(q), q = 4 .. 256.
 *
 * The bits of a symbol are ordered MSB first. Input "llrs": int8 LLRs of the bits, in steps of 1/llr_scale nats.
 * Input "costs": q bytes per symbol, ln P(best) - ln P(a) for a = 0 .. q-1, in steps of 1/llr_scale nats.
 */
class GR_LDPC_API nb_ldpc_decoder : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<nb_ldpc_decoder> sptr;

    /*! \throws std::invalid_argument if an option is invalid, std::runtime_error if the backend
     * cannot be used */
    static sptr make(const nb_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
