/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of a block, with its options, setters, counters and statistics. */
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

/* Differences between the decoder blocks. */
struct block_traits {
    bool nonbinary = false; /* only nonbinary codes */
    bool symbols = false;   /* output symbols of log2 q bits */
};

/* Keys of stream tags and of PDU metadata. */
extern const pmt::pmt_t iterations_key, converged_key;

bool is_on_cpu(const ldpc_decoder *decoder);

/* item_bytes: 1 (int8) or 4 (float) */
word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes,
                    const block_traits &traits = block_traits());

/* Returns the number of input items per codeword: LLRs, symbol costs or hard bits. */
size_t input_items(const decoder_options &options, const word_shape &shape);
/* Returns whether input bytes need no conversion. */
bool bytes_are_llrs(const decoder_options &options);
/* Converts input bytes to LLRs. The bytes are hard bits, or LLRs that are negative for bit 0. */
void bytes_to_llrs(const decoder_options &options, const word_shape &shape, const uint8_t *in,
                   size_t codewords, int8_t *llrs);

/* A code and its decoder. */
struct coded {
    code_handle code;
    decoder_handle decoder;
    size_t n, k; /* bits */
};

/* Base class of the decoder blocks for streams and PDUs. After a GPU failure, the block falls back to the CPU
 * if option `fallback` is set.
 *
 * d_mutex guards decoder and counters. Setters and getters lock d_mutex, because other threads call them. All
 * other functions require that the caller holds d_mutex. */
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
    /* Counts decoded codewords. Logs a warning if no codeword can be decoded. Returns true when the warning
     * is logged. */
    bool count(const coded &code, size_t codewords, const ldpc_codeword_info *info);
    void publish_when_due();
    void publish();
    virtual uint64_t dropped_items() const = 0;
    virtual void add_statistics(stats_dict &) const {}
    /* Replaces failed decoders by CPU decoders. `reason` is logged. */
    virtual void fall_back(const std::string &reason) = 0;
    /* Returns the GPU's time limit. A timeout abandons the decoders of all codes. */
    time_limit limit_of(const ldpc_decoder *decoder);
    /* Waits for batches in flight, at most until their time limit. Setters wait without a time limit. */
    virtual void await_batches() {}

    decoder_options d_options;
    bool d_may_fall_back = false;
    std::vector<coded> d_coded; /* codes of the options `code` and `codes` */
    mutable std::mutex d_mutex;

  private:
    struct counters {
        uint64_t frames = 0, failed = 0, iterations = 0, coded_bits = 0, message_bits = 0;
    };

    void open(const std::string &name, const std::string &backend, const block_traits &traits);
    decoder_handle open_decoder(const ldpc_code *code, const std::string &backend);
    template <class Setter> void change(Setter setter);

    counters d_total, d_published; /* counters since the start, and the same counters in the last message */
    total_failure d_failure;
    stats_clock d_clock;
};

} // namespace ldpc
} // namespace gr

#endif
