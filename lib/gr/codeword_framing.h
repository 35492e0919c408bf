/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the codewords in a stream from its tags. */
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

/* Tags, each of which selects one of several codes for the codewords after the tag. */
struct code_tags {
    pmt::pmt_t key;
    std::function<int(const pmt::pmt_t &value)> choose; /* index of the code for a tag's value; -1 if the
                                                         * value is unknown */
};

extern const pmt::pmt_t code_key; /* ldpc_code */
/* Returns the description of tags ldpc_code whose value is one of these names. */
code_tags name_tags(const std::vector<std::string> &names);
/* Returns a block's code, followed by the additional codes that tags select. */
std::vector<std::string> all_codes(const std::string &code, const std::vector<std::string> &codes);

/* Keys of the tags; "" or nullptr: this kind of tag is not used. Only one of the three kinds may be used. */
struct framing_tags {
    std::string length, start;
    const code_tags *code = nullptr; /* must outlive the codeword_framing */
};

/* A segment is a run of codewords of one code without gaps:
 *
 *   length tags   [tag: codeword ... codeword][tag: codeword ...]   a packet; it ends after the tag's length, or at the
 *                                                                   next plausible tag
 *   start tags    [tag: codeword ... codeword| incomplete  |tag:    up to the next start tag
 *   code tags     as start tags; the tag's value selects the code (code 0 before the first tag)
 *
 * Dropped: items outside segments, packets whose length is not a multiple of the codeword's, and items after a
 * tag that selects an unknown code. Without such tags the whole stream is one segment.
 *
 * A codeword of packed bits with nonzero padding is dropped, and so is the packet that contains it; therefore
 * packets of codewords with padding are held until complete. A packet longer than `most_items` is released
 * earlier: the padding of its last codewords is not checked. */
class codeword_framing
{
  public:
    /* `sizes`: one element per code. Throws std::invalid_argument if `tags` has more than one kind of tags. */
    codeword_framing(const std::vector<codeword_items> &sizes, const framing_tags &tags,
                     const gr::logger_ptr &logger);

    /* Whether look() must be called, because there are tags or padding; false: the whole stream is one
     * segment. */
    bool on() const
    {
        return d_length || d_start || d_code || d_padded;
    }
    void restart();

    /* Examines the next `available` items of the input at `in`, from item `begin` on, with all their tags.
     * Returns the number of items to drop or, if that is 0, of contiguous codewords of code `code`. `last`:
     * the stream ends after these items. */
    struct front {
        size_t drop, codewords, code;
    };
    front look(const std::vector<tag_t> &tags, uint64_t begin, size_t available, const void *in,
               size_t most_items, bool last);

    /* Number of items that the next call of look() needs to find more than the last call. */
    size_t needed() const
    {
        return d_needed;
    }
    /* Number of items of the next codeword, according to the tags read so far. */
    size_t codeword() const
    {
        return d_items[d_segments.empty() ? 0 : d_segments.front().code];
    }

    /* Converts input tags to output tags. The values of length tags change to `out_items` items per codeword;
     * length tags that start no packet are removed. */
    void rescale(std::vector<tag_t> &tags, size_t out_items) const;

    /* Number of items dropped since the restart. */
    uint64_t dropped() const
    {
        return d_dropped;
    }

  private:
    struct segment {
        uint64_t begin, end;
        bool good; /* the segment consists of whole codewords of a known code; false: drop the segment */
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

    std::vector<size_t> d_items, d_packed; /* for each code: items per codeword; packed bits per codeword, 0
                                            * if the input is not packed */
    bool d_padded;                         /* a code has padding */
    size_t d_least, d_needed;
    std::string d_length_name;
    pmt::pmt_t d_length, d_start; /* empty: not used */
    const code_tags *d_code;
    const gr::logger_ptr &d_logger;
    std::deque<segment> d_segments; /* segments that have started and are not fully consumed */
    uint64_t d_dropped = 0;
    bool d_length_warned = false, d_short_warned = false, d_outside_warned = false, d_code_warned = false,
         d_padding_warned = false;
};

} // namespace ldpc
} // namespace gr

#endif
