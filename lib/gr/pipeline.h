/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pipeline accepts codewords while the decoder is decoding earlier ones, and outputs the results in input
 * order. */
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

/* Sizes of a codeword at the decoder's input and at its output. */
struct word_shape {
    size_t llrs;        /* number of LLRs (or symbol costs) */
    size_t llr_bytes;   /* size of an LLR in bytes: 1 for int8, 4 for float */
    size_t out_bytes;   /* number of output bytes: the message or codeword (packed or not), or int16
                         * posteriors */
    bool message;       /* true: output the message; false: output the codeword or posteriors */
    bool posterior;     /* true: output the n posteriors of a codeword */
    bool costs = false; /* whether the input is symbol costs instead of LLRs */
};

/* Returns a batch that points to the caller's buffers. */
ldpc_batch make_batch(const word_shape &shape, size_t n_codewords, const void *llr, uint8_t *out,
                      ldpc_codeword_info *info);

/* Memory from ldpc_decoder_alloc(), which a GPU can access directly. It must be freed before the decoder is
 * destroyed. */
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

/* A ring of slots, each of which has staging buffers for a batch. From the oldest to the newest slot:
 * [finished ...][in flight ...][filling]. Only one thread at a time may use a pipeline.
 *
 * By default a batch starts as soon as the decoder has room for it, even if the batch is not full. As long as the
 * decoder keeps up, each codeword starts immediately. Under load, codewords collect in the slot that is being
 * filled, so that batches become larger. If a latency is given, an incomplete batch waits for more codewords
 * until this time has passed. */
class pipeline
{
  public:
    using clock = std::chrono::steady_clock;
    /* Function that writes the LLRs of `codewords` codewords to the staging buffer `llr`. `first` is the
     * index of their first codeword in the input of put(). */
    using writer = std::function<void(size_t first, size_t codewords, void *llr)>;
    /* Function that receives the results of `codewords` codewords. The pointers are valid only during the
     * call. */
    using reader = std::function<void(size_t codewords, const uint8_t *out, const ldpc_codeword_info *info)>;

    pipeline(ldpc_decoder *decoder, const word_shape &shape, size_t batch,
             clock::duration latency = clock::duration::zero(), const time_limit &limit = time_limit());
    ~pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Accepts up to `codewords` codewords, and starts batches if the decoder has room. Returns the number of
     * accepted codewords. */
    size_t put(size_t codewords, const writer &write);
    /* Outputs up to `codewords` decoded codewords and returns their number. Does not wait for a batch. If the
     * oldest batch has failed, or if the decoder has refused a batch, throws an exception and outputs
     * nothing. */
    size_t take(size_t codewords, const reader &read);
    /* Replaces the decoder by a new one, which has no time limit and the same maximum batch size. The new
     * decoder also decodes the failed batches. */
    void replace(ldpc_decoder *decoder);

    bool empty() const; /* returns whether no codewords are in the pipeline */
    bool full() const;  /* returns whether put() would accept no codewords */
    bool ready();       /* returns whether take() would output codewords or throw an exception */
    void start();       /* starts the batch that is being filled, if its latency has passed and the decoder
                         * has room for it */
    void wait();        /* waits until the oldest batch is done */
    void drain();       /* waits until all batches in flight are done */
    /* Waits for all batches in flight and discards them. Returns the error message of a failed batch, or
     * "". */
    std::string clear();

    /* Returns the time by which the waiting batch must start. Returns clock::time_point::max() if no batch is
     * waiting or if the decoder has refused the batch. */
    clock::time_point due() const;
    /* Returns the deadline for the oldest batch in flight, or clock::time_point::max() if it has no
     * deadline. */
    clock::time_point late() const;

  private:
    enum class phase { filling, in_flight, done };
    struct slot {
        phase state = phase::filling;
        size_t codewords = 0, taken = 0;
        clock::time_point begun; /* slot being filled: time of the first codeword; batch in flight: time of
                                  * submission */
        std::string error;       /* error message of a failed batch, or "" */
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
    size_t d_batch; /* number of codewords in a slot */
    clock::duration d_latency;
    time_limit d_limit;
    size_t d_depth; /* maximum number of batches in flight */
    size_t d_in_flight = 0;
    ldpc_status d_refused = LDPC_OK; /* status of the batch being filled, if the decoder has refused it */
    std::string d_refusal;
    size_t d_oldest = 0, d_waiting = 0, d_filling = 0; /* indices of slots: the slot that take() reads, the
                                                        * slot of the oldest batch in flight, the slot that
                                                        * put() fills */
    std::vector<slot> d_slots;
};

} // namespace ldpc
} // namespace gr

#endif
