/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of every decoder block: codewords of the input stream through a decoder to the output stream. */
#ifndef INCLUDED_GR_LDPC_DECODER_BASE_IMPL_H
#define INCLUDED_GR_LDPC_DECODER_BASE_IMPL_H

#include "alarm.h"
#include "codeword_stream.h"
#include "decoder_controls.h"
#include "pipeline.h"

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

namespace gr
{
namespace ldpc
{

/* What a block has for each of its codes. */
struct code_path {
    word_shape shape;
    size_t in_items, out_items;     /* of a codeword */
    size_t good_batch, batch;       /* codewords that fill the kernel; most codewords of one batch */
    size_t quick_batch;             /* direct: codewords of a batch that does not last long */
    std::unique_ptr<pipeline> pipe; /* empty: direct */
};

/* Two ways to work:
 *   direct     straight from the input buffer to the output buffer on the block's own thread: one CPU thread
 *   pipelined  through staging buffers, several batches in flight: everything else.
 *
 * Each code has a decoder, and so a pipeline, of its own; results leave in the order in which codewords came.
 *
 * A backend that fails while the flowgraph runs gives way to the CPU where that is allowed; no codeword is
 * lost then. A derived block says how its input items become LLRs. */
class decoder_base_impl : public decoder_controls
{
  public:
    decoder_base_impl(const decoder_options &options, const std::string &backend,
                      const block_traits &traits = block_traits());

    void forecast(int noutput_items, gr_vector_int &ninput_items_required) override;
    int general_work(int noutput_items, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                     gr_vector_void_star &output_items) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;

  protected:
    /* Input items are LLRs in the decoder's own form: no conversion. */
    virtual bool as_is() const = 0;
    /* Write the LLRs of so many codewords in the decoder's form. */
    virtual void convert(const void *in, void *llr, size_t codewords, const code_path &path) const = 0;

    bool positive_is_zero() const
    {
        return d_options.llr_sign == "positive";
    }
    float llr_scale() const
    {
        return d_options.llr_scale;
    }
    /* The decoder takes float LLRs, else int8. */
    bool float_llrs() const
    {
        return d_paths[0].shape.llr_bytes == sizeof(float);
    }

  private:
    using clock = std::chrono::steady_clock;
    using run = codeword_stream::run;

    uint64_t dropped_items() const override
    {
        return d_codewords.dropped();
    }
    bool is_direct() const;
    code_path path_of(const coded &code, const block_traits &traits) const;
    std::vector<code_path> make_paths(const block_traits &traits) const;
    std::vector<codeword_items> sizes() const;
    framing_tags tags_of(const decoder_options &options);
    void make_pipelines();
    void clear_pipelines(bool wakes);
    void fall_back(const std::string &reason) override;
    void await_batches() override;
    int go_on_after(const std::string &reason);
    pipeline::clock::time_point due() const;
    void start_waiting();
    bool converts_output() const
    {
        return d_symbol_bits > 1 || d_paths[0].shape.posterior;
    }
    void deliver(const code_path &path, const uint8_t *bits, size_t codewords, void *out) const;
    void work_direct(size_t room, const run &available, const void *in, uint8_t *out);
    void work_pipelined(size_t room, const run &available, const void *in, uint8_t *out);
    void take(size_t room, uint8_t *out);
    size_t put(const run &available, const uint8_t *in);
    size_t copy(const run &available, const uint8_t *in);
    void record(size_t code, size_t codewords, const ldpc_codeword_info *info);

    size_t d_item_bytes;            /* of an input item */
    size_t d_out_item_bytes;        /* of an output item */
    int d_symbol_bits;              /* of the decoder's bits, that make an output item: 1 or log2 q */
    std::vector<code_path> d_paths; /* one for each of d_coded */
    size_t d_most_out;              /* output items of the longest codeword */
    size_t d_produced = 0;          /* output items in this call of general_work() */
    code_tags d_code_tags;          /* that choose among several codes */
    codeword_stream d_codewords;
    std::deque<run> d_order;        /* pipelined: what is inside, in the order in which it came */
    bool d_running = false;         /* from start() to stop(): decoders wake the block */
    std::unique_ptr<alarm> d_alarm; /* for codewords that wait for others, and for batches that are late */
    std::vector<uint8_t> d_scratch; /* direct: converted LLRs */
    std::vector<uint8_t> d_bits;    /* direct: bits that become symbols, or int16 posteriors */
    std::vector<ldpc_codeword_info> d_info; /* direct */
};

} // namespace ldpc
} // namespace gr

#endif
