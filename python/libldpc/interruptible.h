/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the library that may take long. The interpreter is free meanwhile, and Ctrl-C comes through within
 * POLL_TIME: Python's signal handlers run on the main thread only, and only when it asks for them.
 *
 *     main thread:   start the work ── wait ── signals? ── wait ── signals? ── KeyboardInterrupt
 *     worker:                 library call ............................ sees `stop`, or comes to its end
 *
 * Other threads of Python get no signals: they do the work themselves. */
#ifndef LIBLDPC_INTERRUPTIBLE_H
#define LIBLDPC_INTERRUPTIBLE_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "bindings.h"

constexpr std::chrono::milliseconds POLL_TIME{50};

/* True when the work is to end at the next opportunity. */
using stop_flag = std::atomic<bool>;
using long_work = std::function<ldpc_status(const stop_flag &stop)>;

/* Raise what a Python signal handler raised; under the interpreter lock. */
void check_signals();

/* Do the work, and return what it returns; under the interpreter lock, which is released meanwhile.
 *
 * When a signal handler raises, `stop` is set and the exception leaves this function at once, while the work
 * may still go on. So it owns all that it uses: it captures by value, Python objects too. They are released
 * by a later call, under the interpreter lock. A `quick` work is done on this thread: one of less than
 * POLL_TIME. */
ldpc_status interruptible(long_work work, bool quick = false);

/* A lock that one thread may take and another give back; a wait for it lets Ctrl-C through. Taking it needs
 * no other lock while it is free, so that a forked process can. */
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
