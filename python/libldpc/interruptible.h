/* SPDX-License-Identifier: BSD-3-Clause */
/* Long library calls without the GIL that react to Ctrl-C within POLL_TIME. Python's signal handlers run on
 * the main thread only, when it polls for signals.
 *
 *     main thread:   start the work ── wait ── signals? ── wait ── signals? ── KeyboardInterrupt
 *     worker:                 library call ............................ stops at `stop`, or completes
 *
 * Other Python threads receive no signals, and execute the work directly. */
#ifndef LIBLDPC_INTERRUPTIBLE_H
#define LIBLDPC_INTERRUPTIBLE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "bindings.h"

constexpr std::chrono::milliseconds POLL_TIME{50};

/* Set when the work should stop. */
using stop_flag = std::atomic<bool>;
using long_work = std::function<ldpc_status(const stop_flag &stop)>;

/* Runs Python's signal handlers, and throws their exception. Needs the GIL. */
void check_signals();

/* Executes the work without the GIL, and returns its status. The caller must hold the GIL.
 *
 * If a signal handler raises an exception, this function sets `stop` and throws the exception at once. The work may
 * still be running then, so the work must capture by value. A later call releases captured Python objects.
 *
 * quick: the work takes less than POLL_TIME, and runs on the calling thread. */
ldpc_status interruptible(long_work work, bool quick = false);

/* A lock that a thread may release although another thread has acquired it. Ctrl-C interrupts a wait. A
 * forked process can acquire a free lock. */
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
