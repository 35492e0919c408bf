/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on GPUs with int8 LLRs. */
#ifndef INCLUDED_GR_LDPC_DECODER_GPU_BB_H
#define INCLUDED_GR_LDPC_DECODER_GPU_BB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of ldpc_decoder_gpu_bb. */
struct gpu_decoder_options : decoder_options {
    std::string backend = "gpu"; //!< "gpu" (CUDA or OpenCL), "cuda", "opencl" or "cpu"
};

/*!
 * \brief LDPC decoder on GPUs with int8 LLRs, through CUDA (NVIDIA) or OpenCL (any vendor).
 *
 * An LLR step is 1/llr_scale nats. -128 is treated as -127. Several batches of codewords are in flight. A codeword
 * waits until a batch is full, but at most for the time of the option `latency`.
 *
 * With fallback = true, the block logs a warning and decodes on the CPU if no GPU can be used, or if a GPU fails. No
 * codeword is lost.
 */
class GR_LDPC_API ldpc_decoder_gpu_bb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_gpu_bb> sptr;

    /*! \throws std::invalid_argument for invalid options, std::runtime_error without a usable GPU
     * or fallback */
    static sptr make(const gpu_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
