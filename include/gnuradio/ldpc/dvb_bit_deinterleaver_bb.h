/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit deinterleaver of DVB-T2, DVB-S2 and S2X. */
#ifndef INCLUDED_GR_LDPC_DVB_BIT_DEINTERLEAVER_BB_H
#define INCLUDED_GR_LDPC_DVB_BIT_DEINTERLEAVER_BB_H

#include <gnuradio/ldpc/api.h>
#include <gnuradio/sync_block.h>

#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief LLRs (or bits) from the order of the cells to the order of the LDPC code, one per byte.
 *
 * For a demapper of one's own; dvb_demapper_cb does it itself. Cell after cell enters, its first bit first.
 * The first item is the first of a codeword.
 */
class GR_LDPC_API dvb_bit_deinterleaver_bb : virtual public gr::sync_block
{
  public:
    typedef std::shared_ptr<dvb_bit_deinterleaver_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
     * \param modulation  constellation of the cells: QPSK and QAM of DVB-T2; QPSK, 8PSK and APSK of DVB-S2
     *     and S2X, each with some codes ("qpsk", "16qam", "64qam", "256qam", "8psk", "8apsk", "16apsk",
     *     "32apsk", "64apsk", "128apsk", "256apsk")
     * \throws std::invalid_argument with one sentence that says what is wrong
     */
    static sptr make(const std::string &code, const std::string &modulation);

    virtual int n() const = 0; //!< LLRs of a codeword
};

} // namespace ldpc
} // namespace gr

#endif
