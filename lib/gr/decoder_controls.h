/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of a block: made from the options, changed by setters, counted and reported. */
#ifndef INCLUDED_GR_LDPC_DECODER_CONTROLS_H
#define INCLUDED_GR_LDPC_DECODER_CONTROLS_H

#include "handles.h"
#include "pipeline.h"
#include "stats_clock.h"
#include "total_failure.h"

#include <gnuradio/ldpc/ldpc_decoder_base.h>

#include <mutex>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* What derived blocks differ in: which codes they take, and what the output's items are where these are no bits. */
struct block_traits {
    bool nonbinary = false; /* codes over larger fields only */
    bool symbols = false;   /* out: a symbol, log2 q bits */
};

/* Of tags and metadata. */
extern const pmt::pmt_t iterations_key, converged_key;

bool is_on_cpu(const ldpc_decoder *decoder);

/* Of a codeword whose LLRs come as items of `item_bytes`: 1 = int8, 4 = float. */
word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes,
                    const block_traits &traits = block_traits());

/* Input items of a codeword: LLRs, costs, hard bits or bytes of them. */
size_t input_items(const decoder_options &options, const word_shape &shape);
/* Input items that are bytes are LLRs as the decoder takes them. */
bool bytes_are_llrs(const decoder_options &options);
/* Others made so: LLRs whose negative sign means 0, or hard bits. */
void bytes_to_llrs(const decoder_options &options, const word_shape &shape, const uint8_t *in,
                   size_t codewords, int8_t *llrs);

/* A code of a block with its decoder. */
struct coded {
    code_handle code;
    decoder_handle decoder;
    size_t n, k; /* bits */
};

/* What decoder blocks for streams and for messages share. With `fallback` a GPU that fails gives way to the
 * CPU.
 *
 * d_mutex guards the decoder and the counters: setters and getters come from other threads, and lock it
 * themselves. The other functions are called with it locked. */
class decoder_controls : virtual public ldpc_decoder_base
{
  public:
    void set_max_iterations(int max_iterations) override;
    void set_early_stop(bool early_stop) override;
    void set_offset(float offset) override;
    void set_factor(float factor) override;
    int max_iterations() const override;
    bool early_stop() const override;

    int n() const override
    {
        return static_cast<int>(d_coded[0].n);
    }
    int k() const override
    {
        return static_cast<int>(d_coded[0].k);
    }
    std::string code() const override;
    std::string backend() const override;
    std::string kernel() const override;
    uint64_t frames() const override;
    uint64_t failed() const override;
    double mean_iterations() const override;
    uint64_t dropped() const override;

  protected:
    decoder_controls(const decoder_options &options, const std::string &backend, const block_traits &traits);

    decoder_handle open_cpu(const ldpc_code *code, size_t max_batch);
    void restart_counters();
    /* Codewords of a code have been decoded. True once, after a warning: all codewords so far have failed. */
    bool count(const coded &code, size_t codewords, const ldpc_codeword_info *info);
    void publish_when_due();
    void publish();
    virtual uint64_t dropped_items() const = 0;
    /* The CPU takes the place of a backend that failed for this reason. */
    virtual void fall_back(const std::string &reason) = 0;
    /* Of a GPU; one that does not keep it is given up with the decoders of all codes. */
    time_limit limit_of(const ldpc_decoder *decoder);
    /* Before a setter, which waits for batches in flight without a limit. */
    virtual void await_batches() {}

    decoder_options d_options;
    bool d_may_fall_back = false;
    std::vector<coded> d_coded; /* option `code`, then the `codes` that tags may choose */
    mutable std::mutex d_mutex;

  private:
    struct counters {
        uint64_t frames = 0, failed = 0, iterations = 0, coded_bits = 0, message_bits = 0;
    };

    void open(const std::string &name, const std::string &backend, const block_traits &traits);
    decoder_handle open_decoder(const ldpc_code *code, const std::string &backend);
    template <class Setter> void change(Setter setter);

    counters d_total, d_published; /* since the start; of them, in messages already */
    total_failure d_failure;
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
