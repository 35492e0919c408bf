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
 * code  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
 * modulation  constellation: QPSK and QAM of DVB-T2, or QPSK, 8PSK and APSK of DVB-S2 and S2X.
 *     Not every code can be used with every constellation ("qpsk", "16qam", "64qam", "256qam", "8psk",
 *     "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
 * rotated  rotated constellation with cyclic Q delay (DVB-T2 only)
 * noise  noise power per cell, 10 ** (-MER / 10); 0 = estimated from the cells of each FEC
 *     block; can be changed at run time
 * noise_input  source of the noise power: the parameter, for all cells, or a second input with
 *     the noise power of each cell (float) (True: second input)
 * noise_tag  key of a tag whose value, a number, sets the noise power of the tagged FEC block
 *     and all later blocks; "" = no such tag
 * exact  whether the demapper computes LLRs from the nearest constellation points only
 *     (max-log, which is faster) or from all points (log-MAP) (True: exact (log-MAP))
 * deinterleave  order of the LLRs: deinterleaved for the LDPC decoder, or cell by cell for
 *     dvb_bit_deinterleaver_bb (True: deinterleaved)
 * llr_scale  number of LLR steps per nat, 0.25 .. 64; must be the llr_scale of the LDPC decoder
 * stats_interval  time in seconds between messages on the port stats; 0 = no messages
 * modcods  names of the possible MODCODs (ACM, VCM), such as "qpsk:64800:1/2";
 *     ldpc.dvbs2_modcods(s2x=True) lists all names. A tag XFECFRAME of dvbs2_synchronizer or
 *     gr-dvbs2rx selects the MODCOD of the tagged cell and of all cells up to the next such tag. The
 *     value of the tag is a pair: the number of the MODCOD (for S2X the PLS code), and true for short
 *     frames. Cells after a tag with a MODCOD that is not listed are dropped. Before the first tag,
 *     the arguments code and modulation apply
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

/*! \brief Names of the MODCODs of DVB-S2 (with `s2x`, also of S2X), such as "qpsk:64800:1/2". */
GR_LDPC_API std::vector<std::string> dvbs2_modcods(bool s2x = false);

/*! \brief Name of the LDPC code of a MODCOD: "dvbs2:64800:1/2" for "qpsk:64800:1/2". */
GR_LDPC_API std::string dvbs2_modcod_code(const std::string &name);

/*!
 * \brief Soft demapper: equalised cells of DVB-T2, DVB-S2 or S2X in, int8 LLRs for the LDPC decoder out.
 *
 * The cells of each codeword (FEC block) give n LLRs, positive for bit 0. The first input cell must be the first
 * cell of a codeword. A tag on the first cell of a codeword moves to the codeword's
 * first LLR.
 *
 * A message on port "noise" (a number, or a dictionary with the entry "noise") sets the noise power; 0 selects
 * estimation from the cells. Messages on port "stats" are dictionaries: code, modulation, seconds, frames, mer_db,
 * noise (since the last message), total_frames (since the start). MER and noise are always estimated from the cells.
 */
class GR_LDPC_API dvb_demapper_cb : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvb_demapper_cb> sptr;

    /*! \throws std::invalid_argument if an argument is invalid */
    static sptr make(const demapper_options &options);

    virtual void set_noise(double noise) = 0; //!< per cell; 0 = estimated from the cells
    virtual double noise() const = 0;         //!< estimated noise power over the last interval
    virtual double mer_db() const = 0;        //!< modulation error ratio over the last interval, dB
    virtual int n() const = 0;                //!< LLRs per codeword
    virtual int cells() const = 0;            //!< cells per codeword
    virtual uint64_t frames() const = 0;      //!< codewords since the start
};

} // namespace ldpc
} // namespace gr

#endif
