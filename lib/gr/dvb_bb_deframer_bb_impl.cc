/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts baseband frames to transport stream packets. */
#include "dvb_bb_deframer_bb_impl.h"

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

const pmt::pmt_t frame_key = pmt::mp("bb_frame");
const pmt::pmt_t broken_key = pmt::mp("bb_broken");
const pmt::pmt_t frames_port = pmt::mp("frames");
const pmt::pmt_t isi_key = pmt::mp("isi");

enum { HEADER = 80 }; /* bits */

/* Names in messages and counters(). */
const struct {
    const char *name;
    uint64_t ldpc_bb_counters::*value;
} counter_names[] = {
    {"frames",        &ldpc_bb_counters::frames       },
    {"header_errors", &ldpc_bb_counters::header_errors},
    {"broken_frames", &ldpc_bb_counters::broken_frames},
    {"other_frames",  &ldpc_bb_counters::other_frames },
    {"packets",       &ldpc_bb_counters::packets      },
    {"null_packets",  &ldpc_bb_counters::null_packets },
    {"crc_errors",    &ldpc_bb_counters::crc_errors   },
    {"ts_errors",     &ldpc_bb_counters::ts_errors    },
    {"lost_packets",  &ldpc_bb_counters::lost_packets },
};

ldpc_bb_deframer *make_deframer(const std::string &name, int stream)
{
    ldpc_error error = {};
    ldpc_bb_deframer *deframer = nullptr;
    const ldpc_status status = ldpc_bb_deframer_create(name.c_str(), stream, &deframer, &error);
    check(status, error.message);
    return deframer;
}

} // namespace

dvb_bb_deframer_bb::sptr dvb_bb_deframer_bb::make(const std::string &code, bool packed, int stream,
                                                  double stats_interval,
                                                  const std::vector<std::string> &codes)
{
    return gnuradio::make_block_sptr<dvb_bb_deframer_bb_impl>(code, packed, stream, stats_interval, codes);
}

dvb_bb_deframer_bb_impl::dvb_bb_deframer_bb_impl(const std::string &code, bool packed, int stream,
                                                 double stats_interval, const std::vector<std::string> &codes)
    : gr::block("dvb_bb_deframer_bb", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_names(all_codes(code, codes)), d_deframer(make_deframer(code, stream), ldpc_bb_deframer_destroy),
      d_packed(packed), d_stream(stream), d_k(ldpc_bb_deframer_k(d_deframer.get())), d_sizes(sizes()),
      d_code_tags(name_tags(d_names)),
      d_frames(*this, d_logger, d_sizes, {"", "", codes.empty() ? nullptr : &d_code_tags}),
      d_clock(stats_interval)
{
    size_t longest = 0;
    for (const codeword_items &size : d_sizes)
        longest = std::max(longest, size.out);
    set_relative_rate(static_cast<uint64_t>(d_sizes[0].out), static_cast<uint64_t>(d_sizes[0].in));
    set_output_multiple(LDPC_TS_PACKET);
    set_min_output_buffer(0, static_cast<long>(4 * longest));
    set_tag_propagation_policy(TPP_DONT);
    message_port_register_out(stats_port);
    message_port_register_out(frames_port);
}

/* The deframer must be set to a code before it returns the frame size of this code. */
std::vector<codeword_items> dvb_bb_deframer_bb_impl::sizes()
{
    std::vector<codeword_items> sizes;
    for (size_t code = 0; code < d_names.size(); code++) {
        set_code(code);
        const size_t k = ldpc_bb_deframer_k(d_deframer.get()), bytes = packed_bytes(k);
        sizes.push_back({d_packed ? bytes : k, bytes, d_packed ? k : 0});
    }
    set_code(0);
    return sizes;
}

void dvb_bb_deframer_bb_impl::set_code(size_t code)
{
    if (code == d_code)
        return;
    ldpc_error error = {};
    check(ldpc_bb_deframer_set_code(d_deframer.get(), d_names[code].c_str(), &error), error.message);
    d_code = code;
}

bool dvb_bb_deframer_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    ldpc_bb_deframer_reset(d_deframer.get());
    d_frames.restart();
    d_more = false;
    d_tags.clear();
    d_published = {};
    d_failure.restart();
    d_clock.lap();
    return true;
}

bool dvb_bb_deframer_bb_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

/* Requests no input while the deframer has packets. */
void dvb_bb_deframer_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    ninput_items_required[0] = d_more ? 0 : d_frames.needed();
    if (!d_more && d_frames.ended())
        publish(); /* messages published after the block has finished are lost */
}

int dvb_bb_deframer_bb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                          gr_vector_const_void_star &input_items,
                                          gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const codeword_stream::run available = d_frames.available(ninput_items[0], input_items[0]);
    const uint8_t *in = static_cast<const uint8_t *>(input_items[0]);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    const size_t room = noutput_items / LDPC_TS_PACKET, items = d_sizes[available.code].in;
    size_t frames = 0, produced = 0;
    while (produced < room && (d_more || frames < available.codewords)) {
        if (!d_more) {
            set_code(available.code);
            push(in + frames * items, items, nitems_read(0) + frames * items);
            frames++;
            warn_of_failure();
        }
        produced += pull(out + produced * LDPC_TS_PACKET, room - produced,
                         nitems_written(0) + produced * LDPC_TS_PACKET);
    }
    if (d_clock.due())
        publish();
    consume(0, static_cast<int>(frames * items));
    return static_cast<int>(produced * LDPC_TS_PACKET);
}

/* Maximum number of tags in d_tags. */
static constexpr size_t MOST_TAGS = 64;

/* Passes the next frame to the deframer. Tags of the frame move to the next packet. */
void dvb_bb_deframer_bb_impl::push(const uint8_t *frame, size_t items, uint64_t offset)
{
    bool broken = false;
    std::vector<tag_t> tags;
    get_tags_in_range(tags, 0, offset, offset + items);
    for (const tag_t &tag : tags) {
        if (pmt::eqv(tag.key, corrected_key))
            broken = broken || (pmt::is_integer(tag.value) && pmt::to_long(tag.value) < 0);
        else if (pmt::eqv(tag.key, all_failed_key))
            d_failure.is_known();
        else
            d_tags.push_back(tag);
    }
    ldpc_bb_deframer_push(d_deframer.get(), frame, d_packed, broken);
    d_more = true;
    tag_t tag;
    tag.srcid = alias_pmt();
    tag.value = pmt::from_uint64(ldpc_bb_deframer_counters(d_deframer.get()).frames - 1);
    const ldpc_bb_header header = ldpc_bb_deframer_header(d_deframer.get());
    if (header.valid && !broken && !header.transport_stream)
        publish_generic(header);
    if (header.valid) {
        tag.key = frame_key;
        d_tags.push_back(tag);
    }
    if (broken || !header.valid) {
        tag.key = broken_key;
        d_tags.push_back(tag);
    }
    if (d_tags.size() > MOST_TAGS)
        d_tags.erase(d_tags.begin(), d_tags.end() - MOST_TAGS);
}

/* If the current frame belongs to the selected input stream, sends its header and data field as a PDU. */
void dvb_bb_deframer_bb_impl::publish_generic(const ldpc_bb_header &header)
{
    const int isi = header.single_stream ? -1 : header.stream;
    if (d_stream != LDPC_BB_ANY_STREAM && isi >= 0 && isi != d_stream)
        return;
    const pmt::pmt_t about = pmt::dict_add(pmt::make_dict(), isi_key, pmt::from_long(isi));
    message_port_pub(frames_port,
                     pmt::cons(about, pmt::init_u8vector(packed_bytes(HEADER + header.dfl),
                                                         ldpc_bb_deframer_frame(d_deframer.get()))));
}

void dvb_bb_deframer_bb_impl::warn_of_failure()
{
    const ldpc_bb_counters now = ldpc_bb_deframer_counters(d_deframer.get());
    if (d_failure.noticed(now.frames, now.header_errors))
        d_logger->warn("none of the first {} baseband frames has a header with a valid CRC; likely causes: "
                       "a code other than {}, a value of packed that does not match the input, wrong frame "
                       "alignment, no BCH decoder before this block, or no baseband frames",
                       now.frames, code());
}

/* offset: number of the first output item of this call. */
size_t dvb_bb_deframer_bb_impl::pull(uint8_t *ts, size_t packets, uint64_t offset)
{
    const size_t pulled = ldpc_bb_deframer_pull(d_deframer.get(), ts, packets);
    d_more = pulled == packets;
    if (pulled > 0) {
        for (tag_t &tag : d_tags)
            add_item_tag(0, offset, tag.key, tag.value, tag.srcid);
        d_tags.clear();
    }
    return pulled;
}

std::map<std::string, uint64_t> dvb_bb_deframer_bb_impl::counters() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const ldpc_bb_counters now = ldpc_bb_deframer_counters(d_deframer.get());
    std::map<std::string, uint64_t> all;
    for (const auto &entry : counter_names)
        all[entry.name] = now.*entry.value;
    return all;
}

/* Sends the statistics of the time since the last message. Sends nothing if they are empty. */
void dvb_bb_deframer_bb_impl::publish()
{
    const ldpc_bb_counters now = ldpc_bb_deframer_counters(d_deframer.get());
    if (now.frames == d_published.frames || !d_clock.on())
        return;
    const double seconds = d_clock.lap();
    stats_dict stats;
    stats.add("code", code());
    stats.add("seconds", seconds);
    for (const auto &entry : counter_names)
        stats.add(entry.name, now.*entry.value - d_published.*entry.value);
    stats.add("ts_mbps", 8e-6 * LDPC_TS_PACKET * (now.packets - d_published.packets) / seconds);
    stats.add("total_packets", now.packets);
    stats.add("total_ts_errors", now.ts_errors);
    stats.add("total_header_errors", now.header_errors);
    message_port_pub(stats_port, stats.get());
    d_published = now;
}

} // namespace ldpc
} // namespace gr
