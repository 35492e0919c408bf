/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares signs of LLRs with decoded codewords. */
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

/* Packs the signs of 8 LLRs. The multiplication moves the sign of LLR b to bit 63 - b. */
unsigned signs(const int8_t *llr)
{
    uint64_t bytes = 0;
    for (int b = 0; b < 8; b++)
        bytes |= static_cast<uint64_t>(static_cast<uint8_t>(llr[b])) << (8 * b);
    return static_cast<unsigned>((bytes >> 7 & 0x0101010101010101) * 0x8040201008040201 >> 56);
}

/* Counts bits that differ from the signs of their LLRs. */
uint64_t count_errors(const int8_t *llr, const uint8_t *packed, int bits)
{
    uint64_t errors = 0;
    for (; bits >= 8; bits -= 8, llr += 8) {
        unsigned wrong = signs(llr) ^ *packed++;
        wrong -= wrong >> 1 & 0x55;
        wrong = (wrong & 0x33) + (wrong >> 2 & 0x33);
        errors += (wrong + (wrong >> 4)) & 0x0f;
    }
    for (int b = 0; b < bits; b++)
        errors += (llr[b] < 0) != (*packed >> (7 - b) & 1);
    return errors;
}

} // namespace

raw_ber_bb::sptr raw_ber_bb::make(int n, double stats_interval)
{
    return gnuradio::make_block_sptr<raw_ber_bb_impl>(n, stats_interval);
}

raw_ber_bb_impl::raw_ber_bb_impl(int n, double stats_interval)
    : gr::block("raw_ber_bb", io_signature::make(2, 2, sizeof(uint8_t)), io_signature::make(0, 0, 0)), d_n(n),
      d_clock(stats_interval)
{
    if (n < 1)
        throw std::invalid_argument("n must be 1 or more, not " + std::to_string(n));
    message_port_register_out(stats_port);
}

bool raw_ber_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_total = d_published = counters();
    d_bits = 0;
    d_errors = 0;
    d_clock.lap();
    return true;
}

bool raw_ber_bb_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

/* A codeword may be longer than the buffers. */
void raw_ber_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    ninput_items_required[0] = std::min(8, d_n - d_bits);
    ninput_items_required[1] = 1;
}

int raw_ber_bb_impl::general_work(int, gr_vector_int &ninput_items, gr_vector_const_void_star &input_items,
                                  gr_vector_void_star &)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const int8_t *llr = static_cast<const int8_t *>(input_items[0]);
    const uint8_t *packed = static_cast<const uint8_t *>(input_items[1]);
    int llrs = 0, bytes = 0;
    while (const int bits = next_bits(ninput_items[0] - llrs, ninput_items[1] - bytes)) {
        compare(llr + llrs, packed + bytes, bits);
        llrs += bits;
        bytes += (bits + 7) / 8;
    }
    if (d_clock.due())
        publish();
    consume(0, llrs);
    consume(1, bytes);
    return 0;
}

int raw_ber_bb_impl::next_bits(int llrs, int bytes) const
{
    const int left = d_n - d_bits;
    return llrs >= left && bytes >= (left + 7) / 8 ? left : 8 * std::min(llrs / 8, bytes);
}

void raw_ber_bb_impl::compare(const int8_t *llr, const uint8_t *packed, int bits)
{
    d_errors += count_errors(llr, packed, bits);
    d_bits += bits;
    if (d_bits < d_n)
        return;
    d_total.frames++;
    d_total.errors += d_errors;
    d_bits = 0;
    d_errors = 0;
}

/* Sends the statistics of the time since the last message. Sends nothing if they are empty. */
void raw_ber_bb_impl::publish()
{
    const uint64_t codewords = d_total.frames - d_published.frames,
                   wrong = d_total.errors - d_published.errors;
    if (codewords == 0 || !d_clock.on())
        return;
    stats_dict stats;
    stats.add("seconds", d_clock.lap());
    stats.add("frames", codewords);
    stats.add("raw_errors", wrong);
    stats.add("raw_ber", static_cast<double>(wrong) / (static_cast<double>(codewords) * d_n));
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
