/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base class of the decoder blocks for streams. */
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

struct code_path {
    word_shape shape;
    size_t in_items, out_items;     /* per codeword */
    size_t good_batch, batch;       /* codewords that fill all lanes; maximum number of codewords */
    size_t quick_batch;             /* number of codewords that are decoded in about the time longest_batch */
    std::unique_ptr<pipeline> pipe; /* pipeline of the code's decoder; NULL: direct decoding */
};

/* Ways of decoding:
 *   direct     With one CPU thread, the block's thread decodes from the input buffer to the output buffer.
 *   pipelined  All other decoders use staging buffers and have several batches in flight.
 *
 * Each code has a decoder and a pipeline. Results are in input order.
 *
 * If a backend fails and option `fallback` is set, the block falls back to the CPU without losing codewords.
 * Derived blocks convert their input items to LLRs. */
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
    /* Returns whether the input items are LLRs in the decoder's format. */
    virtual bool as_is() const = 0;
    virtual void convert(const void *in, void *llr, size_t codewords, const code_path &path) const = 0;

    bool positive_is_zero() const
    {
        return d_options.llr_sign == "positive";
    }
    float llr_scale() const
    {
        return d_options.llr_scale;
    }
    /* Returns whether the decoder's LLRs are floats, not int8. */
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

    size_t d_item_bytes;            /* bytes */
    size_t d_out_item_bytes;        /* bytes */
    int d_symbol_bits;              /* bits per output item: 1 or log2 q */
    std::vector<code_path> d_paths; /* paths of the options `code` and `codes`, in this order */
    size_t d_most_out;              /* number of items in the longest output codeword */
    size_t d_produced = 0;          /* number of items that this call of general_work() has output */
    code_tags d_code_tags;          /* tags that select a code */
    codeword_stream d_codewords;
    std::deque<run> d_order;                /* submitted codewords, in input order */
    bool d_running = false;                 /* true between start() and stop() */
    std::unique_ptr<alarm> d_alarm;         /* alarm for the next batch start or GPU timeout */
    std::vector<uint8_t> d_scratch;         /* direct decoding: converted LLRs */
    std::vector<uint8_t> d_bits;            /* direct decoding: output bits */
    std::vector<ldpc_codeword_info> d_info; /* direct */
};

} // namespace ldpc
} // namespace gr

#endif
