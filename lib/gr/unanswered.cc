/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unanswered.h"

#include <gnuradio/prefs.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

namespace gr
{
namespace ldpc
{

namespace
{

constexpr double default_seconds = 60, most_seconds = 1e6;

std::string sentence(const ldpc_decoder *decoder)
{
    std::ostringstream text;
    text << "backend \"" << ldpc_decoder_backend(decoder) << "\" has not finished a batch within "
         << gpu_timeout()
         << " s: the GPU or its driver hangs (a batch that takes longer needs a larger gpu_timeout, in "
            "section "
            "[ldpc] of GNU Radio's preferences)";
    return text.str();
}

} // namespace

double gpu_timeout()
{
    const double seconds = gr::prefs::singleton()->get_double("ldpc", "gpu_timeout", default_seconds);
    return seconds > 0 ? std::min(seconds, most_seconds) : 0; /* NaN is no limit either */
}

no_answer::no_answer(const ldpc_decoder *decoder) : std::runtime_error(sentence(decoder)) {}

int64_t batch_timeout_us(const ldpc_decoder *decoder)
{
    const double seconds = gpu_timeout();
    const bool on_cpu = std::strcmp(ldpc_decoder_backend(decoder), "cpu") == 0;
    return on_cpu || seconds == 0 ? -1 : std::max<int64_t>(1, static_cast<int64_t>(seconds * 1e6));
}

void waker::silence()
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_wake = nullptr;
}

void waker::wake(void *context)
{
    waker *self = static_cast<waker *>(context);
    const std::lock_guard<std::mutex> lock(self->d_mutex);
    if (self->d_wake)
        self->d_wake();
}

} // namespace ldpc
} // namespace gr
