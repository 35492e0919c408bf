/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder: k message bits in, n codeword bits out. */
#ifndef INCLUDED_GR_LDPC_ENCODER_BB_H
#define INCLUDED_GR_LDPC_ENCODER_BB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Systematic LDPC encoder, one bit per byte on both sides.
 *
 * Tags at message starts move to offset * n / k.
 */
class GR_LDPC_API ldpc_encoder_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<ldpc_encoder_bb> sptr;

    /*! \throws std::invalid_argument with one sentence when there is no such code */
    static sptr make(const std::string &code);

    virtual int n() const = 0;            //!< bits of a codeword
    virtual int k() const = 0;            //!< bits of a message
    virtual std::string code() const = 0; //!< canonical name of the code
};

} // namespace ldpc
} // namespace gr

#endif
