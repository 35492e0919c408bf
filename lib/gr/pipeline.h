/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline of batches through a decoder: accepts codewords while earlier codewords are decoded, and outputs
 * results in input order. */
#ifndef INCLUDED_GR_LDPC_PIPELINE_H
#define INCLUDED_GR_LDPC_PIPELINE_H

#include <ldpc/decoder.h>

#include "handles.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* Sizes of a codeword at the decoder's input and output. */
struct word_shape {
    size_t llrs;        /* number of LLRs (or symbol costs) */
    size_t llr_bytes;   /* bytes per LLR: 1 = int8, 4 = float */
    size_t out_bytes;   /* bytes of the message or codeword, packed or not, or of int16 posteriors */
    bool message;       /* output the message; false: the codeword or posteriors */
    bool posterior;     /* output n posteriors */
    bool costs = false; /* the input is symbol costs, not LLRs */
};

/* Returns a batch that refers to the caller's buffers. */
ldpc_batch make_batch(const word_shape &shape, size_t n_codewords, const void *llr, uint8_t *out,
                      ldpc_codeword_info *info);

/* Memory from ldpc_decoder_alloc(), which a GPU accesses directly (DMA). It must be freed before the
 * decoder. */
template <class T> class staging
{
  public:
    staging() = default;
    staging(ldpc_decoder *decoder, size_t count)
        : d_data(static_cast<T *>(ldpc_decoder_alloc(decoder, count * sizeof(T))), deleter{decoder})
    {
        if (!d_data)
            throw std::bad_alloc();
    }
    T *data() const
    {
        return d_data.get();
    }

  private:
    struct deleter {
        ldpc_decoder *decoder;
        void operator()(T *memory) const
        {
            ldpc_decoder_free(decoder, memory);
        }
    };
    std::unique_ptr<T, deleter> d_data;
};

/* A ring of staging buffers, oldest first: [finished ...][in flight ...][filling]. Only one thread at a time
 * may use it.
 *
 * A batch starts as soon as the decoder has room for it, full or not: while the decoder keeps up, each
 * codeword starts immediately; under load, codewords collect in the slot being filled and batches grow.
 * With a latency, a batch that is not full waits for more codewords until the latency has passed. */
class pipeline
{
  public:
    using clock = std::chrono::steady_clock;
    /* Writes the LLRs of `codewords` codewords, from codeword `first` of the block's input on, to the staging
     * buffer `llr`. */
    using writer = std::function<void(size_t first, size_t codewords, void *llr)>;
    /* Receives the results of `codewords` codewords; the pointers are valid during the call. */
    using reader = std::function<void(size_t codewords, const uint8_t *out, const ldpc_codeword_info *info)>;

    pipeline(ldpc_decoder *decoder, const word_shape &shape, size_t batch,
             clock::duration latency = clock::duration::zero(), const time_limit &limit = time_limit());
    ~pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Accepts up to `codewords` codewords and starts batches where possible; returns the number of accepted
     * codewords. */
    size_t put(size_t codewords, const writer &write);
    /* Outputs up to `codewords` decoded codewords and returns their number. Never waits. Throws, without
     * output, if the oldest batch failed or the decoder refused a batch. */
    size_t take(size_t codewords, const reader &read);
    /* Replaces the decoder by a new decoder with the same batch size and no time limit. The new decoder
     * decodes the failed batches. */
    void replace(ldpc_decoder *decoder);

    bool empty() const; /* whether the pipeline has no codewords */
    bool full() const;  /* whether put() would accept no codewords */
    bool ready();       /* whether take() would output codewords or throw */
    void start();       /* starts the batch being filled if it is due and the decoder has room */
    void wait();        /* waits until the oldest batch is done */
    void drain();       /* waits until all batches in flight are done */
    /* Waits for all batches in flight and discards them. Returns the error of a failed batch, or "". */
    std::string clear();

    /* Returns the deadline by which the waiting batch must start; clock::time_point::max(): no batch waits,
     * or the decoder has refused the waiting batch. */
    clock::time_point due() const;
    /* Returns the deadline of the oldest batch in flight; clock::time_point::max(): no deadline. */
    clock::time_point late() const;

  private:
    enum class phase { filling, in_flight, done };
    struct slot {
        phase state = phase::filling;
        size_t codewords = 0, taken = 0;
        clock::time_point begun; /* time of the first codeword; once in flight, time of submission */
        std::string error;       /* error of a failed batch, or "" */
        ldpc_status status = LDPC_OK;
        staging<uint8_t> llr, out;
        staging<ldpc_codeword_info> info;

        void empty()
        {
            state = phase::filling;
            codewords = taken = 0;
        }
    };

    size_t after(size_t i) const
    {
        return i + 1 == d_slots.size() ? 0 : i + 1;
    }
    bool collect(bool waits);
    void submit();
    void allocate(ldpc_decoder *decoder, slot &s) const;
    void move_to(ldpc_decoder *decoder);
    void repair(slot &s);

    ldpc_decoder *d_decoder;
    word_shape d_shape;
    size_t d_batch; /* codewords per slot */
    clock::duration d_latency;
    time_limit d_limit;
    size_t d_depth; /* maximum batches in flight */
    size_t d_in_flight = 0;
    ldpc_status d_refused = LDPC_OK; /* status with which the decoder refused the batch being filled */
    std::string d_refusal;
    size_t d_oldest = 0, d_waiting = 0, d_filling = 0; /* slot that take() reads; slot of the oldest batch in
                                                        * flight; slot that put() fills */
    std::vector<slot> d_slots;
};

} // namespace ldpc
} // namespace gr

#endif
