/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DVB-T2 demodulator: samples in, cells of PLPs out. */
#ifndef INCLUDED_GR_LDPC_DVBT2_DEMODULATOR_H
#define INCLUDED_GR_LDPC_DVBT2_DEMODULATOR_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Receives DVB-T2 (EN 302 755): samples in, equalised cells of PLPs and their noise power out.
 *
 * The block detects all parameters of the signal. Each PLP has two outputs: cells (complex, mean constellation
 * power 1), and the noise power of each cell (float; 0 marks an erased cell). The first cell of the PLP in each
 * T2 frame has two tags:
 *
 *   frame_start  number of the frame
 *   dvbt2_frame  dictionary for dvbt2_plp_decoder: code, constellation, interleaver, number of FEC blocks
 *
 * The block reads the tags of radios. A tag rx_time indicates lost samples (overflow) if the time since the
 * previous rx_time differs from samples / sample rate by more than two samples and 1e-6 of this time. The
 * first tag rx_rate is the reference, and a later tag rx_rate scales the sample rate. A changed rx_freq restarts
 * acquisition.
 *
 * Messages:
 *
 *   l1                L1 fields with the names of EN 302 755, if any field except counters (FRAME_IDX) changes
 *   status            receiver state and measurements (C/N, offsets ...)
 *   constellation     PDU for display: cells of the first PLP (c32vector)
 *   impulse_response  PDU for display: power of each tap in dB (f32vector); metadata first_us, step_us: delays
 */
class GR_LDPC_API dvbt2_demodulator : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvbt2_demodulator> sptr;

    /*!
     * \param sample_rate  samples per second: 8e6 .. 25e6 for a channel bandwidth of 8 MHz, and
     *     proportional values for other bandwidths; can be changed at run time
     * \param format  format of the input samples: complex float, or interleaved I and Q as int16, int8 or
     *     uint8 ("cf32", "cs16", "cs8", "cu8")
     * \param bandwidth  channel bandwidth in MHz, more than 0 and at most 10; can be changed at run time
     * \param offset  centre frequency of the channel relative to the centre frequency of the samples, in
     *     Hz. The receiver estimates and corrects the remaining carrier offset
     * \param profile  profile to receive if a signal has both T2-base and T2-Lite frames. Automatic
     *     selects the profile of the first P1 symbol that is found ("auto", "base", "lite")
     * \param plps  PLP_ID for each output, for 1 to 255 outputs. -1 selects the first data PLP, and -2 the
     *     common PLP of the group of the first output's PLP; can be changed at run time
     * \param status_interval  time in seconds between messages on the port status; 0 = no messages
     * \param decision_directed  maximum number of decision-directed channel re-estimation passes per T2
     *     frame with failed codewords, 0 .. 8, for mobile reception; 0 = channel estimation from pilots
     *     only
     * \throws std::invalid_argument if an argument is invalid
     */
    static sptr make(double sample_rate, const std::string &format = "cf32", double bandwidth = 8,
                     double offset = 0, const std::string &profile = "auto",
                     const std::vector<int> &plps = {-1}, double status_interval = 1,
                     int decision_directed = 0);

    //! Selects other PLPs, one per output, at run time. Throws as make() does.
    virtual void set_plps(const std::vector<int> &plps) = 0;
    //! Sets channel bandwidth and sample rate at run time. Throws as make() does.
    virtual void set_channel(double bandwidth, double sample_rate) = 0;
    virtual bool locked() const = 0;       //!< frame synchronisation is established
    virtual pmt::pmt_t status() const = 0; //!< latest content of port "status"
    virtual pmt::pmt_t l1() const = 0;     //!< last message on port "l1", or PMT_NIL
    //! Power of each tap, normalised to a sum of 1; empty before the first symbol.
    virtual std::vector<float> impulse_response() const = 0;
};

} // namespace ldpc
} // namespace gr

#endif
