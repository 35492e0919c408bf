/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonbinary LDPC encoder: k bits or symbols in, n bits or symbols out. */
#ifndef INCLUDED_GR_LDPC_NB_LDPC_ENCODER_H
#define INCLUDED_GR_LDPC_NB_LDPC_ENCODER_H

#include <gnuradio/ldpc/ldpc_encoder_bb.h>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LDPC encoder over GF(q), q = 4 .. 256.
 *
 * Input and output: one bit per byte, MSB of each symbol first, or one symbol per byte. n() and k() count bits.
 */
class GR_LDPC_API nb_ldpc_encoder : virtual public ldpc_encoder_bb
{
  public:
    typedef std::shared_ptr<nb_ldpc_encoder> sptr;

    /*! \throws std::invalid_argument if the code is unknown or binary */
    static sptr make(const std::string &code, bool symbols = false, const std::string &length_tag_name = "",
                     const std::string &start_tag = "");
};

} // namespace ldpc
} // namespace gr

#endif
