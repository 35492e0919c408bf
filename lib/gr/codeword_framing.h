/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds codewords by the tags of a stream. */
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

/* Tags that select a code. The code applies to the codewords after the tag. */
struct code_tags {
    pmt::pmt_t key;
    std::function<int(const pmt::pmt_t &value)> choose; /* returns the index of the code, or -1 */
};

extern const pmt::pmt_t code_key; /* "ldpc_code" */
/* Returns tags that select a code by its name. */
code_tags name_tags(const std::vector<std::string> &names);
/* Returns the code of a block, then the codes that tags can select. */
std::vector<std::string> all_codes(const std::string &code, const std::vector<std::string> &codes);

/* Keys of the tags. At most one key may be set. An empty key means that these tags are not used. */
struct framing_tags {
    std::string length, start;
    const code_tags *code = nullptr; /* not owned */
};

/* Divides a stream into segments: runs of codewords of one code without gaps.
 *
 *   length tags   [tag: codeword ... codeword][tag: codeword ...]   A segment is a packet. It ends after the tag's
 *                                                                   length, or at the next plausible tag.
 *   start tags    [tag: codeword ... codeword| incomplete  |tag:    A segment ends at the next start tag.
 *   code tags     The same as start tags. The value of a tag selects the code. Before the first tag, code 0 is used.
 *
 * Items outside segments, packets without whole codewords, and items after a tag with an unknown code are
 * dropped. Without tags, the whole stream is one segment.
 *
 * A codeword with nonzero padding is dropped with its packet. Packets of codewords with padding are therefore
 * output when they are complete. A packet that is longer than `most_items` is output earlier, and the padding
 * of its last codewords is not tested. */
class codeword_framing
{
  public:
    /* Throws std::invalid_argument if several keys are set. */
    codeword_framing(const std::vector<codeword_items> &sizes, const framing_tags &tags,
                     const gr::logger_ptr &logger);

    /* Returns whether the stream has tags or padding. Otherwise look() is not needed. */
    bool on() const
    {
        return d_length || d_start || d_code || d_padded;
    }
    void restart();

    /* Examines `available` input items and their tags. `begin` is the number of the item in[0]. `last`: the
     * stream ends after these items. */
    struct front {
        size_t drop, codewords, code;
    };
    front look(const std::vector<tag_t> &tags, uint64_t begin, size_t available, const void *in,
               size_t most_items, bool last);

    /* Returns the number of input items that look() needs. */
    size_t needed() const
    {
        return d_needed;
    }
    /* Returns the length of the next codeword, in items. */
    size_t codeword() const
    {
        return d_items[d_segments.empty() ? 0 : d_segments.front().code];
    }

    /* Converts the lengths in tags to output items. Removes tags without a packet. */
    void rescale(std::vector<tag_t> &tags, size_t out_items) const;

    /* Returns the number of items dropped since the restart. */
    uint64_t dropped() const
    {
        return d_dropped;
    }

  private:
    struct segment {
        uint64_t begin, end;
        bool good; /* false: the items are dropped */
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

    std::vector<size_t> d_items;  /* items per codeword of each code */
    std::vector<size_t> d_packed; /* bits per packed codeword of each code; 0: not packed */
    bool d_padded;
    size_t d_least, d_needed;
    std::string d_length_name;
    pmt::pmt_t d_length, d_start; /* null if not used */
    const code_tags *d_code;
    const gr::logger_ptr &d_logger;
    std::deque<segment> d_segments;
    uint64_t d_dropped = 0;
    bool d_length_warned = false, d_short_warned = false, d_outside_warned = false, d_code_warned = false,
         d_padding_warned = false;
};

} // namespace ldpc
} // namespace gr

#endif
