/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder on the GPU: int8 LLRs in, decisions out. */
#ifndef INCLUDED_GR_LDPC_DECODER_GPU_BB_H
#define INCLUDED_GR_LDPC_DECODER_GPU_BB_H

#include <gnuradio/ldpc/ldpc_decoder_base.h>

namespace gr
{
namespace ldpc
{

/*! \brief Options of ldpc_decoder_gpu_bb. */
struct gpu_decoder_options : decoder_options {
    std::string backend = "gpu"; //!< "gpu" (CUDA, else OpenCL), "cuda", "opencl" or "cpu"
};

/*!
 * \brief LDPC decoder on GPUs, int8 LLRs in: NVIDIA's through CUDA, those of any maker through OpenCL.
 *
 * LLRs in steps of 1/llr_scale nat; -128 is read as -127. Codewords gather while earlier ones are decoded,
 * and several batches are under way at once. A codeword waits for others only as long as option `latency`
 * says.
 *
 * Where no GPU can be used, fallback = true warns and decodes on the CPU. The same happens to a GPU that
 * fails later, without losing a codeword.
 */
class GR_LDPC_API ldpc_decoder_gpu_bb : virtual public ldpc_decoder_base
{
  public:
    typedef std::shared_ptr<ldpc_decoder_gpu_bb> sptr;

    /*! \throws std::invalid_argument with one sentence when an option makes no sense, std::runtime_error when
     * there is no GPU to use and fallback is false */
    static sptr make(const gpu_decoder_options &options);
};

} // namespace ldpc
} // namespace gr

#endif
