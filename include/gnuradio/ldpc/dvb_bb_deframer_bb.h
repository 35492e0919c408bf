/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DVB deframer: baseband frames in, transport stream packets out. */
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
 * \brief Descrambles baseband frames of DVB-S2, S2X, T2 and C2 and extracts the transport stream.
 *
 * The output is whole packets of 188 bytes. The block supports normal mode, and the high efficiency mode of T2
 * and C2. It reinserts deleted null packets, and skips frames with an invalid header. If the first 50 headers
 * are all invalid, the block logs one warning with likely causes. The transport_error_indicator of a packet is
 * set if its CRC-8 is wrong (normal mode), or if dvb_bch_decoder_bb could not correct one of its frames (tag
 * bch_corrected, value -1).
 *
 * Tags on the first packet that ends in a frame:
 *
 *   bb_frame   number of the frame, from 0
 *   bb_broken  number of the frame, if it has bit errors or follows a frame with an invalid header
 *   ...        all other tags of the frame, except bch_corrected
 *
 * Messages on port "frames" are the baseband frames of generic streams (GSE, GCS, GFPS) without bit errors, as
 * PDUs: the 10-byte header, followed by the data field. The entry isi of the metadata is the ISI, or -1 for a
 * single stream.
 *
 * Messages on port "stats" are dictionaries with counters since the last message: code, seconds,
 * frames, header_errors, broken_frames, other_frames, packets, null_packets, crc_errors, ts_errors,
 * lost_packets, ts_mbps; and total_packets, total_ts_errors, total_header_errors since the start.
 */
class GR_LDPC_API dvb_bb_deframer_bb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_bb_deframer_bb> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
     * \param packed  one bit per byte, or 8 bits per byte, MSB first; must match the previous block (True:
     *     packed (8 bits per byte))
     * \param stream  ISI of the input stream to output, 0 .. 255, if the signal carries several input
     *     streams; -1 = all streams
     * \param stats_interval  time in seconds between messages on the port stats; 0 = no messages
     * \param codes  names of additional LDPC codes (ACM, VCM). A tag ldpc_code selects one of them for the
     *     tagged item and all items up to the next such tag. Items after a tag with any other value are
     *     dropped
     * \throws std::invalid_argument if an argument is invalid
     */
    static sptr make(const std::string &code, bool packed = false, int stream = -1, double stats_interval = 1,
                     const std::vector<std::string> &codes = {});

    virtual int k() const = 0;            //!< bits per frame
    virtual std::string code() const = 0; //!< name of the LDPC code
    //! Counters since the start, named as in the messages.
    virtual std::map<std::string, uint64_t> counters() const = 0;
};

} // namespace ldpc
} // namespace gr

#endif
