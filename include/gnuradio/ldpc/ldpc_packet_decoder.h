/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of packets: LLRs in, payload bytes out. */
#ifndef INCLUDED_GR_LDPC_PACKET_DECODER_H
#define INCLUDED_GR_LDPC_PACKET_DECODER_H

#include <gnuradio/ldpc/ldpc_decoder_pdu.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of ldpc_packet_decoder; `output` and `packed` have no effect. */
struct packet_decoder_options : pdu_decoder_options {
    int crc = 32; //!< bits of the CRC: 32 or 16
};

/*!
 * \brief Decodes the packets of ldpc_packet_encoder.
 *
 * An input PDU on port "pdus" contains the LLRs (or hard bits) of all transmitted bits of one packet. The output PDU
 * on port "pdus" is a u8vector with the payload. The block keeps the metadata and adds ldpc_converged and
 * ldpc_iterations, as ldpc_decoder_pdu does. Packets with a wrong CRC are not output; crc_errors() counts them.
 * dropped() counts PDUs that are shorter than a packet or have another type.
 */
class GR_LDPC_API ldpc_packet_decoder : virtual public ldpc_decoder_pdu
{
  public:
    typedef std::shared_ptr<ldpc_packet_decoder> sptr;

    /*! \throws std::invalid_argument if an option is invalid, std::runtime_error if the backend
     * cannot be used */
    static sptr make(const packet_decoder_options &options);

    virtual uint64_t packets() const = 0;    //!< packets output since the flowgraph started
    virtual uint64_t crc_errors() const = 0; //!< packets whose CRC did not match
};

} // namespace ldpc
} // namespace gr

#endif
