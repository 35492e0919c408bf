/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of a block: creation from options, setters, counters and statistics. */
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

/* Properties of derived blocks. */
struct block_traits {
    bool nonbinary = false; /* accepts nonbinary codes only */
    bool symbols = false;   /* output items are symbols of log2 q bits */
};

/* Keys of tags and metadata. */
extern const pmt::pmt_t iterations_key, converged_key;

bool is_on_cpu(const ldpc_decoder *decoder);

/* Sizes of a codeword with input items of `item_bytes` bytes: 1 = int8, 4 = float. */
word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes,
                    const block_traits &traits = block_traits());

/* Input items per codeword: LLRs, costs, unpacked or packed hard bits. */
size_t input_items(const decoder_options &options, const word_shape &shape);
/* Whether input bytes are LLRs or costs in the decoder's format. */
bool bytes_are_llrs(const decoder_options &options);
/* Converts input bytes in other formats: LLRs that are negative for bit 0, or hard bits. */
void bytes_to_llrs(const decoder_options &options, const word_shape &shape, const uint8_t *in,
                   size_t codewords, int8_t *llrs);

/* A code and its decoder. */
struct coded {
    code_handle code;
    decoder_handle decoder;
    size_t n, k; /* bits */
};

/* Common part of the decoder blocks for streams and for PDUs. With `fallback` the block falls back to the CPU if
 * a GPU fails.
 *
 * d_mutex guards the decoder and the counters. Setters and getters are called from other threads and lock it;
 * all other functions are called with it locked. */
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
    /* Counts decoded codewords. If all of the first codewords have failed, logs a warning and returns true,
     * once. */
    bool count(const coded &code, size_t codewords, const ldpc_codeword_info *info);
    void publish_when_due();
    void publish();
    virtual uint64_t dropped_items() const = 0;
    /* Adds the counts of a derived block to a message. */
    virtual void add_statistics(stats_dict &) const {}
    /* Replaces a backend that failed by the CPU; `reason` is the error message. */
    virtual void fall_back(const std::string &reason) = 0;
    /* Returns the GPU's time limit; on a timeout, it abandons the decoders of all codes. */
    time_limit limit_of(const ldpc_decoder *decoder);
    /* Called before a setter, which waits for batches in flight without a time limit. */
    virtual void await_batches() {}

    decoder_options d_options;
    bool d_may_fall_back = false;
    std::vector<coded> d_coded; /* codes of option `code` and then of option `codes` */
    mutable std::mutex d_mutex;

  private:
    struct counters {
        uint64_t frames = 0, failed = 0, iterations = 0, coded_bits = 0, message_bits = 0;
    };

    void open(const std::string &name, const std::string &backend, const block_traits &traits);
    decoder_handle open_decoder(const ldpc_code *code, const std::string &backend);
    template <class Setter> void change(Setter setter);

    counters d_total, d_published; /* counts since the start; counts in the last message */
    total_failure d_failure;
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
