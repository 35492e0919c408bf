/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit and frame error rate. */
#include "ldpc_error_rate_impl.h"

#include "options.h"
#include "padding.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <bitset>
#include <cinttypes>
#include <cstdio>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t text_port = pmt::mp("text");
const pmt::pmt_t errors_key = pmt::mp("ldpc_bit_errors");

/* Counts the differing bits of the items. Only the bits in `mask` are compared. */
uint64_t count_differences(const uint8_t *sent, const uint8_t *received, int items, uint8_t mask)
{
    uint64_t errors = 0;
    for (int i = 0; i < items; i++)
        errors += std::bitset<8>((sent[i] ^ received[i]) & mask).count();
    return errors;
}

} // namespace

ldpc_error_rate::sptr ldpc_error_rate::make(int frame, int window, bool packed, double text_interval)
{
    return gnuradio::make_block_sptr<ldpc_error_rate_impl>(frame, window, packed, text_interval);
}

ldpc_error_rate_impl::ldpc_error_rate_impl(int frame, int window, bool packed, double text_interval)
    : gr::block("ldpc_error_rate", io_signature::make(2, 2, sizeof(uint8_t)),
                io_signature::make(0, 2, sizeof(float))),
      d_bits(frame), d_items(packed ? static_cast<int>(packed_bytes(static_cast<size_t>(frame))) : frame),
      d_window(static_cast<size_t>(window)), d_packed(packed), d_clock(text_interval)
{
    if (frame < 1)
        wrong("frame", "1 bit or more", std::to_string(frame));
    if (window < 1)
        wrong("window", "1 frame or more", std::to_string(window));
    set_tag_propagation_policy(TPP_DONT);
    message_port_register_out(text_port);
}

bool ldpc_error_rate_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_total = d_in_window = counters();
    d_recent.clear();
    d_compared = 0;
    d_errors = 0;
    d_clock.lap();
    return true;
}

bool ldpc_error_rate_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_total.frames > 0 && d_clock.on()) /* later blocks may have stopped */
        d_logger->info("{}", text());
    return true;
}

/* A frame may be longer than the buffers, so one item is requested. */
void ldpc_error_rate_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::fill(ninput_items_required.begin(), ninput_items_required.end(), 1);
}

int ldpc_error_rate_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                       gr_vector_const_void_star &input_items,
                                       gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const uint8_t *sent = static_cast<const uint8_t *>(input_items[0]);
    const uint8_t *received = static_cast<const uint8_t *>(input_items[1]);
    const int available = std::min(ninput_items[0], ninput_items[1]);
    int frames = 0, used = 0;
    while (used < available && frames < noutput_items) {
        const int items = std::min(available - used, d_items - d_compared);
        d_errors += count_differences(sent + used, received + used, items, d_packed ? 0xff : 1);
        used += items;
        d_compared += items;
        if (d_compared == d_items)
            end_frame(frames++, output_items);
    }
    if (d_clock.due())
        publish();
    consume_each(used);
    return frames;
}

void ldpc_error_rate_impl::end_frame(int frame, gr_vector_void_star &output_items)
{
    d_total.add(d_errors);
    d_in_window.add(d_errors);
    d_recent.push_back(d_errors);
    if (d_recent.size() > d_window) {
        d_in_window.remove(d_recent.front());
        d_recent.pop_front();
    }
    const double rates[] = {ber_of(d_in_window), fer_of(d_in_window)};
    for (unsigned port = 0; port < output_items.size(); port++) {
        static_cast<float *>(output_items[port])[frame] = static_cast<float>(rates[port]);
        if (d_errors > 0)
            add_item_tag(port, nitems_written(port) + static_cast<uint64_t>(frame), errors_key,
                         pmt::from_uint64(d_errors));
    }
    d_compared = 0;
    d_errors = 0;
}

std::string ldpc_error_rate_impl::text() const
{
    char line[160];
    std::snprintf(line, sizeof line,
                  "BER %.2e, FER %.2e over %" PRIu64 " frames; %" PRIu64 " of %" PRIu64 " frames wrong",
                  ber_of(d_in_window), fer_of(d_in_window), d_in_window.frames, d_total.frame_errors,
                  d_total.frames);
    return line;
}

/* Sends the error rates of the window, unless it is empty. */
void ldpc_error_rate_impl::publish()
{
    if (d_total.frames == 0)
        return;
    d_clock.lap();
    message_port_pub(text_port, pmt::mp(text()));
}

double ldpc_error_rate_impl::ber_of(const counters &counts) const
{
    return counts.frames
               ? static_cast<double>(counts.bit_errors) / (static_cast<double>(counts.frames) * d_bits)
               : 0;
}

double ldpc_error_rate_impl::fer_of(const counters &counts)
{
    return counts.frames ? static_cast<double>(counts.frame_errors) / static_cast<double>(counts.frames) : 0;
}

uint64_t ldpc_error_rate_impl::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

uint64_t ldpc_error_rate_impl::frame_errors() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frame_errors;
}

uint64_t ldpc_error_rate_impl::bit_errors() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.bit_errors;
}

double ldpc_error_rate_impl::ber() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return ber_of(d_total);
}

double ldpc_error_rate_impl::fer() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return fer_of(d_total);
}

} // namespace ldpc
} // namespace gr
