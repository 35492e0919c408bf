/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit error rate before a decoder. */
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
 * \brief Measures the bit error rate before a decoder by comparing the signs of LLRs with the decoded codewords.
 *
 * Input 0: int8 LLRs, positive for bit 0, n per codeword. Input 1: decoded codewords as packed bits, ceil(n/8)
 * bytes per codeword. There is no output. If a codeword is wrongly decoded, too few errors are counted. This is rare
 * at a usable SNR. LLRs with llr_sign = "negative" are not supported.
 *
 * Messages on port "stats" are dictionaries: seconds, frames, raw_errors, raw_ber (since the last message).
 */
class GR_LDPC_API raw_ber_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<raw_ber_bb> sptr;

    /*!
     * \param n  codeword length, bits
     * \param stats_interval  seconds between messages; 0 = no messages
     */
    static sptr make(int n, double stats_interval = 1);

    virtual uint64_t frames() const = 0; //!< codewords compared since the start
    virtual uint64_t errors() const = 0; //!< bit errors since the start
    virtual double ber() const = 0;      //!< bit error rate since the start; 0 before the first codeword
};

} // namespace ldpc
} // namespace gr

#endif
