/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BCH codewords of the input stream to baseband frames of the output stream. */
#include "dvb_bch_decoder_bb_impl.h"

#include "handles.h"

#include <gnuradio/io_signature.h>

#include <algorithm>

namespace gr
{
namespace ldpc
{

namespace
{

const pmt::pmt_t stats_port = pmt::mp("stats");
const pmt::pmt_t corrected_key = pmt::mp("bch_corrected");

ldpc_bch *make_bch(const std::string &name)
{
    ldpc_error error = {};
    ldpc_bch *bch = nullptr;
    const ldpc_status status = ldpc_bch_create(name.c_str(), &bch, &error);
    check(status, error.message);
    return bch;
}

int items_of(uint32_t bits, bool packed)
{
    return static_cast<int>(packed ? (bits + 7) / 8 : bits);
}

} // namespace

dvb_bch_decoder_bb::sptr dvb_bch_decoder_bb::make(const std::string &code, bool packed, double stats_interval,
                                                  bool codewords)
{
    return gnuradio::make_block_sptr<dvb_bch_decoder_bb_impl>(code, packed, stats_interval, codewords);
}

dvb_bch_decoder_bb_impl::dvb_bch_decoder_bb_impl(const std::string &code, bool packed, double stats_interval,
                                                 bool codewords)
    : gr::block("dvb_bch_decoder_bb", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_bch(make_bch(code), ldpc_bch_destroy), d_packed(packed),
      d_in(items_of(codewords ? codeword_bits(make_code(code).get()) : ldpc_bch_n(d_bch.get()), packed)),
      d_out(items_of(ldpc_bch_k(d_bch.get()), packed)), d_end(*this, d_logger, d_in), d_tags(d_in, d_out),
      d_clock(stats_interval)
{
    set_tag_propagation_policy(TPP_DONT); /* codeword_tags does it */
    set_relative_rate(static_cast<uint64_t>(d_out), static_cast<uint64_t>(d_in));
    set_output_multiple(d_out);
    set_min_output_buffer(0, 4l * d_out);
    message_port_register_out(stats_port);
}

bool dvb_bch_decoder_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_end.restart();
    d_tags.restart();
    d_total = d_published = counters();
    d_clock.lap();
    return true;
}

bool dvb_bch_decoder_bb_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

void dvb_bch_decoder_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    ninput_items_required[0] = d_in;
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_end.reached())
        publish(); /* now: messages of a block that is done are lost */
}

int dvb_bch_decoder_bb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                          gr_vector_const_void_star &input_items,
                                          gr_vector_void_star &output_items)
{
    const size_t frames = std::min(noutput_items / d_out, ninput_items[0] / d_in);
    const uint8_t *in = static_cast<const uint8_t *>(input_items[0]);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    d_corrected.resize(std::max(d_corrected.size(), frames));
    for (size_t w = 0; w < frames; w++)
        ldpc_bch_decode(d_bch.get(), in + w * d_in, 1, d_packed, out + w * d_out, &d_corrected[w]);
    move_tags(frames);
    record(frames);
    consume(0, static_cast<int>(frames * d_in));
    return static_cast<int>(frames * d_out);
}

void dvb_bch_decoder_bb_impl::move_tags(size_t frames)
{
    std::vector<tag_t> tags;
    get_tags_in_window(tags, 0, 0, frames * d_in);
    d_tags.enter(tags, nitems_read(0), frames);
    d_tags.leave(nitems_written(0), frames, [this](const tag_t &tag) { add_item_tag(0, tag); });
}

/* Counts and tags the frames that leave. */
void dvb_bch_decoder_bb_impl::record(size_t frames)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_total.frames += frames;
    for (size_t w = 0; w < frames; w++) {
        const int32_t corrected = d_corrected[w];
        d_total.failed += corrected == LDPC_BCH_FAILED;
        d_total.corrected_frames += corrected > 0;
        d_total.corrected_bits += std::max(corrected, 0);
        add_item_tag(0, nitems_written(0) + w * d_out, corrected_key, pmt::from_long(corrected), alias_pmt());
    }
    if (d_clock.due())
        publish();
}

/* Sends a message about the frames since the last one, if there are any. */
void dvb_bch_decoder_bb_impl::publish()
{
    if (d_total.frames == d_published.frames || !d_clock.on())
        return;
    stats_dict stats;
    stats.add("code", code());
    stats.add("seconds", d_clock.lap());
    stats.add("frames", d_total.frames - d_published.frames);
    stats.add("failed", d_total.failed - d_published.failed);
    stats.add("corrected_frames", d_total.corrected_frames - d_published.corrected_frames);
    stats.add("corrected_bits", d_total.corrected_bits - d_published.corrected_bits);
    stats.add("total_frames", d_total.frames);
    stats.add("total_failed", d_total.failed);
    message_port_pub(stats_port, stats.get());
    d_published = d_total;
}

uint64_t dvb_bch_decoder_bb_impl::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

uint64_t dvb_bch_decoder_bb_impl::failed() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.failed;
}

uint64_t dvb_bch_decoder_bb_impl::corrected_bits() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.corrected_bits;
}

} // namespace ldpc
} // namespace gr
