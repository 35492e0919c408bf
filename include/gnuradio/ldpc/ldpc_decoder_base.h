/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all LDPC decoder blocks share: options, setters and counters. */
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

/*! \brief Options of a decoder block; only the code has no default. */
struct decoder_options {
    std::string code;                         //!< canonical name, "alist:FILE" or "qc:FILE"
    std::vector<std::string> codes;           //!< further codes, which tags "ldpc_code" with a name choose
    int max_iterations = 50;                  //!< 0 .. 10000
    std::string algorithm = "auto";           //!< as ldpc_algorithm_parse() knows them: "auto" "min-sum" ...
    std::string arithmetic = "auto";          //!< "auto" "i8" "i16" "float"
    std::string schedule = "auto";            //!< "auto" "layered" "flooding"
    bool early_stop = true;                   //!< stop a codeword at its first zero syndrome
    float llr_scale = LDPC_DEFAULT_LLR_SCALE; //!< int8 LLR steps per nat, 0.25 .. 64
    int llr_limit = LDPC_DEFAULT_LLR_LIMIT;   //!< limit of channel LLRs in steps, 1 .. 127; 127 = none
    std::string llr_sign = "positive";        //!< which sign means bit 0: "positive" or "negative"
    std::string input = "llrs";     //!< "llrs", "hard" (a bit per byte) or "hard-packed" (8 bits per byte)
    std::string output = "message"; //!< "message" (k bits), "codeword" (n bits) or "posterior" (n LLRs)
    bool packed = false;            //!< 8 bits per output byte, first bit in the most significant place
    int threads = 1;                //!< CPU threads; 0 = one per core
    std::string kernel = "auto";    //!< force a kernel by name
    float offset = -1;              //!< offset min-sum: LLR steps; negative = the library's choice
    float factor = 0;               //!< normalised min-sum: 1/16 .. 1; 0 = the library's choice
    bool tags = false;              //!< tag every codeword with ldpc_iterations and ldpc_converged
    double stats_interval = 1.0;    //!< seconds between messages on port "stats"; 0 = never
    std::string length_tag_name;    //!< tag with a packet's length in items; "" = none
    std::string start_tag;          //!< a codeword begins at each such tag; "" = where the stream begins
    int kept = 0; //!< algorithm "ems": costs of a message that are kept; 0 = the library's choice

    /* The CPU blocks ignore what follows. */
    std::string devices = "0"; //!< as in ldpc_decoder_params: "0", "0,1", "all" ...
    int streams = 0;           //!< batches in flight on each GPU, 1 .. 64; 0 = the library's choice
    int batch = 0;             //!< most codewords of one batch; 0 = what keeps the GPU busy
    double latency = 0;        //!< seconds that a codeword may wait for others to fill its batch
    bool fallback = false;     //!< where the GPU cannot be used or fails: warn, and the CPU decodes
    std::string cache_dir;     //!< folder of compiled kernels; "" = gr-ldpc in the user's cache folder
};

/*!
 * \brief Base of the LDPC decoder blocks.
 *
 * n LLRs in, k message bits (or n codeword bits) out for every codeword, in order, converged or not. Setters
 * may be called from any thread while the flowgraph runs; they hold for the codewords whose decoding starts
 * afterwards.
 *
 * When the first 50 codewords have all failed, one warning in the log has likely causes, and a tag
 * ldpc_all_failed on the output keeps the blocks after it from another warning.
 */
class GR_LDPC_API ldpc_decoder_base : virtual public gr::block
{
  public:
    virtual void set_max_iterations(int max_iterations) = 0;
    virtual void set_early_stop(bool early_stop) = 0;
    virtual void set_offset(float offset) = 0; //!< offset min-sum only
    virtual void set_factor(float factor) = 0; //!< normalised min-sum only

    virtual int max_iterations() const = 0;
    virtual bool early_stop() const = 0;

    virtual int n() const = 0;                  //!< LLRs of a codeword
    virtual int k() const = 0;                  //!< message bits of a codeword
    virtual std::string code() const = 0;       //!< canonical name of the code
    virtual std::string backend() const = 0;    //!< what decodes now: "cpu", "cuda" or "opencl"
    virtual std::string kernel() const = 0;     //!< kernel in use, e.g. "avx512"
    virtual uint64_t frames() const = 0;        //!< codewords decoded since the flowgraph started
    virtual uint64_t failed() const = 0;        //!< those that did not converge
    virtual double mean_iterations() const = 0; //!< iterations per codeword since the flowgraph started
    virtual uint64_t dropped() const = 0;       //!< input items that belonged to no whole codeword
};

} // namespace ldpc
} // namespace gr

#endif
