/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options, setters and counters of all LDPC decoder blocks. */
#ifndef INCLUDED_GR_LDPC_DECODER_BASE_H
#define INCLUDED_GR_LDPC_DECODER_BASE_H

#include <gnuradio/block.h>
#include <gnuradio/ldpc/api.h>
#include <ldpc/decoder.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/*! \brief Options of a decoder block. Only the code has no default. */
struct decoder_options {
    std::string code;                         //!< canonical name, "alist:FILE" or "qc:FILE"
    std::vector<std::string> codes;           //!< additional codes, selected by tags "ldpc_code"
    int max_iterations = 50;                  //!< maximum number of iterations, 0 .. 10000
    std::string algorithm = "auto";           //!< "auto", "min-sum" ..., see ldpc_algorithm_parse()
    std::string arithmetic = "auto";          //!< "auto", "i8", "i16", "float"
    std::string schedule = "auto";            //!< "auto", "layered", "flooding"
    bool early_stop = true;                   //!< stop at the first zero syndrome
    float llr_scale = LDPC_DEFAULT_LLR_SCALE; //!< int8 LLR steps per nat, 0.25 .. 64
    int llr_limit = LDPC_DEFAULT_LLR_LIMIT;   //!< limit of channel LLRs in steps, 1 .. 127 (127 = no limit)
    std::string llr_sign = "positive";        //!< sign of an LLR for bit 0: "positive" or "negative"
    std::string input = "llrs";               //!< "llrs", "hard" (1 bit per byte), "hard-packed" (8 per byte)
    std::string output = "message"; //!< "message" (k bits), "codeword" (n bits), "posterior" (n LLRs)
    bool packed = false;            //!< 8 bits per output byte, MSB first
    int threads = 1;                //!< number of CPU threads; 0 = one per core
    std::string kernel = "auto";    //!< name of a kernel
    float offset = -1;              //!< offset of offset min-sum, LLR steps; negative = automatic
    float factor = 0;               //!< factor of normalised min-sum, 1/16 .. 1; 0 = automatic
    bool tags = false;              //!< add tags ldpc_iterations and ldpc_converged to every codeword
    double stats_interval = 1.0;    //!< seconds between messages on port "stats"; 0 = no messages
    std::string length_tag_name;    //!< key of tags with a packet's length in items; "" = none
    std::string start_tag;          //!< key of tags on the first item of a codeword; "" = none
    int kept = 0;                   //!< EMS: costs kept per message, 1 .. q; 0 = automatic

    /* Options of the GPU blocks. */
    std::string devices = "0"; //!< list of GPUs, as in ldpc_decoder_params: "0", "0,1", "all" ...
    int streams = 0;           //!< batches in flight per GPU, 1 .. 64; 0 = automatic
    int batch = 0;             //!< maximum number of codewords per batch; 0 = enough to fill the GPU
    double latency = 0;        //!< maximum wait for a batch to fill, seconds
    bool fallback = false;     //!< decode on the CPU if the GPU cannot be used or fails
    double gpu_timeout = 60;   //!< time limit for a batch, seconds, 0 .. 86400; 0 = no limit
    std::string cache_dir;     //!< directory of compiled kernels; "" = the user's cache directory
};

/*!
 * \brief Base of the LDPC decoder blocks.
 *
 * Every codeword of n LLRs gives k message bits (or n codeword bits), in order, converged or not. Setters may be
 * called from any thread at run time. They apply to codewords whose decoding has not started.
 *
 * If the first 50 codewords all fail, the block logs one warning with likely causes. A tag ldpc_all_failed on the
 * output prevents warnings of later blocks.
 */
class GR_LDPC_API ldpc_decoder_base : virtual public gr::block
{
  public:
    virtual void set_max_iterations(int max_iterations) = 0;
    virtual void set_early_stop(bool early_stop) = 0;
    virtual void set_offset(float offset) = 0; //!< offset in LLR steps, for offset min-sum only
    virtual void set_factor(float factor) = 0; //!< factor for normalised min-sum only

    virtual int max_iterations() const = 0;
    virtual bool early_stop() const = 0;

    virtual int n() const = 0;                  //!< LLRs per codeword
    virtual int k() const = 0;                  //!< message bits per codeword
    virtual std::string code() const = 0;       //!< canonical name of the code
    virtual std::string backend() const = 0;    //!< backend in use: "cpu", "cuda" or "opencl"
    virtual std::string kernel() const = 0;     //!< kernel in use, e.g. "avx512"
    virtual uint64_t frames() const = 0;        //!< codewords decoded since the flowgraph started
    virtual uint64_t failed() const = 0;        //!< codewords that did not converge
    virtual double mean_iterations() const = 0; //!< mean iterations per codeword since the flowgraph started
    virtual uint64_t dropped() const = 0;       //!< dropped input items, which were outside whole codewords
};

} // namespace ldpc
} // namespace gr

#endif
