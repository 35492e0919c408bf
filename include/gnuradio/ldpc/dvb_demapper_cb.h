/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Soft demapper of DVB-T2 and DVB-S2. */
#ifndef INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_H
#define INCLUDED_GR_LDPC_DVB_DEMAPPER_CB_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <cstdint>
#include <string>

namespace gr
{
namespace ldpc
{

/* The arguments of make(), with their defaults. */
struct demapper_options {
    std::string code;                /* "dvbt2:64800:2/3", "dvbs2:16200:3/4" */
    std::string modulation;          /* "qpsk" "16qam" "64qam" "256qam"; "qpsk" "8psk" "16apsk" "32apsk" */
    bool rotated = false;            /* T2: rotated constellation with cyclic Q delay */
    double noise = 0;                /* mean power of a cell's error; 0 = measured from the cells */
    bool noise_input = false;        /* a second input brings the noise of each cell, float */
    std::string noise_tag = "noise"; /* tags with this key set the noise from their codeword on; "" = none */
    bool exact = false;              /* sums over all points, else the nearest ones only (max-log) */
    bool deinterleave = true;        /* LLRs in the order of the code, else in that of the cells */
    float llr_scale = 3;             /* LLR steps per nat */
    double stats_interval = 1;       /* seconds between messages; 0 = never */
};

/*!
 * \brief Equalised cells of DVB-T2 or DVB-S2 in, int8 LLRs in the order of the LDPC decoder out.
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
