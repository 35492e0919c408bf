/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder of packets: payload bytes in, transmitted bits out. */
#ifndef INCLUDED_GR_LDPC_PACKET_ENCODER_H
#define INCLUDED_GR_LDPC_PACKET_ENCODER_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Encodes payloads of any length as packets of codewords (format: ldpc/packet.h).
 *
 * An input PDU on port "pdus" is a u8vector or s8vector with the payload, which may be empty. The output PDU on
 * port "pdus" is a u8vector with the transmitted bits, and keeps the metadata. PDUs of other types are dropped;
 * dropped() counts them.
 */
class GR_LDPC_API ldpc_packet_encoder : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_packet_encoder> sptr;

    /*! \param code      canonical name, "alist:FILE" or "qc:FILE"
     *  \param crc       bits of the CRC: 32 or 16
     *  \param multiple  the number of transmitted bits is a multiple of this number
     *  \param packed    8 transmitted bits per byte, MSB first; `multiple` must then be a multiple of 8
     *  \throws std::invalid_argument if an argument is invalid, or the code is unknown or has no encoder */
    static sptr make(const std::string &code, int crc = 32, int multiple = 8, bool packed = false);

    virtual int n() const = 0;            //!< codeword length, bits
    virtual int k() const = 0;            //!< message length, bits
    virtual std::string code() const = 0; //!< canonical name of the code
    virtual uint64_t dropped() const = 0; //!< PDUs without a vector of bytes
};

} // namespace ldpc
} // namespace gr

#endif
