/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds codewords by the tags of a stream. */
#include "codeword_framing.h"

#include "padding.h"

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

constexpr uint64_t open_end = UINT64_MAX; /* unknown end */

uint64_t length_of(const tag_t &tag)
{
    if (pmt::is_uint64(tag.value))
        return std::min<uint64_t>(pmt::to_uint64(tag.value), INT64_MAX);
    return pmt::is_integer(tag.value) ? std::max(0l, pmt::to_long(tag.value)) : 0;
}

std::vector<size_t> each(const std::vector<codeword_items> &sizes, size_t codeword_items::*field)
{
    std::vector<size_t> values;
    for (const codeword_items &size : sizes)
        values.push_back(size.*field);
    return values;
}

} // namespace

const pmt::pmt_t code_key = pmt::mp("ldpc_code");

code_tags name_tags(const std::vector<std::string> &names)
{
    std::vector<pmt::pmt_t> symbols;
    for (const std::string &name : names)
        symbols.push_back(pmt::mp(name));
    return {code_key, [symbols](const pmt::pmt_t &value) {
                const auto found = std::find(symbols.begin(), symbols.end(), value); /* all symbols differ */
                return found == symbols.end() ? -1 : static_cast<int>(found - symbols.begin());
            }};
}

std::vector<std::string> all_codes(const std::string &code, const std::vector<std::string> &codes)
{
    std::vector<std::string> all = {code};
    all.insert(all.end(), codes.begin(), codes.end());
    return all;
}

codeword_framing::codeword_framing(const std::vector<codeword_items> &sizes, const framing_tags &tags,
                                   const gr::logger_ptr &logger)
    : d_items(each(sizes, &codeword_items::in)), d_packed(each(sizes, &codeword_items::packed)),
      d_padded(std::any_of(d_packed.begin(), d_packed.end(), [](size_t bits) { return bits % 8 != 0; })),
      d_least(*std::min_element(d_items.begin(), d_items.end())), d_needed(d_least),
      d_length_name(tags.length), d_code(tags.code), d_logger(logger)
{
    if (!tags.length.empty() && !tags.start.empty())
        throw std::invalid_argument("length_tag_name and start_tag are mutually exclusive: a packet with a "
                                    "length tag starts at that tag");
    if (d_code && !(tags.length.empty() && tags.start.empty()))
        throw std::invalid_argument("length_tag_name and start_tag cannot be combined with codes: a "
                                    "codeword starts at each tag that selects its code");
    if (!tags.length.empty())
        d_length = pmt::mp(tags.length);
    if (!tags.start.empty())
        d_start = pmt::mp(tags.start);
}

void codeword_framing::restart()
{
    d_segments.clear();
    d_dropped = 0;
    d_needed = d_least;
    d_length_warned = d_short_warned = d_outside_warned = d_code_warned = d_padding_warned = false;
    if (!d_length && !d_start)
        d_segments.push_back({0, open_end, true, 0});
}

codeword_framing::front codeword_framing::look(const std::vector<tag_t> &tags, uint64_t begin,
                                               size_t available, const void *in, size_t most_items, bool last)
{
    d_needed = d_least;
    leave_behind(begin);
    for (const tag_t &tag : tags)
        add(tag);
    leave_behind(begin);

    if (d_segments.empty() || d_segments.front().begin > begin) {
        if (d_length)
            warn_once(d_outside_warned,
                      "dropping items outside the packets of tags \"" + d_length_name + "\"");
        const uint64_t next = d_segments.empty() ? open_end : d_segments.front().begin;
        return drop(std::min<uint64_t>(next - begin, available));
    }
    const segment &first = d_segments.front();
    if (!first.good)
        return drop(std::min<uint64_t>(first.end - begin, available));
    if (d_padded && d_length)
        return padded_packet(begin, available, static_cast<const uint8_t *>(in), most_items, last);
    const size_t items = d_items[first.code];
    const size_t codewords = std::min<uint64_t>(end_of_run() - begin, available) / items;
    /* the code after the next tag may have shorter codewords */
    d_needed = codewords == 0 ? std::min(items, std::max(d_least, available + 1)) : d_least;
    if (d_padded && codewords > 0)
        return padded_codewords(codewords, static_cast<const uint8_t *>(in));
    return {0, codewords, first.code};
}

bool codeword_framing::has_zero_padding(const uint8_t *codeword, size_t code)
{
    const size_t bits = d_packed[code];
    if (is_padded(codeword, bits))
        return true;
    warn_once(d_padding_warned, std::string(d_length ? "a packet" : "a codeword") +
                                    " is dropped: " + padding_error("codeword", codeword, bits));
    return false;
}

/* Drops the first codeword if its padding is not zero. */
codeword_framing::front codeword_framing::padded_codewords(size_t codewords, const uint8_t *in)
{
    const size_t code = d_segments.front().code, items = d_items[code];
    size_t good = 0;
    while (good < codewords && has_zero_padding(in + good * items, code))
        good++;
    return good > 0 ? front{0, good, code} : drop(items);
}

/* Returns the first packet once it is complete and its padding is tested. */
codeword_framing::front codeword_framing::padded_packet(uint64_t begin, size_t available, const uint8_t *in,
                                                        size_t most_items, bool last)
{
    segment &packet = d_segments.front();
    const size_t items = d_items[0], there = std::min<uint64_t>(packet.end - begin, available);
    if (begin == packet.begin) {
        const uint64_t whole = std::max<uint64_t>(items, std::min<uint64_t>(packet.end - begin, most_items));
        if (there < whole && !last) {
            d_needed = available + 1;
            return {0, 0, 0};
        }
        for (size_t item = 0; item + items <= there && packet.good; item += items)
            packet.good = has_zero_padding(in + item, 0);
        if (!packet.good)
            return drop(there);
    }
    return {0, there / items, 0};
}

void codeword_framing::leave_behind(uint64_t begin)
{
    while (!d_segments.empty() && d_segments.front().end <= begin)
        d_segments.pop_front();
}

void codeword_framing::add(const tag_t &tag)
{
    if (d_length && pmt::eqv(tag.key, d_length))
        add_packet(tag);
    else if (d_start && pmt::eqv(tag.key, d_start))
        add_start(tag);
    else if (d_code && pmt::eqv(tag.key, d_code->key))
        add_code(tag);
}

/* A length tag inside a packet shows that the packet's length is wrong. This does not hold if both packets
 * end at the same item. */
void codeword_framing::add_packet(const tag_t &tag)
{
    const uint64_t length = length_of(tag);
    const bool good = length > 0 && length % d_items[0] == 0;
    const segment next = {tag.offset, tag.offset + length, good, 0};
    if (!d_segments.empty() && next.begin < d_segments.back().end) {
        const segment &last = d_segments.back();
        if (next.begin <= last.begin || !good || next.end == last.end)
            return;
        if (last.good)
            warn_once(d_short_warned, "a packet of " + std::to_string(last.end - last.begin) +
                                          " items is cut short by the tag of the next one, after " +
                                          std::to_string(next.begin - last.begin));
    }
    if (length == 0)
        warn_once(d_length_warned,
                  "ignoring a tag \"" + d_length_name + "\": its value must be a length of 1 or more");
    else if (!good)
        warn_once(d_length_warned, "dropping a packet of " + std::to_string(length) +
                                       " items: its length must be a multiple of the codeword's " +
                                       std::to_string(d_items[0]) + " items");
    if (length > 0)
        begin_segment(next);
}

void codeword_framing::add_start(const tag_t &tag)
{
    if (d_segments.empty() || tag.offset > d_segments.back().begin)
        begin_segment({tag.offset, open_end, true, 0});
}

void codeword_framing::add_code(const tag_t &tag)
{
    segment &last = d_segments.back(); /* never empty with code tags */
    if (tag.offset < last.begin)
        return;
    const int code = d_code->choose(tag.value);
    if (code < 0)
        warn_once(d_code_warned, "dropping items after a tag " + pmt::write_string(d_code->key) + " " +
                                     pmt::write_string(tag.value) + ": it must be one of the block's codes");
    const segment next = {tag.offset, open_end, code >= 0, static_cast<size_t>(std::max(code, 0))};
    if (tag.offset > last.begin)
        begin_segment(next);
    else
        last = next;
}

/* The previous segment ends here, after a whole codeword. */
void codeword_framing::begin_segment(const segment &next)
{
    if (!d_segments.empty() && d_segments.back().end > next.begin) {
        segment &last = d_segments.back();
        const size_t items = last.good ? d_items[last.code] : 1;
        last.end = last.begin + (next.begin - last.begin) / items * items;
    }
    d_segments.push_back(next);
}

/* Returns the end of the first segment. If contiguous segments of the same code follow, returns the end of
 * the last of these segments. */
uint64_t codeword_framing::end_of_run() const
{
    uint64_t end = d_segments.front().end;
    for (size_t i = 1; i < d_segments.size(); i++) {
        if (d_segments[i].begin != end || !d_segments[i].good || d_segments[i].code != d_segments[0].code)
            break;
        end = d_segments[i].end;
    }
    return end;
}

codeword_framing::front codeword_framing::drop(size_t items)
{
    d_dropped += items;
    return {items, 0, 0};
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
    const auto packet = [this](const tag_t &tag) {
        return std::find_if(d_segments.begin(), d_segments.end(),
                            [&](const segment &s) { return s.begin == tag.offset; });
    };
    const auto is_length = [this](const tag_t &tag) { return pmt::eqv(tag.key, d_length); };
    const auto begins_none = [&](const tag_t &tag) {
        return is_length(tag) && packet(tag) == d_segments.end();
    };
    tags.erase(std::remove_if(tags.begin(), tags.end(), begins_none), tags.end());
    for (tag_t &tag : tags)
        if (is_length(tag)) {
            const uint64_t codewords = (packet(tag)->end - tag.offset) / d_items[0];
            tag.value =
                pmt::from_long(static_cast<long>(std::min(codewords, INT64_MAX / out_items) * out_items));
        }
}

} // namespace ldpc
} // namespace gr
