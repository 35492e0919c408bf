/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft demapper of DVB-T2, DVB-S2 and S2X. */
#ifndef INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_H
#define INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* The arguments of make(), with their defaults.
 *
 * code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
 * modulation  constellation of the cells: QPSK and QAM of DVB-T2; QPSK, 8PSK and APSK of DVB-S2
 *     and S2X, each with some codes ("qpsk", "16qam", "64qam", "256qam", "8psk", "8apsk", "16apsk",
 *     "32apsk", "64apsk", "128apsk", "256apsk")
 * rotated  rotated constellation of DVB-T2, with cyclic Q delay
 * noise  mean power of a cell's error, 10 ** (-MER / 10); 0 = measured from the cells of each
 *     FEC block; may change while the flowgraph runs
 * noise_input  noise as one value, or the noise of each cell (float) on a second input (True:
 *     on a second input)
 * noise_tag  number tags with this key set the noise, from the FEC block they are in on; "" =
 *     none
 * exact  LLRs from the nearest points of the constellation (max-log, faster) or from all points
 *     (True: of all points)
 * deinterleave  order of the LLRs: that of the LDPC code, or cell after cell for
 *     dvb_bit_deinterleaver_bb (True: of the code)
 * llr_scale  LLR steps per nat, 0.25 .. 64; the same as in the LDPC decoder
 * stats_interval  seconds between messages on port stats; 0 = never
 * modcods  names such as "qpsk:64800:1/2" of those that may come (ACM, VCM);
 *     ldpc.dvbs2_modcods(s2x=True) lists all. From a cell with a tag XFECFRAME on, a pair of the
 *     MODCOD's number (S2X: PLS code) and whether the frame is short as gr-dvbs2rx has it, cells are
 *     of that MODCOD; what follows a tag with another one is dropped. Up to the first tag code and
 *     modulation hold
 */
struct demapper_options {
    std::string code;
    std::string modulation;
    bool rotated = false;
    double noise = 0;
    bool noise_input = false;
    std::string noise_tag = "noise";
    bool exact = false;
    bool deinterleave = true;
    float llr_scale = 3;
    double stats_interval = 1;
    std::vector<std::string> modcods;
};

/*! \brief Names of the MODCODs of DVB-S2 with their frame sizes, such as "qpsk:64800:1/2"; with `s2x` those that
 * S2X adds too. */
GR_LDPC_API std::vector<std::string> dvbs2_modcods(bool s2x = false);

/*! \brief Name of the LDPC code of a MODCOD: "dvbs2:64800:1/2" of "qpsk:64800:1/2". */
GR_LDPC_API std::string dvbs2_modcod_code(const std::string &name);

/*!
 * \brief Equalised cells of DVB-T2, DVB-S2 or S2X in, int8 LLRs in the order of the LDPC decoder out.
 *
 * Exactly n LLRs leave for the cells of every codeword (FEC block), positive for bit 0. The first cell that
 * enters is the first of a codeword. Tags at codeword starts move to the start of that codeword's LLRs.
 *
 * A message on port "noise" (a number, or a dictionary with the entry "noise") sets the noise, 0 has it
 * measured again. Messages on port "stats" are dictionaries: code, modulation, seconds, frames, mer_db, noise
 * (since the last message), total_frames (since the start); MER and noise are always measured from the cells.
 */
class GR_LDPC_API dvb_demapper_cb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_demapper_cb> sptr;

    /*! \throws std::invalid_argument with one sentence that says what is wrong */
    static sptr make(const demapper_options &options);

    virtual void set_noise(double noise) = 0; //!< 0 = measured from the cells; else above 0
    virtual double noise() const = 0;         //!< measured from the cells, mean of the last interval
    virtual double mer_db() const = 0;        //!< the same as a modulation error ratio
    virtual int n() const = 0;                //!< LLRs of a codeword
    virtual int cells() const = 0;            //!< cells of a codeword
    virtual uint64_t frames() const = 0;      //!< codewords since the start
};

} // namespace ldpc
} // namespace gr

#endif
