/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs that do not answer: how long blocks wait for one, and what they leave behind.
 *
 * A GPU that does not answer may still read and write the buffers of its batches, the library's thread waits for it inside of
 * the driver, and calls of the driver that free something would wait for it too. So its decoder, the decoder's buffers and what
 * the decoder calls when a batch is done are left as they are, for the rest of the process: a leak on purpose. */
#ifndef INCLUDED_GR_LDPC_UNANSWERED_H
#define INCLUDED_GR_LDPC_UNANSWERED_H

#include <ldpc/decoder.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace gr
{
namespace ldpc
{

/* A GPU has not finished a batch in time. */
class no_answer : public std::runtime_error
{
  public:
    explicit no_answer(const ldpc_decoder *decoder);
};

/* How long a GPU may take for a batch: GNU Radio's preference `gpu_timeout` in section [ldpc], in seconds. 60 where it is not
 * set; 0: without a limit. */
double gpu_timeout();

/* The limit of a decoder's batches in microseconds, as ldpc_collect() has it; -1 = none, always so on the CPU. */
int64_t batch_timeout_us(const ldpc_decoder *decoder);

/* What decoders call when a batch is done. It may live longer than what it calls: a decoder that was left behind
 * can still report a batch. */
class waker
{
  public:
    explicit waker(std::function<void()> wake) : d_wake(std::move(wake)) {}
    /* The function is not called any more, and no call is under way afterwards. */
    void silence();
    /* Is never freed. */
    void leave(std::shared_ptr<waker> self)
    {
        d_self = std::move(self);
    }
    /* For ldpc_decoder_set_notify(): `context` is the waker. */
    static void wake(void *context);

  private:
    std::mutex d_mutex;
    std::function<void()> d_wake;
    std::shared_ptr<waker> d_self; /* itself, when it is never freed */
};

} // namespace ldpc
} // namespace gr

#endif
