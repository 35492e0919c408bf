/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a function at a given time, on a separate thread. */
#ifndef INCLUDED_GR_LDPC_ALARM_H
#define INCLUDED_GR_LDPC_ALARM_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gr
{
namespace ldpc
{

class alarm
{
  public:
    using clock = std::chrono::steady_clock;

    explicit alarm(std::function<void()> ring);
    /* Waits for the end of a running call. */
    ~alarm();
    alarm(const alarm &) = delete;
    alarm &operator=(const alarm &) = delete;

    /* Replaces the time of the alarm. clock::time_point::max() switches it off. */
    void set(clock::time_point when);

  private:
    void run();

    std::function<void()> d_ring;
    std::mutex d_mutex;
    std::condition_variable d_changed;
    clock::time_point d_when = clock::time_point::max();
    clock::time_point d_wakes = clock::time_point::max(); /* when the thread wakes next */
    bool d_closing = false;
    std::thread d_thread;
};

} // namespace ldpc
} // namespace gr

#endif
