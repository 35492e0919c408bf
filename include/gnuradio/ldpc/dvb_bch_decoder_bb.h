/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of the BCH codes around the LDPC codes of DVB. */
#ifndef INCLUDED_GR_LDPC_DVB_BCH_DECODER_BB_H
#define INCLUDED_GR_LDPC_DVB_BCH_DECODER_BB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/*!
 * \brief BCH decoder of DVB-S2, S2X, T2 and C2: LDPC message bits in, baseband frames out.
 *
 * Exactly k bits leave for every n bits that enter. The first item of every frame has a tag bch_corrected:
 * how many bits were wrong, or -1 when there were more than the code corrects; such a frame leaves as it
 * came. When the first 50 frames have all failed, one warning in the log has likely causes.
 *
 * Messages on port "stats" are dictionaries: code, seconds, frames, failed, corrected_frames, corrected_bits
 * (since the last message), total_frames, total_failed (since the start).
 */
class GR_LDPC_API dvb_bch_decoder_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_bch_decoder_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
     * \param packed  one bit per byte on both sides, or 8 bits per byte with the first bit in the most
     *     significant place; the same choice as in the block before it (True: 8 bits per byte)
     * \param stats_interval  seconds between messages on port stats; 0 = never
     * \param codewords  the BCH codewords, which are the LDPC decoder's message bits, or whole LDPC
     *     codewords, whose parity bits are left out (True: LDPC codewords)
     * \param codes  names of further LDPC codes, which tags ldpc_code choose from their item on; items
     *     after a tag with another name are dropped
     * \throws std::invalid_argument with one sentence when there is no such code
     */
    static sptr make(const std::string &code, bool packed = false, double stats_interval = 1,
                     bool codewords = false, const std::vector<std::string> &codes = {});

    virtual int n() const = 0;                   //!< bits of a codeword
    virtual int k() const = 0;                   //!< bits of a frame
    virtual int t() const = 0;                   //!< wrong bits that are always corrected
    virtual std::string code() const = 0;        //!< name of the LDPC code
    virtual uint64_t frames() const = 0;         //!< since the start
    virtual uint64_t failed() const = 0;         //!< frames with more wrong bits than that
    virtual uint64_t corrected_bits() const = 0; //!< since the start
};

} // namespace ldpc
} // namespace gr

#endif
