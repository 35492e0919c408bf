/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipelined decoding: several batches in flight, results in input order. */
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

/* Per codeword. */
struct word_shape {
    size_t llrs;        /* LLRs or symbol costs */
    size_t llr_bytes;   /* 1 for int8, 4 for float */
    size_t out_bytes;   /* size of the output for one codeword (bits or posteriors), in bytes */
    bool message;       /* message instead of codeword */
    bool posterior;     /* output n posteriors */
    bool costs = false; /* symbol costs instead of LLRs */
};

ldpc_batch make_batch(const word_shape &shape, size_t n_codewords, const void *llr, uint8_t *out,
                      ldpc_codeword_info *info);

/* Memory from ldpc_decoder_alloc(). A GPU can access it. Free the memory before the decoder. */
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

/* A ring of slots. Each slot has staging buffers for one batch. From the oldest to the newest slot:
 *
 *     [finished ...][in flight ...][filling]
 *
 * By default a batch starts as soon as the decoder has room, even if the batch is not full. Under load,
 * codewords collect in the slot being filled, and batches become larger. With a latency, an incomplete batch
 * waits until this time has passed. Only one thread at a time may use a pipeline. */
class pipeline
{
  public:
    using clock = std::chrono::steady_clock;
    /* Writes the LLRs of `codewords` codewords. first: index of the first codeword in the input of put(). */
    using writer = std::function<void(size_t first, size_t codewords, void *llr)>;
    /* Receives the results of `codewords` codewords. The pointers are valid during the call. */
    using reader = std::function<void(size_t codewords, const uint8_t *out, const ldpc_codeword_info *info)>;

    pipeline(ldpc_decoder *decoder, const word_shape &shape, size_t batch,
             clock::duration latency = clock::duration::zero(), const time_limit &limit = time_limit());
    ~pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Returns how many codewords were accepted. */
    size_t put(size_t codewords, const writer &write);
    /* Returns the number of codewords. Throws if the oldest batch has failed, or a batch was refused. */
    size_t take(size_t codewords, const reader &read);
    /* Replaces the decoder. The maximum batch size must not change. */
    void replace(ldpc_decoder *decoder);

    bool empty() const; /* true: the pipeline has no codewords */
    bool full() const;  /* true: put() accepts no codewords */
    bool ready();       /* true: take() outputs codewords or throws */
    void start();       /* starts the incomplete batch if its latency has passed */
    void wait();        /* waits for the oldest batch */
    void drain();
    /* Discards all batches. Returns the error of a failed batch, or "". */
    std::string clear();

    /* Returns the time at which the waiting batch must start. If no batch is waiting, returns
     * clock::time_point::max(). */
    clock::time_point due() const;
    /* Returns the deadline of the oldest batch in flight, or clock::time_point::max(). */
    clock::time_point late() const;

  private:
    enum class phase { filling, in_flight, done };
    struct slot {
        phase state = phase::filling;
        size_t codewords = 0, taken = 0;
        clock::time_point begun; /* first codeword, then submission */
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
    size_t d_batch; /* codewords of a slot */
    clock::duration d_latency;
    time_limit d_limit;
    size_t d_depth; /* batches in flight, at most */
    size_t d_in_flight = 0;
    ldpc_status d_refused = LDPC_OK; /* status of a failed ldpc_submit() for the batch being filled, otherwise
                                      * LDPC_OK */
    std::string d_refusal;
    size_t d_oldest = 0, d_waiting = 0, d_filling = 0; /* slots that are taken, collected and filled next */
    std::vector<slot> d_slots;
};

} // namespace ldpc
} // namespace gr

#endif
