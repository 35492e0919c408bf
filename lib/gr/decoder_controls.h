/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of a block: made from the options, changed by setters, counted and reported. */
#ifndef INCLUDED_GR_LDPC_DECODER_CONTROLS_H
#define INCLUDED_GR_LDPC_DECODER_CONTROLS_H

#include "handles.h"
#include "pipeline.h"
#include "stats_clock.h"

#include <gnuradio/ldpc/ldpc_decoder_base.h>

#include <mutex>

namespace gr
{
namespace ldpc
{

/* What derived blocks differ in: what the items of both streams are where they are not LLRs and bits, and
 * which of their parameters helps where the backend cannot be used. */
struct block_traits {
    bool nonbinary = false; /* codes over larger fields only */
    bool costs = false;     /* in: a cost for each value of a symbol */
    bool symbols = false;   /* out: a symbol, log2 q bits */
    std::string to_the_cpu; /* the argument that decodes on the CPU instead; "" if there is none */
};

/* Of tags and metadata. */
extern const pmt::pmt_t iterations_key, converged_key;

bool is_on_cpu(const ldpc_decoder *decoder);

/* Of a codeword whose LLRs come as items of `item_bytes`: 1 = int8, 4 = float. */
word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes,
                    const block_traits &traits = block_traits());

/* What decoder blocks for streams and for messages share. With fallback = "cpu" another backend that cannot be
 * opened gives way to the CPU.
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
        return d_n;
    }
    int k() const override
    {
        return d_k;
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

    decoder_handle open_cpu(size_t max_batch);
    void restart_counters();
    void count(size_t codewords, const ldpc_codeword_info *info);
    void publish_when_due();
    void publish();
    virtual uint64_t dropped_items() const = 0;

    decoder_options d_options;
    code_handle d_code;
    bool d_may_fall_back = false;
    decoder_handle d_decoder;
    int d_n, d_k;
    mutable std::mutex d_mutex;

  private:
    struct counters {
        uint64_t frames = 0, failed = 0, iterations = 0;
    };

    decoder_handle open_decoder(const std::string &backend, const std::string &to_the_cpu);
    template <class Setter> void change(Setter setter);

    counters d_total, d_published; /* since the start; of them, in messages already */
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
