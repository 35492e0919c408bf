/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signs of LLRs against decoded codewords. */
#include "raw_ber_bb_impl.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t stats_port = pmt::mp("stats");

/* Bits whose LLR is negative for 0, or not for 1. */
uint64_t count_errors(const int8_t *llr, const uint8_t *packed, int bits)
{
    uint64_t errors = 0;
    for (int first = 0; first < bits; first += 8, packed++)
        for (int b = 0; b < std::min(8, bits - first); b++)
            errors += (llr[first + b] < 0) != (*packed >> (7 - b) & 1);
    return errors;
}

} // namespace

raw_ber_bb::sptr raw_ber_bb::make(int n, double stats_interval)
{
    return gnuradio::make_block_sptr<raw_ber_bb_impl>(n, stats_interval);
}

raw_ber_bb_impl::raw_ber_bb_impl(int n, double stats_interval)
    : gr::block("raw_ber_bb", io_signature::make(2, 2, sizeof(uint8_t)), io_signature::make(0, 0, 0)), d_n(n),
      d_bytes((n + 7) / 8), d_clock(stats_interval)
{
    if (n < 1)
        throw std::invalid_argument("n must be 1 or more bits, not " + std::to_string(n));
    message_port_register_out(stats_port);
}

bool raw_ber_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_total = d_published = counters();
    d_clock.lap();
    return true;
}

bool raw_ber_bb_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

void raw_ber_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    ninput_items_required[0] = d_n;
    ninput_items_required[1] = d_bytes;
}

int raw_ber_bb_impl::general_work(int, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                                  gr_vector_void_star &)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const int words = std::min(ninput_items[0] / d_n, ninput_items[1] / d_bytes);
    const int8_t *llr = static_cast<const int8_t *>(input_items[0]);
    const uint8_t *packed = static_cast<const uint8_t *>(input_items[1]);
    for (int w = 0; w < words; w++)
        d_total.errors += count_errors(llr + w * d_n, packed + w * d_bytes, d_n);
    d_total.frames += words;
    if (d_clock.due())
        publish();
    consume(0, words * d_n);
    consume(1, words * d_bytes);
    return 0;
}

/* A message about the words since the last one, if there are any. */
void raw_ber_bb_impl::publish()
{
    const uint64_t words = d_total.frames - d_published.frames, wrong = d_total.errors - d_published.errors;
    if (words == 0 || !d_clock.on())
        return;
    stats_dict stats;
    stats.add("seconds", d_clock.lap());
    stats.add("frames", words);
    stats.add("raw_errors", wrong);
    stats.add("raw_ber", static_cast<double>(wrong) / (static_cast<double>(words) * d_n));
    message_port_pub(stats_port, stats.get());
    d_published = d_total;
}

uint64_t raw_ber_bb_impl::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

uint64_t raw_ber_bb_impl::errors() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.errors;
}

double raw_ber_bb_impl::ber() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames ? static_cast<double>(d_total.errors) / (static_cast<double>(d_total.frames) * d_n)
                          : 0;
}

} // namespace ldpc
} // namespace gr
