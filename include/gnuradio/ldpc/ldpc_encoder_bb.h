/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder: k message bits in, n codeword bits out. */
#ifndef INCLUDED_GR_LDPC_ENCODER_BB_H
#define INCLUDED_GR_LDPC_ENCODER_BB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Systematic LDPC encoder. Input and output are bits, one per byte or packed.
 *
 * Tags move from a message to its codeword. With a length tag, packets of whole messages become packets of whole
 * codewords; items outside such packets are dropped. With a start tag, a message starts at each tag.
 */
class GR_LDPC_API ldpc_encoder_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_encoder_bb> sptr;

    /*! \param packed  8 bits per byte in input and output, MSB first, each message and each codeword zero-padded to
     *                 whole bytes; messages with nonzero padding are dropped
     *  \throws std::invalid_argument if the code is unknown or both tags are given */
    static sptr make(const std::string &code, const std::string &length_tag_name = "",
                     const std::string &start_tag = "", bool packed = false);

    virtual int n() const = 0;            //!< codeword length, bits
    virtual int k() const = 0;            //!< message length, bits
    virtual std::string code() const = 0; //!< canonical name of the code
    virtual uint64_t dropped() const = 0; //!< dropped items: incomplete messages, nonzero padding
};

} // namespace ldpc
} // namespace gr

#endif
