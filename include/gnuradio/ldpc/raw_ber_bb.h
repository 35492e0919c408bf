/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit error rate in front of a decoder, from what came out of it. */
#ifndef INCLUDED_GR_LDPC_RAW_BER_BB_H
#define INCLUDED_GR_LDPC_RAW_BER_BB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Compares the signs of LLRs with the codewords that a decoder made of them.
 *
 * Input 0: int8 LLRs, positive for bit 0, n per codeword. Input 1: decoded codewords, packed, ceil(n/8) bytes
 * per codeword. No output. A wrongly decoded codeword gives too small a count, which is rare where a receiver
 * works. LLRs of the other sign (llr_sign = "negative") are not supported.
 *
 * Messages on port "stats" are dictionaries: seconds, frames, raw_errors, raw_ber (since the last message).
 */
class GR_LDPC_API raw_ber_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<raw_ber_bb> sptr;

    /*!
     * \param n  bits of a codeword
     * \param stats_interval  seconds between messages; 0 = never
     */
    static sptr make(int n, double stats_interval = 1);

    virtual uint64_t frames() const = 0; //!< codewords compared since the start
    virtual uint64_t errors() const = 0; //!< bits that differed
    virtual double ber() const = 0;      //!< their share; 0 before the first codeword
};

} // namespace ldpc
} // namespace gr

#endif
