/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An alarm: calls a function at a given time, on its own thread. */
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
    /* If the function is running, the destructor waits until it returns. */
    ~alarm();
    alarm(const alarm &) = delete;
    alarm &operator=(const alarm &) = delete;

    /* Sets the time of the alarm. This replaces the time set before. clock::time_point::max() switches the
     * alarm off. */
    void set(clock::time_point when);

  private:
    void run();

    std::function<void()> d_ring;
    std::mutex d_mutex;
    std::condition_variable d_changed;
    clock::time_point d_when = clock::time_point::max();
    clock::time_point d_wakes = clock::time_point::max(); /* time at which the thread wakes next */
    bool d_closing = false;
    std::thread d_thread;
};

} // namespace ldpc
} // namespace gr

#endif
