/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of a PLP of DVB-T2 to transport stream packets. */
#ifndef INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_H
#define INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <string>

namespace gr
{
namespace ldpc
{

/* How the cells of every interleaving frame are coded: parameters of L1-post, for cells without tags. */
struct dvbt2_cell_format {
    std::string code;       //!< LDPC code, such as "dvbt2:64800:2/3"
    std::string modulation; //!< "qpsk", "16qam", "64qam", "256qam"
    bool rotated = true;
    int fec_blocks = 202; //!< of an interleaving frame, 1 .. 1023
    int ti_blocks = 1;    //!< TI blocks of an interleaving frame, 1 .. 255; 0 = no time interleaving
    double noise = 0.01;  //!< mean power of a cell's error
};

/*!
 * \brief Decodes the cells that dvbt2_demodulator hands over: deinterleavers, demapper, LDPC, BCH, deframer.
 *
 * Input 0: cells, input 1: the noise of each. Inputs 2 and 3, which may be left out: those of the common PLP of the
 * PLP's group, whose packets are put in place of null packets. Tags dvbt2_frame on the cells say how they are coded; code,
 * constellation and number of FEC blocks may change with every frame, and what a new format needs is made
 * when it comes. Cells before the first tag are dropped. Whole packets of 188 bytes leave; those with wrong
 * bits have their transport_error_indicator set.
 *
 * With a `format` there is one input, the cells of one interleaving frame after the other, all of this format; the first cell is
 * the first of an interleaving frame.
 *
 * Messages on port "stats" are dictionaries of what was counted since the start: codewords, failed_codewords,
 * iterations, bit_errors, packets, ts_errors ...; and kernel, plp_id (-1 before the first frame)
 * and signalling: in-band signalling and ISSY of the PLP. Baseband frames of generic streams (GSE, GCS, GFPS) leave
 * as PDUs on port "frames": header of 10 bytes, data field.
 */
class GR_LDPC_API dvbt2_plp_decoder : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvbt2_plp_decoder> sptr;

    /*!
     * \param backend  what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or
     *     OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
     * \param fallback  what to do where the GPU cannot be used: raise RuntimeError, or log a warning and
     *     decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode
     *     on the CPU)
     * \param max_iterations  largest number of iterations per codeword, 0 .. 10000
     * \param threads  CPU threads of the LDPC decoder; 0 takes one per core
     * \param exact  LLRs from the nearest points of the constellation (max-log, faster) or from all points
     *     (True: of all points)
     * \param stream  number (ISI) of the input stream to take where there are several; -1 takes all
     * \param stats_interval  seconds between messages on port stats; 0 = never
     * \throws std::invalid_argument with one sentence that says what is wrong
     */
    static sptr make(const std::string &backend = "cpu", bool fallback = false, int max_iterations = 25,
                     int threads = 1, bool exact = false, int stream = -1, double stats_interval = 1,
                     const dvbt2_cell_format *format = nullptr);

    virtual void set_noise(double noise) = 0; //!< that of the format; without a format no effect
    virtual pmt::pmt_t counters() const = 0;  //!< as the messages on port "stats"
};

} // namespace ldpc
} // namespace gr

#endif
