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
 * \brief Systematic LDPC encoder, one bit per byte on both sides.
 *
 * A tag stays with its own codeword. With a length tag, packets of whole messages become packets of whole
 * codewords; what belongs to no such packet is dropped. With a start tag, a message begins at each such tag.
 */
class GR_LDPC_API ldpc_encoder_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_encoder_bb> sptr;

    /*! \throws std::invalid_argument with one sentence when there is no such code or both tags are given */
    static sptr make(const std::string &code, const std::string &length_tag_name = "",
                     const std::string &start_tag = "");

    virtual int n() const = 0;            //!< bits of a codeword
    virtual int k() const = 0;            //!< bits of a message
    virtual std::string code() const = 0; //!< canonical name of the code
    virtual uint64_t dropped() const = 0; //!< input items that belonged to no whole message
};

} // namespace ldpc
} // namespace gr

#endif
