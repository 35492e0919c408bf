/* SPDX-License-Identifier: BSD-3-Clause */
/* Long library calls that release the GIL and react to Ctrl-C within POLL_TIME. Python's signal handlers run on the
 * main thread only, and only when it polls for signals.
 *
 *     main thread:   start the work ── wait ── signals? ── wait ── signals? ── KeyboardInterrupt
 *     worker:                 library call ............................ stops at `stop`, or completes
 *
 * Other Python threads receive no signals: they execute the work directly. */
#ifndef LIBLDPC_INTERRUPTIBLE_H
#define LIBLDPC_INTERRUPTIBLE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "bindings.h"

constexpr std::chrono::milliseconds POLL_TIME{50};

/* True while the work shall stop as soon as possible. */
using stop_flag = std::atomic<bool>;
using long_work = std::function<ldpc_status(const stop_flag &stop)>;

/* Re-raises the exception of a Python signal handler. Called with the GIL held. */
void check_signals();

/* Executes the work and returns its status. Called with the GIL held; releases it meanwhile.
 *
 * If a signal handler raises, this function sets `stop` and throws immediately, while the work may continue.
 * Therefore the work owns everything it uses: it captures by value, including Python objects, which a later call
 * releases with the GIL held. `quick` work, shorter than POLL_TIME, is executed on the calling thread. */
ldpc_status interruptible(long_work work, bool quick = false);

/* A lock that one thread may acquire and another thread release. Ctrl-C can interrupt the wait for it.
 * Acquiring it while it is free needs no other lock, so that it also works in a forked process. */
class turn
{
  public:
    bool try_lock()
    {
        return !d_taken.exchange(true);
    }
    void unlock()
    {
        {
            std::lock_guard<std::mutex> guard(d_mutex);
            d_taken = false;
        }
        d_given.notify_one();
    }
    bool try_lock_for(std::chrono::milliseconds time)
    {
        std::unique_lock<std::mutex> guard(d_mutex);
        return d_given.wait_for(guard, time, [this] { return try_lock(); });
    }

  private:
    std::atomic<bool> d_taken{false};
    std::mutex d_mutex;
    std::condition_variable d_given;
};

#endif
