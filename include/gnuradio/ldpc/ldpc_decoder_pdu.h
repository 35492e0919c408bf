/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder for PDUs: LLRs in, bits out. */
#ifndef INCLUDED_GR_LDPC_DECODER_PDU_H
#define INCLUDED_GR_LDPC_DECODER_PDU_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of ldpc_decoder_pdu; tags, length_tag_name and start_tag have no effect. */
struct pdu_decoder_options : decoder_options {
    std::string backend = "cpu"; //!< "cpu", "gpu" (CUDA or OpenCL), "cuda" or "opencl"
};

/*!
 * \brief LDPC decoder for PDUs.
 *
 * An input PDU on port "pdus" contains the LLRs of one or more codewords: a u8vector or s8vector of int8 LLRs
 * with steps of 1/llr_scale nats, or an f32vector of LLRs in nats. The output PDU on port "pdus" is a u8vector
 * of bits. The block keeps the metadata and adds ldpc_converged (all codewords converged) and ldpc_iterations
 * (maximum over the codewords). PDUs without whole codewords, or with nonzero padding of packed hard bits, are
 * dropped; dropped() counts them.
 */
class GR_LDPC_API ldpc_decoder_pdu : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_pdu> sptr;

    /*! \throws std::invalid_argument if an option is invalid, std::runtime_error if the backend
     * cannot be used */
    static sptr make(const pdu_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
