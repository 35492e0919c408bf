/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BCH decoder of DVB. */
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
 * Every n input bits give k output bits. The first item of a frame has a tag bch_corrected: the number of
 * corrected bits, or -1 for an uncorrectable frame. Uncorrectable frames are output unchanged. If the first 50
 * frames are all uncorrectable, the block logs one warning with likely causes.
 *
 * Messages on port "stats" are dictionaries: code, seconds, frames, failed, corrected_frames, corrected_bits
 * (since the last message), total_frames, total_failed (since the start).
 */
class GR_LDPC_API dvb_bch_decoder_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_bch_decoder_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
     * \param packed  one bit per byte in input and output, or 8 bits per byte, MSB first; must match the
     *     previous block (True: packed (8 bits per byte))
     * \param stats_interval  time in seconds between messages on the port stats; 0 = no messages
     * \param codewords  BCH codewords, which are the message bits of the LDPC decoder; or LDPC codewords,
     *     whose parity bits are ignored (True: LDPC codewords)
     * \param codes  names of additional LDPC codes (ACM, VCM). A tag ldpc_code selects one of them for the
     *     tagged item and all items up to the next such tag. Items after a tag with any other value are
     *     dropped
     * \throws std::invalid_argument if an argument is invalid
     */
    static sptr make(const std::string &code, bool packed = false, double stats_interval = 1,
                     bool codewords = false, const std::vector<std::string> &codes = {});

    virtual int n() const = 0;                   //!< codeword length, bits
    virtual int k() const = 0;                   //!< message length, bits
    virtual int t() const = 0;                   //!< correctable bit errors per codeword
    virtual std::string code() const = 0;        //!< name of the LDPC code
    virtual uint64_t frames() const = 0;         //!< frames since the start
    virtual uint64_t failed() const = 0;         //!< uncorrectable frames
    virtual uint64_t corrected_bits() const = 0; //!< bits corrected since the start
};

} // namespace ldpc
} // namespace gr

#endif
