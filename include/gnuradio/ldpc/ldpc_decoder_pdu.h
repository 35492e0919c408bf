/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder for PDUs: LLRs in, bits out. */
#ifndef INCLUDED_GR_LDPC_DECODER_PDU_H
#define INCLUDED_GR_LDPC_DECODER_PDU_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of ldpc_decoder_pdu; those for streams (tags, length_tag_name, start_tag) have no effect. */
struct pdu_decoder_options : decoder_options {
    std::string backend = "cpu"; //!< "cpu", "gpu" (CUDA, else OpenCL), "cuda" or "opencl"
};

/*!
 * \brief LDPC decoder for PDUs.
 *
 * A PDU on port "pdus" holds the LLRs of one codeword or of several: a u8vector or s8vector of int8 in steps of
 * 1/llr_scale nat, or an f32vector in nat. It leaves on port "pdus" as a u8vector of bits. The metadata is kept;
 * ldpc_converged (boolean: all codewords did) and ldpc_iterations (integer: the most of any codeword) are added.
 * PDUs without whole codewords, or with packed hard bits whose padding is not 0, are dropped; dropped() counts them.
 */
class GR_LDPC_API ldpc_decoder_pdu : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_pdu> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense, std::runtime_error when
     * the backend cannot be used */
    static sptr make(const pdu_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
