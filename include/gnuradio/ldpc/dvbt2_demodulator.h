/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of DVB-T2 to the cells of PLPs. */
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
 * \brief Receives DVB-T2 (EN 302 755): samples in, equalised cells of PLPs and the noise of each cell out.
 *
 * FFT size, guard interval, pilot pattern and everything else is found. For each PLP there are two outputs:
 * cells (complex, mean power of the constellation 1) and the noise of each (float, mean power of its error;
 * 0: nothing is known of the cell). The first cell of the PLP in each T2 frame has a tag frame_start, the
 * number of the frame, and a tag dvbt2_frame, a dictionary that dvbt2_plp_decoder follows: code,
 * constellation, interleaver, number of FEC blocks.
 *
 * Tags of radios on the input: samples are missing where the time of a tag rx_time differs from that of the last
 * one plus samples / sample rate by more than two samples and 1e-6 of the time between them (a radio's overflow).
 * The first rx_rate is a reference, and a later one scales the sample rate. After a changed rx_freq the signal is
 * searched as at the start.
 *
 * Messages: port "l1" has the fields of L1 by the names of the standard whenever they change (FRAME_IDX and
 * the like apart); port "status" what is measured: state, C/N, offsets ... Ports "constellation" and
 * "impulse_response" have PDUs for pictures: some cells of the first PLP (c32vector), and the power of each
 * tap in dB (f32vector; metadata first_us and step_us say where the taps are).
 */
class GR_LDPC_API dvbt2_demodulator : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvbt2_demodulator> sptr;

    /*!
     * \param sample_rate  samples per second: 8e6 .. 25e6 for a channel of 8 MHz, in proportion for
     *     others; may change while the flowgraph runs
     * \param format  format of the input samples: complex float, or I and Q as int16, int8 or uint8
     *     ("cf32", "cs16", "cs8", "cu8")
     * \param bandwidth  bandwidth of the channel in MHz; may change while the flowgraph runs ("1.7", "5",
     *     "6", "7", "8", "10")
     * \param offset  frequency of the channel's centre within the samples, in Hz; the receiver finds the
     *     remaining carrier offset
     * \param profile  which frames to receive if a signal has T2-base and T2-Lite; automatic: the profile
     *     of the first P1 found ("auto", "base", "lite")
     * \param plps  PLP_ID of each output, 1 to 255 of them; -1 is the first data PLP, -2 the common PLP of
     *     the first output's group; may change while the flowgraph runs
     * \param status_interval  seconds between messages on port status; 0 = never
     * \param decision_directed  how many times at most the channel of a T2 frame with failed codewords is
     *     estimated again, from pilots and what the decoder knows of the data, 0 .. 8; 0 = from pilots
     *     only; for receivers that move
     * \throws std::invalid_argument with one sentence that says what is wrong
     */
    static sptr make(double sample_rate, const std::string &format = "cf32",
                     const std::string &bandwidth = "8", double offset = 0,
                     const std::string &profile = "auto", const std::vector<int> &plps = {-1},
                     double status_interval = 1, int decision_directed = 0);

    //! Other PLPs, as many as before; may be called while the flowgraph runs. Throws as make() does.
    virtual void set_plps(const std::vector<int> &plps) = 0;
    //! Another bandwidth of the channel, with the sample rate for it; likewise.
    virtual void set_channel(const std::string &bandwidth, double sample_rate) = 0;
    virtual bool locked() const = 0;       //!< cells are received
    virtual pmt::pmt_t status() const = 0; //!< as the messages on port "status"
    virtual pmt::pmt_t l1() const = 0;     //!< as the messages on port "l1"; PMT_NIL before the first
    //! Power of the channel's impulse response, tap by tap; together 1. Empty before the first symbol.
    virtual std::vector<float> impulse_response() const = 0;
};

} // namespace ldpc
} // namespace gr

#endif
