/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses the tags of a stream to find the codewords in it. */
#ifndef INCLUDED_GR_LDPC_CODEWORD_FRAMING_H
#define INCLUDED_GR_LDPC_CODEWORD_FRAMING_H

#include "codeword_tags.h"

#include <gnuradio/logger.h>
#include <gnuradio/tags.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace gr
{
namespace ldpc
{

/* Describes tags that select one of several codes for the codewords that follow. */
struct code_tags {
    pmt::pmt_t key;
    std::function<int(const pmt::pmt_t &value)> choose; /* returns the index of the code that a tag's value
                                                         * selects, or -1 if the value is unknown */
};

extern const pmt::pmt_t code_key; /* name of the tag, "ldpc_code" */
/* Describes tags with the key ldpc_code, whose values are these names of codes. */
code_tags name_tags(const std::vector<std::string> &names);
/* Returns the code of a block, followed by the additional codes that tags can select. */
std::vector<std::string> all_codes(const std::string &code, const std::vector<std::string> &codes);

/* Keys of the three kinds of tags. An empty key means that this kind of tag is not used. At most one kind may
 * be used. */
struct framing_tags {
    std::string length, start;
    const code_tags *code = nullptr; /* The object must outlive the codeword_framing. */
};

/* Divides a stream into segments. A segment is a run of codewords of one code without gaps:
 *
 *   length tags   [tag: codeword ... codeword][tag: codeword ...]   A segment is a packet. It ends after the tag's
 *                                                                   length, or at the next plausible tag.
 *   start tags    [tag: codeword ... codeword| incomplete  |tag:    A segment ends at the next start tag.
 *   code tags     as with start tags; the value of the tag selects the code; code 0 precedes the first tag
 *
 * Items outside segments are dropped. A packet is dropped if its length is not a multiple of the codeword
 * length. Items after a tag with an unknown code are dropped. If none of these tags are used, the whole
 * stream is one segment.
 *
 * A codeword of packed bits with nonzero padding is dropped together with the packet that contains it. Therefore
 * a packet of codewords with padding is not output until it is complete. If a packet is longer than `most_items`,
 * it is output earlier, and the padding of its last codewords is not checked. */
class codeword_framing
{
  public:
    /* `sizes` has one element per code. Throws std::invalid_argument if `tags` names more than one kind. */
    codeword_framing(const std::vector<codeword_items> &sizes, const framing_tags &tags,
                     const gr::logger_ptr &logger);

    /* Returns whether look() must be called, because there are tags or padding. Otherwise the whole stream is
     * one segment. */
    bool on() const
    {
        return d_length || d_start || d_code || d_padded;
    }
    void restart();

    /* Examines the next `available` input items and all their tags. `in` points to the items, and `begin` is
     * the index of the first one. Returns the number of items to drop. If this number is 0, returns the
     * number of contiguous codewords of code `code`. `last` means that the stream ends after these items. */
    struct front {
        size_t drop, codewords, code;
    };
    front look(const std::vector<tag_t> &tags, uint64_t begin, size_t available, const void *in,
               size_t most_items, bool last);

    /* Returns how many items look() must be given to find more than its last call. */
    size_t needed() const
    {
        return d_needed;
    }
    /* Returns the length in items of the next codeword, according to the tags read so far. */
    size_t codeword() const
    {
        return d_items[d_segments.empty() ? 0 : d_segments.front().code];
    }

    /* Converts input tags to output tags. The value of a length tag is converted from input items to output
     * items, where a codeword has `out_items` output items. Length tags that start no packet are removed. */
    void rescale(std::vector<tag_t> &tags, size_t out_items) const;

    /* Returns the number of items that were dropped since the restart. */
    uint64_t dropped() const
    {
        return d_dropped;
    }

  private:
    struct segment {
        uint64_t begin, end;
        bool good; /* true: whole codewords of a known code; false: items that will be dropped */
        size_t code;
    };
    void add(const tag_t &tag);
    void add_packet(const tag_t &tag);
    void add_start(const tag_t &tag);
    void add_code(const tag_t &tag);
    void begin_segment(const segment &next);
    void leave_behind(uint64_t begin);
    uint64_t end_of_run() const;
    front drop(size_t items);
    bool has_zero_padding(const uint8_t *codeword, size_t code);
    front padded_codewords(size_t codewords, const uint8_t *in);
    front padded_packet(uint64_t begin, size_t available, const uint8_t *in, size_t most_items, bool last);
    void warn_once(bool &warned, const std::string &text) const;

    std::vector<size_t> d_items, d_packed; /* for each code: number of items per codeword; number of bits per
                                            * codeword if the input is packed, otherwise 0 */
    bool d_padded;                         /* whether the codewords of a code end in padding bits */
    size_t d_least, d_needed;
    std::string d_length_name;
    pmt::pmt_t d_length, d_start; /* keys of the tags; empty if this kind of tag is not used */
    const code_tags *d_code;
    const gr::logger_ptr &d_logger;
    std::deque<segment> d_segments; /* segments that have started and still have items to consume */
    uint64_t d_dropped = 0;
    bool d_length_warned = false, d_short_warned = false, d_outside_warned = false, d_code_warned = false,
         d_padding_warned = false;
};

} // namespace ldpc
} // namespace gr

#endif
