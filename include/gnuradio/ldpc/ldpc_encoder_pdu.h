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
 * A PDU on port "pdus" holds one message or several, as a u8vector; it leaves on port "pdus" as a u8vector of their
 * codewords, with the same metadata. PDUs without whole messages, with items that are no bits, or with packed messages
 * whose padding is not 0 are dropped; dropped() counts them.
 */
class GR_LDPC_API ldpc_encoder_pdu : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_encoder_pdu> sptr;

    /*! \param code   canonical name, "alist:FILE" or "qc:FILE"
     *  \param packed 8 bits per byte on both sides, the first bit in the most significant place, each message and
     *                each codeword padded to whole bytes with zeros; else one bit per byte
     *  \throws std::invalid_argument with one sentence when there is no such code, or no encoder for it */
    static sptr make(const std::string &code, bool packed = false);

    virtual int n() const = 0;            //!< bits of a codeword
    virtual int k() const = 0;            //!< bits of a message
    virtual std::string code() const = 0; //!< canonical name of the code
    virtual uint64_t
    dropped() const = 0; //!< PDUs that hold no whole messages, no bits, or padding that is not 0
};

} // namespace ldpc
} // namespace gr

#endif
