/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demaps the cells of the input stream to the LLRs of the output stream. */
#include "dvb_demapper_cb_impl.h"

#include "handles.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t stats_port = pmt::mp("stats"), noise_port = pmt::mp("noise");

double checked_noise(double noise)
{
    if (!(noise >= 0) || std::isinf(noise))
        throw std::invalid_argument("noise must be 0 (measured) or the mean power of a cell's error, not " +
                                    std::to_string(noise));
    return noise;
}

} // namespace

demapper_handle make_demapper(const demapper_options &options)
{
    ldpc_error error = {};
    ldpc_demapper *demapper = nullptr;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = options.code.c_str();
    params.modulation = options.modulation.c_str();
    params.rotated = options.rotated;
    params.exact = options.exact;
    params.deinterleave = options.deinterleave;
    params.llr_scale = options.llr_scale;
    const ldpc_status status = ldpc_demapper_create(&params, &demapper, &error);
    check(status, error.message);
    return demapper_handle(demapper, ldpc_demapper_destroy);
}

dvb_demapper_cb::sptr dvb_demapper_cb::make(const demapper_options &options)
{
    return gnuradio::make_block_sptr<dvb_demapper_cb_impl>(options);
}

dvb_demapper_cb_impl::dvb_demapper_cb_impl(const demapper_options &options)
    : gr::block("dvb_demapper_cb",
                io_signature::makev(1 + options.noise_input, 1 + options.noise_input,
                                    {sizeof(gr_complex), sizeof(float)}),
                io_signature::make(1, 1, sizeof(int8_t))),
      d_options(options), d_demapper(make_demapper(options)),
      d_n(static_cast<int>(ldpc_demapper_n(d_demapper.get()))),
      d_cells(static_cast<int>(ldpc_demapper_cells(d_demapper.get()))), d_end(*this, d_logger, d_cells),
      d_tag(pmt::mp(options.noise_tag)), d_noise(checked_noise(options.noise)),
      d_clock(options.stats_interval)
{
    set_relative_rate(static_cast<uint64_t>(d_n), static_cast<uint64_t>(d_cells));
    set_output_multiple(d_n);
    set_min_output_buffer(0, 4l * d_n);
    message_port_register_out(stats_port);
    message_port_register_in(noise_port);
    set_msg_handler(noise_port, [this](const pmt::pmt_t &text) { message(text); });
}

bool dvb_demapper_cb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_end.restart();
    d_total = d_published = counters();
    d_clock.lap();
    return true;
}

bool dvb_demapper_cb_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

void dvb_demapper_cb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::fill(ninput_items_required.begin(), ninput_items_required.end(), d_cells);
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_end.reached())
        publish(); /* now: messages of a block that is done are lost */
}

int dvb_demapper_cb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                       gr_vector_const_void_star &input_items,
                                       gr_vector_void_star &output_items)
{
    const auto *iq = static_cast<const float *>(input_items[0]);
    const auto *noise = d_options.noise_input ? static_cast<const float *>(input_items[1]) : nullptr;
    auto *llr = static_cast<int8_t *>(output_items[0]);
    const int cells = *std::min_element(ninput_items.begin(), ninput_items.end());
    const int codewords = std::min(noutput_items / d_n, cells / d_cells);
    std::lock_guard<std::mutex> lock(d_mutex);
    for (int w = 0; w < codewords; w++) {
        follow_tags(nitems_read(0) + static_cast<uint64_t>(w) * d_cells);
        demap_word(iq + 2l * w * d_cells, noise ? noise + static_cast<size_t>(w) * d_cells : nullptr,
                   llr + static_cast<size_t>(w) * d_n);
    }
    if (d_clock.due())
        publish();
    consume_each(codewords * d_cells);
    return codewords * d_n;
}

/* True for what pmt::to_double() takes: pmt::is_number() is true for complex values too. */
static bool is_real_number(const pmt::pmt_t &value)
{
    return pmt::is_real(value) || pmt::is_integer(value);
}

/* Of several noise tags in a codeword the last one counts. */
void dvb_demapper_cb_impl::follow_tags(uint64_t first_cell)
{
    if (d_options.noise_tag.empty())
        return;
    get_tags_in_range(d_tags, 0, first_cell, first_cell + d_cells, d_tag);
    for (const tag_t &tag : d_tags)
        if (is_real_number(tag.value) && pmt::to_double(tag.value) >= 0)
            d_noise = pmt::to_double(tag.value);
}

void dvb_demapper_cb_impl::demap_word(const float *iq, const float *noise, int8_t *llr)
{
    float measured = 0;
    ldpc_cells cells = {1, iq, noise, 0};
    ldpc_demapper_noise(d_demapper.get(), &cells, &measured);
    cells.noise = d_noise > 0 ? static_cast<float>(std::max(d_noise, 1e-9)) : measured;
    ldpc_demap(d_demapper.get(), &cells, llr);
    d_total.frames++;
    d_total.noise += measured;
}

void dvb_demapper_cb_impl::message(const pmt::pmt_t &message)
{
    const pmt::pmt_t value =
        pmt::is_dict(message) ? pmt::dict_ref(message, noise_port, pmt::PMT_NIL) : message;
    if (is_real_number(value) && pmt::to_double(value) >= 0 && std::isfinite(pmt::to_double(value)))
        set_noise(pmt::to_double(value));
    else
        d_logger->warn("a message on port noise is a number, or a dictionary with the number noise: ignored");
}

void dvb_demapper_cb_impl::set_noise(double noise)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_noise = checked_noise(noise);
}

/* The noise since the last message; directly after a message, that of the interval before. */
double dvb_demapper_cb_impl::mean_noise() const
{
    const uint64_t frames = d_total.frames - d_published.frames;
    return frames ? (d_total.noise - d_published.noise) / static_cast<double>(frames) : d_last_noise;
}

double dvb_demapper_cb_impl::noise() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return mean_noise();
}

double dvb_demapper_cb_impl::mer_db() const
{
    return -10 * std::log10(noise());
}

uint64_t dvb_demapper_cb_impl::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

/* Sends a message about the codewords since the last one, if there are any. */
void dvb_demapper_cb_impl::publish()
{
    if (d_total.frames == d_published.frames || !d_clock.on())
        return;
    d_last_noise = mean_noise();
    stats_dict stats;
    stats.add("code", d_options.code);
    stats.add("modulation", d_options.modulation);
    stats.add("seconds", d_clock.lap());
    stats.add("frames", d_total.frames - d_published.frames);
    stats.add("mer_db", -10 * std::log10(d_last_noise));
    stats.add("noise", d_last_noise);
    stats.add("total_frames", d_total.frames);
    message_port_pub(stats_port, stats.get());
    d_published = d_total;
}

} // namespace ldpc
} // namespace gr
