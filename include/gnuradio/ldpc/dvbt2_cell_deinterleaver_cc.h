/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and cell deinterleaver of DVB-T2. */
#ifndef INCLUDED_GR_LDPC_DVBT2_CELL_DEINTERLEAVER_CC_H
#define INCLUDED_GR_LDPC_DVBT2_CELL_DEINTERLEAVER_CC_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <string>

namespace gr
{
namespace ldpc
{

/*!
 * \brief Cells of one PLP as received in, FEC blocks in the order of the demapper out.
 *
 * The first cell that enters is the first of an interleaving frame; a tag with the key `frame_tag` says that
 * another one begins there, and if its value is an integer, how many FEC blocks it and the following have.
 * What was begun before it is dropped. The first cell of each frame's first FEC block leaves with such a tag.
 * Other tags do not pass. Cells of a TI block leave when it is complete.
 *
 * An interleaving frame that spans several T2 frames (TIME_IL_TYPE 1) has one TI block; a tag for
 * each of its T2 frames would be wrong.
 */
class GR_LDPC_API dvbt2_cell_deinterleaver_cc : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvbt2_cell_deinterleaver_cc> sptr;

    /*!
     * \param code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
     * \param modulation  constellation of the cells; it says how many make a FEC block ("qpsk", "16qam",
     *     "64qam", "256qam")
     * \param fec_blocks  FEC blocks of an interleaving frame (PLP_NUM_BLOCKS), 1 .. 1023
     * \param ti_blocks  TI blocks of an interleaving frame, 1 .. 255; 1 where a frame spans several T2
     *     frames (TIME_IL_TYPE 1); 0 = no time interleaving
     * \param noise_input  whether the noise of each cell (float) comes on a second input and leaves on a
     *     second output in the order of the cells (True: on second ports)
     * \param frame_tag  key of the tags at the first cells of interleaving frames; "" = none
     * \throws std::invalid_argument with one sentence that says what is wrong
     */
    static sptr make(const std::string &code, const std::string &modulation, int fec_blocks,
                     int ti_blocks = 1, bool noise_input = false,
                     const std::string &frame_tag = "frame_start");

    virtual int cells() const = 0;      //!< cells of a FEC block
    virtual int fec_blocks() const = 0; //!< FEC blocks of the interleaving frame under way
};

} // namespace ldpc
} // namespace gr

#endif
