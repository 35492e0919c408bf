/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which items of a stream make up codewords, as its tags say. */
#include "codeword_framing.h"

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

constexpr uint64_t open_end = UINT64_MAX; /* of a segment whose end is not known yet */

/* The value of a length tag; 0 = none that makes sense. */
uint64_t length_of(const tag_t &tag)
{
    if (pmt::is_uint64(tag.value))
        return std::min<uint64_t>(pmt::to_uint64(tag.value), INT64_MAX);
    return pmt::is_integer(tag.value) ? std::max(0l, pmt::to_long(tag.value)) : 0;
}

} // namespace

codeword_framing::codeword_framing(size_t items, const std::string &length_tag, const std::string &start_tag,
                                   const gr::logger_ptr &logger)
    : d_items(items), d_length_name(length_tag), d_logger(logger)
{
    if (!length_tag.empty() && !start_tag.empty())
        throw std::invalid_argument("length_tag_name and start_tag cannot be given together: a packet with a "
                                    "length tag begins at that tag");
    if (!length_tag.empty())
        d_length = pmt::mp(length_tag);
    if (!start_tag.empty())
        d_start = pmt::mp(start_tag);
}

void codeword_framing::restart()
{
    d_segments.clear();
    d_dropped = 0;
    d_length_warned = d_outside_warned = false;
}

codeword_framing::front codeword_framing::look(const std::vector<tag_t> &tags, uint64_t begin,
                                               size_t available)
{
    while (!d_segments.empty() && d_segments.front().end <= begin)
        d_segments.pop_front();
    for (const tag_t &tag : tags) {
        if (d_length && pmt::eqv(tag.key, d_length))
            add_packet(tag);
        else if (d_start && pmt::eqv(tag.key, d_start))
            add_start(tag);
    }
    while (!d_segments.empty() && d_segments.front().end <= begin)
        d_segments.pop_front();

    if (d_segments.empty() || d_segments.front().begin > begin) {
        if (d_length)
            warn_once(d_outside_warned,
                      "items that belong to no packet, as tags \"" + d_length_name + "\" tell, are dropped");
        const uint64_t next = d_segments.empty() ? open_end : d_segments.front().begin;
        return drop(std::min<uint64_t>(next - begin, available));
    }
    const segment &first = d_segments.front();
    if (!first.good)
        return drop(std::min<uint64_t>(first.end - begin, available));
    return {0, std::min<uint64_t>(end_of_run() - begin, available) / d_items};
}

/* Tags inside a packet, and those seen before, begin none. */
void codeword_framing::add_packet(const tag_t &tag)
{
    if (!d_segments.empty() && tag.offset < d_segments.back().end)
        return;
    const uint64_t length = length_of(tag);
    const bool good = length > 0 && length % d_items == 0;
    if (length == 0)
        warn_once(d_length_warned,
                  "a tag \"" + d_length_name + "\" is ignored: its value has to be a length, 1 or more");
    else if (!good)
        warn_once(d_length_warned, "a packet of " + std::to_string(length) +
                                       " items is dropped: its length has to be a multiple of " +
                                       std::to_string(d_items) + ", the items of a codeword");
    if (length > 0)
        d_segments.push_back({tag.offset, tag.offset + length, good});
}

/* A tag ends the segment before it, at the last whole codeword. */
void codeword_framing::add_start(const tag_t &tag)
{
    if (!d_segments.empty()) {
        segment &last = d_segments.back();
        if (tag.offset <= last.begin)
            return;
        last.end = last.begin + (tag.offset - last.begin) / d_items * d_items;
    }
    d_segments.push_back({tag.offset, open_end, true});
}

/* Of the codewords that follow each other without a gap, from the first segment on. */
uint64_t codeword_framing::end_of_run() const
{
    uint64_t end = d_segments.front().end;
    for (size_t i = 1; i < d_segments.size(); i++) {
        if (d_segments[i].begin != end || !d_segments[i].good)
            break;
        end = d_segments[i].end;
    }
    return end;
}

codeword_framing::front codeword_framing::drop(size_t items)
{
    d_dropped += items;
    return {items, 0};
}

void codeword_framing::warn_once(bool &warned, const std::string &text) const
{
    if (!warned)
        d_logger->warn("{}", text);
    warned = true;
}

void codeword_framing::rescale(std::vector<tag_t> &tags, size_t out_items) const
{
    if (!d_length)
        return;
    const auto begins_none = [this](const tag_t &tag) {
        return pmt::eqv(tag.key, d_length) &&
               std::none_of(d_segments.begin(), d_segments.end(),
                            [&](const segment &s) { return s.begin == tag.offset; });
    };
    tags.erase(std::remove_if(tags.begin(), tags.end(), begins_none), tags.end());
    for (tag_t &tag : tags)
        if (pmt::eqv(tag.key, d_length))
            tag.value = pmt::from_long(static_cast<long>(length_of(tag) / d_items * out_items));
}

} // namespace ldpc
} // namespace gr
