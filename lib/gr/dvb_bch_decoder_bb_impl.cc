/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes BCH codewords to baseband frames. */
#include "dvb_bch_decoder_bb_impl.h"

#include "handles.h"
#include "padding.h"

#include <gnuradio/io_signature.h>

#include <algorithm>

namespace gr
{
namespace ldpc
{

namespace
{

ldpc_bch *make_bch(const std::string &name)
{
    ldpc_error error = {};
    ldpc_bch *bch = nullptr;
    const ldpc_status status = ldpc_bch_create(name.c_str(), &bch, &error);
    check(status, error.message);
    return bch;
}

size_t items_of(uint32_t bits, bool packed)
{
    return packed ? packed_bytes(bits) : bits;
}

} // namespace

dvb_bch_decoder_bb::sptr dvb_bch_decoder_bb::make(const std::string &code, bool packed, double stats_interval,
                                                  bool codewords, const std::vector<std::string> &codes)
{
    return gnuradio::make_block_sptr<dvb_bch_decoder_bb_impl>(code, packed, stats_interval, codewords, codes);
}

dvb_bch_decoder_bb_impl::dvb_bch_decoder_bb_impl(const std::string &code, bool packed, double stats_interval,
                                                 bool codewords, const std::vector<std::string> &codes)
    : gr::block("dvb_bch_decoder_bb", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_bch(make_bchs(all_codes(code, codes))), d_packed(packed), d_sizes(sizes(codewords)),
      d_code_tags(name_tags(all_codes(code, codes))),
      d_codewords(*this, d_logger, d_sizes, {"", "", codes.empty() ? nullptr : &d_code_tags}),
      d_clock(stats_interval)
{
    size_t longest = 0;
    for (const codeword_items &size : d_sizes)
        longest = std::max(longest, size.out);
    set_tag_propagation_policy(TPP_DONT); /* d_codewords copies the tags instead */
    set_relative_rate(static_cast<uint64_t>(d_sizes[0].out), static_cast<uint64_t>(d_sizes[0].in));
    set_output_multiple(static_cast<int>(longest));
    set_min_output_buffer(0, static_cast<long>(4 * longest));
    message_port_register_out(stats_port);
}

std::vector<dvb_bch_decoder_bb_impl::bch_handle>
dvb_bch_decoder_bb_impl::make_bchs(const std::vector<std::string> &codes)
{
    std::vector<bch_handle> made;
    for (const std::string &name : codes)
        made.emplace_back(make_bch(name), ldpc_bch_destroy);
    return made;
}

std::vector<codeword_items> dvb_bch_decoder_bb_impl::sizes(bool codewords) const
{
    std::vector<codeword_items> sizes;
    for (const bch_handle &bch : d_bch) {
        const uint32_t bits =
            codewords ? codeword_bits(make_code(ldpc_bch_name(bch.get())).get()) : ldpc_bch_n(bch.get());
        sizes.push_back(
            {items_of(bits, d_packed), items_of(ldpc_bch_k(bch.get()), d_packed), d_packed ? bits : 0});
    }
    return sizes;
}

bool dvb_bch_decoder_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_codewords.restart();
    d_total = d_published = counters();
    d_failure.restart();
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
    std::lock_guard<std::mutex> lock(d_mutex);
    ninput_items_required[0] = d_codewords.needed();
    if (d_codewords.ended())
        publish(); /* messages published after the block has finished are lost */
}

int dvb_bch_decoder_bb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                          gr_vector_const_void_star &input_items,
                                          gr_vector_void_star &output_items)
{
    const codeword_stream::run available = d_codewords.available(ninput_items[0], input_items[0]);
    const codeword_items &size = d_sizes[available.code];
    const size_t frames = std::min(noutput_items / size.out, available.codewords);
    const uint8_t *in = static_cast<const uint8_t *>(input_items[0]);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    d_corrected.resize(std::max(d_corrected.size(), frames));
    for (size_t w = 0; w < frames; w++)
        ldpc_bch_decode(d_bch[available.code].get(), in + w * size.in, 1, d_packed, out + w * size.out,
                        &d_corrected[w]);
    std::vector<tag_t> failures;
    get_tags_in_range(failures, 0, nitems_read(0), nitems_read(0) + frames * size.in, all_failed_key);
    if (!failures.empty())
        d_failure.is_known();
    d_codewords.consume({frames, available.code});
    d_codewords.leave(0, frames * size.out);
    record(frames, size.out);
    return static_cast<int>(frames * size.out);
}

void dvb_bch_decoder_bb_impl::record(size_t frames, size_t items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_total.frames += frames;
    for (size_t w = 0; w < frames; w++) {
        const int32_t corrected = d_corrected[w];
        d_total.failed += corrected == LDPC_BCH_FAILED;
        d_total.corrected_frames += corrected > 0;
        d_total.corrected_bits += std::max(corrected, 0);
        add_item_tag(0, nitems_written(0) + w * items, corrected_key, pmt::from_long(corrected), alias_pmt());
    }
    if (d_failure.noticed(d_total.frames, d_total.failed)) {
        d_logger->warn(
            "none of the first {} frames could be corrected; likely causes: a code other than {}, values of "
            "codewords and packed that do not match the output of the LDPC decoder, or wrong frame "
            "alignment",
            d_total.frames, code());
        add_item_tag(0, nitems_written(0), all_failed_key, pmt::PMT_T, alias_pmt());
    }
    if (d_clock.due())
        publish();
}

/* Sends the statistics of the time since the last message. Sends nothing if they are empty. */
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
