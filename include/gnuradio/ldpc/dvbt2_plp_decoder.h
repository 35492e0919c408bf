/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DVB-T2 decoder of a PLP: cells in, transport stream packets out. */
#ifndef INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_H
#define INCLUDED_GR_LDPC_DVBT2_PLP_DECODER_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>

#include <string>

namespace gr
{
namespace ldpc
{

/* Parameters of a PLP as in L1-post, for cells without tags dvbt2_frame. */
struct dvbt2_cell_format {
    std::string code;       //!< LDPC code, such as "dvbt2:64800:2/3"
    std::string modulation; //!< "qpsk", "16qam", "64qam", "256qam"
    bool rotated = true;
    int fec_blocks = 202; //!< FEC blocks per interleaving frame, 1 .. 1023
    int ti_blocks = 1;    //!< TI blocks per interleaving frame, 1 .. 255; 0 = no time interleaving
    double noise = 0.01;  //!< noise power per cell
};

/*!
 * \brief Decodes the cells of a PLP from dvbt2_demodulator: deinterleavers, demapper, LDPC, BCH, deframer.
 *
 * Input 0: cells; input 1: noise power of each cell. Inputs 2 and 3 (optional) belong to the common PLP of the
 * group, whose packets replace null packets. Tags dvbt2_frame on the cells contain the code, constellation and
 * number of FEC blocks, which may change with every frame. The first frame of each format creates a decoder.
 * Cells before the first tag are dropped. The output is whole packets of 188 bytes. Packets with bit errors have
 * their transport_error_indicator set.
 *
 * If a `format` is given, the only input is the cells of consecutive interleaving frames of this format. The
 * first input cell must be the first cell of an interleaving frame.
 *
 * Messages on port "stats" are dictionaries with counters since the start (codewords, failed_codewords,
 * iterations, bit_errors, packets, ts_errors ...), kernel, plp_id (-1 before the first frame), and signalling:
 * in-band signalling and ISSY of the PLP. Port "frames" carries the baseband frames of generic streams
 * (GSE, GCS, GFPS) as PDUs: the 10-byte header, then the data field.
 */
class GR_LDPC_API dvbt2_plp_decoder : virtual public gr::block
{
  public:
    typedef std::shared_ptr<dvbt2_plp_decoder> sptr;

    /*!
     * \param backend  where to decode: on the CPU, on a GPU (with CUDA, or with OpenCL if CUDA is not
     *     available), with CUDA (NVIDIA) or with OpenCL (any vendor) ("cpu", "gpu", "cuda", "opencl")
     * \param fallback  what to do if the GPU cannot be used or fails later: raise RuntimeError, or log a
     *     warning and decode on the CPU with `threads` threads (True: decode on the CPU)
     * \param gpu_timeout  maximum time in seconds that a GPU may take for a batch, 0 .. 86400; if it takes
     *     longer, the GPU is considered failed; 0 = no limit
     * \param max_iterations  maximum number of LDPC iterations per codeword, 0 .. 10000
     * \param threads  number of CPU threads of the LDPC decoder; 0 = one thread per core
     * \param exact  whether the demapper computes LLRs from the nearest constellation points only
     *     (max-log, which is faster) or from all points (log-MAP) (True: exact (log-MAP))
     * \param stream  ISI of the input stream to output, 0 .. 255, if the signal carries several input
     *     streams; -1 = all streams
     * \param stats_interval  time in seconds between messages on the port stats; 0 = no messages
     * \throws std::invalid_argument if an argument is invalid
     */
    static sptr make(const std::string &backend = "cpu", bool fallback = false, double gpu_timeout = 60,
                     int max_iterations = 25, int threads = 1, bool exact = false, int stream = -1,
                     double stats_interval = 1, const dvbt2_cell_format *format = nullptr);

    virtual void set_noise(double noise) = 0; //!< replaces format->noise, if there is a format
    virtual pmt::pmt_t counters() const = 0;  //!< latest content of port "stats"
};

} // namespace ldpc
} // namespace gr

#endif
