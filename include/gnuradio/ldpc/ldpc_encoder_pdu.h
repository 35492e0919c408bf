/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder for PDUs: message bits in, codeword bits out. */
#ifndef INCLUDED_GR_LDPC_ENCODER_PDU_H
#define INCLUDED_GR_LDPC_ENCODER_PDU_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC encoder for PDUs.
 *
 * An input PDU on port "pdus" is a u8vector with one or more messages. The output PDU on port "pdus" is a u8vector
 * with their codewords, and keeps the metadata. PDUs without whole messages, with items other than 0 and 1, or with
 * nonzero padding are dropped; dropped() counts them.
 */
class GR_LDPC_API ldpc_encoder_pdu : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_encoder_pdu> sptr;

    /*! \param code   canonical name, "alist:FILE" or "qc:FILE"
     *  \param packed 8 bits per byte in input and output, MSB first, each message and each codeword zero-padded
     *                to whole bytes; otherwise one bit per byte
     *  \throws std::invalid_argument if the code is unknown or has no encoder */
    static sptr make(const std::string &code, bool packed = false);

    virtual int n() const = 0;            //!< codeword length, bits
    virtual int k() const = 0;            //!< message length, bits
    virtual std::string code() const = 0; //!< canonical name of the code
    virtual uint64_t dropped() const = 0; //!< dropped PDUs: empty, incomplete, nonzero padding
};

} // namespace ldpc
} // namespace gr

#endif
