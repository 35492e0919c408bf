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
 * \brief Permutes LLRs or unpacked bits from the order of the cells to the order of the LDPC code.
 *
 * For demappers that lack this step; dvb_demapper_cb includes this step. The input is cell by cell, first bit
 * first. The first input item must be the first item of a codeword.
 */
class GR_LDPC_API dvb_bit_deinterleaver_bb : virtual public gr::sync_block
{
  public:
    typedef std::shared_ptr<dvb_bit_deinterleaver_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
     * \param modulation  constellation: QPSK and QAM of DVB-T2, or QPSK, 8PSK and APSK of DVB-S2 and S2X.
     *     Not every code can be used with every constellation ("qpsk", "16qam", "64qam", "256qam", "8psk",
     *     "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
     * \throws std::invalid_argument if an argument is invalid
     */
    static sptr make(const std::string &code, const std::string &modulation);

    virtual int n() const = 0; //!< codeword length
};

} // namespace ldpc
} // namespace gr

#endif
