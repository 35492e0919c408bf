/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baseband frames of DVB to transport stream packets. */
#ifndef INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_H
#define INCLUDED_GR_LDPC_DVB_BB_DEFRAMER_BB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Descrambles baseband frames of DVB-S2, S2X, T2 and C2 and takes the transport stream out of them.
 *
 * Whole packets of 188 bytes leave. Normal mode, and in T2 and C2 the high efficiency mode; null packets that
 * the sender deleted are put back. A frame with a wrong header is skipped; the next one is read again.
 * When the first 50 headers are all wrong, one warning in the log has likely causes.
 * Packets leave with their transport_error_indicator set if their CRC-8 (normal mode) does not fit, or if a part
 * of them comes from a frame with a tag bch_corrected of -1, which dvb_bch_decoder_bb sets on broken ones.
 *
 * The first packet that ends in a frame has a tag bb_frame (number of the frame, from 0) and the other tags
 * of that frame, except bch_corrected. A tag bb_broken (number of the frame) is on the first packet after a
 * frame whose header was wrong, and on the first packet of one that was broken otherwise.
 *
 * Messages on port "stats" are dictionaries with what was counted since the last message: code, seconds,
 * frames, header_errors, broken_frames, other_frames, packets, null_packets, crc_errors, ts_errors,
 * lost_packets, ts_mbps; and total_packets, total_ts_errors, total_header_errors since the start.
 */
class GR_LDPC_API dvb_bb_deframer_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_bb_deframer_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
     * \param packed  one bit per byte, or 8 bits per byte with the first bit in the most significant
     *     place; the same choice as in the block before it (True: 8 bits per byte)
     * \param stream  number (ISI) of the input stream to take where there are several; -1 takes all
     * \param stats_interval  seconds between messages on port stats; 0 = never
     * \param codes  names of further LDPC codes, which tags ldpc_code choose from their item on; items
     *     after a tag with another name are dropped
     * \throws std::invalid_argument with one sentence that says what is wrong
     */
    static sptr make(const std::string &code, bool packed = false, int stream = -1, double stats_interval = 1,
                     const std::vector<std::string> &codes = {});

    virtual int k() const = 0;            //!< bits of a frame
    virtual std::string code() const = 0; //!< name of the LDPC code
    //! What was counted since the start, by the names that the messages have.
    virtual std::map<std::string, uint64_t> counters() const = 0;
};

} // namespace ldpc
} // namespace gr

#endif
