/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demaps cells to LLRs. */
#include "dvb_demapper_cb_impl.h"

#include "dvbs2_modcods.h"
#include "handles.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t noise_port = pmt::mp("noise");

double checked_noise(double noise)
{
    if (!(noise >= 0) || std::isinf(noise))
        throw std::invalid_argument("noise must be 0 (estimated) or the noise power per cell, not " +
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
      d_options(options), d_formats(make_formats(options)), d_code_tags(xfecframe_tags()),
      d_codewords(*this, d_logger, sizes(), {"", "", options.modcods.empty() ? nullptr : &d_code_tags}),
      d_tag(pmt::mp(options.noise_tag)), d_noise(checked_noise(options.noise)),
      d_clock(options.stats_interval)
{
    if (options.noise_input && !options.modcods.empty())
        throw std::invalid_argument("noise_input and modcods are mutually exclusive");
    size_t longest = 0;
    for (const format &each : d_formats)
        longest = std::max(longest, each.size.out);
    set_tag_propagation_policy(TPP_DONT); /* d_codewords copies the tags instead */
    set_relative_rate(static_cast<uint64_t>(n()), static_cast<uint64_t>(cells()));
    set_output_multiple(static_cast<int>(longest));
    set_min_output_buffer(0, static_cast<long>(4 * longest));
    message_port_register_out(stats_port);
    message_port_register_in(noise_port);
    set_msg_handler(noise_port, [this](const pmt::pmt_t &text) { message(text); });
}

std::vector<dvb_demapper_cb_impl::format> dvb_demapper_cb_impl::make_formats(const demapper_options &options)
{
    std::vector<format> formats;
    const auto add = [&](const std::string &code, const std::string &modulation, const pmt::pmt_t &tag) {
        demapper_options own = options;
        own.code = code;
        own.modulation = modulation;
        demapper_handle made = make_demapper(own);
        const codeword_items size = {ldpc_demapper_cells(made.get()), ldpc_demapper_n(made.get())};
        const std::vector<float> silence(2 * size.in);
        ldpc_cells block = {};
        block.n_codewords = 1;
        block.iq = silence.data();
        float noise;
        ldpc_demapper_noise(made.get(), &block, &noise); /* computes the demapper's table */
        formats.push_back({std::move(made), size, modulation, code, pmt::mp(code), tag});
    };
    add(options.code, options.modulation, pmt::PMT_NIL);
    for (const std::string &name : options.modcods) {
        const dvbs2_modcod modcod = dvbs2_modcod_of(name);
        add(modcod.code, modcod.modulation,
            pmt::cons(pmt::from_long(modcod.number), pmt::from_bool(modcod.short_frame)));
    }
    return formats;
}

std::vector<codeword_items> dvb_demapper_cb_impl::sizes() const
{
    std::vector<codeword_items> sizes;
    for (const format &each : d_formats)
        sizes.push_back(each.size);
    return sizes;
}

/* Returns the tag XFECFRAME of gr-dvbs2rx. Its value is a pair: the number of the MODCOD, and true for short
 * frames. */
code_tags dvb_demapper_cb_impl::xfecframe_tags() const
{
    return {pmt::mp("XFECFRAME"), [this](const pmt::pmt_t &value) {
                for (size_t i = 1; i < d_formats.size(); i++)
                    if (pmt::equal(d_formats[i].xfecframe, value))
                        return static_cast<int>(i);
                return -1;
            }};
}

bool dvb_demapper_cb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_codewords.restart();
    d_format = 0;
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
    std::lock_guard<std::mutex> lock(d_mutex);
    std::fill(ninput_items_required.begin(), ninput_items_required.end(), d_codewords.needed());
    if (d_codewords.ended())
        publish(); /* messages published after the block has finished are lost */
}

int dvb_demapper_cb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                       gr_vector_const_void_star &input_items,
                                       gr_vector_void_star &output_items)
{
    const auto *iq = static_cast<const float *>(input_items[0]);
    const auto *noise = d_options.noise_input ? static_cast<const float *>(input_items[1]) : nullptr;
    auto *llr = static_cast<int8_t *>(output_items[0]);
    std::lock_guard<std::mutex> lock(d_mutex);
    const codeword_stream::run available =
        d_codewords.available(*std::min_element(ninput_items.begin(), ninput_items.end()));
    const format &now = d_formats[available.code];
    const size_t codewords = std::min(noutput_items / now.size.out, available.codewords);
    for (size_t w = 0; w < codewords; w++) {
        follow_tags(nitems_read(0) + w * now.size.in, now.size.in);
        demap(now, iq + 2 * w * now.size.in, noise ? noise + w * now.size.in : nullptr,
              llr + w * now.size.out);
        if (!d_options.modcods.empty())
            add_item_tag(0, nitems_written(0) + w * now.size.out, code_key, now.code_tag, alias_pmt());
    }
    if (codewords > 0)
        d_format = available.code;
    if (d_clock.due())
        publish();
    d_codewords.consume({codewords, available.code});
    if (noise)
        consume(1, static_cast<int>(codewords * now.size.in));
    d_codewords.leave(0, codewords * now.size.out);
    return static_cast<int>(codewords * now.size.out);
}

/* pmt::to_double() rejects complex values, pmt::is_number() does not. */
static bool is_real_number(const pmt::pmt_t &value)
{
    return pmt::is_real(value) || pmt::is_integer(value);
}

/* Sets the noise power from the last noise tag. */
void dvb_demapper_cb_impl::follow_tags(uint64_t first_cell, size_t cells)
{
    if (d_options.noise_tag.empty())
        return;
    get_tags_in_range(d_tags, 0, first_cell, first_cell + cells, d_tag);
    for (const tag_t &tag : d_tags)
        if (is_real_number(tag.value) && pmt::to_double(tag.value) >= 0)
            d_noise = pmt::to_double(tag.value);
}

void dvb_demapper_cb_impl::demap(const format &now, const float *iq, const float *noise, int8_t *llr)
{
    float measured = 0;
    ldpc_cells cells = {};
    cells.n_codewords = 1;
    cells.iq = iq;
    cells.cell_noise = noise;
    ldpc_demapper_noise(now.demapper.get(), &cells, &measured);
    cells.noise = d_noise > 0 ? static_cast<float>(std::max(d_noise, 1e-9)) : measured;
    ldpc_demap(now.demapper.get(), &cells, llr);
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
        d_logger->warn(
            "ignoring a message on port noise (expected a number, or a dictionary with the number noise)");
}

void dvb_demapper_cb_impl::set_noise(double noise)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_noise = checked_noise(noise);
}

/* Returns the mean noise power since the last message. If there was no frame since then, returns the mean of
 * the last message. */
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

/* Sends the statistics of the time since the last message. Sends nothing if they are empty. */
void dvb_demapper_cb_impl::publish()
{
    if (d_total.frames == d_published.frames || !d_clock.on())
        return;
    d_last_noise = mean_noise();
    stats_dict stats;
    stats.add("code", d_formats[d_format].code);
    stats.add("modulation", d_formats[d_format].modulation);
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
