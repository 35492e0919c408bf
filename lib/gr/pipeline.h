/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches on their way through a decoder: codewords go in at one end while earlier ones are decoded, results
 * come out at the other end in the same order. */
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

/* Sizes of a codeword on both sides of the decoder. */
struct word_shape {
    size_t llrs;        /* LLRs, or costs of symbols */
    size_t llr_bytes;   /* bytes of each: 1 = int8, 4 = float */
    size_t out_bytes;   /* message or codeword, packed or not, or int16 posteriors */
    bool message;       /* message, else codeword or posteriors */
    bool posterior;     /* n posteriors */
    bool costs = false; /* the input is costs of symbols */
};

/* A batch over the caller's buffers. */
ldpc_batch make_batch(const word_shape &shape, size_t n_codewords, const void *llr, uint8_t *out,
                      ldpc_codeword_info *info);

/* Memory from ldpc_decoder_alloc(), which a GPU copies from and to itself. It must be freed before the
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

/* A ring of staging buffers, oldest first:  [finished ...][in flight ...][filling].  One thread at a time.
 *
 * A batch starts as soon as the decoder has room for it, full or not: while the decoder keeps up, each
 * codeword starts at once; when it does not, codewords gather in the filling slot and batches grow by
 * themselves. With a latency, a batch that is not full waits that long for more codewords. */
class pipeline
{
  public:
    using clock = std::chrono::steady_clock;
    /* Writes the LLRs of `codewords` codewords, the block's input from codeword `first` on, to the staging
     * buffer `llr`. */
    using writer = std::function<void(size_t first, size_t codewords, void *llr)>;
    /* Receives the results of `codewords` codewords; the pointers are valid during the call. */
    using reader = std::function<void(size_t codewords, const uint8_t *out, const ldpc_codeword_info *info)>;

    pipeline(ldpc_decoder *decoder, const word_shape &shape, size_t batch,
             clock::duration latency = clock::duration::zero(), const time_limit &limit = time_limit());
    ~pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Takes up to `codewords` codewords in and starts the batches that it can; returns how many codewords
     * it took. */
    size_t put(size_t codewords, const writer &write);
    /* Hands out up to `codewords` decoded codewords and returns how many. Never waits. Throws, without
     * handing out any, when the oldest batch failed or the decoder refused one. */
    size_t take(size_t codewords, const reader &read);
    /* Replaces the decoder by one that takes batches of the same size and needs no time limit, and decodes the failed batches
     * with it. */
    void replace(ldpc_decoder *decoder);

    bool empty() const; /* nothing inside */
    bool full() const;  /* put() would take nothing */
    bool ready();       /* take() would find something, or throw */
    void start();       /* start the batch that is being filled if it is due and the decoder has room */
    void wait();        /* until the oldest batch is done */
    void drain();       /* until all batches in flight are done */
    /* Waits for everything in flight, then forgets it. Returns why a batch among it failed, or "". */
    std::string clear();

    /* When the latency of the batch that waits for more codewords ends; clock::time_point::max(): none
     * waits, or the decoder has refused it. */
    clock::time_point due() const;
    /* When the oldest batch in flight is late, by the time limit; clock::time_point::max(): never. */
    clock::time_point late() const;

  private:
    enum class phase { filling, in_flight, done };
    struct slot {
        phase state = phase::filling;
        size_t codewords = 0, taken = 0;
        clock::time_point begun; /* when the first codeword came; in flight: when it was submitted */
        std::string error;       /* "" or why the batch failed */
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
    size_t d_batch; /* most codewords of a slot */
    clock::duration d_latency;
    time_limit d_limit;
    size_t d_depth; /* most batches in flight */
    size_t d_in_flight = 0;
    ldpc_status d_refused = LDPC_OK; /* by the decoder: the batch that is being filled */
    std::string d_refusal;
    size_t d_oldest = 0, d_waiting = 0,
           d_filling = 0; /* slots: to be taken from, to be collected, to be put to */
    std::vector<slot> d_slots;
};

} // namespace ldpc
} // namespace gr

#endif
