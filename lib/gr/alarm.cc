/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "alarm.h"

#include <utility>

namespace gr
{
namespace ldpc
{

alarm::alarm(std::function<void()> ring) : d_ring(std::move(ring)), d_thread([this] { run(); }) {}

alarm::~alarm()
{
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        d_closing = true;
    }
    d_changed.notify_one();
    d_thread.join();
}

void alarm::set(clock::time_point when)
{
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        d_when = when;
        if (when >= d_wakes)
            return;
    }
    d_changed.notify_one();
}

void alarm::run()
{
    std::unique_lock<std::mutex> lock(d_mutex);
    while (!d_closing) {
        d_wakes = d_when;
        if (d_when == clock::time_point::max()) {
            d_changed.wait(lock);
        } else if (clock::now() < d_when) {
            d_changed.wait_until(lock, d_when);
        } else {
            d_when = clock::time_point::max();
            lock.unlock(); /* d_ring() may call set() */
            d_ring();
            lock.lock();
        }
    }
}

} // namespace ldpc
} // namespace gr
