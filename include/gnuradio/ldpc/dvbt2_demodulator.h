/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of DVB-T2 in, cells of PLPs out. */
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
 * The block detects FFT size, guard interval, pilot pattern and all other parameters. Each PLP has two
 * outputs: its cells (complex, mean constellation power 1) and the noise power of each cell (float; 0 marks
 * an erased cell). The first cell of the PLP in each T2 frame has two tags. The value of frame_start is the
 * number of the frame. The value of dvbt2_frame is a dictionary with the parameters for dvbt2_plp_decoder:
 * code, constellation, interleaver, number of FEC blocks.
 *
 * The block reads the tags of radios. A tag rx_time indicates lost samples (overflow) if the time since the
 * previous rx_time differs from samples / sample rate by more than two samples and 1e-6 of this time. The
 * first tag rx_rate is the reference, and a later one scales the sample rate. A changed rx_freq restarts
 * acquisition.
 *
 * Messages: port "l1" carries the L1 fields, with the names of EN 302 755, whenever they change; a change of
 * counters such as FRAME_IDX alone sends no message. Port "status" carries the receiver state and
 * measurements (C/N, offsets ...). Ports "constellation" and "impulse_response" carry PDUs for display: some
 * cells of the first PLP (c32vector), and the power of each tap of the impulse response in dB (f32vector).
 * The metadata first_us and step_us of the latter contain the delays of the taps.
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

    //! Selects other PLPs, one per output. May be called at run time. Throws as make() does.
    virtual void set_plps(const std::vector<int> &plps) = 0;
    //! Sets the channel bandwidth and its sample rate. May be called at run time. Throws as make() does.
    virtual void set_channel(double bandwidth, double sample_rate) = 0;
    virtual bool locked() const = 0;       //!< whether frame synchronisation is established
    virtual pmt::pmt_t status() const = 0; //!< latest content for port "status"
    virtual pmt::pmt_t l1() const = 0;     //!< last message on port "l1", or PMT_NIL
    //! Power of each tap of the channel's impulse response, normalised to a sum of 1; empty before the first symbol.
    virtual std::vector<float> impulse_response() const = 0;
};

} // namespace ldpc
} // namespace gr

#endif
